"""Training a mind: round after round the present best plays itself, a new mind learns from the games, and a match decides whether it is the new best.

Everything is kept in a folder, and the same command goes on where it was. What a round does depends on the settings and the seed alone: how many
rounds there are may depend on the time.
"""

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from souk.core.errors import suggestion
from souk.core.game import Game
from souk.games import game as find_game
from souk.lab.checks import check_whole
from souk.lab.statistics import Figure, mean_over
from souk.lab.training.annals import Annals, Curriculum, Round, read_annals, write_annals
from souk.lab.training.page import PAGE, write_page
from souk.lab.training.selfplay import Samples, Side, compile_here, learned_from, match
from souk.lab.workers import Workers
from souk.minds import shelf

_STINT = 8  # games that a worker plays at a time
_PATIENCE = 50  # stints without a position to learn from
DEVICES = ("auto", "cuda", "cpu")
_MOST_SEED = 2**31 - 1
_MOST_POSITIONS = 10**9
_MOST_SCRAMBLED = 1000
_MOST_PLAYOUTS = 100_000
_MOST_REVIEWS = 100
_APART = 1_000_000  # stints between one round and the next
_LOOKS = 1 << 12  # seeds for the matches of a round
_ROUNDS = 1 << 20  # and rounds of a training
_PAIRS = 200  # of games, before the interval is looked at again


class Progress:
    """Whoever looks on: told what is being done, and how far it is."""

    def tell(self, what: str, done: float, detail: str = "") -> None:
        """`done` is from 0 to 1."""


