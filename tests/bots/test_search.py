"""Tree search: mixed strategies, exact endgames, reproducible answers, bounded memory."""

import json
import os
import random
import subprocess
import sys

import pytest

import souk
from souk.core.position import Position
from tests.support import pennies
from tests.support.random_games import random_game

SEED = 11


@pytest.mark.parametrize("seat", [0, 1])
def test_secret_choices_are_mixed_as_they_should_be(seat: int) -> None:
    choice = souk.bot("search:playouts=60000,seed=1").choose(pennies.GAME.start(2), seat)
    found = {each.move: each for each in choice.considered}
    assert found["heads"].share == pytest.approx(pennies.HEADS[seat], abs=0.06)
    value = pennies.VALUE if seat == 0 else 1 - pennies.VALUE
    assert found["heads"].win == pytest.approx(value, abs=0.04)
    assert found["tails"].win == pytest.approx(value, abs=0.04)


def test_a_mixed_strategy_is_played_as_often_as_it_says() -> None:
    start = pennies.GAME.start(2)
    moves = [
        souk.bot(f"search:playouts=3000,seed={seed}").choose(start, 0).move for seed in range(200)
    ]
    assert 0.2 < moves.count("heads") / len(moves) < 0.5


def test_a_choice_already_made_in_secret_changes_nothing() -> None:
    bot = souk.bot("search:playouts=2000,seed=5")
    answers = []
    for move in (None, "heads", "tails"):
        pos = pennies.GAME.start(2)
        if move:
            pos.play(0, move)
        answers.append(bot.choose(pos, 1).considered)
    assert answers[1] == answers[2]
    # Only the random numbers differ.
    assert answers[0][0].win == pytest.approx(answers[1][0].win, abs=0.05)


def _expected(pos: Position, seat: int) -> tuple[float, float]:
    """Win chance and score of a seat under perfect play, by the public API alone."""
    if pos.over:
        return (1 / len(pos.winners) if seat in pos.winners else 0.0), float(pos.scores[seat])
    if pos.actors:
        actor = pos.actors[0]
        after = [_after(pos, actor, move) for move in pos.moves(actor)]
        best = max(
            after, key=lambda each: (round(_expected(each, actor)[0], 12), _margin(each, actor))
        )
        return _expected(best, seat)
    parts = []
    for outcome, chance in pos.chances().items():
        future = pos.copy()
        future.resolve(outcome)
        parts.append((chance, _expected(future, seat)))
    return sum(chance * part[0] for chance, part in parts), sum(
        chance * part[1] for chance, part in parts
    )


def _margin(pos: Position, seat: int) -> float:
    return pos.scores[seat] - max(score for other, score in enumerate(pos.scores) if other != seat)


def _after(pos: Position, seat: int, move: str) -> Position:
    after = pos.copy()
    after.play(seat, move)
    return after


@pytest.mark.parametrize("players", [2, 3, 4])
def test_suleikas_last_turn_is_exact(players: int) -> None:
    positions = [record.position.copy() for record in random_game("suleika", players, {}, SEED)]
    last = [pos for pos in positions[-5:] if pos.actors]
    assert len(last) >= 2
    for pos in last:
        seat = pos.actors[0]
        choice = souk.bot("vizier:quick").choose(pos, seat)
        assert choice.exact
        assert [each.share for each in choice.considered] == [1.0] + [0.0] * (
            len(choice.considered) - 1
        )
        assert {each.move for each in choice.considered} == set(pos.moves(seat))
        for each in choice.considered:
            assert each.win == pytest.approx(_expected(_after(pos, seat, each.move), seat)[0])
        assert choice.considered[0].win == max(each.win for each in choice.considered)


_CHOOSE = """
import json, souk, sys
pos = souk.game(sys.argv[1]).from_json(json.loads(sys.argv[2]))
seat = pos.actors[0]
choice = souk.bot("search:playouts=300,seed=9").choose(pos, seat)
print(choice.move, [(each.move, each.share, each.win, each.score) for each in choice.considered])
"""


@pytest.mark.parametrize("name", ["suleika", "basari", "basari-cards", "bazaar"])
def test_same_seed_and_playouts_same_move_in_every_process(name: str) -> None:
    positions = [
        r.position.copy()
        for r in random_game(name, souk.game(name).players[-1], {}, SEED)
        if r.position.actors
    ]
    pos = random.Random(SEED).choice(positions)
    command = [sys.executable, "-c", _CHOOSE, name, json.dumps(pos.to_json())]
    answers = [
        subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        ).stdout
        for hash_seed in ("1", "2")
    ]
    assert answers[0] == answers[1]
    assert answers[0].strip()


_MEMORY = """
import sys, tracemalloc, souk
pos = souk.game(sys.argv[1]).start(4)
while not pos.actors:
    pos.resolve(next(iter(pos.chances())))
tracemalloc.start()
souk.bot("search:playouts=2000,seed=1").choose(pos, pos.actors[0])
print(tracemalloc.get_traced_memory()[1])
"""


@pytest.mark.parametrize("name", ["suleika", "basari-cards"])
def test_a_search_stays_below_256_megabytes(name: str) -> None:
    """Allocations during a search; the tree is allocated up front."""
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY, name], capture_output=True, text=True, check=True
    )
    assert 2**20 < int(done.stdout) < 256 * 2**20
