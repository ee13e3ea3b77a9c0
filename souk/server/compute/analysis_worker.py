"""The analysis process: analyses games a slice at a time and reports all results so far.

A server runs one or two (`python -m souk.server.compute.analysis_worker`), at the lowest priority.
Every request holds the whole game, so that another process can replace a lost one. The process ends
when the pipe is closed.
"""

import contextlib
import os
import signal
import sys
import time
from collections import OrderedDict
from typing import IO

import msgspec

from souk.analysis.incremental import IncrementalAnalysis
from souk.bots.worker import HEAD, encode_message, memory_used, message_size
from souk.core.record import Record
from souk.server.compute.analysis_summary import AnalysisSummary

_NICE = 15  # players come first, then bots
_MAX_GAMES = 12  # cached


class ContinueAnalysis(msgspec.Struct):
    """Analyse a game for so many seconds, up to so many playouts for each decision."""

    number: int
    id: str
    record: str
    playouts: int
    seconds: float


class AnalysisProgress(msgspec.Struct):
    number: int
    done: int = 0
    of: int = 0
    content: bytes = b""  # an AnalysisView, as JSON
    error: str = ""
    seconds: float = 0.0
    memory: int = 0  # bytes held by the process


decode_request = msgspec.msgpack.Decoder(ContinueAnalysis).decode
decode_progress = msgspec.msgpack.Decoder(AnalysisProgress).decode
_encode = msgspec.json.Encoder().encode


class AnalysisCache:
    """The games of this process, least recently used first."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, tuple[IncrementalAnalysis, AnalysisSummary]] = OrderedDict()

    def continue_analysis(self, request: ContinueAnalysis) -> AnalysisProgress:
        if request.id not in self._games:
            analysis = IncrementalAnalysis(Record.parse(request.record))
            self._games[request.id] = analysis, AnalysisSummary(analysis)
        self._games.move_to_end(request.id)
        analysis, summary = self._games[request.id]
        analysis.go_on(request.playouts, request.seconds)
        done, content = analysis.done(request.playouts), _encode(summary.view())
        while len(self._games) > _MAX_GAMES:
            self._games.popitem(last=False)
        return AnalysisProgress(request.number, done, analysis.of, content)


def _answer(cache: AnalysisCache, request: ContinueAnalysis) -> AnalysisProgress:
    begin = time.perf_counter()
    try:
        progress = cache.continue_analysis(request)
    except Exception as error:
        progress = AnalysisProgress(request.number, error=f"{type(error).__name__}: {error}")
    progress.seconds, progress.memory = time.perf_counter() - begin, memory_used()
    return progress


def serve(pipe: IO[bytes], out: IO[bytes]) -> None:
    """Answer requests one after the other until the pipe is closed."""
    cache = AnalysisCache()
    while len(head := pipe.read(HEAD)) == HEAD:
        request = decode_request(pipe.read(message_size(head)))
        out.write(encode_message(_answer(cache, request)))


def _lower_priority() -> None:
    """Run only when nothing else wants to.

    Niceness alone is not enough: a nice process still gets short turns, and a move at another table
    waits for their end.
    """
    if hasattr(os, "nice"):
        os.nice(_NICE)
    if hasattr(os, "SCHED_IDLE"):
        with contextlib.suppress(OSError):  # where this is not allowed
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main() -> None:
    # Ctrl-C is for the server, which then closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _lower_priority()
    with os.fdopen(os.dup(1), "wb", buffering=0) as out:
        os.dup2(2, 1)  # nothing else may print into the pipe
        serve(sys.stdin.buffer, out)


if __name__ == "__main__":
    main()
