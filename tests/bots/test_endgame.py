"""Endings played out in full: the same figures, to the last bit, as by looking at every position; and in time."""

import time
from typing import Any

import numpy as np
import pytest

import souk
from souk.bots.desk import Desk, kernel
from souk.bots.ending import Ending
from souk.bots.kernels.exact import LEVELS, enter, go_to_next, judge_end, kept_type, level_type, take_in
from souk.core.position import Position
from souk.games.suleika import rules
from souk.kernel.rule import rule
from souk.kernel.verbs import over
from tests.random_games import random_game

TABLES = [(2, {}), (2, {"turn_at_end": True}), (3, {}), (4, {})]
tables = pytest.mark.parametrize(("players", "options"), TABLES, ids=("2", "2, turning at the end", "3", "4"))
MANY = 10**9


@rule
def look_at_everything(states, desks, levels, lore):
    """Every position one by one: no last turn as a whole, nothing known again, nothing left out."""
    enter(states[0], levels[0])
    level = 0
    while True:
        if levels[level].next < levels[level].n:
            go_to_next(states, levels, level)
            if not over(states[level + 1]):
                level += 1
                enter(states[level], levels[level])
                continue
            judge_end(states[level + 1], desks[0], lore, levels[level + 1])
        else:
            level -= 1
            if level < 0:
                return levels[0].n
        take_in(levels[level], levels[level + 1], states[0].players)
        if level == 0:
            for kind in range(3):
                desks[0].reasons[levels[0].next - 1, kind] = levels[1].sums[levels[0].seat, kind]


def plainly(view: Position) -> list[list[float]]:
    desk, levels = Desk(view, view.actors[0], states=LEVELS), np.zeros(LEVELS, level_type(view.game))
    n = kernel(view.game, look_at_everything)(desk.states, desk.array, levels, desk.lore)
    return desk["reasons"][:n].tolist()


def known(ending: Ending) -> list[list[float]]:
    return ending.desk["reasons"][: int(ending.levels["n"][0])].tolist()


def last_decisions(players: int, options: dict[str, Any], seed: int, rugs: int) -> list[Position]:
    """The decisions of a random game with so many rugs to lay or fewer."""
    positions = [record.position.copy() for record in random_game("suleika", players, options, seed)]
    return [pos for pos in positions if pos.actors and pos.array["left"].sum() <= rugs]


@tables
def test_the_same_as_by_looking_at_everything(players: int, options: dict[str, Any]) -> None:
    for seed in (1, 2, 3):
        decisions = last_decisions(players, options, seed, 3)
        assert len(decisions) >= 6
        for view in decisions:
            ending = Ending(view, 10_000)
            assert ending.look(MANY)
            assert known(ending) == plainly(view), view.to_json()


@pytest.mark.parametrize("options", [{}, {"turn_at_end": True}], ids=("", "turning at the end"))
def test_what_two_players_would_not_let_happen_makes_no_difference(options: dict[str, Any]) -> None:
    """From further back: with bounds from several turns."""
    view = next(pos for pos in last_decisions(2, options, 7, 4) if pos.state.phase == rules.RUG)
    assert view.array["left"].sum() == 4
    ending = Ending(view, 10**6)
    assert ending.look(MANY)
    assert known(ending) == plainly(view)


@tables
def test_bit_by_bit_or_at_once(players: int, options: dict[str, Any]) -> None:
    view = last_decisions(players, options, 4, 3)[0]
    whole, slices = Ending(view, 0), Ending(view, 0)
    assert whole.look(MANY)
    parts = []
    while not slices.look(777):
        parts.append(slices.part)
    assert parts == sorted(parts)
    assert 0.0 <= parts[0] < parts[-1] <= 1.0
    assert known(slices) == known(whole)
    assert slices.looked_at == whole.looked_at


# Where Omar can come to a field in two ways: a seed, and so many rugs.
REPEATING = [(8, 3), (7, 3), (5, 4), (5, 4)]


@pytest.mark.parametrize(("table", "repeating"), list(zip(TABLES, REPEATING, strict=True)))
def test_no_position_is_taken_for_another(table: tuple[int, dict[str, Any]], repeating: tuple[int, int]) -> None:
    """With one slot for all of them every position is looked for where another is kept."""
    view = last_decisions(*table, *repeating)[0]
    roomy, crowded = Ending(view, 10**6), Ending(view, 0)
    crowded.arrays = (*crowded.arrays[:5], np.zeros(1, kept_type(view.game)), crowded.desk.lore)
    assert roomy.look(MANY)
    assert crowded.look(MANY)
    assert known(roomy) == known(crowded)
    assert crowded.looked_at > roomy.looked_at


def essence(pos: Position) -> list[int]:
    words = np.zeros(8, np.uint64)
    assert pos.game.rules.essence(pos.state, memoryview(words)) == 8
    return words.tolist()


def test_the_essence_of_a_position() -> None:
    pos = next(pos for pos in last_decisions(2, {}, 6, 4) if pos.state.phase == rules.RUG)
    shown = essence(pos)
    renumbered = pos.copy()
    renumbered.array["rug"][pos.array["rug"] > 0] += 5
    renumbered.array["last"] += 5
    assert essence(renumbered) == shown
    for field in ("cover", "money", "left", "omar", "facing", "turn", "up"):
        other = pos.copy()
        other.array[field].reshape(-1)[0] ^= 1
        assert essence(other) != shown, field
    rug = pos.array["rug"][0]
    whole = next(field for field in range(42) if rug[field] > 0 and rug[field] in (rug[field + 1], rug[field + 7]))
    other = pos.copy()
    other.array["rug"][0, whole] = 99
    assert essence(other) != shown


def test_only_before_a_rug_is_laid_a_position_is_known_again() -> None:
    for pos in last_decisions(4, {}, 7, 4):
        words = memoryview(np.zeros(8, np.uint64))
        assert (pos.game.rules.essence(pos.state, words) > 0) == (pos.state.phase == rules.RUG)


def test_what_takes_too_long_is_given_up_in_time() -> None:
    view = last_decisions(4, {}, 8, 5)[0]
    Ending(view, 0).look(0)
    begin = time.perf_counter()
    ending = Ending(view, 10**6)
    assert not ending.look_until(begin, 0.2, lambda: False)
    assert ending.looked_at > 0
    assert time.perf_counter() - begin < 1.0  # generous: what is asked of it is 0.2
    hurried = Ending(view, 10**6)
    assert not hurried.look_until(begin, 1000.0, lambda: True)
    assert hurried.looked_at < 10_000


def test_a_vizier_plays_the_last_three_turns_exactly_and_five_not_in_a_twentieth_of_a_second() -> None:
    for players, options in TABLES:
        view = last_decisions(players, options, 9, 3)[0]
        assert souk.bot("vizier:seconds=3").choose(view, view.actors[0]).exact
    view = last_decisions(4, {}, 9, 5)[0]
    assert not souk.bot("vizier:seconds=0.05").choose(view, view.actors[0]).exact
