"""Bots at tables: they think in threads. Until what they think with is compiled, a newcomer plays for them."""

import asyncio
import gc
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from souk.bots.bot import Bot
from souk.bots.preparing import is_prepared, prepare
from souk.bots.registry import named
from souk.bots.simple import Newcomer
from souk.core.game import Game
from souk.core.position import Position
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


class SeatBots:
    """The bots of one table. Each is kept for its seat until another plays there, and closed with the table."""

    def __init__(self) -> None:
        self._bots: dict[int, tuple[str, Bot]] = {}  # by seat, with the level it was asked for as

    def of(self, seat: int, level: str) -> Bot:
        """The bot that plays for a seat at a level."""
        kept, bot = self._bots.get(seat, ("", None))
        if bot is None or kept != level:
            self.let_go(seat)
            bot = named(level)
            self._bots[seat] = level, bot
        return bot

    def let_go(self, seat: int) -> None:
        """Nobody plays for a seat any more."""
        if seat in self._bots:
            self._bots.pop(seat)[1].close()

    def close(self) -> None:
        for seat in list(self._bots):
            self.let_go(seat)


class Thinkers:
    """Where the bots of all tables think."""

    def __init__(self, threads: int, games: tuple[str, ...]) -> None:
        self._threads = ThreadPoolExecutor(threads, "thinking")
        self._asleep = list(games)  # in the order in which they will wake
        self._awake: set[str] = set()
        self._waking: asyncio.Task[None] | None = None
        self._compiler: subprocess.Popen[bytes] | None = None
        self._newcomer = Newcomer("newcomer")

    def awake(self, game: Game) -> bool:
        return game.name in self._awake

    def start(self, when_awake: Callable[[str], None]) -> None:
        """Prepare what is not prepared, one game after the other, in another process."""
        self._waking = asyncio.create_task(self._wake_all(when_awake))

    def wanted(self, game: str) -> None:
        """Somebody wants to play this: it is prepared next."""
        if game in self._asleep:
            self._asleep.remove(game)
            self._asleep.insert(0, game)

    async def choose(self, bots: SeatBots, position: Position, seat: int, level: str) -> str:
        """A bot's move. Whatever goes wrong, it is a legal one."""
        move = ""
        if self.awake(position.game) or level.startswith("random"):
            move = await self._ask(lambda: bots.of(seat, level), position, seat)
        move = move or await self._ask(lambda: self._newcomer, position, seat)
        return move or position.game.notation.move_text(position.state, position.move_codes(seat, 1)[0])

    async def _ask(self, find: Callable[[], Bot], position: Position, seat: int) -> str:
        """A bot's move, found in a thread; "" where it fails, which must never stop a table."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, lambda: find().choose(position, seat).move)
        except Exception as error:
            trouble("bot failed", error, game=position.game.name, seat=seat)
            return ""

    async def close(self) -> None:
        if self._waking:
            self._waking.cancel()  # first, so that nobody complains of a compiler that ends now
        if self._compiler and self._compiler.poll() is None:
            self._compiler.terminate()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _wake_all(self, when_awake: Callable[[str], None]) -> None:
        self._asleep.sort(key=lambda name: not is_prepared(find_game(name)))
        while self._asleep:
            name = self._asleep.pop(0)
            game = find_game(name)
            try:
                if not is_prepared(game):
                    note("compiling bots", game=name)
                    await asyncio.to_thread(self._compile, name)
                await asyncio.to_thread(prepare, game)
            except Exception as error:
                trouble("bots not prepared", error, game=name)
                continue
            self._awake.add(name)
            when_awake(name)
            gc.collect()
            gc.freeze()  # the kernels stay; there is no need to look through them again and again
            note("bots awake", game=name)

    def _compile(self, name: str) -> None:
        """In a process of its own, as compiling would hold everything up; and in a session of its own, as Ctrl-C is meant for the server,
        which ends it."""
        command = [sys.executable, "-c", _COMPILE, name]
        self._compiler = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        if status := self._compiler.wait():
            raise RuntimeError(f"compiling ended with status {status}")
