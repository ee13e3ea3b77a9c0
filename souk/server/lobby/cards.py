"""What a lobby shows: the games, and a person's tables."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from souk.core.game import Game
from souk.games import game as find_game
from souk.games import names
from souk.table import lobby_protocol
from souk.table.classes import is_class
from souk.table.relics import is_old
from souk.table.store import SeatRow, TableRow


@cache
def game_cards() -> list[lobby_protocol.GameCard]:
    """The games in the order in which they are introduced."""
    games = sorted(map(find_game, names()), key=lambda game: game.place)
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
    """What options are chosen from, where the game's scene shows it."""
    return game.scene.choices(game.start(game.players[0]))


def _options(game: Game, players: int) -> dict[str, Any]:
    """The options that can be set with so many players, with their defaults."""
    return {name: usual for name, usual in game.options(players).items() if _can_be_set(game, players, name, usual)}


def _can_be_set(game: Game, players: int, name: str, usual: object) -> bool:
    """Whether there is a choice: some variants are listed at every number of players, and played only with two."""
    if not isinstance(usual, bool):
        return True
    try:
        game.start(players, **{name: not usual})
    except ValueError:
        return False
    return True


def table_card(row: TableRow, seats: Sequence[SeatRow], player: bytes | None) -> lobby_protocol.TableCard:
    own = [seat for seat in seats if seat.player == player]
    mine = [seat.seat for seat in own if seat.resigned is None]
    standing = row.standing
    return lobby_protocol.TableCard(
        table=row.id,
        game=row.game,
        seats=[seat.name for seat in seats],
        mine=mine,
        over=standing.over,
        my_turn=not is_old(row) and any(seat in standing.actors for seat in mine),
        waiting=_waits(row, seats),
        old=is_old(row),
        scores=list(standing.scores),
        winners=list(standing.winners),
        changed=row.changed,
        lesson=is_class(seats),
        branch=bool(row.opening),
        resigned=bool(own) and not mine,
        removable=can_be_hidden(row, seats, player),
        rated=row.rated,
    )


def can_be_hidden(row: TableRow, seats: Sequence[SeatRow], player: bytes | None) -> bool:
    """Whether somebody may take a table off their list: the game is over, or nobody else waits for them there."""
    if row.standing.over or is_old(row):
        return True
    playing = {seat.player for seat in seats if seat.kind == "person" and seat.resigned is None}
    return not _waits(row, seats) and (player not in playing or playing == {player})


def _waits(row: TableRow, seats: Sequence[SeatRow]) -> bool:
    """Whether a game has not begun: nobody is to move before it has."""
    return not row.standing.over and not (row.standing.actors and _is_full(seats))


def _is_full(seats: Sequence[SeatRow]) -> bool:
    return not any(seat.kind == "free" and not seat.stand_in for seat in seats)
