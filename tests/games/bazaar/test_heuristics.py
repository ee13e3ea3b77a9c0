"""Bazaar's insight: candidates and likely moves are legal, the table of worths stands still, better hands promise more."""

import random
from typing import Any

import numpy as np
import pytest

import souk
from souk.games.bazaar import insight
from souk.games.bazaar.box import pack
from souk.games.bazaar.rules import BAG, LIMIT, NO_WARE, ROLL, chip, payable, size, value
from souk.games.bazaar.study import HANDS, KEEPING, PATIENCE, ROW, TABLE, number
from tests.games.bazaar_positions import BAZAAR, TOPS, at
from tests.games.desks import desk_of

TABLES: list[tuple[int, dict[str, Any]]] = [
    (1, {}),
    (2, {"double_purchase": True}),
    (4, {}),
    (4, {"double_purchase": True}),
    (6, {}),
]


def moves_of(pos: souk.Position, seat: int) -> list[int]:
    out = [0] * 64
    return out[: BAZAAR.rules.moves(pos.state, seat, out)]


def outlook(pos: souk.Position) -> tuple[list[float], float]:
    values = [0.0] * pos.players
    spread = insight.outlook(pos.state, values, insight.study(pos.array))
    return values, spread


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_candidates_and_likely_moves_are_legal(players: int, options: dict[str, Any]) -> None:
    """In random games, from the start: before the rate cards are drawn there is nothing to study yet."""
    rng, desk = random.Random(players), desk_of(BAZAAR)
    for _ in range(2):
        pos = BAZAAR.start(players=players, **options)
        for _ in range(300):
            lore = insight.study(pos.array)
            for seat in pos.actors:
                legal = moves_of(pos, seat)
                likely = insight.likely_move(pos.state, seat, rng.getrandbits(64), desk, lore)
                found = list(desk.found[: insight.candidates(pos.state, seat, desk, lore)])
                assert likely in legal
                assert 1 <= len(found) == len(set(found)) <= 24
                assert set(found) <= set(legal)
                assert ROLL in found or ROLL not in legal
                assert insight.habit(pos.state, seat, desk, lore) in [-1, *legal]
                assert all(np.isfinite(insight.temptation(pos.state, seat, move, lore)) for move in legal)
            assert np.isfinite(outlook(pos)[0]).all()
            assert outlook(pos)[1] > 0
            if pos.over:
                break
            if pos.actors:
                pos.play(pos.actors[0], rng.choice(pos.moves(pos.actors[0])))
            else:
                pos.draw(rng)


def test_hands_are_numbered_from_none_to_ten_yellow_chips() -> None:
    assert number(0) == 0
    assert {number(pack([n, 0, 0, 0, LIMIT - n])) for n in range(LIMIT + 1)} <= set(range(HANDS))
    assert number(pack([LIMIT, 0, 0, 0, 0])) == HANDS - 1
    rng = random.Random(3)
    for _ in range(200):
        chips = sorted(rng.randrange(LIMIT) for _ in range(5))
        less = pack([high - low for low, high in zip([0, *chips], chips, strict=False)])
        assert all(number(less) < number(less + chip(colour)) for colour in range(5))


def test_no_change_of_a_single_action_improves_a_worth() -> None:
    """The worth of a hand is that of its best action, a turn later; where an action leads is asked of the game."""
    rng = random.Random(5)
    for _ in range(60):
        chips = [rng.choice("WBGRY") for _ in range(rng.randrange(LIMIT))]
        pos = BAZAAR.from_json(at("".join(chips), "", tops=TOPS))
        s, lore = pos.state, insight.study(pos.array)
        for stall in (1, 2, 3):
            s.top[stall] = NO_WARE  # nobody can pay for it: there is one ware to go for
        ahead = []
        for move in pos.moves(0):
            after = pos.copy()
            after.play(0, move)
            if move == "roll":
                seen = [after_action(s, s.chips[0] + chip(colour), lore) for colour in range(5)]
                ahead.append((sum(seen) + max(seen)) / 6)
            elif size(after.state.chips[0]) <= LIMIT:  # trades that end above are left out of the table
                ahead.append(after_action(s, after.state.chips[0], lore))
        assert insight.worth(lore, s.chips[0], s.top[0]) == pytest.approx(PATIENCE * max(ahead), abs=0.02), chips


def after_action(s: Any, bag: int, lore: Any) -> float:
    """What a hand is worth to somebody who goes for the first stall's ware and may buy it now."""
    worth = float(lore[ROW * number(bag) + s.top[0]])
    if payable(s, bag, 0):
        kept = lore[ROW * number(bag - (s.wares[s.top[0]] & BAG)) + KEEPING]
        worth = max(worth, value(s, 0, size(bag) - 5) + float(kept))
    return worth


def test_other_rate_cards_are_studied_anew() -> None:
    one, other = (insight.study(BAZAAR.start(players=3, rates=rates).array) for rates in ((1, 2), (3, 4)))
    assert one.shape == other.shape == (2 * TABLE,)
    assert one.dtype == np.float32
    assert (one != other).any()
    assert insight.study(BAZAAR.start(players=4, rates=(1, 2)).array) is one


@pytest.mark.parametrize("nearer", ["WWW", "WWWRR", "WWRR"])
def test_a_better_hand_and_more_points_are_worth_more(nearer: str) -> None:
    poor = outlook(BAZAAR.from_json(at("", "Y", "B")))[0]
    rich = outlook(BAZAAR.from_json(at(nearer, "Y", "B")))[0]
    assert rich[0] > poor[0] + 0.5
    assert rich[1] < poor[1]
    ahead = outlook(BAZAAR.from_json(at("", "Y", "B", points=[5, 0, 0])))[0]
    assert ahead[0] == pytest.approx(poor[0] + 5)


def test_less_is_open_when_less_is_left() -> None:
    full, empty = (outlook(BAZAAR.from_json(at("W", "Y", left=left))) for left in ([5, 5, 5, 5], [0, 1, 2, 2]))
    assert full[1] > empty[1]
    assert sum(full[0]) > sum(empty[0])


def test_an_exact_purchase_is_made_and_worth_more_than_a_wasteful_one() -> None:
    exact, wasteful = (BAZAAR.from_json(at(chips, "", phase="buy")) for chips in ("WWWRR", "WWWRRYYY"))
    lore, desk = insight.study(exact.array), desk_of(BAZAAR)
    assert insight.candidates(exact.state, 0, desk, lore) == 2
    buy = desk.found[0]
    assert exact.game.notation.move_text(exact.state, buy) == "buy 1"
    assert insight.move_promise(exact.state, 0, buy, lore) > insight.move_promise(wasteful.state, 0, buy, lore)


def test_whoever_would_lose_by_closing_does_not_close() -> None:
    fields = {"phase": "buy", "left": [1, 0, 3, 3], "tops": TOPS}
    behind = BAZAAR.from_json(at("WWWRR", "", points=[0, 30], **fields))
    before = BAZAAR.from_json(at("WWWRR", "", points=[26, 30], **fields))
    for pos, text in ((behind, "done"), (before, "buy 1")):
        likely = insight.likely_move(pos.state, 0, 1, desk_of(BAZAAR), insight.study(pos.array))
        assert pos.game.notation.move_text(pos.state, likely) == text
