"""Many machines: work handed out, part by part, to the workers of a Ray cluster.

Which part a worker gets changes nothing about it, so what comes of it all is the same as on one machine. A worker that dies, with its
machine or alone, costs the part it was at, which another one does again. Ray is imported when a cluster is opened, never before: it
takes seconds and most of a gigabyte.
"""

import hashlib
import importlib.util
import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from souk.core.fields import shown
from souk.core.game import Game
from souk.core.position import Position
from souk.games import game as find_game
from souk.kernel.cache import cache_home
from souk.lab.checks import check_whole

if TYPE_CHECKING:
    from rich.console import Console

Part = TypeVar("Part")
Answer = TypeVar("Answer")

_TRIES_MORE = 8  # for a part whose worker died
_PATIENCE = 10.0  # seconds until a cluster has to answer
_PACKAGE = Path(__file__).resolve().parent.parent
# Said before Ray is imported, which reads them: nothing is reported to its makers, and nothing of it written between our lines.
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",  # of what it tells of workers that died: all of it
}


def check_place(on: object, address: str | None) -> None:
    """ValueError unless this is a place where games can be played."""
    if on not in ("here", "ray") and not isinstance(on, Cluster):
        raise ValueError(f'on: must be "here" or "ray", not {shown(on)}')
    if address is not None and on != "ray":
        raise ValueError('address: is that of a Ray cluster, and needs on="ray"')


