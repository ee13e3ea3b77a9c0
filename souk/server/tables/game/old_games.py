"""Games played by other versions of the rules: viewable and exportable, but not playable."""

import time
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from souk.core.game_registry import find_game
from souk.core.messages import Message, Seat
from souk.core.record import end_line, record_text
from souk.server.dice.commitments import SeedShares
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.table import LogLine, OldTable
from souk.server.storage.rows import CoachNote, DiceStep, EventRow, SeatRow, TableRow
from souk.server.tables.coach.coach_log import coached_steps
from souk.server.tables.game.views import encode
from souk.server.tables.setup.branches import opening_of
from souk.server.tables.timing import game_status as game_status


class OldGame(NamedTuple):
    """The stored rows of a table."""

    row: TableRow
    seats: Sequence[SeatRow]
    events: Sequence[EventRow]
    steps: Sequence[DiceStep] = ()
    notes: Sequence[CoachNote] = ()

    def shown(self) -> OldTable:
        """The log as text."""
        row, standing = self.row, self.row.standing
        lines = [
            LogLine(event.seq, event.seat, words_of(event), event.kind == "back")  # type: ignore[arg-type]
            for event in self.events
        ]
        names = [seat.name for seat in self.seats]
        return OldTable(
            row.game,
            row.rules,
            names,
            lines,
            standing.over,
            list(standing.scores),
            list(standing.winners),
        )

    def record(self, hidden: int | None = None) -> str:
        """The game as a record with the version of its own rules.

        Args:
            hidden: number of unrevealed choices to leave out; None if unknown: all that may be.
        """
        row, standing = self.row, self.row.standing
        rows = list(self.events)
        while hidden is None and rows and rows[-1].secret and not standing.over:
            rows.pop()
        events = standing_events(rows)
        del events[len(events) - (hidden or 0) :]
        headers = {
            "game": row.game,
            "rules": row.rules,
            "players": row.players,
            "options": row.options,
        }
        headers |= {"names": names_of(self.seats), "date": date_of(row.created)}
        made_of = SeedShares(row.id, row.seed, self.steps)
        headers |= {
            "dice": (
                made_of.digest,
                made_of.seed().hex() if standing.over and made_of.digest else "",
            )
        }
        headers |= {"shares": made_of.for_record(standing.over)}
        if opening := opening_of(row):
            headers["position"] = opening.position
        headers["coached"] = [
            number for number in coached_steps(rows, self.notes) if number < len(events)
        ]
        headers["resigned"] = resigned_after(rows, resigned_of(self.seats), len(events))
        status = game_status.status_of(rows)
        headers["lost"] = sorted(status.lost)
        return record_text(
            headers,
            events,
            end_line(standing.over, standing.scores, standing.winners, status.ended),
        )


class OldGameError(RequestRefused):
    """Today's rules cannot read this table's events."""

    def __init__(self, game: OldGame) -> None:
        super().__init__("other_rules", 409)
        self.game = game


def is_old(row: TableRow) -> bool:
    """Whether a table was played by another version of the rules."""
    return is_old_game(row.game, row.rules)


def is_old_game(game: str, rules: int) -> bool:
    """Whether this game or version of its rules is out of use."""
    try:
        return rules != find_game(game).version
    except ValueError:  # no longer played here
        return True


def names_of(seats: Sequence[SeatRow]) -> list[str]:
    """The names for a record."""
    return [seat.name or f"Seat {seat.seat + 1}" for seat in seats]


def date_of(created: float) -> str:
    """The day a game was created."""
    return time.strftime("%Y-%m-%d", time.localtime(created))


def standing_events(events: Sequence[EventRow]) -> list[tuple[int | None, str]]:
    """Moves and chance events without those taken back."""
    remaining: list[tuple[int | None, str]] = []
    for row in events:
        if row.kind == "back":
            remaining.pop()
        elif row.kind != game_status.KIND:
            remaining.append((row.seat, row.text))
    return remaining


def resigned_of(seats: Sequence[SeatRow]) -> dict[int, int]:
    """By seat: the last event before its player resigned."""
    return {row.seat: row.resigned for row in seats if row.resigned is not None}


def resigned_after(
    events: Sequence[EventRow], resigned: dict[int, int], most: int
) -> dict[int, int]:
    """By seat: the number of standing events before its player resigned."""
    return {
        seat: min(most, len(standing_events([row for row in events if row.seq <= last])))
        for seat, last in resigned.items()
    }


def words_of(row: EventRow) -> msgspec.Raw:
    """The words of an event, reconstructed if they are lost."""
    if row.told:
        return msgspec.Raw(row.told)
    if row.kind == "back":
        words = Message("table.takes_back", who=Seat(row.seat or 0))
    elif row.kind == game_status.KIND:
        words = game_status.status_message(row.text)
    elif row.seat is None:
        words = Message("told.core.comes_up", outcome=row.text)
    elif row.secret:
        words = Message("told.core.has_chosen", who=Seat(row.seat))
    else:
        words = Message("told.core.moves", who=Seat(row.seat), move=row.text)
    return msgspec.Raw(encode([words.to_json()]))
