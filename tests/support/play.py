"""Helpers for playing positions: apply events, check refusals, play to the end."""

import random
from collections.abc import Iterator

import pytest

import souk
from souk.core.facts import Fact
from souk.core.messages import sentence

PLACES = [f"{{{seat}}}" for seat in range(6)]  # players' names in a test's log: {0}, {1}, …


def facts_of(pos: souk.Position, seat: int | None, text: str) -> list[Fact]:
    """Facts of a move, or of an outcome (seat None), after applying it."""
    facts: list[Fact] = []
    pos.resolve(text, facts.append) if seat is None else pos.play(seat, text, facts.append)
    return facts


def happens(pos: souk.Position, seat: int | None, text: str, language: str = "en") -> str:
    """Log line of a move, or of an outcome (seat None), after applying it."""
    return sentence(pos.game.describe(facts_of(pos, seat, text)), PLACES, language)


def refused(pos: souk.Position, seat: int, move: str) -> souk.IllegalMove:
    """The refusal of a move, which must leave the position unchanged."""
    before = pos.copy()
    with pytest.raises(souk.IllegalMove) as caught:
        pos.play(seat, move)
    assert pos == before
    assert not pos.is_legal(seat, move)
    return caught.value


def play_out(pos: souk.Position, seed: int) -> list[souk.Position]:
    """Every position of a random game from here on."""
    return list(play_on(pos, seed))


def play_on(pos: souk.Position, seed: int) -> Iterator[souk.Position]:
    """Yield the positions of a random game from here on."""
    game, rng = pos.game, random.Random(seed)
    yield pos.copy()
    while not pos.over:
        if actors := pos.actors:
            seat = rng.choice(actors)
            code = game.rules.random_move(pos.state, seat, rng.getrandbits(64), [0] * game.widest)
            pos.play(seat, game.notation.move_text(pos.state, code))
        else:
            pos.draw(rng)
        yield pos.copy()
