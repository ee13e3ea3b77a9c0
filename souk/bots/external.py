"""Bots in any language: a program that is asked for moves through a pipe, one JSON object a line (docs/pipe-bots.md).

Whatever such a program does (crash, hang, talk nonsense, cheat) costs it the turn, which another bot then plays for it, and
never the game. It is sent nothing but what its seat may see.
"""

import contextlib
import json
import math
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import replace
from typing import IO, Any

from souk.bots.bot import Bot, Choice, Considered
from souk.bots.cage import Cage
from souk.core.errors import IllegalMove, suggestion
from souk.core.fields import brief, is_whole
from souk.core.position import Position

PROTOCOL = 1
SECONDS = 10.0  # for a choice, unless the name says otherwise
GRACE = 0.5  # seconds that an answer may be on its way
START = 20.0  # seconds to say "ready"
RESTARTS = 3
LISTED = 500  # legal moves that are sent, at most
LONGEST_LINE = 1 << 20
MOST_LINES = 1000  # that nobody asked for
_PARTING = 0.5  # seconds to end by itself, after "bye" and again after the signal to end
_TAIL = 2000  # bytes of what a program says to people that are kept
_SETTINGS = re.compile(r"(\w+=[^:,\s]*(?:,\w+=[^:,\s]*)*):(.*)", re.DOTALL)


class Trouble(Exception):
    """Why a program's answer cannot be used, in one line."""


class ProgramLost(Trouble):
    """Trouble after which the program itself is of no use any more."""


class Late(Trouble):
    """No answer in time. Whether the program hangs, or is just slow, shows at the next choice."""


# ---------------------------------------------------------------- a running program


class _Program:
    """A program that runs, and the lines that go to it and come from it. Each pipe has a thread of its own, so that no program
    can make us wait longer than we want to."""

    def __init__(self, command: Sequence[str], cage: Cage | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="souk-bot-", ignore_cleanup_errors=True) if cage else None
        try:
            self._process = subprocess.Popen(
                cage.command(command, self._folder.name) if cage and self._folder else command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # a group of its own, which ends together
                **(cage.started(self._folder.name) if cage and self._folder else {}),
            )
        except FileNotFoundError:
            raise ProgramLost(f"there is no program {command[0]}") from None
        except OSError as error:
            raise ProgramLost(f"{command[0]} cannot be run: {error.strerror}") from None
        self.pid, self._owner = self._process.pid, os.getpid()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._inbox: queue.Queue[bytes | str] = queue.Queue()  # lines; a text at the end: why there are no more
        self._part, self._said = b"", b""
        work = (
            (
                self._hear,
                self._process.stderr,
            ),  # first: whoever reads the end of the output waits for what was said besides
            (self._read, self._process.stdout),
            (self._write, self._process.stdin),
        )
        self._threads = [threading.Thread(target=target, args=(pipe,), daemon=True) for target, pipe in work]
        for thread in self._threads:
            thread.start()

    # ------------------------------------------------------------ the threads; each closes its pipe

    def _write(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError), pipe:  # OSError: nobody reads any more, which `_read` notices too
            while (line := self._outbox.get()) is not None:
                while line:
                    line = line[pipe.write(line) :]

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            while chunk := pipe.read(1 << 16):
                *lines, self._part = (self._part + chunk).split(b"\n")
                if max(map(len, [*lines, self._part])) > LONGEST_LINE:
                    return self._inbox.put(f"it wrote a line of more than {LONGEST_LINE:,} bytes")
                for line in lines:
                    self._inbox.put(line)
                if self._inbox.qsize() > MOST_LINES:
                    return self._inbox.put(f"it wrote more than {MOST_LINES:,} lines that nobody asked for")
        return self._inbox.put(self._epitaph())

    def _hear(self, pipe: IO[bytes]) -> None:
        with pipe:
            while chunk := pipe.read(1 << 16):
                self._said = (self._said + chunk)[-_TAIL:]

    def _epitaph(self) -> str:
        """How it ended, and the last it said to people."""
        if self._gone():
            code = self._process.returncode
            how = f"it was ended by signal {-code}" if code < 0 else f"it ended with exit status {code}"
        else:
            how = "it closed its output"
        self._threads[0].join(_PARTING)
        lines = self._said.decode(errors="replace").split("\n")
        said = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return how + (f" and said {brief(said)}" if said else "")

    # ------------------------------------------------------------ what others call

    def tell(self, message: dict[str, Any]) -> None:
        self._outbox.put(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def hear(self, until: float) -> bytes:
        """The next line it writes, waited for until a moment of the monotonic clock."""
        try:
            line = self._inbox.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            raise Late("its line has no end" if self._part else "it said nothing") from None
        if isinstance(line, str):
            raise ProgramLost(line)
        return line

    def forget(self) -> int:
        """Throw away what it has said unasked; return how many lines that were."""
        thrown = 0
        while not self._inbox.empty():
            self.hear(time.monotonic())
            thrown += 1
        return thrown

    def end(self, politely: bool = False) -> None:
        """End it and all it has started, and wait until it is gone."""
        if os.getpid() != self._owner:
            return  # a fork of this process holds a copy of this object, but the program is not its own
        if politely:
            self.tell({"type": "bye"})
            self._outbox.put(None)
            if not self._gone():
                self._signal(signal.SIGTERM)
                self._gone()
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        self._outbox.put(None)
        self._process.wait()
        for thread in self._threads:
            thread.join(_PARTING)
        if self._folder:
            self._folder.cleanup()

    def _gone(self) -> bool:
        try:
            self._process.wait(_PARTING)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _signal(self, number: int) -> None:
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):  # its group is gone already
                os.killpg(self.pid, number)
        else:
            self._process.send_signal(number)


