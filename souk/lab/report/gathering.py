"""Games played to be looked at: one kind of bot in every seat, each game with dice of its own.

Random play is that of `souk.simulate`: game n of a seed is the same game in both. Other bots are dealt their dice as in a
tournament. Which games there are, and their order, follows from the settings alone, not from the number of processes; with bots
that stop by the clock the moves may differ all the same.
"""

import contextlib
import hashlib
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count, islice, pairwise
from typing import Any, NamedTuple, TypeVar

from souk.core.fields import shown
from souk.core.position import Position
from souk.games import game as find_game
from souk.kernel.bits import lowest
from souk.kernel.chance import draw, stream_start, stream_step
from souk.lab.checks import check_seed, check_whole
from souk.lab.tournament import Fixture, Settings, play_fixture

RANDOM = "random"
MOST_GAMES = 1_000_000
_AT_ONCE = 10  # random games a process plays before it hands over what came of them
_AHEAD = 4  # tasks for each process that may wait to be fetched: what has been played and not been looked at takes room

Result = TypeVar("Result")


class Event(NamedTuple):
    """Something that happened: a seat's move, or what a die or card showed (seat None)."""

    before: Position
    seat: int | None
    text: str
    after: Position


Course = list[Event]  # of a whole game


@dataclass(frozen=True)
class Table:
    """Who plays what: all that decides the games, but for how many."""

    game: str
    players: int
    options: dict[str, Any]
    bot: str  # in every seat
    seconds: float | None  # for a move, where the bot takes a time and its name says none
    seed: int

    @property
    def thinking(self) -> bool:
        """Whether compiled bots are needed."""
        return self.bot != RANDOM


def check_table(
    game: str,
    players: int | None = None,
    bot: str = RANDOM,
    *,
    seconds: float | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> Table:
    """A table that can be played at; ValueError says what cannot be."""
    from souk.bots.registry import named

    found = find_game(game)
    start = found.start(found.players[-1] if players is None else players, **(options or {}))
    check_seed(seed)
    if seconds is not None and not 0.001 <= seconds <= 3600:
        raise ValueError(f"seconds: must be a number from 0.001 to 3600, not {shown(seconds)}")
    with named(bot, seconds=seconds) as checked:
        name = checked.name
    return Table(found.name, start.players, start.options, name, seconds, int(seed))


def check_games(games: object) -> int:
    return check_whole("games", games, 1, MOST_GAMES)


# ---------------------------------------------------------------- one game


def course(table: Table, number: int) -> Course:
    """A game of a table from its start to its end."""
    return list(_random_events(table, number)) if table.bot == RANDOM else _bots_events(table, number)


def _random_events(table: Table, number: int) -> Iterator[Event]:
    """As `souk.kernel.playouts.playout`, with every event told."""
    game = find_game(table.game)
    before = game.start(table.players, **table.options)
    start = stream_start(table.seed, number)
    step, room = stream_step(start), ([0] * game.widest, [0] * game.widest)
    for n in count():
        if before.over:
            return
        after, s, x = before.copy(), before.state, draw(start, step, n)
        actors = game.rules.actors(s)
        if actors:
            seat = lowest(actors)
            code = game.rules.random_move(s, seat, x, room[0])
            text = game.words.move_text(s, code)
            game.rules.play(after.state, seat, code)
            yield Event(before, seat, text, after)
        else:
            code = game.rules.random_outcome(s, x, *room)
            text = game.words.outcome_text(s, code)
            game.rules.resolve(after.state, code)
            yield Event(before, None, text, after)
        before = after


def _bots_events(table: Table, number: int) -> Course:
    from souk.bots import prepare

    game = find_game(table.game)
    prepare(game)
    opening = hashlib.sha256(game.start(table.players, **table.options).record.tobytes()).hexdigest()[:16]
    settings = Settings(
        game.name, game.version, opening, table.players, table.options, (table.bot,), table.seconds, table.seed
    )
    played = play_fixture(settings, Fixture(number, number, (0,) * table.players))
    assert played is not None  # nobody stops it
    record = played[1]
    return [
        Event(before, seat, text, after)
        for (before, after), (seat, text) in zip(pairwise(record.positions()), record.events, strict=True)
    ]


# ---------------------------------------------------------------- many games, on every core


def batches(table: Table, games: int) -> Iterator[range]:
    """The numbers of the games, as many at a time as a process is to play before it answers."""
    size = 1 if table.thinking else _AT_ONCE
    for first in range(0, games, size):
        yield range(first, min(first + size, games))


class Hands:
    """Processes that work, started when first needed and kept until the end of the `with` block. A single one is this process itself."""

    def __init__(self, processes: int | None = None) -> None:
        if processes is not None:
            check_whole("processes", processes, 1, 1024)
        self.processes = processes or os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, work: Callable[..., Result], task: tuple[Any, ...]) -> "Future[Result]":
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.processes, context, _leave_interrupts_to_the_parent)
        return self._pool.submit(work, *task)

    def __enter__(self) -> "Hands":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


def in_order(
    work: Callable[..., Result], tasks: Iterator[tuple[Any, ...]], processes: Hands | int | None = None
) -> Iterator[Result]:
    """What `work` makes of each task, in the order of the tasks. `processes` are open ones, or how many to start for this (None: one
    for each core). Only a few tasks are ahead of what has been fetched."""
    with contextlib.ExitStack() as hall:
        hands = processes if isinstance(processes, Hands) else hall.enter_context(Hands(processes))
        if hands.processes == 1:
            yield from (work(*task) for task in tasks)
            return
        under_way = deque(hands.submit(work, task) for task in islice(tasks, _AHEAD * hands.processes))
        try:
            while under_way:
                yield under_way.popleft().result()
                under_way.extend(hands.submit(work, task) for task in islice(tasks, 1))
        finally:
            for future in under_way:  # broken off
                future.cancel()


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
