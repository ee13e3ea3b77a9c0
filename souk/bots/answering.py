"""A process in which bots think: it is asked for moves through a pipe, and knows nothing but what it is asked.

A server runs several of them (`python -m souk.bots.answering CAGE`), so that nothing that happens while a bot thinks can hurt it. A question
holds a position as the seat may see it. When the pipe is closed the process ends, and the programs that it has started with it.
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
from souk.bots.cage import Cage
from souk.bots.judging import Judgement
from souk.bots.pipe import PipeBot, pipe_bot
from souk.bots.registry import named
from souk.bots.simple import Newcomer
from souk.core.noticed import Chosen
from souk.core.position import Position
from souk.core.shelf import find_game
from souk.kernel.interpreting import at_once

NEWCOMER = "newcomer"  # the bot that plays where another has failed
PROGRAM = "exec:"  # how the name of a bot begins that is a program
HEAD = 4  # bytes before each message, which say how many follow
_NICE = 10  # so that people are served first
_PROGRAMS = 64  # that may be waited for at a time
_PARTING = 3.0  # seconds in which programs may end when the process does
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class WithNumber(msgspec.Struct):
    """A question, or what is said about it, goes by a number."""

    number: int


class Question(WithNumber, tag=True):
    """Which move for this seat? With `keep` a program stays for the next question that has the same."""

    game: str
    options: dict[str, Any]
    state: bytes  # as the seat may see it
    seat: int
    level: str
    at_most: float | None = None  # seconds, whatever the level says
    keep: str = ""
    noticed: list[dict[str, int]] = []  # by seat: what everybody has seen it choose
    weigh: str | None = None  # not just a move is wanted, but all that is to be said; also of this move, if it is one


class Prepare(WithNumber, tag=True):
    """Load what a game's bots think with."""

    game: str


class Hurry(WithNumber, tag=True):
    """Nobody waits for the answer to this question any longer."""


class LetGo(msgspec.Struct, tag=True):
    """The program that was kept is needed no longer."""

    keep: str


class Reply(WithNumber):
    """The answer to a question, or what went wrong."""

    move: str = ""
    error: str = ""
    seconds: float = 0.0  # that it took
    memory: int = 0  # bytes that the process holds
    judgement: Judgement | None = None  # where it was wanted


Advise = Callable[[Position, int, str, Callable[[], Bot], Chosen], Judgement]  # see souk.study.advising
Asked = Question | Prepare | Hurry | LetGo
read_asked = msgspec.msgpack.Decoder(Asked).decode
read_reply = msgspec.msgpack.Decoder(Reply).decode


def question(
    number: int,
    position: Position,
    seat: int,
    level: str,
    at_most: float | None,
    keep: str = "",
    noticed: Chosen = (),
    weigh: str | None = None,
) -> Question:
    """A question about a position. All that the seat may not know stays here."""
    view = position.seen_by(seat)
    state = view.array.tobytes()
    return Question(number, view.game.name, view.options, state, seat, level, at_most, keep, list(noticed), weigh)


def packed(message: msgspec.Struct) -> bytes:
    """A message as it goes through a pipe."""
    data = msgspec.msgpack.encode(message)
    return len(data).to_bytes(HEAD, "big") + data


def size_of(head: bytes) -> int:
    """How many bytes follow the first few."""
    return int.from_bytes(head, "big")


# ---------------------------------------------------------------- in the process


class Programs:
    """Programs that stay for their seats: each is started once, however many moves it makes."""

    def __init__(self, cage: Cage | None) -> None:
        self._cage = cage
        self._bots: dict[str, tuple[str, PipeBot]] = {}  # with the level that each was asked for as

    def of(self, asked: Question) -> PipeBot:
        level, bot = self._bots.get(asked.keep, ("", None))
        if bot is None or level != asked.level:
            self.let_go(asked.keep)
            bot = pipe_bot(asked.level.removeprefix(PROGRAM), cage=self._cage)
            self._bots[asked.keep] = asked.level, bot
        bot.at_most = asked.at_most
        return bot

    def let_go(self, keep: str) -> None:
        if keep in self._bots:
            self._bots.pop(keep)[1].close()

    def close(self) -> None:
        """All at once, as each may take its time."""
        closing = [threading.Thread(target=self.let_go, args=(keep,), daemon=True) for keep in list(self._bots)]
        for thread in closing:
            thread.start()
        end = time.monotonic() + _PARTING
        for thread in closing:
            thread.join(max(0.0, end - time.monotonic()))


