"""Pairs of positions that nets are asked about differ in one thing and can be played on."""

from random import Random
from typing import Any

import pytest

import souk
from bench.findings.questions import QUESTIONS
from souk.core.position import Position

# Fields that may differ, by question.
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
    """Quiet positions of a game, played at random to its end."""
    positions = []
    while not pos.over:
        if pos.game.rules.is_quiet(pos.state):
            positions.append(pos.copy())
        if pos.actors:
            pos.play(pos.actors[0], rng.choice(pos.moves(pos.actors[0])))
        else:
            pos.draw(rng)
    return positions


@pytest.fixture(scope="module")
def quiet_positions() -> dict[str, list[Position]]:
    return {game: played_at_random(souk.game(game).start(4), Random(3))[:200] for game in QUESTIONS}


def pairs(
    quiet_positions: dict[str, list[Position]], game: str, question: str
) -> list[tuple[Position, Any]]:
    rng = Random(1)
    return [
        (pos, pair) for pos in quiet_positions[game] for pair in QUESTIONS[game][question](pos, rng)
    ]


@pytest.mark.parametrize(("game", "question"), KINDS)
def test_pairs_differ_in_one_thing(
    quiet_positions: dict[str, list[Position]], game: str, question: str
) -> None:
    cases = pairs(quiet_positions, game, question)
    assert cases
    for _, pair in cases:
        names = pair.having.dtype.names or ()
        different = {name for name in names if (pair.having[name] != pair.lacking[name]).any()}
        assert different <= DIFFERENT[question]
        assert different


def totals(array: Any) -> list[int]:
    """Totals that never change: gems with their supply, chips with their bank."""
    if "gems" in array.dtype.names:
        return [int(n) for n in array["gems"][0].sum(axis=0) + array["supply"][0]]
    return [int(array["chips"][0].sum() + array["bank"][0])] if "chips" in array.dtype.names else []


@pytest.mark.parametrize(("game", "question"), KINDS)
def test_both_positions_can_be_played_on(
    quiet_positions: dict[str, list[Position]], game: str, question: str
) -> None:
    for pos, pair in pairs(quiet_positions, game, question)[::40]:
        assert totals(pair.having) == totals(pair.lacking) == totals(pos.array)
        for array in (pair.having, pair.lacking):
            table = Position(pos.game, pos.options, array.copy())
            played_at_random(table, Random(5))
            assert table.winners
