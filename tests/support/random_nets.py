"""Untrained nets, which differ on every position."""

from pathlib import Path

import numpy as np

import souk
from souk.games import names
from souk.kernel.net_layout import NetArray, no_net
from souk.nets import loader as shelf

LARGEST = {
    "rows": 90,
    "floor": 500,
    "second": 300,
    "second_floor": 30_000,
    "third": 500,
    "third_floor": 30_000,
}
SEEING = [name for name in names() if souk.game(name).net_features.ROWS > 1]


def random_net(game: souk.Game, seed: int = 0) -> NetArray:
    """A net with random weights."""
    rng, net = np.random.default_rng(seed), no_net(game.net_features.ROWS)
    for field, most in LARGEST.items():
        net[field] = rng.integers(-most, most, net[field].shape, endpoint=True)
    net["rows"][0, -1] = 0
    net["awake"] = 1
    return net


def random_file(folder: Path, game: souk.Game, seed: int = 0) -> Path:
    """A file with a random net for every number of players."""
    file = folder / f"{game.name}-{seed}.safetensors"
    nets = {players: random_net(game, seed + players) for players in game.players}
    shelf.write(file, game, nets, {"made": "at random"})
    return file
