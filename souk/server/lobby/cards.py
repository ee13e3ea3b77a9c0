"""JSON cards of games and tables for the lobby."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from souk.core.game import Game
from souk.games import game as find_game
from souk.games import names
from souk.server.protocol import lobby as lobby_protocol
from souk.server.storage.rows import SeatRow, TableRow
from souk.server.tables.game.old_games import is_old
from souk.server.tables.setup.lessons import is_class


@cache
def game_cards() -> list[lobby_protocol.GameCard]:
    """All games, in the order in which they are introduced."""
    games = sorted(map(find_game, names()), key=lambda game: game.order)
    return [
        lobby_protocol.GameCard(
            game.name,
            list(game.players),
            game.usual,
            {str(players): _options(game, players) for players in game.players},
            _choices(game),
            game.lesson is not None,
            game.box.DATA.option if game.box.DATA else "",
        )
        for game in games
    ]


def _choices(game: Game) -> dict[str, Any]:
    """Values to choose options from, for games whose board shows them."""
    return game.board_info.choices(game.start(game.players[0]))


def _options(game: Game, players: int) -> dict[str, Any]:
    """Options that can be set with this many players, with their defaults."""
    return {
        name: default
        for name, default in game.options(players).items()
        if _can_be_set(game, players, name, default)
    }


def _can_be_set(game: Game, players: int, name: str, usual: object) -> bool:
    """Whether an option has more than one value: some variants are listed for every number of
    players but allowed with two only.
    """
    if not isinstance(usual, bool):
        return True
    try:
        game.start(players, **{name: not usual})
    except ValueError:
        return False
    return True


def table_card(
    row: TableRow, seats: Sequence[SeatRow], player: bytes | None
) -> lobby_protocol.TableCard:
    own_seats = [seat for seat in seats if seat.player == player]
    mine = [seat.seat for seat in own_seats if seat.resigned is None]
    standing = row.standing
    return lobby_protocol.TableCard(
        table=row.id,
        game=row.game,
        seats=[seat.name for seat in seats],
        mine=mine,
        over=standing.over,
        my_turn=not is_old(row) and any(seat in standing.actors for seat in mine),
        waiting=_has_not_begun(row, seats),
        old=is_old(row),
        scores=list(standing.scores),
        winners=list(standing.winners),
        changed=row.changed,
        lesson=is_class(seats),
        branch=bool(row.opening),
        resigned=bool(own_seats) and not mine,
        removable=can_be_hidden(row, seats, player),
        rated=row.rated,
    )


def can_be_hidden(row: TableRow, seats: Sequence[SeatRow], player: bytes | None) -> bool:
    """Whether a person may hide a table: the game is over, or no other person waits for them."""
    if row.standing.over or is_old(row):
        return True
    playing = {seat.player for seat in seats if seat.kind == "person" and seat.resigned is None}
    return not _has_not_begun(row, seats) and (player not in playing or playing == {player})


def _has_not_begun(row: TableRow, seats: Sequence[SeatRow]) -> bool:
    """Whether the game has not begun yet."""
    return not row.standing.over and not (row.standing.actors and _is_full(seats))


def _is_full(seats: Sequence[SeatRow]) -> bool:
    return not any(seat.kind == "free" and not seat.stand_in for seat in seats)
