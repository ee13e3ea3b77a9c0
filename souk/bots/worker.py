"""Bot worker process: reads requests from a pipe and answers with moves.

The server runs several (`python -m souk.bots.worker SANDBOX`), so that a crash while a bot thinks
cannot hurt it. A request holds the position as the seat may see it. The process ends, with every
program it started, when the pipe is closed.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np

from souk.bots.bot import Bot
from souk.bots.external import ExternalBot, external_bot
from souk.bots.judgement import Judgement
from souk.bots.registry import make_bot
from souk.bots.sandbox import Sandbox
from souk.bots.simple import FallbackBot
from souk.core.game_registry import find_game
from souk.core.position import Position
from souk.core.revealed_choices import ChoiceCounts
from souk.kernel.interpreter import without_compiling

FALLBACK_LEVEL = "newcomer"  # moves for a bot that failed
PROGRAM = "exec:"  # name prefix of external programs
HEAD = 4  # bytes of the length prefix of a message
_NICE = 10  # the server comes first
_MAX_PROGRAMS = 64  # awaited concurrently
_SHUTDOWN_SECONDS = 3.0
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Numbered(msgspec.Struct):
    """A message about the request with this number."""

    number: int


class MoveRequest(Numbered, tag=True):
    """Choose a move for a seat. With `keep` an external program stays for requests with the same
    value.
    """

    game: str
    options: dict[str, Any]
    state: bytes  # as the seat may see it
    seat: int
    level: str
    at_most: float | None = None  # seconds, overrides the level
    keep: str = ""
    noticed: list[dict[str, int]] = []  # by seat: its revealed choices
    weigh: str | None = None  # asks for a judgement, which includes this move unless ""


class PrepareRequest(Numbered, tag=True):
    """Compile or load the bots of a game."""

    game: str


class HurryRequest(Numbered, tag=True):
    """Nobody waits for this request any more."""


class ReleaseProgram(msgspec.Struct, tag=True):
    """Stop a program that was kept."""

    keep: str


class Reply(Numbered):
    """The result of a request, or its error."""

    move: str = ""
    error: str = ""
    seconds: float = 0.0
    memory: int = 0  # resident bytes of the process
    judgement: Judgement | None = None  # if requested


# souk.analysis.advice.advise, passed in because bots must not import the analysis.


Advise = Callable[[Position, int, str, Callable[[], Bot], ChoiceCounts], Judgement]
Request = MoveRequest | PrepareRequest | HurryRequest | ReleaseProgram
decode_request = msgspec.msgpack.Decoder(Request).decode
decode_reply = msgspec.msgpack.Decoder(Reply).decode


def move_request(
    number: int,
    position: Position,
    seat: int,
    level: str,
    at_most: float | None,
    keep: str = "",
    noticed: ChoiceCounts = (),
    weigh: str | None = None,
) -> MoveRequest:
    """Build a request. Everything hidden from the seat is removed here."""
    view = position.seen_by(seat)
    state = view.array.tobytes()
    return MoveRequest(
        number,
        view.game.name,
        view.options,
        state,
        seat,
        level,
        at_most,
        keep,
        list(noticed),
        weigh,
    )


def encode_message(message: msgspec.Struct) -> bytes:
    """A message with its length prefix."""
    data = msgspec.msgpack.encode(message)
    return len(data).to_bytes(HEAD, "big") + data


def message_size(head: bytes) -> int:
    """Decode a length prefix."""
    return int.from_bytes(head, "big")


# ---------------------------------------------------------------- in the process


class Programs:
    """Running external programs, one per `keep`."""

    def __init__(self, sandbox: Sandbox | None) -> None:
        self._sandbox = sandbox
        self._bots: dict[str, tuple[str, ExternalBot]] = {}  # level and bot, by `keep`

    def of(self, request: MoveRequest) -> ExternalBot:
        level, bot = self._bots.get(request.keep, ("", None))
        if bot is None or level != request.level:
            self.release(request.keep)
            bot = external_bot(request.level.removeprefix(PROGRAM), sandbox=self._sandbox)
            self._bots[request.keep] = request.level, bot
        bot.at_most = request.at_most
        return bot

    def release(self, keep: str) -> None:
        if keep in self._bots:
            self._bots.pop(keep)[1].close()

    def close(self) -> None:
        """Stop all of them concurrently: each may take its time."""
        closing = [
            threading.Thread(target=self.release, args=(keep,), daemon=True)
            for keep in list(self._bots)
        ]
        for thread in closing:
            thread.start()
        end = time.monotonic() + _SHUTDOWN_SECONDS
        for thread in closing:
            thread.join(max(0.0, end - time.monotonic()))


class RequestHandler:
    """Handles requests: one bot at a time, and external programs concurrently."""

    def __init__(self, out: IO[bytes], sandbox: Sandbox | None, advise: Advise | None) -> None:
        self._out, self._writing = out, threading.Lock()
        self._advise = advise
        self._programs = Programs(sandbox)
        # The bot working on each request, once one has started.
        self._pending: dict[int, Bot | None] = {}
        self._hurried: set[int] = set()
        self._bot_thread, self._program_threads = (
            ThreadPoolExecutor(1),
            ThreadPoolExecutor(_MAX_PROGRAMS),
        )

    def handle(self, request: Request) -> None:
        if isinstance(request, MoveRequest):
            self._pending[request.number] = None
            pool = self._program_threads if request.keep else self._bot_thread
            pool.submit(self._answer, request.number, lambda: self._think(request))
        elif isinstance(request, PrepareRequest):
            self._bot_thread.submit(self._answer, request.number, lambda: _prepare(request))
        elif isinstance(request, ReleaseProgram):
            self._program_threads.submit(self._programs.release, request.keep)
        elif request.number in self._pending:
            self._hurried.add(request.number)
            if bot := self._pending[request.number]:
                bot.hurried = True

    def close(self) -> None:
        self._programs.close()

    def _think(self, request: MoveRequest) -> Reply:
        game = find_game(request.game)
        options = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in request.options.items()
        }
        view = Position(game, options, np.frombuffer(request.state, game.dtype).copy())
        with without_compiling():
            if request.weigh is not None and self._advise:
                judgement = self._advise(
                    view, request.seat, request.weigh, lambda: self._bot(request), request.noticed
                )
                return Reply(request.number, judgement.moves[0].move, judgement=judgement)
            return Reply(
                request.number, self._bot(request).choose(view, request.seat, request.noticed).move
            )

    def _bot(self, request: MoveRequest) -> Bot:
        """The bot for a request, told to hurry if nobody waits any longer."""
        bot = self._programs.of(request) if request.keep else _bot(request)
        self._pending[request.number] = bot
        bot.hurried = request.number in self._hurried
        return bot

    def _answer(self, number: int, work: Callable[[], Reply]) -> None:
        begin = time.perf_counter()
        try:
            reply = work()
        except Exception as error:
            reply = Reply(number, error=f"{type(error).__name__}: {error}")
        self._pending.pop(number, None)
        self._hurried.discard(number)
        reply.seconds, reply.memory = time.perf_counter() - begin, memory_used()
        with self._writing:
            self._out.write(encode_message(reply))


def _bot(request: MoveRequest) -> Bot:
    return (
        FallbackBot(FALLBACK_LEVEL)
        if request.level == FALLBACK_LEVEL
        else make_bot(request.level, max_seconds=request.at_most)
    )


def _prepare(request: PrepareRequest) -> Reply:
    from souk.bots.precompile import prepare

    prepare(find_game(request.game))
    return Reply(request.number)


def memory_used() -> int:
    """Resident bytes of this process; 0 if unknown."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * _PAGE if statm.is_file() else 0


def main(advise: Advise | None = None) -> None:
    # Ctrl-C is for the server, which then closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # keeps stray prints out of the pipe
    handler = RequestHandler(out, msgspec.json.decode(sys.argv[1], type=Sandbox | None), advise)
    pipe = sys.stdin.buffer
    while len(head := pipe.read(HEAD)) == HEAD:
        handler.handle(decode_request(pipe.read(message_size(head))))
    handler.close()
    os._exit(0)  # does not wait for running bots


if __name__ == "__main__":
    main()
