"""The endgame solver: equal to a plain full search to the last bit, and in time."""

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import souk
from souk.bots import endgame as ending_module
from souk.bots.endgame import EndgameSearch
from souk.bots.kernels.endgame import (
    LEVELS,
    back_up,
    entry_type,
    judge_end,
    level_type,
    next_continuation,
    open_frame,
)
from souk.bots.workspace import Workspace, kernel
from souk.core.position import Position
from souk.games.suleika import rules
from souk.kernel.game_ops import over
from souk.kernel.rule import rule
from tests.support.random_games import random_game

TABLES = [(2, {}), (2, {"turn_at_end": True}), (3, {}), (4, {})]
tables = pytest.mark.parametrize(
    ("players", "options"), TABLES, ids=("2", "2, turning at the end", "3", "4")
)
MANY = 10**9


@rule
def look_at_everything(states, desks, levels, lookup):
    """A plain full search: no shortcuts, no transpositions, no pruning."""
    open_frame(states[0], levels[0])
    level = 0
    while True:
        if levels[level].next < levels[level].n:
            next_continuation(states, levels, level)
            if not over(states[level + 1]):
                level += 1
                open_frame(states[level], levels[level])
                continue
            judge_end(states[level + 1], desks[0], lookup, levels[level + 1])
        else:
            level -= 1
            if level < 0:
                return levels[0].n
        back_up(levels[level], levels[level + 1], states[0].players)
        if level == 0:
            for kind in range(3):
                desks[0].reasons[levels[0].next - 1, kind] = levels[1].sums[levels[0].seat, kind]


def plainly(view: Position) -> list[list[float]]:
    workspace, levels = (
        Workspace(view, view.actors[0], states=LEVELS),
        np.zeros(LEVELS, level_type(view.game)),
    )
    n = kernel(view.game, look_at_everything)(
        workspace.states, workspace.array, levels, workspace.lookup
    )
    return workspace["reasons"][:n].tolist()


def known(ending: EndgameSearch) -> list[list[float]]:
    return ending.workspace["reasons"][: int(ending.levels["n"][0])].tolist()


def last_decisions(players: int, options: dict[str, Any], seed: int, rugs: int) -> list[Position]:
    """The decisions of a random game with at most this many rugs to lay."""
    positions = [
        record.position.copy() for record in random_game("suleika", players, options, seed)
    ]
    return [pos for pos in positions if pos.actors and pos.array["left"].sum() <= rugs]


@tables
def test_the_same_as_by_looking_at_everything(players: int, options: dict[str, Any]) -> None:
    for seed in (1, 2, 3):
        decisions = last_decisions(players, options, seed, 3)
        assert len(decisions) >= 6
        for view in decisions:
            ending = EndgameSearch(view, 10_000)
            assert ending.look(MANY)
            assert known(ending) == plainly(view), view.to_json()


@pytest.mark.parametrize("options", [{}, {"turn_at_end": True}], ids=("", "turning at the end"))
def test_what_two_players_would_not_let_happen_makes_no_difference(options: dict[str, Any]) -> None:
    """From further back, so that bounds span several turns."""
    view = next(pos for pos in last_decisions(2, options, 7, 4) if pos.state.phase == rules.RUG)
    assert view.array["left"].sum() == 4
    ending = EndgameSearch(view, 10**6)
    assert ending.look(MANY)
    assert known(ending) == plainly(view)


@tables
def test_bit_by_bit_or_at_once(players: int, options: dict[str, Any]) -> None:
    view = last_decisions(players, options, 4, 3)[0]
    whole, slices = EndgameSearch(view, 0), EndgameSearch(view, 0)
    assert whole.look(MANY)
    parts = []
    while not slices.look(777):
        parts.append(slices.part)
    assert parts == sorted(parts)
    assert 0.0 <= parts[0] < parts[-1] <= 1.0
    assert known(slices) == known(whole)
    assert slices.looked_at == whole.looked_at


# Seed and number of rugs of games in which Omar can reach a square in two ways.
REPEATING = [(8, 3), (7, 3), (5, 4), (5, 4)]


@pytest.mark.parametrize(("table", "repeating"), list(zip(TABLES, REPEATING, strict=True)))
def test_no_position_is_taken_for_another(
    table: tuple[int, dict[str, Any]], repeating: tuple[int, int]
) -> None:
    """With a single slot every lookup finds another position's entry."""
    view = last_decisions(*table, *repeating)[0]
    roomy, crowded = EndgameSearch(view, 10**6), EndgameSearch(view, 0)
    crowded.arrays = (
        *crowded.arrays[:5],
        np.zeros(1, entry_type(view.game)),
        crowded.workspace.lookup,
    )
    assert roomy.look(MANY)
    assert crowded.look(MANY)
    assert known(roomy) == known(crowded)
    assert crowded.looked_at > roomy.looked_at


def endgame_key(pos: Position) -> list[int]:
    words = np.zeros(8, np.uint64)
    assert pos.game.rules.endgame_key(pos.state, memoryview(words)) == 8
    return words.tolist()


def test_the_essence_of_a_position() -> None:
    pos = next(pos for pos in last_decisions(2, {}, 6, 4) if pos.state.phase == rules.RUG)
    shown = endgame_key(pos)
    renumbered = pos.copy()
    renumbered.array["rug"][pos.array["rug"] > 0] += 5
    renumbered.array["last"] += 5
    assert endgame_key(renumbered) == shown
    for field in ("cover", "money", "left", "omar", "facing", "turn", "up"):
        other = pos.copy()
        other.array[field].reshape(-1)[0] ^= 1
        assert endgame_key(other) != shown, field
    rug = pos.array["rug"][0]
    whole = next(
        field
        for field in range(42)
        if rug[field] > 0 and rug[field] in (rug[field + 1], rug[field + 7])
    )
    other = pos.copy()
    other.array["rug"][0, whole] = 99
    assert endgame_key(other) != shown


def test_only_before_a_rug_is_laid_a_position_is_known_again() -> None:
    for pos in last_decisions(4, {}, 7, 4):
        words = memoryview(np.zeros(8, np.uint64))
        assert (pos.game.rules.endgame_key(pos.state, words) > 0) == (pos.state.phase == rules.RUG)


def test_what_takes_too_long_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    view = last_decisions(4, {}, 8, 5)[0]
    EndgameSearch(view, 0).look(0)
    clock = itertools.count(100.0, 0.01)  # every call takes 10 ms
    monkeypatch.setattr(ending_module, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    ending = EndgameSearch(view, 10**6)
    assert not ending.look_until(100.0, 0.2, lambda: False)
    assert ending.looked_at > 0
    assert next(clock) < 100.0 + 0.2
    hurried = EndgameSearch(view, 10**6)
    assert not hurried.look_until(100.0, 1000.0, lambda: True)
    assert hurried.looked_at < 10_000


def test_a_vizier_plays_the_last_three_turns_exactly_and_five_not_in_a_twentieth_of_a_second() -> (
    None
):
    for players, options in TABLES:
        view = last_decisions(players, options, 9, 3)[0]
        assert souk.bot("vizier:seconds=3").choose(view, view.actors[0]).exact
    view = last_decisions(4, {}, 9, 5)[0]
    assert not souk.bot("vizier:seconds=0.05").choose(view, view.actors[0]).exact
