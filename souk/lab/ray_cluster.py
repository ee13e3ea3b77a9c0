"""The workers of a Ray cluster, on many machines.

A worker that dies, with its machine or alone, costs the part it was at, which another one does again. Ray is imported when a cluster
is opened, never before: it takes seconds and most of a gigabyte.
"""

import hashlib
import importlib.util
import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Self

from souk.core.fields import brief
from souk.kernel.cache import cache_home
from souk.lab.checks import check_whole
from souk.lab.workers import Answer, Job, Part, Workers

_TRIES_MORE = 8  # for a part whose worker died
_PATIENCE = 10.0  # seconds until a cluster has to answer
_PACKAGE = Path(__file__).resolve().parent.parent
# Said before Ray is imported, which reads them: nothing is reported to its makers, and nothing of it written between our lines.
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",  # of what it tells of workers that died: all of it
}


class Cluster(Workers):
    """The workers of a Ray cluster: the one at `address` or RAY_ADDRESS, or else one of this machine alone, started when it is first
    needed. `workers` is how many parts are worked on at once; None: as many as there are cores. A program that has opened Ray itself
    keeps it as it is."""

    about = "Played by the workers of a Ray cluster, which take about ten seconds to start."

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        if importlib.util.find_spec("ray") is None:
            raise RuntimeError("Ray is not installed: pip install souk[ray]")
        if workers is not None:
            check_whole("workers", workers, 1, 100_000)
        self._address, self._workers = address or os.environ.get("RAY_ADDRESS") or "local", workers
        _knock(self._address)
        self.alone = self._address == "local"  # this machine only
        self._ray: Any = None
        self._task: Any = None
        self._ours = False  # whether it was opened here, and is to be closed here

    def open(self) -> Self:
        """Connect, or start; nothing where that has been done."""
        if self._ray is None:
            for name, value in _QUIET.items():
                os.environ.setdefault(name, value)
            import ray

            self._ray, self._ours = ray, not ray.is_initialized()
            if self._ours:
                self._connect()
            self._task = ray.remote(_done_there)
        return self

    def _connect(self) -> None:
        more = {"num_cpus": self._workers, "include_dashboard": False} if self.alone else {}
        try:
            self._ray.init(self._address, log_to_driver=False, logging_level=logging.CRITICAL, **more)
        except (OSError, ValueError, RuntimeError, self._ray.exceptions.RayError) as error:
            self._ray, self._ours = None, False
            told = (str(error).strip() or "no answer").splitlines()[0]
            raise RuntimeError(f"address: no Ray cluster at {brief(self._address)}: {told}") from None

    @property
    def at_once(self) -> int:
        return self._workers or int(self._resources("CPU")) or 1

    def _resources(self, kind: str) -> float:
        return float(self.open()._ray.cluster_resources().get(kind, 0))

    def _most_out(self) -> int:
        """Two for each core, so that a worker need not wait for its next one. Asked again each time, for a cluster may grow."""
        if self._workers and not (self.alone and self._ours):  # there Ray itself keeps to the number of workers
            return self._workers
        return 2 * max(1, int(self._resources("CPU")))

    def _begin(self, job: Job[Part, Answer], part: Part) -> Any:
        """Each part is worked on by one core, or with one GPU."""
        if job.gpu and not self._resources("GPU"):
            raise ValueError("target: no machine of the Ray cluster has a GPU")
        task = self.open()._task.options(num_cpus=1, num_gpus=int(job.gpu), max_retries=_TRIES_MORE)
        return task.remote(edition(), job, part)

    def _finished(self, tickets: list[Any]) -> Any:
        return self._ray.wait(tickets)[0][0]

    def _answer(self, ticket: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(ticket)
        except errors.RayTaskError as error:
            raise error.cause from None
        except errors.RayError as error:
            lost = "a worker of the Ray cluster died, and so did the next ones that took its part over"
            raise RuntimeError(f"{lost} ({type(error).__name__})") from None

    def _drop(self, tickets: list[Any]) -> None:
        for ticket in tickets:
            self._ray.cancel(ticket, force=True)

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        if self._ours:
            self._ray.shutdown()
        self._ray, self._ours = None, False

    def __enter__(self) -> Self:
        return self.open()


def _knock(address: str) -> None:
    """Refuse an address at which nobody answers: Ray itself would go on trying for many minutes."""
    if address in ("local", "auto"):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError(
            f"address: must be that of a Ray cluster, such as 10.0.0.1:6379, or auto, not {brief(address)}"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise RuntimeError(f"address: nobody answers at {address}: {error}") from None


# ---------------------------------------------------------------- on a machine of the cluster


@cache
def edition() -> str:
    """A digest of all that decides what is played and counted: rules, data, bots and the lab. Workers with another one would play other
    games, or look at them otherwise."""
    digest = hashlib.sha256()
    for folder in ("kernel", "core", "games", "bots", "lab"):
        for file in sorted((_PACKAGE / folder).rglob("*")):
            if file.suffix in (".py", ".toml"):
                digest.update(file.relative_to(_PACKAGE).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _done_there(asked: str, job: Job[Part, Answer], part: Part) -> Answer:
    """Work on a part, unless the sources here are not those of whoever asks."""
    if asked != edition():
        raise RuntimeError("a machine of the Ray cluster has another version of Souk than this one")
    with _compiling_alone():
        job.prepare(part)
    return job.work(part)


@contextmanager
def _compiling_alone() -> Iterator[None]:
    """One process of a machine compiles at a time; the others then find on disk what it has compiled."""
    from filelock import FileLock

    home = cache_home()
    home.mkdir(parents=True, exist_ok=True)
    with FileLock(home / "compiling.lock"):
        yield
