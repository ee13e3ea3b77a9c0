"""Builds the public record of a table's game."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from souk.core.facts import FactListener
from souk.core.position import Position
from souk.core.record import DiceShares, Record
from souk.server.protocol.table import DicePromise, Draw
from souk.server.storage.rows import CoachNote, EventRow
from souk.server.tables.coach.coach_log import coached_steps
from souk.server.tables.game.old_games import (
    date_of,
    names_of,
    resigned_after,
    resigned_of,
    standing_events,
)
from souk.server.tables.table import Table
from souk.server.tables.timing.game_status import GameStatus

# A chance outcome and the numbers that give it: see `Position.slice_of`.
Drawn = tuple[str, int, int, int]


class StoredGame(NamedTuple):
    """What is on disk of a table, at one moment."""

    start: Position
    date: str  # of creation
    names: list[str]
    dice: DicePromise
    shares: DiceShares | None
    events: Sequence[EventRow]
    hidden: int  # number of last moves that are unrevealed choices
    notes: Sequence[CoachNote]
    resigned: dict[int, int]  # by seat: the last event before its player resigned
    status: GameStatus = GameStatus()

    @classmethod
    def of(cls, table: Table, rows: Sequence[EventRow]) -> "StoredGame":
        """The caller holds the lock under which `rows` were read."""
        rows_so_far = rows[: table.state.seq + 1]  # another server may be ahead
        names, date = names_of(table.seats), date_of(table.created)
        shares = table.shares.for_record(table.over)
        notes, resigned, state = tuple(table.coach.notes), resigned_of(table.seats), table.state
        return cls(
            table.start,
            date,
            names,
            table.dice(),
            shares,
            rows_so_far,
            state.hidden,
            notes,
            resigned,
            state.status,
        )


def draws_of(stored: StoredGame, drawn: Sequence[Drawn]) -> list[Draw]:
    """The chance outcomes with their numbers, so that a page can verify them without knowing the
    rules.
    """
    numbers = [row.seq for row in stored.events if row.kind == "chance"]
    return [Draw(seq, *outcome) for seq, outcome in zip(numbers, drawn, strict=True)]


def record_of(
    stored: StoredGame,
    tell: FactListener | None = None,
    draws: Callable[[Drawn], object] | None = None,
) -> Record:
    """The record, without moves taken back and unrevealed choices.

    Replaying takes a while, so one pass also reports facts to `tell` and chance outcomes to
    `draws`.
    """
    events = standing_events(stored.events)
    del events[len(events) - stored.hidden :]
    record = Record(stored.start.game, names=stored.names, date=stored.date, start=stored.start)
    record.dice, record.shares = (stored.dice.digest, stored.dice.seed), stored.shares
    record.lost, record.ended = tuple(sorted(stored.status.lost)), stored.status.ended
    for seat, text in events:
        if seat is not None:
            record.play(seat, text, tell)
            continue
        if draws:
            draws((text, *record.slice_of(text)))
        record.resolve(text, tell)
    record.coached = tuple(
        number for number in coached_steps(stored.events, stored.notes) if number < len(events)
    )
    record.resigned = resigned_after(stored.events, stored.resigned, len(events))
    return record
