"""Games that were played by other rules than today's: they can be looked at, and their records are kept, but nobody plays on."""

import time
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from souk.core.message import Message, Seat
from souk.core.record import end_line, record_text
from souk.core.shelf import find_game
from souk.table import fates
from souk.table.branches import opening_of
from souk.table.coach_notes import coached_steps
from souk.table.protocol import LogLine, OldTable
from souk.table.refusals import Refuse
from souk.table.shares import Shares
from souk.table.store import CoachNote, DiceStep, EventRow, SeatRow, TableRow
from souk.table.views import encode


class Relic(NamedTuple):
    """All that is kept of a table, as it stands in the file."""

    row: TableRow
    seats: Sequence[SeatRow]
    events: Sequence[EventRow]
    steps: Sequence[DiceStep] = ()
    notes: Sequence[CoachNote] = ()

    def shown(self) -> OldTable:
        """What was told, in words."""
        row, standing = self.row, self.row.standing
        lines = [LogLine(each.seq, each.seat, _told(each), each.kind == "back") for each in self.events]  # type: ignore[arg-type]
        names = [seat.name for seat in self.seats]
        return OldTable(row.game, row.rules, names, lines, standing.over, list(standing.scores), list(standing.winners))

    def record(self, hidden: int | None = None) -> str:
        """The game as a record, with the version of its own rules. Choices that are not revealed are left out: so many, or where
        nobody can tell how many, all that may be."""
        row, standing = self.row, self.row.standing
        kept = list(self.events)
        while hidden is None and kept and kept[-1].secret and not standing.over:
            kept.pop()
        events = what_stands(kept)
        del events[len(events) - (hidden or 0) :]
        headers = {"game": row.game, "rules": row.rules, "players": row.players, "options": row.options}
        headers |= {"names": names_of(self.seats), "date": date_of(row.created)}
        made_of = Shares(row.id, row.seed, self.steps)
        headers |= {"dice": (made_of.digest, made_of.seed().hex() if standing.over and made_of.digest else "")}
        headers |= {"shares": made_of.for_record(standing.over)}
        if opening := opening_of(row):
            headers["position"] = opening.position
        headers["coached"] = [number for number in coached_steps(kept, self.notes) if number < len(events)]
        headers["resigned"] = resigned_after(kept, resigned_of(self.seats), len(events))
        fate = fates.fate_of(kept)
        headers["lost"] = sorted(fate.lost)
        return record_text(headers, events, end_line(standing.over, standing.scores, standing.winners, fate.ended))


class Unreadable(Refuse):
    """A table whose events today's rules do not read."""

    def __init__(self, relic: Relic) -> None:
        super().__init__("other_rules", 409)
        self.relic = relic


def is_old(row: TableRow) -> bool:
    """Whether a table was played by other rules than today's."""
    return is_old_game(row.game, row.rules)


def is_old_game(game: str, rules: int) -> bool:
    """The same, of a game and the version of its rules."""
    try:
        return rules != find_game(game).version
    except ValueError:  # a game that is no longer played here
        return True


def names_of(seats: Sequence[SeatRow]) -> list[str]:
    """The names that stand in a record."""
    return [seat.name or f"Seat {seat.seat + 1}" for seat in seats]


def date_of(created: float) -> str:
    """The day on which a game was begun."""
    return time.strftime("%Y-%m-%d", time.localtime(created))


def what_stands(events: Sequence[EventRow]) -> list[tuple[int | None, str]]:
    """The moves, dice and cards of a game, without those that were taken back."""
    found: list[tuple[int | None, str]] = []
    for row in events:
        if row.kind == "back":
            found.pop()
        elif row.kind != fates.KIND:
            found.append((row.seat, row.text))
    return found


def resigned_of(seats: Sequence[SeatRow]) -> dict[int, int]:
    """By seat: the last event before its person resigned."""
    return {row.seat: row.resigned for row in seats if row.resigned is not None}


def resigned_after(events: Sequence[EventRow], resigned: dict[int, int], most: int) -> dict[int, int]:
    """The same as a record counts it: after how many of the events that stand."""
    return {
        seat: min(most, len(what_stands([row for row in events if row.seq <= last]))) for seat, last in resigned.items()
    }


def _told(row: EventRow) -> msgspec.Raw:
    """What was told of an event; where its words are lost, as much as it says itself."""
    if row.told:
        return msgspec.Raw(row.told)
    if row.kind == "back":
        words = Message("table.takes_back", who=Seat(row.seat or 0))
    elif row.kind == fates.KIND:
        words = fates.told(row.text)
    elif row.seat is None:
        words = Message("told.core.comes_up", outcome=row.text)
    elif row.secret:
        words = Message("told.core.has_chosen", who=Seat(row.seat))
    else:
        words = Message("told.core.moves", who=Seat(row.seat), move=row.text)
    return msgspec.Raw(encode([words.to_json()]))
