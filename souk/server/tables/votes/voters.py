"""Who may vote at a table, with which seat, and the majority."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.table import NOBODY
from souk.server.storage.rows import SeatRow
from souk.server.tables.timing.game_status import GameStatus

if TYPE_CHECKING:
    from souk.server.tables.table import Table


def voters(seats: Sequence[SeatRow], status: GameStatus) -> list[int]:
    """One seat of each person who plays: the first of theirs."""
    playing = [
        row
        for row in seats
        if row.kind == "person" and row.player and not row.stand_in and row.seat not in status.out
    ]
    return list({row.player: row.seat for row in reversed(playing)}.values())[::-1]


def voting_seat(table: "Table", player: bytes) -> int:
    """The seat a player votes with in a running game."""
    table.check_begun()
    if table.state.over or table.state.lesson:
        raise RequestRefused("ended", 409)
    seat = table.voting_seat(player)
    if seat == NOBODY:
        raise RequestRefused("no_voice", 403)
    return seat


def majority(votes: dict[int, str], voters: Sequence[int]) -> str:
    """The choice of more than half of the voters, or ""."""
    choices = [votes[seat] for seat in voters if seat in votes]
    return next(
        (choice for choice in dict.fromkeys(choices) if 2 * choices.count(choice) > len(voters)), ""
    )
