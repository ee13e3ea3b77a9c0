"""What tests do with positions: be refused, and play on to the end."""

import random

import pytest

import souk


def refused(pos: souk.Position, seat: int, move: str) -> souk.IllegalMove:
    """The refusal of a move, which must leave everything as it was."""
    before = pos.copy()
    with pytest.raises(souk.IllegalMove) as caught:
        pos.play(seat, move)
    assert pos == before
    assert not pos.is_legal(seat, move)
    return caught.value


def play_out(pos: souk.Position, seed: int) -> list[souk.Position]:
    """Every position of a random game from here on."""
    game, rng = pos.game, random.Random(seed)
    path = [pos.copy()]
    while not pos.over:
        if actors := pos.actors:
            seat = rng.choice(actors)
            code = game.rules.random_move(pos.state, seat, rng.getrandbits(64), [0] * game.widest)
            pos.play(seat, game.words.move_text(pos.state, code))
        else:
            pos.draw(rng)
        path.append(pos.copy())
    return path
