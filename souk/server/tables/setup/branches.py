"""Tables that begin elsewhere than at a game's start: as a branch of a game that is over, or at any position."""

from collections.abc import Sequence
from typing import Any

import msgspec

from souk.core.game import Game
from souk.core.position import Position
from souk.core.record import Record
from souk.core.shelf import find_game
from souk.table.boxes import check_options
from souk.table.lobby_protocol import Elsewhere, SeatWish
from souk.table.protocol import Branch
from souk.table.refusals import Refuse
from souk.table.seating import check_option_texts, usual_level
from souk.table.store import SeatRow, TableRow


class Opening(msgspec.Struct, omit_defaults=True):
    """Where a table begins; kept with it as JSON."""

    position: dict[str, Any]
    branch: Branch

    @classmethod
    def at(cls, position: Position, branch: Branch) -> "Opening":
        return cls(position.to_json(), branch)

    def text(self) -> str:
        return msgspec.json.encode(self).decode()


def opening_of(row: TableRow) -> Opening | None:
    """Where a table begins, or None for one that begins as its game does."""
    return msgspec.json.decode(row.opening, type=Opening) if row.opening else None


def start_of(row: TableRow) -> Position:
    """The game of a table before its first event."""
    game, opening = find_game(row.game), opening_of(row)
    return game.from_json(opening.position) if opening else game.start(row.players, **row.options)


# ---------------------------------------------------------------- where to begin


def position_after(record: Record, step: int) -> tuple[Position, int]:
    """A game after its first `step` events, to be played on from; and after how many it really is. Where choices were hidden then it is
    before the first of them: nobody is to play on who knows what others have chosen."""
    if not 0 <= step <= len(record.events):
        raise Refuse("step_unknown", most=len(record.events))
    positions = list(record.positions())[: step + 1]
    while positions[-1].has_secrets:
        positions.pop()
    return playable(positions[-1]), len(positions) - 1


def read_position(game: Game, data: dict[str, Any]) -> Position:
    """A position that somebody has sent; Refuse names what is wrong about it."""
    options = data.get("options", {})
    if isinstance(options, dict):
        check_option_texts(check_options(game.name, options))
    try:
        found = game.from_json(data)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Refuse("position_wrong", why=str(error)[:300]) from None
    if found.has_secrets:
        raise Refuse("position_secret")
    return found


def playable(position: Position) -> Position:
    if position.over:
        raise Refuse("position_over", 409)
    return position


# ---------------------------------------------------------------- who plays


def seats_of_branch(
    wish: Elsewhere, players: int, given: Sequence[SeatWish], before: Sequence[SeatRow], levels: Sequence[str]
) -> list[SeatWish]:
    """Me and bots: as they are given or, where none are, as they sat before, with bots in the places of people."""
    if given:
        if len(given) != players or any(each.who not in ("me", "bot") for each in given):
            raise Refuse("branch_seats", players=players)
        return list(given)
    if not 0 <= wish.seat < players:
        raise Refuse("seat_unknown", what=str(wish.seat)[:20])
    usual = usual_level(levels)
    seats = [_bot_like(before[seat] if before else None, usual, levels) for seat in range(players)]
    seats[wish.seat] = SeatWish("me", wish.name)
    return seats


def _bot_like(row: SeatRow | None, usual: str, levels: Sequence[str]) -> SeatWish:
    if row is None or row.kind != "bot" or row.level not in levels:
        return SeatWish("bot", level=usual)
    return SeatWish("bot", row.name, row.level)
