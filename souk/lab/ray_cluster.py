"""Workers of a Ray cluster, on many machines.

If a worker dies, another repeats its item. Ray is imported only when a cluster is opened: that
takes seconds and most of a gigabyte.
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

from souk.core.json_fields import brief
from souk.kernel.cache import cache_home
from souk.kernel.distribution import install_command
from souk.lab.validation import check_whole
from souk.lab.workers import Item, Result, Task, Workers

# retries of an item whose worker died
_RETRIES = 8
# seconds to wait for a cluster to answer
_TIMEOUT = 10.0
_PACKAGE = Path(__file__).resolve().parent.parent
# Set before Ray is imported: no usage statistics, and none of its log lines between ours.
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    # all messages about dead workers
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",
}


class Cluster(Workers):
    """The workers of a Ray cluster: at `address` or RAY_ADDRESS, or a local one started on demand.

    `workers` limits the items in progress (None: one per core). If the program has already
    initialised Ray, that connection is used and left open.
    """

    about = "Running on a Ray cluster; its workers take about ten seconds to start."

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        if importlib.util.find_spec("ray") is None:
            raise RuntimeError(f"Ray is not installed: {install_command('ray')}")
        if workers is not None:
            check_whole("workers", workers, 1, 100_000)
        self._address, self._workers = address or os.environ.get("RAY_ADDRESS") or "local", workers
        _check_reachable(self._address)
        # a cluster of this machine only
        self.alone = self._address == "local"
        self._ray: Any = None
        self._task: Any = None
        # whether `close` should shut Ray down
        self._ours = False

    def open(self) -> Self:
        """Connect or start Ray, unless already done."""
        if self._ray is None:
            for name, value in _ENVIRONMENT.items():
                os.environ.setdefault(name, value)
            import ray

            self._ray, self._ours = ray, not ray.is_initialized()
            if self._ours:
                self._connect()
            self._task = ray.remote(_run_remotely)
        return self

    def _connect(self) -> None:
        settings = {"num_cpus": self._workers, "include_dashboard": False} if self.alone else {}
        try:
            self._ray.init(
                self._address, log_to_driver=False, logging_level=logging.CRITICAL, **settings
            )
        except (OSError, ValueError, RuntimeError, self._ray.exceptions.RayError) as error:
            self._ray, self._ours = None, False
            reason = (str(error).strip() or "no answer").splitlines()[0]
            raise RuntimeError(
                f"address: no Ray cluster at {brief(self._address)}: {reason}"
            ) from None

    @property
    def parallelism(self) -> int:
        return self._workers or int(self._resources("CPU")) or 1

    def _resources(self, kind: str) -> float:
        return float(self.open()._ray.cluster_resources().get(kind, 0))

    def _capacity(self) -> int:
        """Two items per core, so that no worker waits for the next.

        Clusters may grow: not cached.
        """
        # A local cluster limits its workers itself.
        if self._workers and not (self.alone and self._ours):
            return self._workers
        return 2 * max(1, int(self._resources("CPU")))

    def _submit(self, task: Task[Item, Result], item: Item) -> Any:
        """Submit an item: one core each, or one GPU."""
        if task.gpu and not self._resources("GPU"):
            raise ValueError("target: no machine of the Ray cluster has a GPU")
        remote = self.open()._task.options(num_cpus=1, num_gpus=int(task.gpu), max_retries=_RETRIES)
        return remote.remote(source_digest(), task, item)

    def _wait(self, tickets: list[Any]) -> Any:
        return self._ray.wait(tickets)[0][0]

    def _result(self, ticket: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(ticket)
        except errors.RayTaskError as error:
            raise error.cause from None
        except errors.RayError as error:
            lost = (
                "a worker of the Ray cluster died, and so did the next ones that took its part over"
            )
            raise RuntimeError(f"{lost} ({type(error).__name__})") from None

    def _cancel(self, tickets: list[Any]) -> None:
        for ticket in tickets:
            self._ray.cancel(ticket, force=True)

    def close(self) -> None:
        """Disconnect; shut down a cluster that was started here."""
        if self._ours:
            self._ray.shutdown()
        self._ray, self._ours = None, False

    def __enter__(self) -> Self:
        return self.open()


def _check_reachable(address: str) -> None:
    """Fail fast if nothing listens at `address`: Ray would retry for minutes."""
    if address in ("local", "auto"):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError(
            "address: must be that of a Ray cluster, such as 10.0.0.1:6379, or auto, "
            f"not {brief(address)}"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), _TIMEOUT).close()
    except (OSError, OverflowError) as error:
        raise RuntimeError(f"address: nobody answers at {address}: {error}") from None


# ---------------------------------------------------------------- on a machine of the cluster


@cache
def source_digest() -> str:
    """A digest of all sources and data that determine what is played and counted.

    Workers with other sources would return other results.
    """
    digest = hashlib.sha256()
    for folder in ("kernel", "core", "games", "bots", "lab"):
        for file in sorted((_PACKAGE / folder).rglob("*")):
            if file.suffix in (".py", ".toml"):
                digest.update(
                    file.relative_to(_PACKAGE).as_posix().encode()
                    + b"\0"
                    + file.read_bytes()
                    + b"\0"
                )
    return digest.hexdigest()


def _run_remotely(expected_digest: str, task: Task[Item, Result], item: Item) -> Result:
    """Process an item, unless this machine's sources differ from the caller's."""
    if expected_digest != source_digest():
        raise RuntimeError("a machine of the Ray cluster has another version of Souk than this one")
    with _compile_lock():
        task.prepare(item)
    return task.function(item)


@contextmanager
def _compile_lock() -> Iterator[None]:
    """Let one process per machine compile at a time; the others then load its kernels from disk."""
    from filelock import FileLock

    home = cache_home()
    home.mkdir(parents=True, exist_ok=True)
    with FileLock(home / "compiling.lock"):
        yield
