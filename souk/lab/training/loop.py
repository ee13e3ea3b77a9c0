"""The training loop: self-play by the best net, learning, and a gating match, round after round.

Everything is kept in a folder, and the same command resumes. A round depends only on settings and
seed; the time limit affects only the number of rounds.
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
from souk.kernel.distribution import install_command
from souk.lab.statistics import Figure, mean_over
from souk.lab.training.history import History, Round, read_history, write_history
from souk.lab.training.html import PAGE, write_page
from souk.lab.training.selfplay import Samples, Side, compile_selfplay, match, selfplay
from souk.lab.training.settings import TrainingSettings
from souk.lab.validation import check_whole
from souk.lab.workers import Workers
from souk.nets import loader

# games per worker task
_GAMES_PER_TASK = 8
# tasks without a usable position before giving up
_MAX_EMPTY_TASKS = 50
DEVICES = ("auto", "cuda", "cpu")
_MOST_SEED = 2**31 - 1
_MOST_POSITIONS = 10**9
_MOST_RANDOM = 1000
_MOST_PLAYOUTS = 100_000
_MOST_PASSES = 100
# offset between the task numbers of consecutive rounds
_TASKS_PER_ROUND = 1_000_000
# match seeds per round
_SEEDS_PER_ROUND = 1 << 12
# maximum rounds per training seed
_MOST_ROUNDS = 1 << 20
# game pairs between looks at the interval
_PAIRS = 200


class Progress:
    """Receives progress reports; does nothing by default."""

    def tell(self, what: str, done: float, detail: str = "") -> None:
        """Report an activity; `done` is from 0 to 1."""


class Training:
    """A training run in its folder."""

    def __init__(
        self,
        settings: TrainingSettings,
        folder: Path,
        device: str,
        workers: Workers,
        progress: Progress,
    ) -> None:
        self.game: Game = check_settings(settings)
        stored = read_history(folder)
        if stored is not None and stored.settings != settings:
            raise ValueError(
                f"{folder} contains a training with other settings: "
                f"{_differences(stored.settings, settings)}"
            )
        self.folder, self.device, self.workers, self.progress = folder, device, workers, progress
        self.state = stored or History(settings=settings, device=device)
        if device not in self.state.device.split(", "):
            self.state.device += f", {device}"
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def settings(self) -> TrainingSettings:
        return self.state.settings

    @property
    def best(self) -> str:
        """The best net so far, as a bot setting."""
        kept = self.state.kept
        return str(self._net(kept[-1].number)) if kept else self.settings.initial_net

    def run(self, rounds: int | None = None, seconds: float | None = None) -> Iterator[Round]:
        """Yield further rounds, up to a total of `rounds` or `seconds` including earlier ones."""
        while (rounds is None or len(self.state.rounds) < rounds) and (
            seconds is None or self.state.seconds < seconds
        ):
            yield self._round(len(self.state.rounds) + 1)

    # ------------------------------------------------------------ one round

    def _round(self, number: int) -> Round:
        times: dict[str, float] = {}
        with _timed(times, "play"):
            samples = self._positions(number)
        with _timed(times, "learn"):
            net, losses, before, after = self._learn(number)
        path = self._net(number)
        self._write(path, net, {})
        with _timed(times, "match"):
            share = self._match(number, path)
        finished = Round(
            number=number,
            positions=len(samples),
            seconds=times,
            losses=losses,
            kept=share.low > 0.5 or not self.settings.gated,
            games=2 * share.cases,
            chances=after.chances,
            score=after.score,
            chances_before=before.chances,
            score_before=before.score,
            share=float(share.value),
            low=float(share.low),
            high=float(share.high),
        )
        self.state.rounds.append(finished)
        self._write(path, net, self.pedigree())
        write_history(self.folder, self.state)
        write_page(self.folder / PAGE, self.state)
        return finished

    def _positions(self, number: int) -> Samples:
        """The positions of a round: loaded if stored, else played now."""
        path = self.folder / f"positions-{number:03}.npy"
        if path.is_file():
            return np.load(path)  # type: ignore[no-any-return]
        wanted, side, batches, count = self.settings.positions, Side(self.best), [], 0
        tasks = range(number * _TASKS_PER_ROUND, (number + 1) * _TASKS_PER_ROUND)
        self.progress.tell("play", 0.0, "compiling if necessary")
        compile_selfplay(self.settings.game, self.settings.players)
        for samples in self._played(side, tasks):
            batches.append(samples)
            count += len(samples)
            self.progress.tell("play", min(1.0, count / wanted), f"{count:,} positions")
            if count >= wanted:
                break
            if not count and len(batches) >= _MAX_EMPTY_TASKS:
                raise ValueError(
                    f"game: {self.game.title} has no quiet positions, so there is nothing to learn"
                )
        samples = np.concatenate(batches)
        np.save(path.with_suffix(".part.npy"), samples)
        path.with_suffix(".part.npy").replace(path)
        for old in range(1, number - self.settings.window + 1):
            (self.folder / f"positions-{old:03}.npy").unlink(missing_ok=True)
        return samples

    def _played(self, side: Side, tasks: Sequence[int]) -> Iterator[Samples]:
        """Positions of games, task by task: a worker's games, or one GPU launch."""
        settings = self.settings
        if not settings.gpu_games:
            options = settings.selfplay_settings, settings.seed, tasks, _GAMES_PER_TASK
            return selfplay(self.workers, settings.game, settings.players, side, *options)
        from souk.lab.training.selfplay_cuda import selfplay_on_gpu

        return selfplay_on_gpu(
            settings.game, settings.players, side, settings.selfplay_settings, settings.seed, tasks
        )

    def _learn(self, number: int) -> tuple[Any, list[float], Any, Any]:
        """Train a new net on the last rounds; held-out games are from this round."""
        from souk.lab.training.train_net import Learner, hold_out_games

        settings = self.settings
        self.progress.tell("learn", 0.0, "evaluating")
        newest, held_out = hold_out_games(self._positions(number), settings.held_out)
        older = [
            self._positions(earlier)
            for earlier in range(max(1, number - settings.window + 1), number)
        ]
        features = self.game.net_features
        learner = Learner(features.ROWS, features.symmetries(), settings, self.device)
        before, losses = learner.evaluate_on(held_out), []
        for batch, batches, loss in learner.train(np.concatenate([*older, newest])):
            if batch % max(1, batches // 100) == 0:
                losses.append(float(loss))
                self.progress.tell("learn", batch / batches, f"loss {losses[-1]:.4f}")
        return learner.quantized(), losses, before, learner.evaluate_on(held_out)

    def _match(self, number: int, path: Path) -> Figure:
        """Play the new net against the best until the whole interval is on one side of one half.

        Matches have their own seeds, different from those of self-play.
        """
        settings, shares = self.settings, np.zeros(0)
        sides = (Side(str(path)), Side(self.best))
        seeds = itertools.count(((settings.seed + 1) * _MOST_ROUNDS + number) * _SEEDS_PER_ROUND)
        pairs = min(_PAIRS, settings.most_pairs)
        self.progress.tell("match", 0.0, f"the first {2 * pairs:,} games")
        while True:
            new_shares = match(
                self.workers,
                settings.game,
                settings.players,
                sides,
                settings.match_playouts,
                next(seeds),
                pairs,
            )
            shares = np.concatenate([shares, new_shares])
            share = mean_over(shares, np.ones(len(shares)))
            self.progress.tell(
                "match",
                min(1.0, len(shares) / settings.most_pairs),
                f"{share.value:.1%} of {2 * len(shares):,} games",
            )
            if share.low > 0.5 or share.high < 0.5 or len(shares) >= settings.most_pairs:
                return share

    # ------------------------------------------------------------ files

    def pedigree(self) -> dict[str, Any]:
        """The training record stored in a net's file."""
        record = msgspec.to_builtins(self.state)
        for finished in record["rounds"]:
            del finished["losses"]
        return {str(self.settings.players): record}

    def export_best(self, path: Path) -> None:
        """Write the best net into a file, keeping its nets for other numbers of players.

        Raises ValueError if no net has been kept yet.
        """
        if not self.state.kept:
            raise ValueError(f"{self.folder}: no net of this training has won its match yet")
        nets = loader.all_nets(self.game, path) if path.is_file() else {}
        pedigree = loader.pedigree_of(self.game, str(path)) if path.is_file() else {}
        nets[self.settings.players] = loader.net_of(self.game, self.settings.players, self.best)
        loader.write(path, self.game, nets, pedigree | self.pedigree())

    def _net(self, number: int) -> Path:
        """The file of a round's net; older versions called it mind-NNN."""
        older = self.folder / f"mind-{number:03}.safetensors"
        return older if older.is_file() else self.folder / f"net-{number:03}.safetensors"

    def _write(self, path: Path, net: Any, pedigree: dict[str, Any]) -> None:
        loader.write(path, self.game, {self.settings.players: net}, pedigree)


def check_settings(settings: TrainingSettings) -> Game:
    """The game to train; ValueError for invalid settings."""
    game = find_game(settings.game)
    # raises ValueError for an invalid number of players
    game.options(settings.players)
    if settings.players < 2:
        raise ValueError(
            "players: a net learns from games against opponents: "
            f"{max(2, game.players[0])} to {game.players[-1]}"
        )
    if not game.net_features.ROWS > 1:
        raise ValueError(
            f"game: {game.title} has no net_features.py, so no net can be trained for it"
        )
    check_whole("seed", settings.seed, 0, _MOST_SEED)
    check_whole("random-opening", settings.random_opening, 0, _MOST_RANDOM)
    check_whole("bootstrap-passes", settings.bootstrap_passes, 0, _MOST_PASSES)
    check_whole("playouts", settings.playouts, 1, _MOST_PLAYOUTS)
    for name in ("search_weight", "td_lambda", "correction_scale"):
        if not 0 <= (value := getattr(settings, name)) <= 1:
            raise ValueError(f"{name.replace('_', '-')}: must be from 0 to 1, not {value:g}")
    check_whole("positions", settings.positions, 1, _MOST_POSITIONS)
    # a single pair has no interval
    check_whole("pairs", settings.most_pairs, 2, _SEEDS_PER_ROUND)
    if settings.gpu_games:
        check_gpu()
    initial = loader.net_of(game, settings.players, settings.initial_net)
    if settings.initial_net != loader.NONE and not initial["awake"][0]:
        source = settings.initial_net or game.title
        raise ValueError(
            f"initial-net: {source} has no net for {settings.players} players; omit it to begin "
            "without one"
        )
    return game


def find_device(device: str = "auto") -> str:
    """The device to train on, cuda or cpu; ValueError if it is not available."""
    if device not in DEVICES:
        raise ValueError(f"device: there is no {device!r}. {suggestion(device, DEVICES)}")
    try:
        import torch
    except ImportError:
        raise ValueError(f"training needs PyTorch: {install_command('train')}") from None
    has_cuda = torch.cuda.is_available()
    if device == "cuda" and not has_cuda:
        raise ValueError(
            "device: there is no cuda here that PyTorch could use; omit --device, or use cpu"
        )
    return "cuda" if has_cuda and device != "cpu" else "cpu"


def check_gpu() -> None:
    """Raise ValueError if no games can be played on a GPU."""
    from souk.kernel.cuda import NoGPU, numba_cuda

    try:
        numba_cuda()
    except NoGPU as error:
        raise ValueError(f"games: {error}; omit --gpu-games to play on cores") from None


@contextmanager
def _timed(times: dict[str, float], what: str) -> Iterator[None]:
    begin = time.perf_counter()
    yield
    times[what] = time.perf_counter() - begin


def _differences(one: TrainingSettings, other: TrainingSettings) -> str:
    names: Callable[[TrainingSettings], dict[str, Any]] = msgspec.structs.asdict
    return ", ".join(
        f"{name} {value!r}, not {names(other)[name]!r}"
        for name, value in names(one).items()
        if value != names(other)[name]
    )
