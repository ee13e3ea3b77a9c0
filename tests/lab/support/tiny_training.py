"""Training runs small enough for tests."""

from pathlib import Path
from typing import Any

from souk.lab.training.loop import Progress, Training
from souk.lab.training.settings import TrainingSettings
from souk.lab.workers import Processes

PLAYERS = 2


def tiny(**more: Any) -> TrainingSettings:
    usual: dict[str, Any] = {
        "game": "suleika",
        "players": PLAYERS,
        "seed": 5,
        "positions": 300,
        "playouts": 4,
        "quick": 2,
    }
    usual |= {"random_opening": 6, "batch": 64, "match_playouts": 2, "most_pairs": 8}
    return TrainingSettings(**usual | more)


def training(folder: Path, progress: Progress | None = None, **more: Any) -> Training:
    """A tiny training in a folder, in this process only."""
    return Training(tiny(**more), folder, "cpu", Processes(1), progress or Progress())
