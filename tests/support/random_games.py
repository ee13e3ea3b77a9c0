"""Random games from seeds, played event by event with the kernels' random numbers."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import souk
from souk.core.facts import Fact
from souk.games import names
from souk.kernel.rng import draw, stream_start, stream_step

# Every game at every number of players, and every variant.
VARIANTS: list[tuple[str, int, dict[str, Any]]] = [
    *((name, players, {}) for name in names() for players in souk.game(name).players),
    ("suleika", 2, {"turn_at_end": True}),
    ("bazaar", 2, {"double_purchase": True}),
    ("bazaar", 4, {"double_purchase": True, "rates": (3, 8), "first": 2}),
    ("bazaar", 1, {"rates": (1, 2), "ware": "WWWRR"}),
]


def variant_name(variant: object) -> str:
    """A variant as a test's id, and as a file's name."""
    name, players, options = variant  # type: ignore[misc]
    extra = "".join(f"-{option}" for option in options)
    return f"{name}-{players}{extra}"


def random_game(
    name: str, players: int, options: dict[str, Any], seed: int, number: int = 0
) -> Iterator[souk.Record]:
    """Yield the record of game `number` of a seed at the start and after each event.

    Plays as `souk.simulate` does.
    """
    game = souk.game(name)
    record = souk.Record(game, players, date="2026-01-01", **options)
    start = stream_start(seed, number)
    step = stream_step(start)
    lists = [0] * game.widest, [0] * game.widest
    yield record
    while not (position := record.position).over:
        x = draw(start, step, len(record.events))
        state = position.state
        if actors := position.actors:
            move = game.rules.random_move(state, actors[0], x, lists[0])
            record.play(actors[0], game.notation.move_text(state, move))
        else:
            record.resolve(
                game.notation.outcome_text(state, game.rules.random_outcome(state, x, *lists))
            )
        yield record


def whole_random_game(
    name: str, players: int, options: dict[str, Any], seed: int, number: int = 0
) -> souk.Record:
    *_, record = random_game(name, players, options, seed, number)
    return record


class Step(NamedTuple):
    """An event with its facts and the positions before and after it."""

    before: souk.Position
    after: souk.Position
    seat: int | None
    text: str
    facts: list[Fact]


def steps(record: souk.Record) -> list[Step]:
    """Every event of a game."""
    parts = zip(pairwise(record.positions()), record.events, record.facts(), strict=True)
    return [Step(*both, *event, facts) for both, event, facts in parts]


def random_steps(name: str, players: int, options: dict[str, Any], seed: int) -> list[Step]:
    return steps(whole_random_game(name, players, options, seed))
