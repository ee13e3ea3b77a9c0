"""Expectimax search: exact near the end, outcomes visited by probability, no secret choices."""

import numpy as np
import pytest

import souk
from souk.bots.endgame import EndgameSearch
from souk.bots.kernels.tree import NOBODY
from souk.bots.search import Search, Thinking, search_style
from souk.bots.workspace import seed_for
from souk.core.position import Position
from tests.support import pennies
from tests.support.random_games import random_game

SEED = 17


def searched(pos: Position, playouts: int, weighs: bool = True) -> Search:
    """A finished search."""
    seat = pos.actors[0]
    search = Search(pos, seat, Thinking(None, playouts, SEED), seed_for(SEED, pos, seat), 0.0)
    search.workspace["weighs"] = weighs
    search.play(playouts)
    return search


def middle_of_a_game() -> Position:
    """A position in which Omar turns."""
    positions = [record.position.copy() for record in random_game("suleika", 4, {}, SEED)]
    return next(pos for pos in positions[70:] if pos.actors and len(pos.moves(pos.actors[0])) == 3)


def test_suleika_with_four_weighs() -> None:
    game = souk.game("suleika")
    net = Search(game.start(4), 0, Thinking(None, 1), np.uint64(1), 0.0).workspace.net
    assert search_style(game, 4, net).weighs
    assert not search_style(game, 2, net).weighs


def test_near_the_end_it_finds_what_is_exact() -> None:
    positions = [record.position.copy() for record in random_game("suleika", 4, {}, SEED)]
    last = [pos for pos in positions[-6:] if pos.actors]
    assert len(last) >= 2
    for pos in last:
        ending = EndgameSearch(pos, 10**6)
        assert ending.look(10**8)
        exact, search = ending.choice(), searched(pos, 4000)
        moves = search.root.moves(pos.actors[0])
        best = moves[search.edges["visits"][moves].argmax()]
        found = search.root.considered(best, 1.0)
        wins = {each.move: each.win for each in exact.considered}
        assert wins[found.move] == pytest.approx(exact.considered[0].win, abs=1e-6), pos.to_json()
        assert search.edges["worth"][best][pos.actors[0]] == pytest.approx(
            search.edges["value"][best] / search.edges["visits"][best], abs=1e-6
        )


def test_outcomes_are_looked_at_as_often_as_they_come_up() -> None:
    search = searched(middle_of_a_game(), 3000)
    edges = search.edges[: int(search.workspace["edges"])]
    firsts, at = [], 0
    while at < len(edges):
        firsts.append(at)
        at += int(edges["run"][at])
    dice = [edges[first : first + 4] for first in firsts if edges["seat"][first] == NOBODY]
    assert len(dice) > 50
    for die in dice:
        assert die["mass"].tolist() == [1, 2, 2, 1]
        assert (die["visits"] > 0).all()
        due = die["visits"].sum() * die["mass"] / 6
        assert np.abs(die["visits"] - due).max() <= 1.5, die


def test_no_more_playouts_are_told_than_were_asked_for() -> None:
    pos = middle_of_a_game()
    for playouts in (1, 2, 10, 333):
        search = searched(pos, playouts)
        assert search.played == playouts
        assert (search.memory["first"] == 0).all()


def test_secret_choices_are_searched_as_ever() -> None:
    start = pennies.GAME.start(2)
    drawn, weighed = (searched(start, 500, weighs) for weighs in (False, True))
    assert drawn.root.strategy(0) == weighed.root.strategy(0)
