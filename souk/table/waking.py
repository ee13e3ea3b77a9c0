"""Compiling what bots think with, once per version, while people play already: only bots that search wait for it."""

import asyncio
import math
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable

from souk.bots.preparing import is_prepared, work_to_prepare
from souk.core.shelf import find_game
from souk.table.logs import note, trouble

AT_A_TIME = 2  # games that are compiled
_SECONDS = 0.0005  # for a unit of the work to compile a game, on a usual core, until one has been timed
_LOADING = 2.0  # seconds, about
_COMPILE = """
import os, sys
from souk.bots.preparing import prepare
from souk.games import game
if hasattr(os, "nice"):
    os.nice(15)
prepare(game(sys.argv[1]))
"""


class Waking:
    """The games whose bots are asleep wake, those first that somebody wants to play; whoever asks is told which are awake, and how long
    the others will take."""

    def __init__(self, games: tuple[str, ...], load: Callable[[str], Awaitable[None]]) -> None:
        self.expected = bool(games)  # whether any will wake before somebody wants to play
        self._asleep, self._load = list(games), load  # in the order in which they will wake
        self.awake: set[str] = set()
        self._begun: dict[str, float] = {}  # when those began that wake now
        self._compilers: dict[str, subprocess.Popen[bytes]] = {}
        self._put_off: set[str] = set()  # games whose compiler was ended so that another could begin
        self._wanted: set[str] = set()
        self._ended: dict[str, asyncio.Event] = {}  # by game: whether it is awake, or never will be
        self._tasks: set[asyncio.Task[None]] = set()
        self._pace = _SECONDS  # seconds for a unit of work, as far as is known
        self._tell: Callable[[str], None] | None = None  # who wants to know of a game that something has changed

    def start(self, tell: Callable[[str], None]) -> None:
        """Prepare what is not prepared, two games at a time, in other processes. `tell` is told which is awake, and which is wanted."""
        self._tell = tell
        self._asleep.sort(key=lambda name: not is_prepared(find_game(name)))
        self._go_on()

    def wanted(self, game: str) -> None:
        """Somebody wants to play this: it is prepared before all that nobody has asked for, and after what was asked for earlier."""
        if game in self._asleep and game not in self._wanted:
            self._asleep.remove(game)
            self._asleep.insert(sum(each in self._wanted for each in self._asleep), game)
        self._wanted.add(game)
        if game in self._asleep:
            self._make_room()

    async def wake(self, game: str) -> bool:
        """Wait until a game is awake, also one that nobody had thought of; False where it cannot be."""
        if game in self.awake:
            return True
        if game not in self._begun and game not in self._asleep and game not in self._ended:
            self._asleep.append(game)
        self.wanted(game)
        self._go_on()
        if self._tell:
            self._tell(game)
        await self._end_of(game).wait()
        return game in self.awake

    def seconds_left(self, game: str) -> int:
        """About how many seconds it will be before a game is awake; 0 where it is, or never will be."""
        free = sorted(self._left_of(name) for name in self._begun)
        if game in self._begun:
            return math.ceil(self._left_of(game))
        free = [0.0] * (AT_A_TIME - len(free)) + free
        for name in self._asleep:
            free[0] += self._expected(name)
            if name == game:
                return math.ceil(free[0])
            free.sort()
        return 0

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()  # first, so that nobody complains of a compiler that ends now
        for compiler in self._compilers.values():
            if compiler.poll() is None:
                compiler.terminate()

    # ------------------------------------------------------------ one game

    def _go_on(self) -> None:
        while self._asleep and len(self._begun) < AT_A_TIME and self._tell:
            name = self._asleep.pop(0)
            self._begun[name] = time.monotonic()
            task = asyncio.create_task(self._wake(name))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _wake(self, name: str) -> None:
        try:
            await self._prepare(name)
        except Exception as error:
            if name in self._put_off:
                self._asleep.insert(sum(each in self._wanted for each in self._asleep), name)
            else:
                trouble("bots not prepared", error, game=name)
                self._end_of(name).set()
        else:
            self.awake.add(name)
            self._end_of(name).set()
            note("bots awake", game=name)
        self._put_off.discard(name)
        del self._begun[name]
        if name in self.awake and self._tell:
            self._tell(name)
        self._go_on()

    async def _prepare(self, name: str) -> None:
        if not is_prepared(find_game(name)):
            note("compiling bots", game=name)
            begin = time.monotonic()
            await asyncio.to_thread(self._compile, name)
            self._pace = (time.monotonic() - begin) / work_to_prepare(find_game(name))
        await self._load(name)

    def _compile(self, name: str) -> None:
        """In a process of its own, as compiling would hold everything up; and in a session of its own, as Ctrl-C is meant for the server,
        which ends it."""
        command = [sys.executable, "-c", _COMPILE, name]
        compiler = self._compilers[name] = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        if status := compiler.wait():
            raise RuntimeError(f"compiling ended with status {status}")

    def _make_room(self) -> None:
        """Put off what began last and nobody wants, where something is wanted and waits. (What it has compiled so far is kept.)"""
        unwanted = [name for name in self._begun if name not in self._wanted and name not in self._put_off]
        if len(self._begun) < AT_A_TIME or self._put_off or not unwanted:
            return
        name = max(unwanted, key=lambda each: self._begun[each])
        if (compiler := self._compilers.get(name)) and compiler.poll() is None:
            self._put_off.add(name)
            compiler.terminate()

    def _end_of(self, game: str) -> asyncio.Event:
        return self._ended.setdefault(game, asyncio.Event())

    def _expected(self, name: str) -> float:
        return _LOADING + (0.0 if is_prepared(find_game(name)) else self._pace * work_to_prepare(find_game(name)))

    def _left_of(self, name: str) -> float:
        return max(1.0, self._expected(name) - (time.monotonic() - self._begun[name]))
