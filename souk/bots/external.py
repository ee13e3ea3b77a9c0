"""External bots: programs in any language that are asked for moves as JSON lines.

Whatever the program does (crash, hang, answer nonsense, cheat) costs it that turn, which another
bot plays, but never the game. It is sent only what its seat may see. The protocol is described in
docs/program/pipe-bots.md.
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
from souk.bots.sandbox import Sandbox
from souk.core.errors import IllegalMove, suggestion
from souk.core.json_fields import brief, is_whole
from souk.core.position import Position

PROTOCOL = 1
SECONDS = 10.0  # default time per move
GRACE = 0.5  # extra seconds for the answer to arrive
START = 20.0  # seconds to say "ready"
RESTARTS = 3
LISTED = 500  # legal moves sent, at most
LONGEST_LINE = 1 << 20
MOST_LINES = 1000  # unread lines
_EXIT_SECONDS = 0.5  # to exit after "bye", and again after SIGTERM
_STDERR_TAIL = 2000  # bytes kept
_SETTINGS = re.compile(r"(\w+=[^:,\s]*(?:,\w+=[^:,\s]*)*):(.*)", re.DOTALL)


class BadAnswer(Exception):
    """Why a program's answer cannot be used, in one line."""


class ProgramLost(BadAnswer):
    """The program itself is unusable now."""


class AnswerTimeout(BadAnswer):
    """No answer in time. The next request shows whether the program hangs or is just slow."""


# ---------------------------------------------------------------- a running program


