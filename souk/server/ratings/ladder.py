"""The ladder against the bots: for each game and number of players a rung for every level, from the weakest to the strongest.

Where two play, two wins among the last three games at a rung lead to the next; where more play, one win does, as there an even player wins less often.
A rung that was climbed stays climbed, whatever is lost later. All of it follows from the results that are kept.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from souk.games import game as find_game
from souk.games import names
from souk.table.database import Line
from souk.table.rating_protocol import Ladder, Ladders, Rung
from souk.table.ratings import LADDER
from souk.table.settings import LEVELS

_TWO_OF_THREE = 2, 3
_ANY = 1, 0


class Climb(NamedTuple):
    """A game on a ladder."""

    table: str
    game: str
    players: int
    level: str
    won: bool


def rungs(levels: Sequence[str]) -> list[str]:
    """The levels of a ladder, the weakest first, as far as a server has them."""
    return [level for level in LEVELS if level in levels]


def needed(players: int) -> tuple[int, int]:
    """How many wins lead to the next rung, and among how many of the last games there; 0 for any."""
    return _TWO_OF_THREE if players == 2 else _ANY


def climbed(game: str, players: int, levels: Sequence[str], climbs: Iterable[Climb]) -> Ladder:
    """Where somebody stands, by their games in the order in which they ended. Only those at the rung on which one stands count."""
    wins, window = needed(players)
    ladder = Ladder(game, players, [Rung(level) for level in rungs(levels)], 0, wins, window)
    latest: list[bool] = []
    for each in climbs:
        if ladder.at >= len(ladder.rungs) or each.level != ladder.rungs[ladder.at].level:
            continue
        rung = ladder.rungs[ladder.at]
        rung.games, rung.wins = rung.games + 1, rung.wins + each.won
        latest = [*latest, each.won][-window:]
        if sum(latest) >= wins:
            rung.climbed, latest = True, []
            ladder.at += 1
    # Of the next game as many as the window leaves room for still count.
    ladder.near = sum(latest[-(window - 1) :] if window else latest)
    return ladder


def ladders_of(connection: Line, player: bytes | None, levels: Sequence[str]) -> Ladders:
    """Somebody's ladders, of all games that are played with others."""
    found = climbs_of(connection, player)
    games = sorted(map(find_game, names()), key=lambda game: game.place)
    kinds = [(game.name, players) for game in games for players in game.players if players > 1]
    return Ladders([_of(found, *kind, levels) for kind in kinds])


def climbs_of(connection: Line, player: bytes | None) -> list[Climb]:
    """Somebody's games on ladders, in the order in which they ended."""
    asked = """SELECT "table", game, players, level, won FROM contestants
        JOIN result_seats ON contestant = contestants.number JOIN results ON results.number = result
        WHERE player = ? AND kind = ? ORDER BY results.number"""
    return [Climb._make([*row[:4], bool(row[4])]) for row in connection.execute(asked, (player, LADDER))]


def around(climbs: Sequence[Climb], table: str, levels: Sequence[str]) -> tuple[Ladder, bool] | None:
    """The ladder that a table's game was on, as it stood after it, and whether that game has led to a next rung; None where it was on none."""
    number = next((k for k, each in enumerate(climbs) if each.table == table), None)
    if number is None:
        return None
    kind = climbs[number].game, climbs[number].players
    before, after = _of(climbs[:number], *kind, levels), _of(climbs[: number + 1], *kind, levels)
    return after, after.at > before.at


def _of(climbs: Sequence[Climb], game: str, players: int, levels: Sequence[str]) -> Ladder:
    own = [each for each in climbs if (each.game, each.players) == (game, players)]
    return climbed(game, players, levels, own)
