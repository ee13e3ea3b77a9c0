"""What a host can see of a running server: counts and times in the form that Prometheus reads, on a port of their own."""

import asyncio
import shutil
from bisect import bisect_left
from collections import Counter as Tally
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily

from souk.table.logs import note, trouble

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
_SECONDS_BETWEEN_LOOKS = 0.25


class Gauges:
    """All that is counted and timed at one server."""

    def __init__(self) -> None:
        self._all = all_ = CollectorRegistry()
        ProcessCollector(registry=all_)
        GCCollector(registry=all_)
        self._moves: Tally[tuple[str, ...]] = Tally()  # by game, and by people or bots
        about = "Moves that were made and are on disk."
        all_.register(_CountedElsewhere("souk_moves", about, ("game", "by"), self._moves))
        self.refusals = Counter("souk_refusals", "What people asked for in vain.", ["reason"], registry=all_)
        self.calls = Counter("souk_calls", "Calls to people whose turn it is.", ["outcome"], registry=all_)
        self.stood_in = Counter(
            "souk_bots_stood_in", "Turns of bots that could not think, played by a simple one.", registry=all_
        )
        self._commands = self._times("souk_command_seconds", "From when a command was heard until it was answered.")
        self._writes = self._times("souk_write_seconds", "A transaction, until it is on disk.")
        self._lag = self._times("souk_loop_lag_seconds", "How late the loop came to what was due.")
        self._failed = Counter("souk_writes_failed", "Transactions that were not kept.", registry=all_)

    def _times(self, name: str, about: str) -> "_Times":
        times = _Times(name, about)
        self._all.register(times)
        return times

    # ------------------------------------------------------------ what is told to it

    def carried_out(self, seconds: float) -> None:
        """A command has been answered so many seconds after it was heard."""
        self._commands.observe(seconds)

    def moved(self, game: str, who: str) -> None:
        """Somebody has made a move: a "person" or a "bot"."""
        self._moves[game, who] += 1

    def written(self, seconds: float, kept: bool) -> None:
        """A transaction has ended."""
        self._writes.observe(seconds)
        if not kept:
            self._failed.inc()

    async def watch_the_loop(self) -> None:
        """Look again and again how late the loop is."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _SECONDS_BETWEEN_LOOKS
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            self._lag.observe(max(0.0, loop.time() - due))

    # ------------------------------------------------------------ what it looks at when it is asked

    def look_at(self, name: str, about: str, value: Callable[[], float]) -> None:
        """A number that is there anyway."""
        Gauge(name, about, registry=self._all).set_function(value)

    def look_at_file(self, file: Path) -> None:
        """The file of tables, with what SQLite keeps beside it, and the room that is left."""
        self.look_at("souk_file_bytes", "The file of tables.", lambda: _bytes(file) + _bytes(Path(f"{file}-wal")))
        self.look_at("souk_disk_free_bytes", "Room on its disk.", lambda: shutil.disk_usage(file.parent).free)

    def look_at_the_wall(self, refused: Mapping[str, int]) -> None:
        """What the wall turns away, by reason."""
        about = "What the wall at the front did not let in."
        self._all.register(_CountedElsewhere("souk_turned_away", about, ("what",), refused))

    def serve(self, host: str, port: int) -> tuple[int, Callable[[], None]]:
        """Answer whoever asks at this address; returns the port, and what ends it."""
        server, thread = start_http_server(port, host, self._all)

        def end() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        return server.server_port, end


class _CountedElsewhere:
    """What is counted elsewhere, as Prometheus reads it: its own counters take a lock for each that they count."""

    def __init__(self, name: str, about: str, labels: tuple[str, ...], counts: Mapping[Any, int]) -> None:
        self._name, self._about, self._labels, self._counts = name, about, labels, counts

    def collect(self) -> Iterator[CounterMetricFamily]:
        found = CounterMetricFamily(self._name, self._about, labels=self._labels)
        for what, number in dict(self._counts).items():
            found.add_metric([what] if isinstance(what, str) else list(what), number)
        yield found


class _Times:
    """How often something took how long; told by one thread. Read likewise, and for the same reason."""

    def __init__(self, name: str, about: str) -> None:
        self._name, self._about = name, about
        self._counts, self._sum = [0] * (len(_SECONDS) + 1), 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(_SECONDS, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        bounds = [*map(str, _SECONDS), "+Inf"]
        buckets = list(zip(bounds, accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(self._name, self._about, buckets=buckets, sum_value=self._sum)


def _bytes(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def serve_metrics(gauges: Gauges, where: str) -> Callable[[], None]:
    """Answer Prometheus at an address of its own, if there is one; returns what ends it."""
    if not where:
        return lambda: None
    host, _, port = where.rpartition(":")
    try:
        found, end = gauges.serve(host.strip("[]"), int(port))
    except OSError as error:
        trouble(f"no metrics at {where}: {error.strerror}")
        return lambda: None
    note("metrics", address=f"http://{host}:{found}/metrics")
    return end
