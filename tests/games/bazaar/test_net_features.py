"""Bazaar's net features: independent of stall and seat numbers; purchase chances match the game."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import souk
from souk.games.bazaar import net_features as net
from souk.games.bazaar.heuristics import build_lookup
from souk.games.bazaar.rules import BUY, PRICE, ROLL, payable, size, value
from souk.games.bazaar.ware_values import ROW, TABLE, number
from tests.support.bazaar_positions import BAZAAR, position
from tests.support.workspaces import desk_of


def seen(pos: souk.Position) -> list[list[int]]:
    """Every seat's features."""
    workspace = desk_of(BAZAAR)
    n = net.features(pos.state, workspace, build_lookup(pos.array))
    assert n <= net.MOST_SEEN
    return [[int(workspace.seen[k, seat]) for k in range(n)] for seat in range(pos.players)]


def quiet_positions(
    players: int, seed: int, rate_cards: int, turns: int
) -> Iterator[souk.Position]:
    """Starts of turns in games in which seats sometimes go for wares and otherwise play
    randomly.
    """
    rng, workspace = random.Random(seed), desk_of(BAZAAR)
    for _ in range(rate_cards):
        pos = BAZAAR.start(players)
        while pos.chances():
            pos.draw(rng)
        lookup, passed = build_lookup(pos.array), 0
        while not pos.over and passed < turns:
            if BAZAAR.rules.is_quiet(pos.state):
                passed += 1
                yield pos
            if pos.chances():
                pos.draw(rng)
            elif rng.random() < 0.7:
                move = BAZAAR.rules.rollout_move(
                    pos.state, pos.actors[0], rng.getrandbits(64), workspace, lookup
                )
                pos.play(pos.actors[0], BAZAAR.notation.move_text(pos.state, move))
            else:
                pos.play(pos.actors[0], rng.choice(list(pos.moves(pos.actors[0]))))


def moved(pos: souk.Position, stalls: list[int], seats: int) -> souk.Position:
    """The same position with the stalls reordered and seats shifted."""
    data: dict[str, Any] = pos.to_json()
    data["stalls"] = [data["stalls"][stall] for stall in stalls]
    for field in ("chips", "points", "bought"):
        data[field] = data[field][-seats:] + data[field][:-seats]
    data["turn"] = (data["turn"] + seats) % pos.players
    return BAZAAR.from_json(data)


def suit_differently(pos: souk.Position) -> bool:
    """Whether no seat is equally near two wares, where stall numbers would break the tie."""
    lookup, tops = (
        build_lookup(pos.array),
        [int(top) for top, left in zip(pos.state.top, pos.state.left, strict=True) if left],
    )
    worths = [
        [float(lookup[ROW * number(pos.state.chips[seat]) + top]) for top in tops]
        for seat in range(pos.players)
    ]
    return all(len(set(by_stall)) == len(by_stall) for by_stall in worths)


@pytest.mark.parametrize("players", [2, 5])
def test_nobody_minds_the_numbers_of_stalls_and_seats(players: int) -> None:
    rng, compared = random.Random(7), 0
    for pos in quiet_positions(players, seed=players, rate_cards=2, turns=40):
        if suit_differently(pos):
            away = rng.randrange(1, players)
            moved_rows, rows = seen(moved(pos, rng.sample(range(4), 4), away)), seen(pos)
            for seat in range(players):
                assert sorted(moved_rows[(seat + away) % players]) == sorted(rows[seat])
            compared += 1
    assert compared > 40


def test_who_can_buy_next_is_what_the_game_says() -> None:
    """The move toward a ware is made in the game; by luck means that one colour of the die
    suffices.
    """
    times = np.zeros(net.CHANCES, int)
    for pos in quiet_positions(3, seed=4, rate_cards=4, turns=60):
        seat, lookup = pos.actors[0], build_lookup(pos.array)
        for stall in range(4):
            move = int(lookup[TABLE + ROW * number(pos.state.chips[seat]) + pos.state.top[stall]])
            chance = int(net.chance_of(pos.state, int(pos.state.chips[seat]), stall, move))
            assert chance == _chance(pos, seat, stall, move)
            times[chance] += 1
    assert (times[:5] > 0).all(), times


def _chance(pos: souk.Position, seat: int, stall: int, move: int) -> int:
    """The same, by playing."""
    points, dice = [], pos.copy()
    dice.play(seat, BAZAAR.notation.move_text(pos.state, move))
    for then in _rolled(dice) if move == ROLL else [dice]:
        if then.state.phase == BUY and payable(then.state, then.state.chips[seat], stall):
            points.append(int(value(then.state, stall, size(then.state.chips[seat]) - PRICE)))
    if len(points) == (5 if move == ROLL else 1):
        return int(net.SURE_CLASS[points[0]])
    return net.BY_LUCK if points else net.NOT_YET


def _rolled(pos: souk.Position) -> list[souk.Position]:
    """The positions after each of the five colours."""
    after = [pos.copy() for _ in range(5)]
    for colour, rolled in enumerate(after):
        BAZAAR.rules.resolve(rolled.state, colour)
    return after


def test_everybody_sees_who_can_end_the_game_and_win() -> None:
    """Seat 1 can pay for the only ware that closes the bazaar, and would lead; the others
    move first.
    """
    pos = position("W", "WWWRR", "W", left=[1, 0, 3, 3], points=[9, 8, 0], turn=2)
    gaps = [net.GAP[gap + net.MOST_POINTS] for gap in (1, -1, -9)]
    ends = [net.END + net.GAPS * who + gap for who, gap in zip((4, 2, 4), gaps, strict=True)]
    assert [end in rows for end, rows in zip(ends, seen(pos), strict=True)] == [True] * 3
    hopeless = position("W", "WWWRR", "W", left=[1, 0, 3, 3], points=[99, 8, 0], turn=2)
    nobody = net.END + net.GAPS + net.GAP[-1]
    assert nobody in seen(hopeless)[0]
    early = position("W", "WWWRR", "W", left=[2, 0, 3, 3], points=[9, 8, 0], turn=2)
    assert net.END + gaps[0] in seen(early)[0]
