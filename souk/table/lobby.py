"""What a lobby shows: the games, and a person's tables."""

from collections.abc import Sequence

from souk.games import game as find_game
from souk.games import names
from souk.table import protocol
from souk.table.store import SeatRow, TableRow


def game_cards() -> list[protocol.GameCard]:
    games = [find_game(name) for name in names()]
    return [
        protocol.GameCard(
            game.name, list(game.players), {str(players): game.options(players) for players in game.players}
        )
        for game in games
    ]


def table_card(row: TableRow, seats: Sequence[SeatRow], player: bytes | None) -> protocol.TableCard:
    mine = [seat.seat for seat in seats if seat.player == player]
    standing = row.standing
    return protocol.TableCard(
        table=row.id,
        game=row.game,
        seats=[seat.name for seat in seats],
        mine=mine,
        over=standing.over,
        my_turn=any(seat in standing.actors for seat in mine),
        waiting=any(seat.kind == "free" for seat in seats),
        scores=list(standing.scores),
        winners=list(standing.winners),
        changed=row.changed,
    )