# ---------------------------------------------------------------- its answers


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON")


def _read_message(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise Trouble(f"it answered {brief(line.decode(errors='replace'))}, which is not a JSON object")
    return message


def _read_ready(line: bytes) -> str:
    """What a program that is ready calls itself."""
    message = _read_message(line)
    if message.get("type") != "ready":
        raise Trouble(f"it answered {brief(message)}")
    name = message.get("name")
    return name.strip()[:40] if isinstance(name, str) and name.isprintable() else ""


def _read_considered(view: Position, seat: int, entries: object) -> list[Considered]:
    """What it says it has thought about. Entries that make no sense are left out: the move stands without them."""
    found = []
    for entry in entries if isinstance(entries, list) else []:
        with contextlib.suppress(IllegalMove, KeyError, TypeError, ValueError, OverflowError):
            share, win, score = float(entry["share"]), float(entry["win"]), float(entry["score"])
            if 0 <= share <= 1 and 0 <= win <= 1 and math.isfinite(score):
                found.append(Considered(view.canonical_move(seat, entry["move"]), share, win, score))
    return found


def _read_choice(view: Position, seat: int, message: dict[str, Any]) -> Choice:
    try:
        move = view.canonical_move(seat, message.get("move"))  # type: ignore[arg-type]
    except IllegalMove as error:
        raise Trouble(f"it played {brief(message.get('move'))}: {error}") from None
    return Choice(move, _read_considered(view, seat, message.get("considered")))


def _question(view: Position, seat: int, number: int, seconds: float) -> dict[str, Any]:
    codes = view.move_codes(seat, LISTED + 1)
    return {
        "type": "choose",
        "id": number,
        "seat": seat,
        "seconds": seconds,
        "moves": [view.game.notation.move_text(view.state, code) for code in codes[:LISTED]],
        "more": len(codes) > LISTED,
        "position": view.to_json(seat),
    }


# ---------------------------------------------------------------- the bot


class PipeBot(Bot):
    """A program as a player. It is started at the first choice, and kept."""

    def __init__(self, command: str, seconds: float = SECONDS, cage: Cage | None = None) -> None:
        self._command, self._cage = _split(command), cage
        if cage:
            cage.check(command, self._command)
        if not isinstance(seconds, int | float) or not 0 < seconds <= 3600:
            raise ValueError(f"seconds: must be a number up to 3600, not {brief(seconds)}")
        self.name = f"exec:{command}" if seconds == SECONDS else f"exec:seconds={seconds:g}:{command}"
        self.seconds = float(seconds)
        self.at_most: float | None = None  # seconds, where there are fewer than that just now
        self.title = ""  # what it calls itself, once it has said so
        self._program: _Program | None = None
        self._end: Any = None  # ends the program; also when this bot is forgotten, or Python ends
        self._game, self._number = "", 0
        self._late = False  # whether the last question was not answered in time
        self._starts, self._trouble = 0, ""
        self._turn = threading.Lock()

    def think(self, view: Position, seat: int) -> Choice:
        with self._turn:
            try:
                return self._ask(view, seat)
            except Trouble as trouble:
                why = " ".join(f"{self.name}: {trouble}".split())
        from souk.bots.registry import named  # which knows this bot, too

        with named("greedy") as substitute:
            return replace(substitute.choose(view, seat, self.noticed), fallback=why)

    def close(self) -> None:
        with self._turn:
            self._part()
            self._starts = 0

    # ------------------------------------------------------------ questions and answers

    def _ask(self, view: Position, seat: int) -> Choice:
        seconds = min(self.seconds, self.at_most or self.seconds)
        try:
            program = self._ready(view.game.name)
            self._number += 1
            program.tell(_question(view, seat, self._number, seconds))
            message = self._answer(program, time.monotonic() + seconds + GRACE)
        except ProgramLost as trouble:
            raise self._gone(trouble) from None
        except Late as trouble:
            self._late = True
            raise Trouble(f"no answer in {seconds:g} s: {trouble}") from None
        return _read_choice(view, seat, message)

    def _answer(self, program: _Program, until: float) -> dict[str, Any]:
        """The answer to the last question. One to an earlier question comes too late and is not looked at."""
        while True:
            message = _read_message(program.hear(until))
            number = message.get("id")
            if message.get("type") != "move" or not is_whole(number) or number > self._number:  # type: ignore[operator]
                raise Trouble(f"it answered {brief(message)}, which is not a move for question {self._number}")
            if number == self._number:
                return message

    def _ready(self, game: str) -> _Program:
        """The program, running and told of this game."""
        if self._program and game != self._game:
            self._part()
            self._starts -= 1  # that one did nothing wrong
        if self._program:
            if self._program.forget() or not self._late:
                self._late = False
                return self._program
            self._gone(ProgramLost("it hung"))
        if self._starts > RESTARTS:
            raise Trouble(f"it was started {self._starts} times and is not started again; at last {self._trouble}")
        return self._start(game)

    def _start(self, game: str) -> _Program:
        self._starts += 1
        program = _Program(self._command, self._cage)
        self._program, self._game = program, game
        self._end = weakref.finalize(self, program.end)
        program.tell({"type": "hello", "protocol": PROTOCOL, "game": game})
        try:
            self.title = _read_ready(program.hear(time.monotonic() + START))
        except Trouble as trouble:
            raise ProgramLost(f'it did not get "ready": {trouble}') from None
        return program

    def _part(self) -> None:
        """Let the program end by itself, if it will."""
        if self._program:
            self._program.end(politely=True)
        self._drop()

    def _gone(self, trouble: ProgramLost) -> Trouble:
        """Clear up after a program that is of no use any more; what to say about it."""
        self._trouble = str(trouble)
        self._drop()
        return Trouble(self._trouble)

    def _drop(self) -> None:
        if self._end:
            self._end()
        self._program, self._end, self._late = None, None, False


# ---------------------------------------------------------------- its name


def _split(command: str) -> list[str]:
    """A command in its words, as a shell would take them apart; ValueError where there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"exec: {brief(command)} cannot be read: {error}") from None
    if not words:
        raise ValueError('exec: the program is missing; write it as in "exec:./mybot" or "exec:python3 mybot.py"')
    if shutil.which(words[0]) is None:
        raise ValueError(f"exec: there is no program {words[0]} that can be run")
    return words


def pipe_bot(text: str, seconds: float = SECONDS, cage: Cage | None = None) -> PipeBot:
    """The bot that a name such as "exec:./mybot" or "exec:seconds=2:python3 mybot.py" names, without its "exec:". `seconds` is
    for a name that says nothing of them; in a cage it runs without the rights of whoever asks."""
    found = _SETTINGS.fullmatch(text)
    if found is None:
        return PipeBot(text, seconds, cage)
    for setting in found[1].split(","):
        name, _, value = setting.partition("=")
        if name != "seconds":
            raise ValueError(f"{name}: exec has no such setting. {suggestion(name, ['seconds'])}")
        try:
            seconds = float(value)
        except ValueError:
            raise ValueError(f"seconds: must be a number up to 3600, not {brief(value)}") from None
    return PipeBot(found[2], seconds, cage)
