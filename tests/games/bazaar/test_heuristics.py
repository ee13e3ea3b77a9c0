"""Bazaar heuristics: legal candidates and rollout moves, converged values, better hands
worth more.
"""

import random
from typing import Any

import numpy as np
import pytest

import souk
from souk.games.bazaar import heuristics
from souk.games.bazaar.box import pack
from souk.games.bazaar.rules import BAG, LIMIT, NO_WARE, ROLL, chip, payable, size, value
from souk.games.bazaar.ware_values import HANDS, KEEPING, PATIENCE, ROW, TABLE, number
from tests.support.bazaar_positions import BAZAAR, TOPS, at
from tests.support.workspaces import desk_of

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


def evaluate(pos: souk.Position) -> tuple[list[float], float]:
    values = [0.0] * pos.players
    spread = heuristics.evaluate(pos.state, values, heuristics.build_lookup(pos.array))
    return values, spread


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_candidates_and_likely_moves_are_legal(players: int, options: dict[str, Any]) -> None:
    """From the start of random games, where no lookup exists until the rate cards are drawn."""
    rng, workspace = random.Random(players), desk_of(BAZAAR)
    for _ in range(2):
        pos = BAZAAR.start(players=players, **options)
        for _ in range(300):
            lookup = heuristics.build_lookup(pos.array)
            for seat in pos.actors:
                legal = moves_of(pos, seat)
                likely = heuristics.rollout_move(
                    pos.state, seat, rng.getrandbits(64), workspace, lookup
                )
                listed = list(
                    workspace.found[: heuristics.candidates(pos.state, seat, workspace, lookup)]
                )
                assert likely in legal
                assert 1 <= len(listed) == len(set(listed)) <= 24
                assert set(listed) <= set(legal)
                assert ROLL in listed or ROLL not in legal
                assert heuristics.rule_of_thumb_move(pos.state, seat, workspace, lookup) in [
                    -1,
                    *legal,
                ]
                assert all(
                    np.isfinite(heuristics.beginner_score(pos.state, seat, move, lookup))
                    for move in legal
                )
            assert np.isfinite(evaluate(pos)[0]).all()
            assert evaluate(pos)[1] > 0
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
    """A hand is worth its best action, a turn later; the game itself says where actions lead."""
    rng = random.Random(5)
    for _ in range(60):
        chips = [rng.choice("WBGRY") for _ in range(rng.randrange(LIMIT))]
        pos = BAZAAR.from_json(at("".join(chips), "", tops=TOPS))
        s, lookup = pos.state, heuristics.build_lookup(pos.array)
        for stall in (1, 2, 3):
            s.top[stall] = NO_WARE  # nobody can pay for it, which leaves one ware
        ahead = []
        for move in pos.moves(0):
            after = pos.copy()
            after.play(0, move)
            if move == "roll":
                seen = [after_action(s, s.chips[0] + chip(colour), lookup) for colour in range(5)]
                ahead.append((sum(seen) + max(seen)) / 6)
            elif (
                size(after.state.chips[0]) <= LIMIT
            ):  # trades ending above the limit are not in the table
                ahead.append(after_action(s, after.state.chips[0], lookup))
        assert heuristics.worth(lookup, s.chips[0], s.top[0]) == pytest.approx(
            PATIENCE * max(ahead), abs=0.02
        ), chips


def after_action(s: Any, bag: int, lookup: Any) -> float:
    """Value of a hand going for the first stall's ware, when it may buy now."""
    worth = float(lookup[ROW * number(bag) + s.top[0]])
    if payable(s, bag, 0):
        kept = lookup[ROW * number(bag - (s.wares[s.top[0]] & BAG)) + KEEPING]
        worth = max(worth, value(s, 0, size(bag) - 5) + float(kept))
    return worth


def test_other_rate_cards_are_studied_anew() -> None:
    one, other = (
        heuristics.build_lookup(BAZAAR.start(players=3, rates=rates).array)
        for rates in ((1, 2), (3, 4))
    )
    assert one.shape == other.shape == (2 * TABLE,)
    assert one.dtype == np.float32
    assert (one != other).any()
    assert heuristics.build_lookup(BAZAAR.start(players=4, rates=(1, 2)).array) is one


@pytest.mark.parametrize("nearer", ["WWW", "WWWRR", "WWRR"])
def test_a_better_hand_and_more_points_are_worth_more(nearer: str) -> None:
    poor = evaluate(BAZAAR.from_json(at("", "Y", "B")))[0]
    rich = evaluate(BAZAAR.from_json(at(nearer, "Y", "B")))[0]
    assert rich[0] > poor[0] + 0.5
    assert rich[1] < poor[1]
    ahead = evaluate(BAZAAR.from_json(at("", "Y", "B", points=[5, 0, 0])))[0]
    assert ahead[0] == pytest.approx(poor[0] + 5)


def test_less_is_open_when_less_is_left() -> None:
    full, empty = (
        evaluate(BAZAAR.from_json(at("W", "Y", left=left))) for left in ([5, 5, 5, 5], [0, 1, 2, 2])
    )
    assert full[1] > empty[1]
    assert sum(full[0]) > sum(empty[0])


def test_an_exact_purchase_is_made_and_worth_more_than_a_wasteful_one() -> None:
    exact, wasteful = (
        BAZAAR.from_json(at(chips, "", phase="buy")) for chips in ("WWWRR", "WWWRRYYY")
    )
    lookup, workspace = heuristics.build_lookup(exact.array), desk_of(BAZAAR)
    assert heuristics.candidates(exact.state, 0, workspace, lookup) == 2
    buy = workspace.found[0]
    assert exact.game.notation.move_text(exact.state, buy) == "buy 1"
    assert heuristics.move_score(exact.state, 0, buy, lookup) > heuristics.move_score(
        wasteful.state, 0, buy, lookup
    )


def test_whoever_would_lose_by_closing_does_not_close() -> None:
    fields = {"phase": "buy", "left": [1, 0, 3, 3], "tops": TOPS}
    behind = BAZAAR.from_json(at("WWWRR", "", points=[0, 30], **fields))
    before = BAZAAR.from_json(at("WWWRR", "", points=[26, 30], **fields))
    for pos, text in ((behind, "done"), (before, "buy 1")):
        likely = heuristics.rollout_move(
            pos.state, 0, 1, desk_of(BAZAAR), heuristics.build_lookup(pos.array)
        )
        assert pos.game.notation.move_text(pos.state, likely) == text
