"""What a mind sees of Bazaar: the same wherever a ware lies and whoever sits where; who can buy next is what the game says."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import souk
from souk.games.bazaar import mind
from souk.games.bazaar.insight import study
from souk.games.bazaar.rules import BUY, PRICE, ROLL, payable, size, value
from souk.games.bazaar.study import ROW, TABLE, number
from tests.games.bazaar_positions import BAZAAR, position
from tests.games.desks import desk_of


def seen(pos: souk.Position) -> list[list[int]]:
    """The numbers that each seat sees."""
    desk = desk_of(BAZAAR)
    n = mind.sight(pos.state, desk, study(pos.array))
    assert n <= mind.MOST_SEEN
    return [[int(desk.seen[k, seat]) for k in range(n)] for seat in range(pos.players)]


def quiet_positions(players: int, seed: int, rate_cards: int, turns: int) -> Iterator[souk.Position]:
    """Positions at the start of turns: somebody goes for wares now and then, and else plays at random."""
    rng, desk = random.Random(seed), desk_of(BAZAAR)
    for _ in range(rate_cards):
        pos = BAZAAR.start(players)
        while pos.chances():
            pos.draw(rng)
        lore, passed = study(pos.array), 0
        while not pos.over and passed < turns:
            if BAZAAR.rules.quiet(pos.state):
                passed += 1
                yield pos
            if pos.chances():
                pos.draw(rng)
            elif rng.random() < 0.7:
                move = BAZAAR.rules.likely_move(pos.state, pos.actors[0], rng.getrandbits(64), desk, lore)
                pos.play(pos.actors[0], BAZAAR.notation.move_text(pos.state, move))
            else:
                pos.play(pos.actors[0], rng.choice(list(pos.moves(pos.actors[0]))))


def moved(pos: souk.Position, stalls: list[int], seats: int) -> souk.Position:
    """The same position with the stalls in this order, and everybody so many seats further on."""
    data: dict[str, Any] = pos.to_json()
    data["stalls"] = [data["stalls"][stall] for stall in stalls]
    for field in ("chips", "points", "bought"):
        data[field] = data[field][-seats:] + data[field][:-seats]
    data["turn"] = (data["turn"] + seats) % pos.players
    return BAZAAR.from_json(data)


def suit_differently(pos: souk.Position) -> bool:
    """Whether no seat finds two wares equally near: which of them comes first would be a matter of the stalls' numbers."""
    lore, tops = study(pos.array), [int(top) for top, left in zip(pos.state.top, pos.state.left, strict=True) if left]
    worths = [[float(lore[ROW * number(pos.state.chips[seat]) + top]) for top in tops] for seat in range(pos.players)]
    return all(len(set(each)) == len(each) for each in worths)


@pytest.mark.parametrize("players", [2, 5])
def test_nobody_minds_the_numbers_of_stalls_and_seats(players: int) -> None:
    rng, compared = random.Random(7), 0
    for pos in quiet_positions(players, seed=players, rate_cards=2, turns=40):
        if suit_differently(pos):
            away = rng.randrange(1, players)
            there, here = seen(moved(pos, rng.sample(range(4), 4), away)), seen(pos)
            for seat in range(players):
                assert sorted(there[(seat + away) % players]) == sorted(here[seat])
            compared += 1
    assert compared > 40


def test_who_can_buy_next_is_what_the_game_says() -> None:
    """The move that leads to a ware is made in the game itself; by luck means that one colour of the die is enough."""
    found = np.zeros(mind.CHANCES, int)
    for pos in quiet_positions(3, seed=4, rate_cards=4, turns=60):
        seat, lore = pos.actors[0], study(pos.array)
        for stall in range(4):
            move = int(lore[TABLE + ROW * number(pos.state.chips[seat]) + pos.state.top[stall]])
            chance = int(mind.chance_of(pos.state, int(pos.state.chips[seat]), stall, move))
            assert chance == _chance(pos, seat, stall, move)
            found[chance] += 1
    assert (found[:5] > 0).all(), found


def _chance(pos: souk.Position, seat: int, stall: int, move: int) -> int:
    """The same, found out by playing."""
    points, dice = [], pos.copy()
    dice.play(seat, BAZAAR.notation.move_text(pos.state, move))
    for then in _rolled(dice) if move == ROLL else [dice]:
        if then.state.phase == BUY and payable(then.state, then.state.chips[seat], stall):
            points.append(int(value(then.state, stall, size(then.state.chips[seat]) - PRICE)))
    if len(points) == (5 if move == ROLL else 1):
        return int(mind.SURE[points[0]])
    return mind.BY_LUCK if points else mind.NOT_YET


def _rolled(pos: souk.Position) -> list[souk.Position]:
    """After each of the five colours of the die."""
    after = [pos.copy() for _ in range(5)]
    for colour, each in enumerate(after):
        BAZAAR.rules.resolve(each.state, colour)
    return after


def test_everybody_sees_who_can_end_the_game_and_win() -> None:
    """Seat 1 has the price of the only ware that closes the bazaar, and is ahead with it; the others move before."""
    pos = position("W", "WWWRR", "W", left=[1, 0, 3, 3], points=[9, 8, 0], turn=2)
    gaps = [mind.GAP[gap + mind.MOST_POINTS] for gap in (1, -1, -9)]
    ends = [mind.END + mind.GAPS * who + gap for who, gap in zip((4, 2, 4), gaps, strict=True)]
    assert [end in each for end, each in zip(ends, seen(pos), strict=True)] == [True] * 3
    hopeless = position("W", "WWWRR", "W", left=[1, 0, 3, 3], points=[99, 8, 0], turn=2)
    nobody = mind.END + mind.GAPS + mind.GAP[-1]
    assert nobody in seen(hopeless)[0]
    early = position("W", "WWWRR", "W", left=[2, 0, 3, 3], points=[9, 8, 0], turn=2)
    assert mind.END + gaps[0] in seen(early)[0]