class _Program:
    """A running program and its pipes, one thread per pipe so that it can never block us."""

    def __init__(self, command: Sequence[str], sandbox: Sandbox | None = None) -> None:
        self._folder = (
            tempfile.TemporaryDirectory(prefix="souk-bot-", ignore_cleanup_errors=True)
            if sandbox
            else None
        )
        try:
            self._process = subprocess.Popen(
                sandbox.command(command, self._folder.name)
                if sandbox and self._folder
                else command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # a process group, killed as a whole
                **(sandbox.popen_options(self._folder.name) if sandbox and self._folder else {}),
            )
        except FileNotFoundError:
            raise ProgramLost(f"there is no program {command[0]}") from None
        except OSError as error:
            raise ProgramLost(f"{command[0]} cannot be run: {error.strerror}") from None
        self.pid, self._owner = self._process.pid, os.getpid()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        # Lines as bytes; a text at the end says why there are no more.
        self._inbox: queue.Queue[bytes | str] = queue.Queue()
        self._part, self._stderr = b"", b""
        # stderr comes first: `_end_reason` joins its thread.
        work = (
            (self._read_stderr, self._process.stderr),
            (self._read, self._process.stdout),
            (self._write, self._process.stdin),
        )
        self._threads = [
            threading.Thread(target=target, args=(pipe,), daemon=True) for target, pipe in work
        ]
        for thread in self._threads:
            thread.start()

    # ------------------------------------------------------------ threads; each closes its pipe

    def _write(self, pipe: IO[bytes]) -> None:
        # OSError: the program closed its input, which `_read` notices too.
        with contextlib.suppress(OSError), pipe:
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
                    return self._inbox.put(f"it wrote more than {MOST_LINES:,} unrequested lines")
        return self._inbox.put(self._end_reason())

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        with pipe:
            while chunk := pipe.read(1 << 16):
                self._stderr = (self._stderr + chunk)[-_STDERR_TAIL:]

    def _end_reason(self) -> str:
        """The cause of the program's end, and its last line on stderr."""
        if self._has_exited():
            code = self._process.returncode
            how = (
                f"it was killed by signal {-code}" if code < 0 else f"it exited with status {code}"
            )
        else:
            how = "it closed its output"
        self._threads[0].join(_EXIT_SECONDS)
        lines = self._stderr.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return how + (f" and said {brief(last)}" if last else "")

    # ------------------------------------------------------------ interface

    def send(self, message: dict[str, Any]) -> None:
        self._outbox.put(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def receive(self, until: float) -> bytes:
        """The next line it writes, awaited until a time of the monotonic clock."""
        try:
            line = self._inbox.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            why = "its line has no end" if self._part else "it said nothing"
            raise AnswerTimeout(why) from None
        if isinstance(line, str):
            raise ProgramLost(line)
        return line

    def discard_unread(self) -> int:
        """Discard unread lines and return their number."""
        discarded = 0
        while not self._inbox.empty():
            self.receive(time.monotonic())
            discarded += 1
        return discarded

    def end(self, politely: bool = False) -> None:
        """End the program with everything it started, and wait for it."""
        if os.getpid() != self._owner:
            return  # in a fork: the program belongs to the parent
        if politely:
            self.send({"type": "bye"})
            self._outbox.put(None)
            if not self._has_exited():
                self._signal(signal.SIGTERM)
                self._has_exited()
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        self._outbox.put(None)
        self._process.wait()
        for thread in self._threads:
            thread.join(_EXIT_SECONDS)
        if self._folder:
            self._folder.cleanup()

    def _has_exited(self) -> bool:
        try:
            self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _signal(self, number: int) -> None:
        if hasattr(os, "killpg"):
            # The group may be gone already.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)
        else:
            self._process.send_signal(number)


# ---------------------------------------------------------------- parsing answers


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _read_message(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise BadAnswer(
            f"it answered {brief(line.decode(errors='replace'))}, which is not a JSON object"
        )
    return message


def _read_ready(line: bytes) -> str:
    """The name in a "ready" message."""
    message = _read_message(line)
    if message.get("type") != "ready":
        raise BadAnswer(f"it answered {brief(message)}")
    name = message.get("name")
    return name.strip()[:40] if isinstance(name, str) and name.isprintable() else ""


def _read_considered(view: Position, seat: int, entries: object) -> list[Considered]:
    """The moves a program reports as considered; invalid entries are dropped."""
    considered = []
    for entry in entries if isinstance(entries, list) else []:
        with contextlib.suppress(IllegalMove, KeyError, TypeError, ValueError, OverflowError):
            share, win, score = float(entry["share"]), float(entry["win"]), float(entry["score"])
            if 0 <= share <= 1 and 0 <= win <= 1 and math.isfinite(score):
                move = view.canonical_move(seat, entry["move"])
                considered.append(Considered(move, share, win, score))
    return considered


def _read_choice(view: Position, seat: int, message: dict[str, Any]) -> Choice:
    try:
        move = view.canonical_move(seat, message.get("move"))  # type: ignore[arg-type]
    except IllegalMove as error:
        raise BadAnswer(f"it played {brief(message.get('move'))}: {error}") from None
    return Choice(move, _read_considered(view, seat, message.get("considered")))


def _request(view: Position, seat: int, number: int, seconds: float) -> dict[str, Any]:
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


class ExternalBot(Bot):
    """An external program as a bot. It is started at its first move and kept."""

    def __init__(
        self, command: str, seconds: float = SECONDS, sandbox: Sandbox | None = None
    ) -> None:
        self._command, self._sandbox = _split(command), sandbox
        if sandbox:
            sandbox.check(command, self._command)
        if not isinstance(seconds, int | float) or not 0 < seconds <= 3600:
            raise ValueError(f"seconds: must be a number up to 3600, not {brief(seconds)}")
        self.name = (
            f"exec:{command}" if seconds == SECONDS else f"exec:seconds={seconds:g}:{command}"
        )
        self.seconds = float(seconds)
        self.at_most: float | None = None  # seconds; a lower limit for the next moves
        self.title = ""  # the name the program reports
        self._program: _Program | None = None
        self._end: Any = None  # finalizer: ends the program, at the latest when Python exits
        self._game, self._number = "", 0
        self._late = False  # the last request timed out
        self._starts, self._last_failure = 0, ""
        self._turn = threading.Lock()

    def think(self, view: Position, seat: int) -> Choice:
        with self._turn:
            try:
                return self._ask(view, seat)
            except BadAnswer as error:
                why = " ".join(f"{self.name}: {error}".split())
        from souk.bots.registry import make_bot  # imports this module

        with make_bot("greedy") as substitute:
            return replace(substitute.choose(view, seat, self.noticed), fallback=why)

    def close(self) -> None:
        with self._turn:
            self._end_politely()
            self._starts = 0

    # ------------------------------------------------------------ requests and answers

    def _ask(self, view: Position, seat: int) -> Choice:
        seconds = min(self.seconds, self.at_most or self.seconds)
        try:
            program = self._ready(view.game.name)
            self._number += 1
            program.send(_request(view, seat, self._number, seconds))
            message = self._answer(program, time.monotonic() + seconds + GRACE)
        except ProgramLost as error:
            raise self._clean_up(error) from None
        except AnswerTimeout as error:
            self._late = True
            raise BadAnswer(f"no answer in {seconds:g} s: {error}") from None
        return _read_choice(view, seat, message)

    def _answer(self, program: _Program, until: float) -> dict[str, Any]:
        """The answer to the last request; late answers to earlier ones are ignored."""
        while True:
            message = _read_message(program.receive(until))
            number = message.get("id")
            if message.get("type") != "move" or not is_whole(number) or number > self._number:  # type: ignore[operator]
                raise BadAnswer(
                    f"it answered {brief(message)}, which is not a move for request {self._number}"
                )
            if number == self._number:
                return message

    def _ready(self, game: str) -> _Program:
        """The program, running and told of this game."""
        if self._program and game != self._game:
            self._end_politely()
            self._starts -= 1  # that was no failure
        if self._program:
            if self._program.discard_unread() or not self._late:
                self._late = False
                return self._program
            self._clean_up(ProgramLost("it hung"))
        if self._starts > RESTARTS:
            raise BadAnswer(
                f"it was started {self._starts} times and will not be restarted; "
                f"last failure: {self._last_failure}"
            )
        return self._start(game)

    def _start(self, game: str) -> _Program:
        self._starts += 1
        program = _Program(self._command, self._sandbox)
        self._program, self._game = program, game
        self._end = weakref.finalize(self, program.end)
        program.send({"type": "hello", "protocol": PROTOCOL, "game": game})
        try:
            self.title = _read_ready(program.receive(time.monotonic() + START))
        except BadAnswer as error:
            raise ProgramLost(f'it did not say "ready": {error}') from None
        return program

    def _end_politely(self) -> None:
        """Let the program exit by itself."""
        if self._program:
            self._program.end(politely=True)
        self._drop()

    def _clean_up(self, error: ProgramLost) -> BadAnswer:
        """Clean up after a lost program and return the error to report."""
        self._last_failure = str(error)
        self._drop()
        return BadAnswer(self._last_failure)

    def _drop(self) -> None:
        if self._end:
            self._end()
        self._program, self._end, self._late = None, None, False


# ---------------------------------------------------------------- parsing names


def _split(command: str) -> list[str]:
    """Split a command like a shell; raise ValueError if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"exec: {brief(command)} cannot be read: {error}") from None
    if not words:
        raise ValueError(
            'exec: the program is missing; write it as in "exec:./mybot" or "exec:python3 mybot.py"'
        )
    if shutil.which(words[0]) is None:
        raise ValueError(f"exec: there is no program {words[0]} that can be run")
    return words


def external_bot(
    text: str, seconds: float = SECONDS, sandbox: Sandbox | None = None
) -> ExternalBot:
    """Make the bot for a name without its "exec:", such as "./mybot" or "seconds=2:python3
    mybot.py".

    `seconds` applies if the name sets none. In a sandbox the program runs without our rights.
    """
    match = _SETTINGS.fullmatch(text)
    if match is None:
        return ExternalBot(text, seconds, sandbox)
    for setting in match[1].split(","):
        name, _, value = setting.partition("=")
        if name != "seconds":
            raise ValueError(f"{name}: exec has no such setting. {suggestion(name, ['seconds'])}")
        try:
            seconds = float(value)
        except ValueError:
            raise ValueError(f"seconds: must be a number up to 3600, not {brief(value)}") from None
    return ExternalBot(match[2], seconds, sandbox)
