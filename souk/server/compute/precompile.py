"""Compiles the search kernels of bots in the background, once per version.

People play meanwhile; only bots that search wait until their game is ready.
"""

import asyncio
import math
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable

from souk.bots.precompile import is_prepared, work_to_prepare
from souk.core.game_registry import find_game
from souk.server.common.logs import log_error, log_info
from souk.server.common.shutdown import run_in_new_thread

CONCURRENT = 2  # games
_SECONDS_PER_UNIT = 0.0005  # of compiling, on a usual core, until one game has been timed
_LOADING_SECONDS = 2.0
_COMPILE = """
import os, sys
from souk.bots.precompile import prepare
from souk.games import game
if hasattr(os, "nice"):
    os.nice(15)
prepare(game(sys.argv[1]))
"""


class Precompiler:
    """Makes games ready for bots that search, games that somebody wants to play first."""

    def __init__(self, games: tuple[str, ...], load: Callable[[str], Awaitable[None]]) -> None:
        self.has_games = bool(games)  # to prepare before anybody asks
        self._pending, self._load = list(games), load  # in order
        self.ready: set[str] = set()
        self._started: dict[str, float] = {}  # start times of games under way
        self._compilers: dict[str, subprocess.Popen[bytes]] = {}
        self._postponed: set[str] = set()  # games whose compiler was stopped for another
        self._wanted: set[str] = set()
        # Set once a game is ready, or never will be.
        self._finished: dict[str, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._seconds_per_unit = _SECONDS_PER_UNIT
        self._on_change: Callable[[str], None] | None = None

    def start(self, on_change: Callable[[str], None]) -> None:
        """Start preparing. `on_change` is called with games that become ready or are wanted."""
        self._on_change = on_change
        self._pending.sort(key=lambda name: not is_prepared(find_game(name)))
        self._start_pending()

    def prioritise(self, game: str) -> None:
        """Prepare a game before those that nobody has asked for, in order of requests."""
        if game in self._pending and game not in self._wanted:
            self._pending.remove(game)
            self._insert(game)
        self._wanted.add(game)
        if game in self._pending:
            self._postpone_unwanted()

    def _insert(self, game: str) -> None:
        self._pending.insert(sum(name in self._wanted for name in self._pending), game)

    async def wait_until_ready(self, game: str) -> bool:
        """Wait for any game; returns False if it cannot be prepared."""
        if game in self.ready:
            return True
        known = (*self._started, *self._pending, *self._finished)
        if game not in known:
            self._pending.append(game)
        self.prioritise(game)
        self._start_pending()
        if self._on_change:
            self._on_change(game)
        await self._finish_event(game).wait()
        return game in self.ready

    def seconds_left(self, game: str) -> int:
        """Estimated seconds until a game is ready; 0 if it is, or never will be."""
        slots = sorted(self._remaining(name) for name in self._started)
        if game in self._started:
            return math.ceil(self._remaining(game))
        slots = [0.0] * (CONCURRENT - len(slots)) + slots
        for name in self._pending:
            slots[0] += self._estimate(name)
            if name == game:
                return math.ceil(slots[0])
            slots.sort()
        return 0

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()  # first, so that terminated compilers are not logged
        for compiler in self._compilers.values():
            if compiler.poll() is None:
                compiler.terminate()

    # ------------------------------------------------------------ one game

    def _start_pending(self) -> None:
        while self._pending and len(self._started) < CONCURRENT and self._on_change:
            name = self._pending.pop(0)
            self._started[name] = time.monotonic()
            task = asyncio.create_task(self._make_ready(name))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _make_ready(self, name: str) -> None:
        try:
            await self._prepare(name)
        except Exception as error:
            if name in self._postponed:
                self._insert(name)
            else:
                log_error("bots not prepared", error, game=name)
                self._finish_event(name).set()
        else:
            self.ready.add(name)
            self._finish_event(name).set()
            log_info("bots ready", game=name)
        self._postponed.discard(name)
        del self._started[name]
        if name in self.ready and self._on_change:
            self._on_change(name)
        self._start_pending()

    async def _prepare(self, name: str) -> None:
        if not is_prepared(find_game(name)):
            log_info("compiling bots", game=name)
            begin = time.monotonic()
            await run_in_new_thread(self._compile, name)
            seconds = time.monotonic() - begin
            self._seconds_per_unit = seconds / work_to_prepare(find_game(name))
        await self._load(name)

    def _compile(self, name: str) -> None:
        """Compile in a process of its own, in its own session so that Ctrl-C does not reach it."""
        command = [sys.executable, "-c", _COMPILE, name]
        compiler = self._compilers[name] = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, start_new_session=True
        )
        if status := compiler.wait():
            raise RuntimeError(f"compiling ended with status {status}")

    def _postpone_unwanted(self) -> None:
        """Stop the latest game that nobody wants, if one that is wanted waits.

        What it has compiled so far is cached.
        """
        unwanted = [
            name
            for name in self._started
            if name not in self._wanted and name not in self._postponed
        ]
        if len(self._started) < CONCURRENT or self._postponed or not unwanted:
            return
        name = max(unwanted, key=lambda name: self._started[name])
        if (compiler := self._compilers.get(name)) and compiler.poll() is None:
            self._postponed.add(name)
            compiler.terminate()

    def _finish_event(self, game: str) -> asyncio.Event:
        return self._finished.setdefault(game, asyncio.Event())

    def _estimate(self, name: str) -> float:
        game = find_game(name)
        work = 0 if is_prepared(game) else work_to_prepare(game)
        return _LOADING_SECONDS + self._seconds_per_unit * work

    def _remaining(self, name: str) -> float:
        return max(1.0, self._estimate(name) - (time.monotonic() - self._started[name]))