class Answering:
    """Carries out what comes through the pipe. One bot thinks at a time; programs are waited for besides."""

    def __init__(self, out: IO[bytes], cage: Cage | None, advise: Advise | None) -> None:
        self._out, self._writing = out, threading.Lock()
        self._advise = advise
        self._programs = Programs(cage)
        self._asked: dict[int, Bot | None] = {}  # by number: who thinks about it, once somebody does
        self._hurried: set[int] = set()
        self._one, self._many = ThreadPoolExecutor(1), ThreadPoolExecutor(_PROGRAMS)

    def hear(self, asked: Asked) -> None:
        if isinstance(asked, Question):
            self._asked[asked.number] = None
            pool = self._many if asked.keep else self._one
            pool.submit(self._answer, asked.number, lambda: self._think(asked))
        elif isinstance(asked, Prepare):
            self._one.submit(self._answer, asked.number, lambda: _prepare(asked))
        elif isinstance(asked, LetGo):
            self._many.submit(self._programs.let_go, asked.keep)
        elif asked.number in self._asked:
            self._hurried.add(asked.number)
            if bot := self._asked[asked.number]:
                bot.hurried = True

    def close(self) -> None:
        self._programs.close()

    def _think(self, asked: Question) -> Reply:
        game = find_game(asked.game)
        options = {name: tuple(value) if isinstance(value, list) else value for name, value in asked.options.items()}
        view = Position(game, options, np.frombuffer(asked.state, game.dtype).copy())
        with at_once():
            if asked.weigh is not None and self._advise:
                found = self._advise(view, asked.seat, asked.weigh, lambda: self._bot(asked), asked.noticed)
                return Reply(asked.number, found.moves[0].move, judgement=found)
            return Reply(asked.number, self._bot(asked).choose(view, asked.seat, asked.noticed).move)

    def _bot(self, asked: Question) -> Bot:
        """Who is to think about it; in a hurry, where nobody waits any longer."""
        bot = self._asked[asked.number] = self._programs.of(asked) if asked.keep else _bot(asked)
        bot.hurried = asked.number in self._hurried
        return bot

    def _answer(self, number: int, work: Callable[[], Reply]) -> None:
        begin = time.perf_counter()
        try:
            reply = work()
        except Exception as error:
            reply = Reply(number, error=f"{type(error).__name__}: {error}")
        self._asked.pop(number, None)
        self._hurried.discard(number)
        reply.seconds, reply.memory = time.perf_counter() - begin, memory_held()
        with self._writing:
            self._out.write(packed(reply))


def _bot(asked: Question) -> Bot:
    return Newcomer(NEWCOMER) if asked.level == NEWCOMER else named(asked.level, at_most=asked.at_most)


def _prepare(asked: Prepare) -> Reply:
    from souk.bots.preparing import prepare

    prepare(find_game(asked.game))
    return Reply(asked.number)


def memory_held() -> int:
    """Bytes that this process holds, where it can be asked."""
    asked = Path("/proc/self/statm")
    return int(asked.read_text().split()[1]) * _PAGE if asked.is_file() else 0


def main(advise: Advise | None = None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes the pipe
    if hasattr(os, "nice"):
        os.nice(_NICE)
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever prints does not print into the pipe
    answering = Answering(out, msgspec.json.decode(sys.argv[1], type=Cage | None), advise)
    pipe = sys.stdin.buffer
    while len(head := pipe.read(HEAD)) == HEAD:
        answering.hear(read_asked(pipe.read(size_of(head))))
    answering.close()
    os._exit(0)  # without waiting for whoever still thinks


if __name__ == "__main__":
    main()
