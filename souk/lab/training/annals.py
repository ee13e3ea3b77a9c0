"""The annals of a training: its settings, and what came of each of its rounds, as they are kept in its folder."""

import math
from pathlib import Path

import msgspec

import souk
from souk.lab.training.selfplay import Manner
from souk.minds import shelf

FILE = "training.json"


class Curriculum(msgspec.Struct, frozen=True, kw_only=True):
    """What is trained, and how."""

    game: str
    players: int
    seed: int = 0
    positions: int = 1_000_000  # a round
    window: int = 3  # rounds whose positions are learned from
    playouts: int = 24  # of a search at a position that is kept,
    quick: int = 24  # and at any other
    kept: float = 0.5  # how often a quiet position is kept
    wild: float = 0.04  # how often just any move is made
    scramble: int = 32  # at most so many decisions at the beginning are just any moves
    gpu_games: bool = False  # whether they are played on a GPU, and not on cores
    epochs: float = 3.0
    batch: int = 8192
    trust: float = 0.0  # in what the search found, against how the game ended
    tilts: bool = True  # whether who wins may follow from more than the scores
    reviews: int = 2  # how often it is taught again by what it says of later positions itself
    hindsight: float = 0.4  # then: in what came after the next position, against what it says of that one
    belief: float = 1.0  # in its corrections of scores, once it has learned
    match_playouts: int = 100
    most_pairs: int = 2000  # of games in a match
    gated: bool = True  # whether a new mind must win its match; else the newest always plays on
    begin: str = shelf.NONE  # the mind to begin with: a file, none, or "" for the game's own

    @property
    def manner(self) -> Manner:
        return Manner(self.playouts, self.quick, self.kept, self.wild, self.scramble)


class Round(msgspec.Struct, kw_only=True):
    """What came of a round."""

    number: int
    positions: int
    seconds: dict[str, float]  # by what was done
    losses: list[float]  # a hundred on the way
    chances: float  # errors with positions that were held out, of the new mind
    score: float
    chances_before: float  # and of the outlook alone
    score_before: float
    share: float  # of wins against the best so far
    low: float
    high: float
    games: int
    kept: bool


class Annals(msgspec.Struct, kw_only=True):
    """How far a training is."""

    settings: Curriculum
    version: str = souk.__version__
    device: str = ""  # or several, one after the other
    rounds: list[Round] = []

    @property
    def seconds(self) -> float:
        return sum(sum(each.seconds.values()) for each in self.rounds)

    @property
    def kept(self) -> list[Round]:
        """The rounds whose mind played on."""
        return [each for each in self.rounds if each.kept]


def strength(share: float) -> float:
    """A share of wins as a lead in points of Elo: half is none. (Who never won, or always, is told as once in a thousand.)"""
    within = min(max(share, 0.001), 0.999)
    return 400 * math.log10(within / (1 - within))


def read_annals(folder: Path) -> Annals | None:
    """How far the training in a folder is; None where there is none."""
    file = folder / FILE
    if not file.is_file():
        return None
    try:
        return msgspec.json.decode(file.read_bytes(), type=Annals)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{file} does not tell of a training: {error}") from None


def write_annals(folder: Path, annals: Annals) -> None:
    aside = (folder / FILE).with_suffix(".part")
    aside.write_bytes(msgspec.json.format(msgspec.json.encode(annals)))
    aside.replace(folder / FILE)
