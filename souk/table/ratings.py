"""Results of games that count, and the ratings that follow from them.

A result is written in the transaction in which its game ends, with a number, and is never changed; what it does to ratings is worked out right there.
So the ratings are always what all results give, taken in the order of their numbers, to the bit: `Book` goes through them again.
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from souk.core.skill import Rating, after_game, unknown
from souk.table.database import Line

RATED, LADDER = "rated", "ladder"  # kinds of results
TURN = "results"  # whoever adds to them, or goes through all of them, waits for others who do
SURE = 6.25  # the sigma from which on a rating is no longer provisional: three quarters of what it begins with
_MIDDLE, _POINTS = 1500, 30  # how ratings are shown: where they begin, and points for each of openskill's


class CountedSeat(NamedTuple):
    """Who came in where. `player` is None for somebody who was forgotten meanwhile."""

    seat: int
    player: bytes | None
    name: str
    place: int
    score: int
    won: bool


class CountedGame(NamedTuple):
    """How a game ended that counts."""

    table: str
    game: str
    players: int
    kind: str  # RATED or LADDER
    level: str  # of the bots, on a ladder
    at: float
    seats: Sequence[CountedSeat]  # of people


class Strength(NamedTuple):
    """What somebody has done in one game so far."""

    rating: Rating
    games: int = 0
    wins: int = 0


class _Placed(NamedTuple):
    seat: int
    contestant: int
    place: int
    won: bool


def shown(rating: Rating) -> tuple[int, int]:
    """A rating as people read it, and how far off it may be: the true one is within that in 19 of 20 cases."""
    return round(_MIDDLE + _POINTS * (rating.mu - unknown().mu)), round(2 * _POINTS * rating.sigma)


# ---------------------------------------------------------------- when a game ends


def keep_result(connection: Line, counted: CountedGame) -> None:
    """Within the transaction in which a game ends: write down its result, and what it does to ratings. One after the other, so that the numbers of
    results are in the order in which they count, and nobody works with a rating that is just being changed."""
    connection.take_turn(TURN)
    change = 'INSERT INTO results ("table", game, players, kind, level, at) VALUES (?, ?, ?, ?, ?, ?)'
    connection.execute(change, counted[:6])
    [(number,)] = connection.execute('SELECT number FROM results WHERE "table" = ?', (counted.table,))
    sitting = [
        _Placed(each.seat, _contestant(connection, each.player, each.name), each.place, each.won)
        for each in counted.seats
    ]
    rows = [(number, *each, seat.score) for each, seat in zip(sitting, counted.seats, strict=True)]
    filling = "INSERT INTO result_seats (result, seat, contestant, place, won, score) VALUES (?, ?, ?, ?, ?, ?)"
    connection.executemany(filling, rows)
    if counted.kind == RATED:
        known = {each.contestant: _known(connection, counted.game, each.contestant) for each in sitting}
        _write(connection, number, counted.game, sitting, rate(known, sitting))


def _contestant(connection: Line, player: bytes | None, name: str) -> int:
    """The number by which results know somebody, with the name they sit here under; a new one where they have none."""
    row = connection.execute("SELECT number FROM contestants WHERE player = ?", (player,)).fetchone()
    if row:
        known = "UPDATE contestants SET name = ? WHERE number = ? AND player IS NOT NULL"  # or they were just forgotten
        connection.execute(known, (name, row[0]))
        return int(row[0])
    new, public = "INSERT INTO contestants (player, public, name, listed) VALUES (?, ?, ?, ?)", secrets.token_hex(8)
    connection.execute(new, (player, public, name, player is not None))
    [(number,)] = connection.execute("SELECT number FROM contestants WHERE public = ?", (public,))
    return int(number)


def _known(connection: Line, game: str, contestant: int) -> Strength:
    asked = "SELECT mu, sigma, games, wins FROM ratings WHERE game = ? AND contestant = ?"
    row = connection.execute(asked, (game, contestant)).fetchone()
    return Strength(Rating(*row[:2]), *row[2:]) if row else Strength(unknown())


def rate(known: dict[int, Strength], sitting: Sequence[_Placed]) -> list[Strength]:
    """What a game makes of the strengths of those who played it."""
    before = [known[each.contestant] for each in sitting]
    after = after_game([each.rating for each in before], [each.place for each in sitting])
    return [
        Strength(rating, old.games + 1, old.wins + each.won)
        for rating, old, each in zip(after, before, sitting, strict=True)
    ]


_RATING = """INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (game, contestant) DO UPDATE SET
    mu = excluded.mu, sigma = excluded.sigma, games = excluded.games, wins = excluded.wins"""


def _write(connection: Line, result: int, game: str, sitting: Sequence[_Placed], after: Sequence[Strength]) -> None:
    for each, (rating, games, wins) in zip(sitting, after, strict=True):
        change = "UPDATE result_seats SET mu = ?, sigma = ? WHERE result = ? AND seat = ?"
        connection.execute(change, (*rating, result, each.seat))
        row = (game, each.contestant, *rating, games, wins)
        connection.execute(_RATING, row)


# ---------------------------------------------------------------- all of it again


class Book:
    """All ratings, from nothing but the results."""

    def __init__(self) -> None:
        self.last = 0  # the number of the last result that was taken in
        self.games = 0
        self.now: dict[tuple[str, int], Strength] = {}
        self.after: dict[tuple[int, int], Rating] = {}  # by result and seat

    def follow(self, connection: Line) -> "Book":
        """Take in the results that are new."""
        for number, game, sitting in _results(connection, self.last):
            known = {each.contestant: self.now.get((game, each.contestant), Strength(unknown())) for each in sitting}
            for each, strength in zip(sitting, rate(known, sitting), strict=True):
                self.now[game, each.contestant] = strength
                self.after[number, each.seat] = strength.rating
            self.last, self.games = number, self.games + 1
        return self

    def differing(self, connection: Line) -> int:
        """How many of the ratings that are kept, now or after some game, are not what the results give."""
        kept = {(row[0], row[1]): row[2:] for row in connection.execute("SELECT * FROM ratings")}
        wanted = {key: (*strength.rating, strength.games, strength.wins) for key, strength in self.now.items()}
        asked = "SELECT result, seat, mu, sigma FROM result_seats JOIN results ON number = result WHERE kind = ?"
        then = {(row[0], row[1]): row[2:] for row in connection.execute(asked, (RATED,))}
        return _unlike(kept, wanted) + _unlike(then, {key: tuple(rating) for key, rating in self.after.items()})

    def write(self, connection: Line) -> int:
        """Let the ratings be what the results give, those included that were written meanwhile; returns how many were not. Only the last part of it
        keeps servers from writing."""
        self.follow(connection)
        with connection.transaction():
            connection.take_turn(TURN)
            found = self.follow(connection).differing(connection)
            if found:
                connection.execute("DELETE FROM ratings")
                rows = [(*key, *strength.rating, strength.games, strength.wins) for key, strength in self.now.items()]
                connection.executemany(_RATING, rows)
                change = "UPDATE result_seats SET mu = ?, sigma = ? WHERE result = ? AND seat = ?"
                connection.executemany(change, [(*rating, *key) for key, rating in self.after.items()])
        return found


def _unlike(kept: Mapping[Any, tuple[float, ...]], wanted: Mapping[Any, tuple[float, ...]]) -> int:
    return sum(kept.get(key) != wanted.get(key) for key in kept.keys() | wanted.keys())


def _results(connection: Line, after: int) -> Iterator[tuple[int, str, list[_Placed]]]:
    """Rated games in the order in which they ended."""
    asked = """SELECT number, game, seat, contestant, place, won FROM results JOIN result_seats ON result = number
        WHERE kind = ? AND number > ? ORDER BY number, seat"""
    rows: Iterable[tuple[int, str, int, int, int, int]] = connection.execute(asked, (RATED, after)).fetchall()
    found: list[_Placed] = []
    now = 0, ""
    for number, game, seat, contestant, place, won in rows:
        if number != now[0] and found:
            yield *now, found
            found = []
        now = number, game
        found.append(_Placed(seat, contestant, place, bool(won)))
    if found:
        yield *now, found
