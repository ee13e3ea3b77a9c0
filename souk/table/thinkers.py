"""Bots at tables: what they are asked, who is asked next, and what is played where something goes wrong."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import lru_cache
from typing import Any

from souk.bots.answering import NEWCOMER, PROGRAM, Reply
from souk.bots.cage import Cage
from souk.bots.judging import TIMES, Judgement
from souk.bots.registry import expected_seconds, searches
from souk.core.fields import brief
from souk.core.game import Game
from souk.core.noticed import Chosen
from souk.core.position import Position
from souk.table.brains import BotFailed, Brain, Brains
from souk.table.logs import trouble
from souk.table.processes import ProcessLost
from souk.table.students import Scholar, Student
from souk.table.waiting import LEAST, WaitingRoom, Wish
from souk.table.waking import Waking

WAIT = 1.0  # seconds that nobody is to wait for others, where nothing else is set
BEST_AT_ONCE = "merchant"  # plays for bots that search where that cannot be compiled
STAND_IN = "trader:lapses=0"  # plays for bots that are turned away: the best of those that cost next to nothing
_LEAST_OF_PROGRAMS = 1.0  # seconds
_ADVISER_AT_ONCE = f"{BEST_AT_ONCE}:seconds=0.15"  # for one thought
NOTHING = Reply(0)  # nobody waits for it any more
_LONGEST = 600.0  # seconds that a bot may think that counts playouts alone


class Turn:
    """A bot that is to move at a table: for whom it thinks, and over what."""

    __slots__ = (
        "address",
        "after",
        "dropped",
        "errand",
        "granted",
        "here",
        "hurried",
        "level",
        "noticed",
        "position",
        "reply",
        "seat",
        "table",
        "weigh",
    )

    def __init__(
        self, address: str, table: str, position: Position, seat: int, level: str, noticed: Chosen = (), after: int = -1
    ) -> None:
        self.address, self.table, self.position, self.seat, self.level = address, table, position, seat, level
        self.noticed = noticed  # what everybody has seen the seats choose
        self.after = after  # the last event of the table; -1 for a position of nobody's
        self.granted: float | None = None  # seconds that it has, where that was said elsewhere
        self.here = False  # whatever its level, it is to be thought over here
        self.reply: asyncio.Future[Any] | None = None  # where somebody elsewhere thinks about it
        self.weigh: str | None = None  # not a move is wanted, but advice; also about this move, if it is one
        self.dropped = False  # nobody waits for it any more
        self.hurried = False  # it had less time than its level has
        self.errand: Errand | None = None


class Errand(Wish):
    """One question to a process: a turn may need several, where something goes wrong."""

    __slots__ = ("begun", "brain", "level", "reply", "times", "turn")

    def __init__(self, turn: Turn, level: str) -> None:
        least = _LEAST_OF_PROGRAMS if level.startswith(PROGRAM) else LEAST
        self.times = times_of(turn)
        super().__init__(turn.address, turn.table, cost_of(level) * self.times, least)
        self.turn, self.level, self.granted = turn, level, turn.granted
        self.begun = False
        self.brain: Brain | None = None  # which thinks about it; a program is asked otherwise
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

    @property
    def at_most(self) -> float | None:
        """Seconds for a thought, where there are fewer than the level has."""
        return self.allowed / self.times if self.hurried else None

    def answer(self, reply: Reply) -> None:
        if not self.reply.done():
            self.reply.set_result(reply)

    def fail(self, error: Exception) -> None:
        if not self.reply.done():
            self.reply.set_exception(error)


def times_of(turn: Turn) -> int:
    """How often it is thought over: advice takes more than a move."""
    return 1 if turn.weigh is None else TIMES


class TooManyWait(Exception):
    """Too many wait for dear bots: a cheap one is to play."""


@lru_cache(256)
def cost_of(level: str) -> float:
    """The seconds a level is expected to take; one that is unknown fails at once."""
    try:
        return 0.0 if level == NEWCOMER else expected_seconds(level)
    except ValueError:
        return 0.0


class Thinkers:
    """Where the bots of all tables think: in `workers` processes, and one more, so that cheap bots never wait for dear ones. Those that search
    wait until what they think with is compiled; all others play from the first second."""

    def __init__(self, workers: int, games: tuple[str, ...], wait: float = WAIT, cage: Cage | None = None) -> None:
        self._waiting = WaitingRoom[Errand](workers, wait)
        self.brains = Brains(workers + 1, cage, self._go_on)
        self.waking = Waking(games, self.brains.load)
        self._tasks: set[asyncio.Task[None]] = set()
        self.stood_in: Callable[[], None] = lambda: None  # told when another plays for a bot that could not think

    def start(self, tell: Callable[[str], None]) -> None:
        """Let the bots of all games wake, and have a process ready for those that need not; where none are to wake, it is started for the first move."""
        self.waking.start(tell)
        if self.waking.expected:
            self.brains.keep_one_free()

    def student(self) -> Student:
        """Somebody who looks back at games."""
        return Scholar()

    def wakes_in(self, game: Game, level: str) -> int:
        """About how many seconds it will be until a bot can move; 0 for those that can."""
        return self.waking.seconds_left(game.name) if searches(level) else 0

    @property
    def waiting(self) -> int:
        """How many moves wait for their bots to begin."""
        return self._waiting.waiting

    @property
    def present_now(self) -> int:
        """How many machines or processes think for the tables of this server."""
        return 1

    async def close(self) -> None:
        self.waking.close()
        for task in list(self._tasks):
            task.cancel()
        await self.brains.close()

    def can_begin(self) -> bool:
        """Whether there is a process that could think; one is started where there is none."""
        if not self.brains.all:
            self.brains.keep_one_free()
        return bool(self.brains.all)

    async def choose(self, turn: Turn) -> str:
        """A bot's move. Whatever goes wrong, it is a legal one; "" where nobody waits for it any more."""
        level = turn.level
        if searches(level) and not await self._wake(turn.position.game.name):
            level = BEST_AT_ONCE
        move = await self._try_twice(turn, level)
        if not move and level != NEWCOMER:
            move = await self._try_twice(turn, NEWCOMER)
        if turn.dropped:
            return ""
        game, state = turn.position.game, turn.position.state
        return move or game.notation.move_text(state, turn.position.move_codes(turn.seat, 1)[0])

    async def advise(self, turn: Turn) -> Judgement | None:
        """What is to be said about a decision, by the level of the turn or, as long as that cannot think, by one that can. None where nobody has
        an answer, or too many wait."""
        awake = not searches(turn.level) or self._is_awake(turn.position.game.name)
        turn.hurried = not awake
        try:
            return (await self._ask(turn, turn.level if awake else _ADVISER_AT_ONCE)).judgement
        except TooManyWait:
            return None
        except (ProcessLost, BotFailed) as failed:
            trouble("no advice", failed, game=turn.position.game.name)
            return None

    def drop(self, turn: Turn) -> None:
        """Nobody waits for a turn any more. A process that thinks about it is told so, and is soon free."""
        turn.dropped, errand = True, turn.errand
        if errand is None or errand.reply.done():
            return
        errand.answer(NOTHING)
        if not errand.begun:
            self._waiting.end(errand)
        elif errand.brain:
            errand.brain.hurry_all()

    def forget(self, table: str) -> None:
        """Nobody is at a table any more, so nobody else has to hurry for it."""
        self._waiting.forget(table)

    def let_go(self, table: str, seat: int) -> None:
        """A program that played for a seat is needed no longer."""
        self.brains.let_go(_keep(table, seat))

    # ------------------------------------------------------------ errands

    async def _try_twice(self, turn: Turn, level: str) -> str:
        """A bot's move; asked for once more where the process ended over it, and of a cheap bot where too many wait. "" where there is none."""
        for _ in range(2):
            try:
                move = (await self._ask(turn, level)).move
                if move and not turn.position.is_legal(turn.seat, move):
                    raise BotFailed(f"it played {brief(move)}")
                return move
            except TooManyWait:
                turn.hurried, turn.here, level = True, True, STAND_IN
                self.stood_in()
            except ProcessLost as lost:
                trouble("bot lost", lost, game=turn.position.game.name, level=level)
            except BotFailed as failed:
                trouble("bot failed", failed, game=turn.position.game.name, level=level)
                return ""
        return ""

    async def _wake(self, game: str) -> bool:
        """Wait until bots can search in a game; False where they never will."""
        return await self.waking.wake(game)

    def _is_awake(self, game: str) -> bool:
        return game in self.waking.awake

    async def _ask(self, turn: Turn, level: str) -> Reply:
        return await self.ask_here(turn, level)

    async def ask_here(self, turn: Turn, level: str) -> Reply:
        """Let a process of this machine think, as soon as it is the turn's turn."""
        if turn.dropped:
            return NOTHING
        errand = turn.errand = Errand(turn, level)
        if turned_away := self._waiting.add(errand):
            turned_away.fail(TooManyWait())
        self._go_on()
        try:
            return await asyncio.shield(errand.reply)
        except asyncio.CancelledError:
            self.drop(turn)
            raise
        finally:
            turn.errand = None  # they know each other: see `souk.table.garbage`

    def _go_on(self) -> None:
        """Let whoever is free think for whoever is next; and have somebody free for whoever comes then."""
        while brain := self.brains.take():
            if (errand := self._waiting.next()) is None:
                self.brains.put_back(brain)
                break
            self._begin(errand, brain)
            while errand and errand.cheap and brain.has_room:
                if errand := self._waiting.next_cheap():
                    self._begin(errand, brain)
            if not brain.errands:
                self.brains.put_back(brain)
        if self._waiting.busy:
            self.brains.keep_one_free()

    def _begin(self, errand: Errand, brain: Brain) -> None:
        errand.begun = True
        if not errand.level.startswith(PROGRAM):  # which have a process of their own
            errand.brain = brain
            brain.errands += 1
        self._do(self._carry_out(errand))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry_out(self, errand: Errand) -> None:
        try:
            if errand.turn.dropped:
                return
            reply = await (self._think(errand, errand.brain) if errand.brain else self._ask_program(errand))
            errand.turn.hurried = errand.turn.hurried or errand.hurried
            errand.answer(reply)
        except (ProcessLost, BotFailed) as error:
            errand.fail(error)
        finally:
            if errand.brain:
                errand.brain.errands -= 1
                if not errand.brain.errands:
                    self.brains.put_back(errand.brain)
            self._waiting.end(errand)
            self._go_on()

    async def _think(self, errand: Errand, brain: Brain) -> Reply:
        turn, patience = errand.turn, min(errand.allowed, _LONGEST)
        return await brain.ask(
            turn.position, turn.seat, errand.level, errand.at_most, patience, turn.noticed, turn.weigh
        )

    async def _ask_program(self, errand: Errand) -> Reply:
        turn, programs = errand.turn, await self.brains.programs()
        keep = _keep(turn.table, turn.seat)
        return await programs.ask_program(turn.position, turn.seat, errand.level, errand.at_most, keep)


def _keep(table: str, seat: int) -> str:
    """The name under which a program is kept for a seat."""
    return f"{table} {seat}"
