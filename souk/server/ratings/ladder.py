"""The ladder against bots: a rung for every level, for each game and number of players.

With two players, two wins among the last three games on a rung lead to the next; with more players
one win does, as equally strong players win less often. A climbed rung stays climbed. Everything
follows from the stored results.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from souk.games import game as find_game
from souk.games import names
from souk.server.common.config import LEVELS
from souk.server.protocol.ratings import Ladder, Ladders, Rung
from souk.server.ratings.ratings import LADDER
from souk.server.storage.connection import Connection

_TWO_OF_THREE = 2, 3
_ANY = 1, 0


class LadderClimb(NamedTuple):
    """A finished game on a ladder."""

    table: str
    game: str
    players: int
    level: str
    won: bool


def rungs(levels: Sequence[str]) -> list[str]:
    """The levels of a ladder that a server offers, weakest first."""
    return [level for level in LEVELS if level in levels]


def needed(players: int) -> tuple[int, int]:
    """Wins needed for the next rung, and among how many of the last games; 0 for any."""
    return _TWO_OF_THREE if players == 2 else _ANY


def ladder_after(
    game: str, players: int, levels: Sequence[str], climbs: Iterable[LadderClimb]
) -> Ladder:
    """The ladder after games in order. Only games on the current rung count."""
    wins, window = needed(players)
    ladder = Ladder(game, players, [Rung(level) for level in rungs(levels)], 0, wins, window)
    latest: list[bool] = []
    for climb in climbs:
        if ladder.at >= len(ladder.rungs) or climb.level != ladder.rungs[ladder.at].level:
            continue
        rung = ladder.rungs[ladder.at]
        rung.games, rung.wins = rung.games + 1, rung.wins + climb.won
        latest = [*latest, climb.won][-window:]
        if sum(latest) >= wins:
            rung.climbed, latest = True, []
            ladder.at += 1
    # Wins that still count in the next game.
    ladder.near = sum(latest[-(window - 1) :] if window else latest)
    return ladder


def ladders_of(connection: Connection, player: bytes | None, levels: Sequence[str]) -> Ladders:
    """A player's ladders, of all games with opponents."""
    found = climbs_of(connection, player)
    games = sorted(map(find_game, names()), key=lambda game: game.order)
    kinds = [(game.name, players) for game in games for players in game.players if players > 1]
    return Ladders([_of(found, *kind, levels) for kind in kinds])


def climbs_of(connection: Connection, player: bytes | None) -> list[LadderClimb]:
    """A player's games on ladders, in order."""
    query = """SELECT "table", game, players, level, won FROM contestants
        JOIN result_seats ON contestant = contestants.number JOIN results ON results.number = result
        WHERE player = ? AND kind = ? ORDER BY results.number"""
    return [
        LadderClimb._make([*row[:4], bool(row[4])])
        for row in connection.execute(query, (player, LADDER))
    ]


def ladder_at_table(
    climbs: Sequence[LadderClimb], table: str, levels: Sequence[str]
) -> tuple[Ladder, bool] | None:
    """The ladder after a table's game, and whether that game led to the next rung.

    None if the game was on no ladder.
    """
    number = next((k for k, climb in enumerate(climbs) if climb.table == table), None)
    if number is None:
        return None
    kind = climbs[number].game, climbs[number].players
    before, after = _of(climbs[:number], *kind, levels), _of(climbs[: number + 1], *kind, levels)
    return after, after.at > before.at


def _of(climbs: Sequence[LadderClimb], game: str, players: int, levels: Sequence[str]) -> Ladder:
    own = [climb for climb in climbs if (climb.game, climb.players) == (game, players)]
    return ladder_after(game, players, levels, own)
