"""Tables that start from another position: branches of finished games, or custom positions."""

from collections.abc import Sequence
from typing import Any

import msgspec

from souk.core.game import Game
from souk.core.game_registry import find_game
from souk.core.position import Position
from souk.core.record import Record
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.lobby import SeatRequest, StartFrom
from souk.server.protocol.table import Branch
from souk.server.storage.rows import SeatRow, TableRow
from souk.server.tables.seats import default_bot_level


class StartPosition(msgspec.Struct, omit_defaults=True):
    """Where a table starts, stored as JSON."""

    position: dict[str, Any]
    branch: Branch

    @classmethod
    def at(cls, position: Position, branch: Branch) -> "StartPosition":
        return cls(position.to_json(), branch)

    def text(self) -> str:
        return msgspec.json.encode(self).decode()


def opening_of(row: TableRow) -> StartPosition | None:
    """A table's start position; None for the game's own."""
    return msgspec.json.decode(row.opening, type=StartPosition) if row.opening else None


def start_of(row: TableRow) -> Position:
    """The position before a table's first event."""
    game, opening = find_game(row.game), opening_of(row)
    return (
        game.from_json(opening.position) if opening else game.start_with(row.players, row.options)
    )


# ---------------------------------------------------------------- positions


def position_after(record: Record, step: int) -> tuple[Position, int]:
    """The position after `step` events, and the step it really belongs to.

    Moves back to before unrevealed choices: nobody may play on knowing others' choices.
    """
    if not 0 <= step <= len(record.events):
        raise RequestRefused("step_unknown", most=len(record.events))
    positions = list(record.positions())[: step + 1]
    while positions[-1].has_secrets:
        positions.pop()
    return playable(positions[-1]), len(positions) - 1


def read_position(game: Game, data: dict[str, Any]) -> Position:
    """Parse a position sent by a page; refused with the reason."""
    try:
        position = game.from_json(data)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise RequestRefused("position_wrong", why=str(error)[:300]) from None
    if position.has_secrets:
        raise RequestRefused("position_secret")
    return position


def playable(position: Position) -> Position:
    if position.over:
        raise RequestRefused("position_over", 409)
    return position


# ---------------------------------------------------------------- seats


def seats_of_branch(
    start: StartFrom,
    players: int,
    seats_given: Sequence[SeatRequest],
    before: Sequence[SeatRow],
    levels: Sequence[str],
) -> list[SeatRequest]:
    """Me and bots: as given, or as they sat before with bots replacing people."""
    if seats_given:
        if len(seats_given) != players or any(
            given.who not in ("me", "bot") for given in seats_given
        ):
            raise RequestRefused("branch_seats", players=players)
        return list(seats_given)
    if not 0 <= start.seat < players:
        raise RequestRefused("seat_unknown", what=str(start.seat)[:20])
    default_level = default_bot_level(levels)
    seats = [
        _bot_like(before[seat] if before else None, default_level, levels)
        for seat in range(players)
    ]
    seats[start.seat] = SeatRequest("me", start.name)
    return seats


def _bot_like(row: SeatRow | None, default_level: str, levels: Sequence[str]) -> SeatRequest:
    if row is None or row.kind != "bot" or row.level not in levels:
        return SeatRequest("bot", level=default_level)
    return SeatRequest("bot", row.name, row.level)
