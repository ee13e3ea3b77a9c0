"""A process that looks back at games: it is asked through a pipe to go on with one for a while, and answers with what it has found so far.

A server runs one or two of them (`python -m souk.table.scholar`), after everything else on the machine. What is asked holds the whole game, so that
another process can take the place of one that was lost. When the pipe is closed the process ends.
"""

import contextlib
import os
import signal
import sys
import time
from collections import OrderedDict
from typing import IO

import msgspec

from souk.bots.answering import HEAD, memory_held, packed, size_of
from souk.core.record import Record
from souk.study.inquiring import Inquiry
from souk.table.turnings import Album

_NICE = 15  # so that people are served first, and then bots
_MOST_GAMES = 12  # that are kept in mind


class GoOn(msgspec.Struct):
    """Go on with a game for so many seconds, until each decision has been looked at with so many playouts."""

    number: int
    id: str
    record: str
    playouts: int
    seconds: float


class Found(msgspec.Struct):
    """How far it has come."""

    number: int
    done: int = 0
    of: int = 0
    content: bytes = b""  # a Lookback, as JSON
    error: str = ""
    seconds: float = 0.0
    memory: int = 0  # bytes that the process holds


read_asked = msgspec.msgpack.Decoder(GoOn).decode
read_found = msgspec.msgpack.Decoder(Found).decode
_encode = msgspec.json.Encoder().encode


class Remembered:
    """The games that this process has in mind: whichever was asked for last stays longest."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, tuple[Inquiry, Album]] = OrderedDict()

    def go_on(self, asked: GoOn) -> Found:
        if asked.id not in self._games:
            inquiry = Inquiry(Record.parse(asked.record))
            self._games[asked.id] = inquiry, Album(inquiry)
        self._games.move_to_end(asked.id)
        inquiry, album = self._games[asked.id]
        inquiry.go_on(asked.playouts, asked.seconds)
        found = Found(asked.number, inquiry.done(asked.playouts), inquiry.of, _encode(album.lookback()))
        while len(self._games) > _MOST_GAMES:
            self._games.popitem(last=False)
        return found


def _answer(remembered: Remembered, asked: GoOn) -> Found:
    begin = time.perf_counter()
    try:
        found = remembered.go_on(asked)
    except Exception as error:
        found = Found(asked.number, error=f"{type(error).__name__}: {error}")
    found.seconds, found.memory = time.perf_counter() - begin, memory_held()
    return found


def serve(pipe: IO[bytes], out: IO[bytes]) -> None:
    """Answer whatever is asked, one after the other, until nothing more can be."""
    remembered = Remembered()
    while len(head := pipe.read(HEAD)) == HEAD:
        out.write(packed(_answer(remembered, read_asked(pipe.read(size_of(head))))))


def _stand_back() -> None:
    """Think only while nothing else on this machine wants to. Niceness alone is not enough: who is nice still takes short turns, and a move of
    somebody at another table waits for their end."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    if hasattr(os, "SCHED_IDLE"):
        with contextlib.suppress(OSError):  # where it may not choose
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes the pipe
    _stand_back()
    with os.fdopen(os.dup(1), "wb", buffering=0) as out:
        os.dup2(2, 1)  # whatever prints does not print into the pipe
        serve(sys.stdin.buffer, out)


if __name__ == "__main__":
    main()