class Cluster:
    """The workers of a Ray cluster: the one at `address` or RAY_ADDRESS, or else one of this machine alone, started when it is first
    needed and ended by `close`, or with the `with` block. `workers` is how many parts are worked on at once; None: as many as
    there are cores. A program that has opened Ray itself keeps it as it is."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        if importlib.util.find_spec("ray") is None:
            raise RuntimeError("Ray is not installed: pip install souk[ray]")
        if workers is not None:
            check_whole("workers", workers, 1, 100_000)
        self._address, self._workers = address or os.environ.get("RAY_ADDRESS") or "local", workers
        _knock(self._address)
        self.alone = self._address == "local"  # this machine only
        self._ray: Any = None
        self._ours = False  # whether it was opened here, and is to be closed here

    def open(self) -> "Cluster":
        """Connect, or start; nothing where that has been done."""
        if self._ray is None:
            for name, value in _QUIET.items():
                os.environ.setdefault(name, value)
            import ray

            self._ray, self._ours = ray, not ray.is_initialized()
            if self._ours:
                self._connect()
        return self

    def _connect(self) -> None:
        more = {"num_cpus": self._workers, "include_dashboard": False} if self.alone else {}
        try:
            self._ray.init(self._address, log_to_driver=False, logging_level=logging.CRITICAL, **more)
        except (OSError, ValueError, RuntimeError, self._ray.exceptions.RayError) as error:
            self._ray, self._ours = None, False
            told = (str(error).strip() or "no answer").splitlines()[0]
            raise RuntimeError(f"address: no Ray cluster at {shown(self._address)}: {told}") from None

    @property
    def workers(self) -> int:
        """How many parts are worked on at once."""
        return self._workers or int(self.open()._resources("CPU")) or 1

    def _resources(self, kind: str) -> float:
        return float(self._ray.cluster_resources().get(kind, 0))

    def each(
        self, work: Callable[[Part], Answer], parts: Iterable[Part], *, gpu: bool = False
    ) -> Iterator[tuple[Part, Answer]]:
        """Have all parts worked on, each on one core (or with one GPU), and give each with its answer as soon as that is there."""
        ray = self.open()._ray
        if gpu and not self._resources("GPU"):
            raise ValueError("target: no machine of the Ray cluster has a GPU")
        task = ray.remote(num_cpus=1, num_gpus=int(gpu), max_retries=_TRIES_MORE)(work)
        handed_out: dict[Any, Part] = {}
        left = iter(parts)
        try:
            while True:
                while len(handed_out) < self._at_once() and (part := next(left, None)) is not None:
                    handed_out[task.remote(part)] = part
                if not handed_out:
                    return
                yield self._finished(handed_out)
        finally:
            for unfinished in handed_out:  # broken off: what they are at is of no use to anybody
                ray.cancel(unfinished, force=True)

    def _at_once(self) -> int:
        """How many parts are out at a time: two for each core, so that a worker need not wait for its next one. Asked again each
        time, for a cluster may grow."""
        if self._workers and not (self.alone and self._ours):  # there Ray itself keeps to the number of workers
            return self._workers
        return 2 * max(1, int(self._resources("CPU")))

    def _finished(self, handed_out: dict[Any, Part]) -> tuple[Part, Any]:
        """The next part that is done, with its answer."""
        errors = self._ray.exceptions
        try:
            ready = self._ray.wait(list(handed_out))[0][0]
            return handed_out.pop(ready), self._ray.get(ready)
        except errors.RayTaskError as error:
            raise error.cause from None
        except errors.RayError as error:
            lost = "a worker of the Ray cluster died, and so did the next ones that took its part over"
            raise RuntimeError(f"{lost} ({type(error).__name__})") from None

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        if self._ours:
            self._ray.shutdown()
        self._ray, self._ours = None, False

    def __enter__(self) -> "Cluster":
        return self.open()

    def __exit__(self, *_: object) -> None:
        self.close()


def _knock(address: str) -> None:
    """Refuse an address at which nobody answers: Ray itself would go on trying for many minutes."""
    if address in ("local", "auto"):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError(
            f"address: must be that of a Ray cluster, such as 10.0.0.1:6379, or auto, not {shown(address)}"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise RuntimeError(f"address: nobody answers at {address}: {error}") from None


@contextmanager
def open_cluster(console: "Console", address: str | None, workers: int | None) -> Iterator[Cluster]:
    """A cluster for the time of the block. Opening it takes a while, and whoever waits is told."""
    cluster = Cluster(address, workers)
    with console.status("Starting Ray, which takes about ten seconds" if cluster.alone else "Connecting to Ray"):
        cluster.open()
    with cluster:
        yield cluster


@contextmanager
def cluster_for(on: "Cluster | str", address: str | None, workers: int | None) -> Iterator[Cluster]:
    """The cluster that is meant: an open one as it is, or one for the time of the block."""
    if isinstance(on, Cluster):
        yield on
        return
    with Cluster(address, workers) as cluster:
        yield cluster


# ---------------------------------------------------------------- on a worker


@cache
def edition() -> str:
    """A digest of all that decides what is played: machine, rules, data and bots. Workers with another one would play other games."""
    digest = hashlib.sha256()
    for folder in ("kernel", "core", "games", "bots"):
        for file in sorted((_PACKAGE / folder).rglob("*")):
            if file.suffix in (".py", ".toml"):
                digest.update(file.relative_to(_PACKAGE).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


@dataclass(frozen=True)
class Table:
    """What is played, and how a worker finds out whether it has the same."""

    game: str
    players: int
    options: dict[str, Any]
    opening: bytes  # the start position, which holds the box data: boards and decks may come from files
    edition: str

    @classmethod
    def of(cls, start: Position) -> "Table":
        return cls(start.game.name, start.players, start.options, start.record.tobytes(), edition())

    def found_here(self) -> Game:
        """The game, on a worker. One whose sources or data files are not those of whoever asks refuses to play."""
        if self.edition != edition():
            raise RuntimeError("a machine of the Ray cluster has another version of Souk than this one")
        game = find_game(self.game)
        if game.start(self.players, **self.options).record.tobytes() != self.opening:
            raise RuntimeError("a machine of the Ray cluster has another data file for this game than this one")
        return game


@contextmanager
def compiling_alone() -> Iterator[None]:
    """One process of a machine compiles at a time; the others then find on disk what it has compiled."""
    from filelock import FileLock

    home = cache_home()
    home.mkdir(parents=True, exist_ok=True)
    with FileLock(home / "compiling.lock"):
        yield
