"""The history of a training run, as stored in its folder."""

import math
from pathlib import Path
from typing import Any

import msgspec

import souk
from souk.lab.training.settings import FORMER_NAMES, TrainingSettings

FILE = "training.json"


class Round(msgspec.Struct, kw_only=True):
    """The result of a round."""

    number: int
    positions: int
    # by activity
    seconds: dict[str, float]
    # about a hundred samples of the loss
    losses: list[float]
    # Errors on held-out positions: of the new net, and of the heuristics alone.
    chances: float
    score: float
    chances_before: float
    score_before: float
    # share of wins against the best net so far
    share: float
    low: float
    high: float
    games: int
    kept: bool


class History(msgspec.Struct, kw_only=True):
    """The progress of a training run."""

    settings: TrainingSettings
    version: str = souk.__version__
    # comma-separated if it changed
    device: str = ""
    rounds: list[Round] = []

    @property
    def seconds(self) -> float:
        return sum(sum(finished.seconds.values()) for finished in self.rounds)

    @property
    def kept(self) -> list[Round]:
        """The rounds whose net was kept."""
        return [finished for finished in self.rounds if finished.kept]


def strength(share: float) -> float:
    """A share of wins as an Elo difference; shares are clipped to 0.001–0.999."""
    within = min(max(share, 0.001), 0.999)
    return 400 * math.log10(within / (1 - within))


def read_history(folder: Path) -> History | None:
    """The history stored in a folder, or None."""
    file = folder / FILE
    if not file.is_file():
        return None
    try:
        stored = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
        if isinstance(settings := stored.get("settings"), dict):
            stored["settings"] = {
                FORMER_NAMES.get(name, name): value for name, value in settings.items()
            }
        return msgspec.convert(stored, History)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{file} is not a training history: {error}") from None


def write_history(folder: Path, history: History) -> None:
    draft = (folder / FILE).with_suffix(".part")
    draft.write_bytes(msgspec.json.format(msgspec.json.encode(history)))
    draft.replace(folder / FILE)
