"""Prometheus metrics of a running server, on a port of their own."""

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

from souk.server.common.logs import log_error, log_info

_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
_LAG_INTERVAL = 0.25


class Metrics:
    """The counters and timers of one server."""

    def __init__(self) -> None:
        self._all = all_ = CollectorRegistry()
        ProcessCollector(registry=all_)
        GCCollector(registry=all_)
        self._moves: Tally[tuple[str, ...]] = Tally()  # by game, and "person" or "bot"
        about = "Moves committed."
        all_.register(_ExternalCounter("souk_moves", about, ("game", "by"), self._moves))
        self.refusals = Counter(
            "souk_refusals", "Refused requests and commands.", ["reason"], registry=all_
        )
        self.calls = Counter("souk_calls", "Push notifications.", ["outcome"], registry=all_)
        self.substitutions = Counter(
            "souk_bots_stood_in", "Moves of simple bots in place of others.", registry=all_
        )
        self._commands = self._times("souk_command_seconds", "Time to answer a command.")
        self._writes = self._times("souk_write_seconds", "Time to commit a transaction.")
        self._lag = self._times("souk_loop_lag_seconds", "Delay of timers in the event loop.")
        self._failed = Counter("souk_writes_failed", "Failed transactions.", registry=all_)

    def _times(self, name: str, about: str) -> "_Times":
        times = _Times(name, about)
        self._all.register(times)
        return times

    # ------------------------------------------------------------ events

    def command_done(self, seconds: float) -> None:
        """Count a command answered after so many seconds."""
        self._commands.observe(seconds)

    def move_made(self, game: str, who: str) -> None:
        """Count a move of a "person" or a "bot"."""
        self._moves[game, who] += 1

    def written(self, seconds: float, committed: bool) -> None:
        """Count a transaction."""
        self._writes.observe(seconds)
        if not committed:
            self._failed.inc()

    async def watch_loop_lag(self) -> None:
        """Measure the delay of the event loop, forever."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LAG_INTERVAL
            await asyncio.sleep(_LAG_INTERVAL)
            self._lag.observe(max(0.0, loop.time() - due))

    # ------------------------------------------------------------ values read on request

    def look_at(self, name: str, about: str, value: Callable[[], float]) -> None:
        """Add a gauge with a function that reads its value."""
        Gauge(name, about, registry=self._all).set_function(value)

    def watch_file(self, file: Path) -> None:
        """Add gauges of the size of the database file and of free disk space."""
        self.look_at(
            "souk_file_bytes",
            "Size of the database file.",
            lambda: _bytes(file) + _bytes(Path(f"{file}-wal")),
        )
        self.look_at(
            "souk_disk_free_bytes",
            "Free space on its disk.",
            lambda: shutil.disk_usage(file.parent).free,
        )

    def watch_refused_connections(self, refused: Mapping[str, int]) -> None:
        """Add a counter of refused connections and requests, by reason."""
        about = "Connections and requests refused by rate limits."
        self._all.register(_ExternalCounter("souk_turned_away", about, ("what",), refused))

    def serve(self, host: str, port: int) -> tuple[int, Callable[[], None]]:
        """Serve metrics; returns the port and a function that stops serving."""
        server, thread = start_http_server(port, host, self._all)

        def end() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        return server.server_port, end


class _ExternalCounter:
    """Exports counts kept in a mapping: Prometheus counters take a lock for each increment."""

    def __init__(
        self, name: str, about: str, labels: tuple[str, ...], counts: Mapping[Any, int]
    ) -> None:
        self._name, self._about, self._labels, self._counts = name, about, labels, counts

    def collect(self) -> Iterator[CounterMetricFamily]:
        family = CounterMetricFamily(self._name, self._about, labels=self._labels)
        for what, number in dict(self._counts).items():
            family.add_metric([what] if isinstance(what, str) else list(what), number)
        yield family


class _Times:
    """A histogram of durations, written by one thread without a lock."""

    def __init__(self, name: str, about: str) -> None:
        self._name, self._about = name, about
        self._counts, self._sum = [0] * (len(_BUCKETS) + 1), 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(_BUCKETS, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        bounds = [*map(str, _BUCKETS), "+Inf"]
        buckets = list(zip(bounds, accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(self._name, self._about, buckets=buckets, sum_value=self._sum)


def _bytes(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def serve_metrics(metrics: Metrics, where: str) -> Callable[[], None]:
    """Serve metrics at an address, if there is one; returns a function that stops serving."""
    if not where:
        return lambda: None
    host, _, port = where.rpartition(":")
    try:
        served_port, end = metrics.serve(host.strip("[]"), int(port))
    except OSError as error:
        log_error(f"no metrics at {where}: {error.strerror}")
        return lambda: None
    log_info("metrics", address=f"http://{host}:{served_port}/metrics")
    return end
