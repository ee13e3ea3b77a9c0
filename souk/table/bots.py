"""Bots at tables: they think in threads. Until what they think with is compiled, simpler ones play for them."""

import asyncio
import gc
import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from souk.bots.preparing import is_prepared, prepare
from souk.bots.registry import named
from souk.core.game import Game
from souk.core.position import Position
from souk.games import game as find_game
from souk.table.logs import note, trouble

_SIMPLE_LOOKS = 64  # moves that the simple one looks at
_WHIM = 0.25  # how often it plays just anything
_COMPILE = """
import os, sys
from souk.bots.preparing import prepare
from souk.games import game
if hasattr(os, "nice"):
    os.nice(10)
prepare(game(sys.argv[1]))
"""


class Bots:
    """All bots of a server."""

    def __init__(self, threads: int, games: tuple[str, ...]) -> None:
        self._threads = ThreadPoolExecutor(threads, "thinking")
        self._asleep = list(games)  # in the order in which they will wake
        self._awake: set[str] = set()
        self._waking: asyncio.Task[None] | None = None
        self._compiler: subprocess.Popen[bytes] | None = None

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

    async def choose(self, position: Position, seat: int, level: str) -> str:
        """A bot's move. Whatever goes wrong, it is a legal one."""
        loop = asyncio.get_running_loop()
        try:
            if position.game.name in self._awake or level.startswith("random"):
                return await loop.run_in_executor(self._threads, lambda: named(level).choose(position, seat).move)
        except Exception as error:  # a bot must never stop a table
            trouble("bot failed", error, game=position.game.name, level=level)
        return await loop.run_in_executor(self._threads, simple_move, position, seat)

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


def simple_move(position: Position, seat: int) -> str:
    """What a beginner might do, without anything compiled: what looks tempting, and now and then just anything."""
    view = position.seen_by(seat)
    rules, state = view.game.rules, view.state
    codes = view.move_codes(seat, _SIMPLE_LOOKS)
    random.shuffle(codes)
    code = codes[0]
    if random.random() < _WHIM:
        code = rules.random_move(state, seat, random.getrandbits(64), [0] * view.game.widest)
    else:
        try:
            lore = np.zeros(_SIMPLE_LOOKS, np.float32)
            code = max(codes, key=lambda each: float(rules.temptation(state, seat, each, lore)))
        except Exception as error:
            trouble("no simple move", error, game=view.game.name)
    return view.game.notation.move_text(state, code)
