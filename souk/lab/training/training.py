"""Training a mind: round after round the present best plays itself, a new mind learns from the games, and a match decides whether it is the new best.

Everything is kept in a folder, and the same command goes on where it was. What a round does depends on the settings and the seed alone: how many
rounds there are may depend on the time.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import souk
from souk.core.game import Game
from souk.games import game as find_game
from souk.lab.statistics import Figure, mean_over
from souk.lab.training.selfplay import Manner, Samples, Side, compile_here, learned_from, match
from souk.lab.workers import Workers
from souk.minds import shelf

_STINT = 8  # games that a worker plays at a time
_APART = 1_000_000  # stints between one round and the next
_MATCH_SEED = 77
_PAIRS = 200  # of games, before the interval is looked at again


class Curriculum(msgspec.Struct, frozen=True, kw_only=True):
    """What is trained, and how."""

    game: str
    players: int
    seed: int = 0
    positions: int = 1_000_000  # a round
    window: int = 3  # rounds whose positions are learned from
    playouts: int = 24  # of a search at a position that is kept,
    quick: int = 24  # and at any other
    kept: float = 0.4  # how often a quiet position is kept
    wild: float = 0.04  # how often just any move is made
    scramble: int = 32  # at most so many decisions at the beginning are just any moves
    epochs: float = 3.0
    batch: int = 8192
    trust: float = 0.2  # in what the search found, against how the game ended
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
    device: str = ""
    rounds: list[Round] = []

    @property
    def seconds(self) -> float:
        return sum(sum(each.seconds.values()) for each in self.rounds)


class Progress:
    """Whoever looks on: told what is being done, and how far it is."""

    def tell(self, what: str, done: float, detail: str = "") -> None:
        """`done` is from 0 to 1."""


class Training:
    """A training in its folder: what has been done, and going on."""

    def __init__(self, settings: Curriculum, folder: Path, device: str, workers: Workers, progress: Progress) -> None:
        self.game: Game = find_game(settings.game)
        if not self.game.mind.ROWS > 1:
            raise ValueError(f"{self.game.title} has no eyes for a mind (mind.py)")
        self.folder, self.device, self.workers, self.progress = folder, device, workers, progress
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / "training.json"
        self.state = Annals(settings=settings, device=device)
        if self._file.is_file():
            self.state = msgspec.json.decode(self._file.read_bytes(), type=Annals)
            if self.state.settings != settings:
                raise ValueError(
                    f"{folder} holds a training with other settings: {_differences(self.state.settings, settings)}"
                )

    @property
    def settings(self) -> Curriculum:
        return self.state.settings

    @property
    def best(self) -> str:
        """The mind that plays at present, as bots name it."""
        kept = [each.number for each in self.state.rounds if each.kept]
        return str(self._mind(kept[-1])) if kept else self.settings.begin

    def go_on(self, rounds: int | None = None, seconds: float | None = None) -> Iterator[Round]:
        """More rounds, until there have been so many, or the time is over (all rounds counted)."""
        while (rounds is None or len(self.state.rounds) < rounds) and (seconds is None or self.state.seconds < seconds):
            yield self._round(len(self.state.rounds) + 1)

    # ------------------------------------------------------------ a round

    def _round(self, number: int) -> Round:
        times: dict[str, float] = {}
        with _timed(times, "play"):
            samples = self._positions(number)
        with _timed(times, "learn"):
            mind, losses, before, after = self._learn(number)
        path = self._mind(number)
        self._write(path, mind, {})
        with _timed(times, "match"):
            share = self._match(path)
        found = Round(
            number=number, positions=len(samples), seconds=times, losses=losses, kept=share.low > 0.5 or not self.settings.gated, games=2 * share.cases,
            chances=after.chances, score=after.score, chances_before=before.chances, score_before=before.score,
            share=float(share.value), low=float(share.low), high=float(share.high),
        )  # fmt: skip
        self.state.rounds.append(found)
        self._write(path, mind, self.pedigree())
        self._keep_state()
        return found

    def _positions(self, number: int) -> Samples:
        """The positions of a round: played now, unless they were before."""
        path = self.folder / f"positions-{number:03}.npy"
        if path.is_file():
            return np.load(path)  # type: ignore[no-any-return]
        wanted, side, found, count = self.settings.positions, Side(self.best), [], 0
        stints = range(number * _APART, (number + 1) * _APART)
        compile_here(self.settings.game, self.settings.players)
        game, players, seed = self.settings.game, self.settings.players, self.settings.seed
        for samples in learned_from(self.workers, game, players, side, self.settings.manner, seed, stints, _STINT):
            found.append(samples)
            count += len(samples)
            self.progress.tell("play", count / wanted, f"{count:,} positions")
            if count >= wanted:
                break
        samples = np.concatenate(found)
        np.save(path.with_suffix(".part.npy"), samples)
        path.with_suffix(".part.npy").replace(path)
        for old in range(1, number - self.settings.window + 1):
            (self.folder / f"positions-{old:03}.npy").unlink(missing_ok=True)
        return samples

    def _learn(self, number: int) -> tuple[Any, list[float], Any, Any]:
        """A new mind from the positions of the last rounds; what is held out is of this one."""
        from souk.lab.training.learning import Learner, Lessons, of_games

        chosen = self.settings
        lessons = Lessons(epochs=chosen.epochs, batch=chosen.batch, trust=chosen.trust, seed=chosen.seed)
        newest, held_out = of_games(self._positions(number), lessons.held_out)
        older = [self._positions(each) for each in range(max(1, number - chosen.window + 1), number)]
        learner = Learner(self.game.mind.ROWS, self.game.mind.symmetries(), lessons, self.device)
        before, losses = learner.examined(held_out), []
        for batch, batches, loss in learner.teach(np.concatenate([*older, newest])):
            if batch % max(1, batches // 100) == 0:
                losses.append(loss)
                self.progress.tell("learn", batch / batches, f"loss {loss:.4f}")
        return learner.in_whole_numbers(), losses, before, learner.examined(held_out)

    def _match(self, path: Path) -> Figure:
        """The new mind against the best, until one is better with the whole interval."""
        chosen, shares = self.settings, np.zeros(0)
        sides = (Side(str(path)), Side(self.best))
        while True:
            seed = _MATCH_SEED + len(shares)
            more = match(self.workers, chosen.game, chosen.players, sides, chosen.match_playouts, seed, _PAIRS)
            shares = np.concatenate([shares, more])
            found = mean_over(shares, np.ones(len(shares)))
            self.progress.tell(
                "match", len(shares) / chosen.most_pairs, f"{found.value:.1%} of {2 * len(shares):,} games"
            )
            if found.low > 0.5 or found.high < 0.5 or len(shares) >= chosen.most_pairs:
                return found

    # ------------------------------------------------------------ what is kept

    def pedigree(self) -> dict[str, Any]:
        """What a mind's file says of how it came about."""
        about = msgspec.to_builtins(self.state)
        for each in about["rounds"]:
            del each["losses"]
        return {str(self.settings.players): about}

    def hand_over(self, path: Path) -> None:
        """Put the best mind into a file, beside those for other numbers of players."""
        minds = shelf.all_minds(self.game, path) if path.is_file() else {}
        pedigree = shelf.pedigree_of(self.game, str(path)) if path.is_file() else {}
        minds[self.settings.players] = shelf.mind_of(self.game, self.settings.players, self.best)
        shelf.write(path, self.game, minds, pedigree | self.pedigree())

    def _mind(self, number: int) -> Path:
        return self.folder / f"mind-{number:03}.safetensors"

    def _write(self, path: Path, mind: Any, pedigree: dict[str, Any]) -> None:
        shelf.write(path, self.game, {self.settings.players: mind}, pedigree)

    def _keep_state(self) -> None:
        aside = self._file.with_suffix(".part")
        aside.write_bytes(msgspec.json.format(msgspec.json.encode(self.state)))
        aside.replace(self._file)


@contextmanager
def _timed(times: dict[str, float], what: str) -> Iterator[None]:
    begin = time.perf_counter()
    yield
    times[what] = time.perf_counter() - begin


def _differences(one: Curriculum, other: Curriculum) -> str:
    names: Callable[[Curriculum], dict[str, Any]] = msgspec.structs.asdict
    return ", ".join(
        f"{name} {value!r}, not {names(other)[name]!r}"
        for name, value in names(one).items()
        if value != names(other)[name]
    )
