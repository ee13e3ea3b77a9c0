"""Compiling what bots think with, once per version, while people play already."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable

from souk.bots.preparing import is_prepared
from souk.core.shelf import find_game
from souk.table.logs import note, trouble

_COMPILE = """
import os, sys
from souk.bots.preparing import prepare
from souk.games import game
if hasattr(os, "nice"):
    os.nice(10)
prepare(game(sys.argv[1]))
"""


class Waking:
    """The games whose bots are asleep wake one after the other; whoever asks is told which are awake."""

    def __init__(self, games: tuple[str, ...], load: Callable[[str], Awaitable[None]]) -> None:
        self._asleep, self._load = list(games), load  # in the order in which they will wake
        self.awake: set[str] = set()
        self._task: asyncio.Task[None] | None = None
        self._compiler: subprocess.Popen[bytes] | None = None

    def start(self, when_awake: Callable[[str], None]) -> None:
        """Prepare what is not prepared, one game after the other, in another process."""
        self._task = asyncio.create_task(self._wake_all(when_awake))

    def wanted(self, game: str) -> None:
        """Somebody wants to play this: it is prepared next."""
        if game in self._asleep:
            self._asleep.remove(game)
            self._asleep.insert(0, game)

    def close(self) -> None:
        if self._task:
            self._task.cancel()  # first, so that nobody complains of a compiler that ends now
        if self._compiler and self._compiler.poll() is None:
            self._compiler.terminate()

    async def _wake_all(self, when_awake: Callable[[str], None]) -> None:
        self._asleep.sort(key=lambda name: not is_prepared(find_game(name)))
        while self._asleep:
            name = self._asleep.pop(0)
            try:
                if not is_prepared(find_game(name)):
                    note("compiling bots", game=name)
                    await asyncio.to_thread(self._compile, name)
                await self._load(name)
            except Exception as error:
                trouble("bots not prepared", error, game=name)
                continue
            self.awake.add(name)
            when_awake(name)
            note("bots awake", game=name)

    def _compile(self, name: str) -> None:
        """In a process of its own, as compiling would hold everything up; and in a session of its own, as Ctrl-C is meant for the server,
        which ends it."""
        command = [sys.executable, "-c", _COMPILE, name]
        self._compiler = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        if status := self._compiler.wait():
            raise RuntimeError(f"compiling ended with status {status}")
