"""The positions that minds are asked about differ in one thing, and can be played."""

from pathlib import Path
from random import Random
from runpy import run_path
from typing import Any

import pytest

import souk
from souk.core.position import Position

QUESTIONS = run_path(str(Path(__file__).parent.parent / "bench" / "findings_changes.py"))["QUESTIONS"]

# What may differ between the two, by question.
HALF, GEM, CHIP = {"cover", "rug", "last"}, {"gems", "supply"}, {"chips", "bank"}
DIFFERENT = {
    "near Omar": HALF,
    "joined": HALF,
    "a half": HALF,
    "piastres": {"money"},
    "a gem": GEM,
    "gems or points": GEM | {"points"},
    "spread": GEM,
    "steps": {"walked", "disc"},
    "a worker": {"workers"},
    "a chip": CHIP,
    "left over": CHIP | {"points"},
    "the turn": {"turn"},
}
KINDS = [(game, question) for game, questions in QUESTIONS.items() for question in questions]


def played_at_random(pos: Position, rng: Random) -> list[Position]:
    """The quiet positions on the way to the end."""
    found = []
    while not pos.over:
        if pos.game.rules.quiet(pos.state):
            found.append(pos.copy())
        if pos.actors:
            pos.play(pos.actors[0], rng.choice(pos.moves(pos.actors[0])))
        else:
            pos.draw(rng)
    return found


@pytest.fixture(scope="module")
def quiet() -> dict[str, list[Position]]:
    return {game: played_at_random(souk.game(game).start(4), Random(3))[:200] for game in QUESTIONS}


def pairs(quiet: dict[str, list[Position]], game: str, question: str) -> list[tuple[Position, Any]]:
    rng = Random(1)
    return [(pos, pair) for pos in quiet[game] for pair in QUESTIONS[game][question](pos, rng)]


@pytest.mark.parametrize(("game", "question"), KINDS)
def test_two_positions_differ_in_one_thing(quiet: dict[str, list[Position]], game: str, question: str) -> None:
    found = pairs(quiet, game, question)
    assert found
    for _, pair in found:
        names = pair.having.dtype.names or ()
        different = {name for name in names if (pair.having[name] != pair.lacking[name]).any()}
        assert different <= DIFFERENT[question]
        assert different


def together(array: Any) -> list[int]:
    """What nothing is added to and nothing taken from: gems with their supply, chips with their bank."""
    if "gems" in array.dtype.names:
        return [int(n) for n in array["gems"][0].sum(axis=0) + array["supply"][0]]
    return [int(array["chips"][0].sum() + array["bank"][0])] if "chips" in array.dtype.names else []


@pytest.mark.parametrize(("game", "question"), KINDS)
def test_both_can_be_played_to_the_end(quiet: dict[str, list[Position]], game: str, question: str) -> None:
    for pos, pair in pairs(quiet, game, question)[::40]:
        assert together(pair.having) == together(pair.lacking) == together(pos.array)
        for array in (pair.having, pair.lacking):
            table = Position(pos.game, pos.options, array.copy())
            played_at_random(table, Random(5))
            assert table.winners
