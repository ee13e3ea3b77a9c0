"""Settings and history of a training run, as stored in its folder."""

import math
from pathlib import Path

import msgspec

import souk
from souk.lab.training.selfplay import SelfPlaySettings
from souk.nets import loader

FILE = "training.json"


class TrainingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The game and the hyperparameters of a training run."""

    game: str
    players: int
    seed: int = 0
    # per round
    positions: int = 1_000_000
    # number of recent rounds to learn from
    window: int = 3
    # playouts of a search whose position is kept
    playouts: int = 24
    # playouts of any other search
    quick: int = 24
    # probability of keeping a quiet position
    kept: float = 0.5
    # probability of a random move
    wild: float = 0.04
    # maximum number of random decisions at the start of a game
    scramble: int = 32
    # whether games are played on a GPU
    gpu_games: bool = False
    epochs: float = 3.0
    batch: int = 8192
    # weight of the search result against the final result as target
    trust: float = 0.0
    # whether win chances may depend on more than the scores
    tilts: bool = True
    # number of passes with targets bootstrapped from the net's own evaluations
    reviews: int = 2
    # in those passes: weight of the later outcome against the evaluation of the next position
    hindsight: float = 0.4
    # scale of the net's score corrections after training
    belief: float = 1.0
    match_playouts: int = 100
    # maximum game pairs of a match
    most_pairs: int = 2000
    # whether a new net must win its match to be kept
    gated: bool = True
    # net to begin with: a file, none, or "" for the game's own
    begin: str = loader.NONE

    @property
    def selfplay_settings(self) -> SelfPlaySettings:
        return SelfPlaySettings(self.playouts, self.quick, self.kept, self.wild, self.scramble)


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
        return msgspec.json.decode(file.read_bytes(), type=History)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{file} is not a training history: {error}") from None


def write_history(folder: Path, history: History) -> None:
    draft = (folder / FILE).with_suffix(".part")
    draft.write_bytes(msgspec.json.format(msgspec.json.encode(history)))
    draft.replace(folder / FILE)
