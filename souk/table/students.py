"""Who looks back at games for a server: a process of its own; or, seen from here, somebody elsewhere (`souk.table.far_students`)."""

from typing import Protocol

from souk.table.lookbacks import AskedLookback
from souk.table.processes import Attendant
from souk.table.scholar import Found, GoOn, read_found

A_TURN = 0.4  # seconds that one game is looked at before it is another's turn
MOST_MEMORY = 1 << 30  # bytes that a process may hold before another takes its place
IDLE = 120.0  # seconds after which a process that has nothing to do ends
_PATIENCE = 120.0  # seconds for one answer: a single look at a game of six may take long


class NobodyStudies(Exception):
    """There is nobody who could look back at a game."""


class Student(Protocol):
    """Asked for what it has found of a game, it goes on with it for a while and tells. `ProcessLost` where it is no longer there."""

    lost: bool
    memory: int  # bytes that it holds

    async def start(self) -> None: ...

    async def close(self) -> None: ...

    async def go_on(self, asked: AskedLookback) -> Found: ...


class Scholar(Attendant[Found]):
    """A process that looks back at games."""

    def __init__(self) -> None:
        super().__init__("souk.table.scholar", [], read_found)
        self.memory = 0

    def heard(self, answer: Found) -> None:
        self.memory = answer.memory

    async def go_on(self, asked: AskedLookback) -> Found:
        wanted = GoOn(self._next_number(), asked.id, asked.record, asked.playouts, A_TURN)
        return await self._answer(wanted, wanted.number, _PATIENCE)