class Training:
    """A training in its folder: what has been done, and going on."""

    def __init__(self, settings: Curriculum, folder: Path, device: str, workers: Workers, progress: Progress) -> None:
        self.game: Game = check_curriculum(settings)
        found = read_annals(folder)
        if found is not None and found.settings != settings:
            raise ValueError(f"{folder} holds a training with other settings: {_differences(found.settings, settings)}")
        self.folder, self.device, self.workers, self.progress = folder, device, workers, progress
        self.state = found or Annals(settings=settings, device=device)
        if device not in self.state.device.split(", "):
            self.state.device += f", {device}"
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def settings(self) -> Curriculum:
        return self.state.settings

    @property
    def best(self) -> str:
        """The mind that plays at present, as bots name it."""
        kept = self.state.kept
        return str(self._mind(kept[-1].number)) if kept else self.settings.begin

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
            share = self._match(number, path)
        found = Round(
            number=number, positions=len(samples), seconds=times, losses=losses, kept=share.low > 0.5 or not self.settings.gated, games=2 * share.cases,
            chances=after.chances, score=after.score, chances_before=before.chances, score_before=before.score,
            share=float(share.value), low=float(share.low), high=float(share.high),
        )  # fmt: skip
        self.state.rounds.append(found)
        self._write(path, mind, self.pedigree())
        write_annals(self.folder, self.state)
        write_page(self.folder / PAGE, self.state)
        return found

    def _positions(self, number: int) -> Samples:
        """The positions of a round: played now, unless they were before."""
        path = self.folder / f"positions-{number:03}.npy"
        if path.is_file():
            return np.load(path)  # type: ignore[no-any-return]
        wanted, side, found, count = self.settings.positions, Side(self.best), [], 0
        stints = range(number * _APART, (number + 1) * _APART)
        self.progress.tell("play", 0.0, "compiling, where that has not been done before")
        compile_here(self.settings.game, self.settings.players)
        for samples in self._played(side, stints):
            found.append(samples)
            count += len(samples)
            self.progress.tell("play", min(1.0, count / wanted), f"{count:,} positions")
            if count >= wanted:
                break
            if not count and len(found) >= _PATIENCE:
                raise ValueError(
                    f"game: {self.game.title} says of no position that it is quiet, so there is nothing to learn from"
                )
        samples = np.concatenate(found)
        np.save(path.with_suffix(".part.npy"), samples)
        path.with_suffix(".part.npy").replace(path)
        for old in range(1, number - self.settings.window + 1):
            (self.folder / f"positions-{old:03}.npy").unlink(missing_ok=True)
        return samples

    def _played(self, side: Side, stints: Sequence[int]) -> Iterator[Samples]:
        """The positions of games that are played one stint after the other: of a worker's, or of all that a GPU plays in one go."""
        chosen = self.settings
        if not chosen.gpu_games:
            how = chosen.manner, chosen.seed, stints, _STINT
            return learned_from(self.workers, chosen.game, chosen.players, side, *how)
        from souk.lab.training.selfplay_cuda import learned_on_gpu

        return learned_on_gpu(chosen.game, chosen.players, side, chosen.manner, chosen.seed, stints)

    def _learn(self, number: int) -> tuple[Any, list[float], Any, Any]:
        """A new mind from the positions of the last rounds; what is held out is of this one."""
        from souk.lab.training.learning import Learner, Lessons, of_games

        chosen = self.settings
        self.progress.tell("learn", 0.0, "examined before")
        lessons = Lessons(
            chosen.epochs, chosen.batch, trust=chosen.trust, tilts=chosen.tilts, seed=chosen.seed,
            reviews=chosen.reviews, hindsight=chosen.hindsight, belief=chosen.belief,
        )  # fmt: skip
        newest, held_out = of_games(self._positions(number), lessons.held_out)
        older = [self._positions(each) for each in range(max(1, number - chosen.window + 1), number)]
        learner = Learner(self.game.mind.ROWS, self.game.mind.symmetries(), lessons, self.device)
        before, losses = learner.examined(held_out), []
        for batch, batches, loss in learner.teach(np.concatenate([*older, newest])):
            if batch % max(1, batches // 100) == 0:
                losses.append(float(loss))
                self.progress.tell("learn", batch / batches, f"loss {losses[-1]:.4f}")
        return learner.in_whole_numbers(), losses, before, learner.examined(held_out)

    def _match(self, number: int, path: Path) -> Figure:
        """The new mind against the best, until one is better with the whole interval. Every match has dice of its own, which no game for learning has."""
        chosen, shares = self.settings, np.zeros(0)
        sides = (Side(str(path)), Side(self.best))
        seeds = itertools.count(((chosen.seed + 1) * _ROUNDS + number) * _LOOKS)
        pairs = min(_PAIRS, chosen.most_pairs)
        self.progress.tell("match", 0.0, f"the first {2 * pairs:,} games")
        while True:
            more = match(self.workers, chosen.game, chosen.players, sides, chosen.match_playouts, next(seeds), pairs)
            shares = np.concatenate([shares, more])
            found = mean_over(shares, np.ones(len(shares)))
            self.progress.tell(
                "match", min(1.0, len(shares) / chosen.most_pairs), f"{found.value:.1%} of {2 * len(shares):,} games"
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
        """Put the best mind into a file, beside those for other numbers of players. ValueError where there is none yet."""
        if not self.state.kept:
            raise ValueError(
                f"{self.folder}: no mind of this training has won its match yet, so there is none to hand over"
            )
        minds = shelf.all_minds(self.game, path) if path.is_file() else {}
        pedigree = shelf.pedigree_of(self.game, str(path)) if path.is_file() else {}
        minds[self.settings.players] = shelf.mind_of(self.game, self.settings.players, self.best)
        shelf.write(path, self.game, minds, pedigree | self.pedigree())

    def _mind(self, number: int) -> Path:
        return self.folder / f"mind-{number:03}.safetensors"

    def _write(self, path: Path, mind: Any, pedigree: dict[str, Any]) -> None:
        shelf.write(path, self.game, {self.settings.players: mind}, pedigree)


def check_curriculum(settings: Curriculum) -> Game:
    """The game that is trained; ValueError for what cannot be."""
    game = find_game(settings.game)
    game.options(settings.players)  # which knows how many may play
    if settings.players < 2:
        raise ValueError(
            f"players: a mind learns from games against others: {max(2, game.players[0])} to {game.players[-1]}"
        )
    if not game.mind.ROWS > 1:
        raise ValueError(f"game: {game.title} has no eyes for a mind (mind.py), so none can be trained for it")
    check_whole("seed", settings.seed, 0, _MOST_SEED)
    check_whole("scramble", settings.scramble, 0, _MOST_SCRAMBLED)
    check_whole("reviews", settings.reviews, 0, _MOST_REVIEWS)
    check_whole("playouts", settings.playouts, 1, _MOST_PLAYOUTS)
    for name in ("trust", "hindsight", "belief"):
        if not 0 <= getattr(settings, name) <= 1:
            raise ValueError(f"{name}: must be from 0 to 1, not {getattr(settings, name):g}")
    check_whole("positions", settings.positions, 1, _MOST_POSITIONS)
    check_whole("pairs", settings.most_pairs, 2, _LOOKS)  # one alone has no interval
    if settings.gpu_games:
        check_gpu()
    begun = shelf.mind_of(game, settings.players, settings.begin)
    if settings.begin != shelf.NONE and not begun["awake"][0]:
        whose = settings.begin or game.title
        raise ValueError(f"begin: {whose} has no mind for {settings.players} players; begin with {shelf.NONE}")
    return game


def find_device(wish: str = "auto") -> str:
    """Where a net is taught: cuda or cpu; ValueError where that cannot be."""
    if wish not in DEVICES:
        raise ValueError(f"device: there is no {wish!r}. {suggestion(wish, DEVICES)}")
    try:
        import torch
    except ImportError:
        raise ValueError("training needs PyTorch: pip install souk[train]") from None
    there = torch.cuda.is_available()
    if wish == "cuda" and not there:
        raise ValueError("device: there is no cuda here that PyTorch could use; leave --device out, or take cpu")
    return "cuda" if there and wish != "cpu" else "cpu"


def check_gpu() -> None:
    """ValueError where no games can be played on a GPU."""
    from souk.kernel.cuda import NoGPU, numba_cuda

    try:
        numba_cuda()
    except NoGPU as error:
        raise ValueError(f"games: {error}; leave --gpu-games out, and cores play them") from None


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
