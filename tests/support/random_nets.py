"""Minds that know nothing, but say something different of every position."""

from pathlib import Path

import numpy as np

import souk
from souk.games import names
from souk.kernel.mind_shape import MindArray, no_mind
from souk.minds import shelf

LARGEST = {
    "rows": 90,
    "floor": 500,
    "second": 300,
    "second_floor": 30_000,
    "third": 500,
    "third_floor": 30_000,
}
SEEING = [name for name in names() if souk.game(name).mind.ROWS > 1]  # games whose room has eyes for a mind


def random_mind(game: souk.Game, seed: int = 0) -> MindArray:
    """A mind of random weights."""
    rng, mind = np.random.default_rng(seed), no_mind(game.mind.ROWS)
    for field, most in LARGEST.items():
        mind[field] = rng.integers(-most, most, mind[field].shape, endpoint=True)
    mind["rows"][0, -1] = 0
    mind["awake"] = 1
    return mind


def random_file(folder: Path, game: souk.Game, seed: int = 0) -> Path:
    """A file with a random mind for every number of players."""
    file = folder / f"{game.name}-{seed}.safetensors"
    minds = {players: random_mind(game, seed + players) for players in game.players}
    shelf.write(file, game, minds, {"made": "at random"})
    return file
