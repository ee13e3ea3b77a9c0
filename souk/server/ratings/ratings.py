"""Results of rated and ladder games, and the ratings that follow from them.

A result is numbered and written in the transaction that ends its game, together with the new
ratings, and is never changed. So the ratings are always, to the bit, what all results give in the
order of their numbers: `RatingBook` computes them again.

A rated game that somebody leaves after a few moves is `SHORT`: it costs those who left, and nobody
gains by them. One of people who have met often enough today is `REPEATED` and changes no rating.
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from souk.core.skill_rating import Rating, after_game, initial_rating
from souk.server.storage.connection import Connection

RATED, SHORT, REPEATED, LADDER = "rated", "short", "repeated", "ladder"  # kinds of results
MOST_A_DAY = 3  # games in which the same two people change each other's ratings, in each game
_DAY = 86_400.0  # seconds
LOCK = "results"  # held while results are added or all ratings rewritten
ESTABLISHED_SIGMA = 6.25  # a rating is provisional above this, 3/4 of the initial sigma
_MIDDLE, _POINTS = (
    1500,
    30,
)  # how ratings are shown: where they begin, and points for each of openskill's


class CountedSeat(NamedTuple):
    """A person's result. `player` is None if they were forgotten meanwhile."""

    seat: int
    player: bytes | None
    name: str
    place: int
    score: int
    won: bool


class CountedGame(NamedTuple):
    """The result of a rated or ladder game."""

    table: str
    game: str
    players: int
    kind: str  # RATED or LADDER; changed to SHORT or REPEATED when it is stored
    level: str  # of the bots, on a ladder
    at: float
    seats: Sequence[CountedSeat]  # of people
    left: Sequence[
        int
    ] = ()  # the seats of those who resigned or lost on time: they share the last place
    rated_from: int = 0  # so many moves they must have made before that counts in full


class SeatStrength(NamedTuple):
    """A person's rating and number of games and wins."""

    rating: Rating
    games: int = 0
    wins: int = 0


class _Placed(NamedTuple):
    seat: int
    contestant: int
    place: int
    won: bool


def displayed_rating(rating: Rating) -> tuple[int, int]:
    """A rating on the displayed scale, with the half-width of its 95 % interval."""
    return round(_MIDDLE + _POINTS * (rating.mu - initial_rating().mu)), round(
        2 * _POINTS * rating.sigma
    )


# ---------------------------------------------------------------- when a game ends


def store_result(connection: Connection, counted: CountedGame) -> None:
    """Store a result and the new ratings, within the transaction that ends the game.

    The lock keeps results in the order of their numbers and ratings consistent.
    """
    connection.take_lock(LOCK)
    placed = [
        _Placed(each.seat, _contestant(connection, each.player, each.name), each.place, each.won)
        for each in counted.seats
    ]
    counted = counted._replace(
        kind=_kind(connection, counted, [each.contestant for each in placed])
    )
    change = (
        'INSERT INTO results ("table", game, players, kind, level, at) VALUES (?, ?, ?, ?, ?, ?)'
    )
    connection.execute(change, counted[:6])
    [(number,)] = connection.execute(
        'SELECT number FROM results WHERE "table" = ?', (counted.table,)
    )
    rows = [(number, *each, seat.score) for each, seat in zip(placed, counted.seats, strict=True)]
    insert = """INSERT INTO result_seats (result, seat, contestant, place, won, score)
        VALUES (?, ?, ?, ?, ?, ?)"""
    connection.executemany(insert, rows)
    known = {each.contestant: _known(connection, counted.game, each.contestant) for each in placed}
    _write(connection, number, counted.game, rate(counted.kind, known, placed))


def _kind(connection: Connection, counted: CountedGame, contestants: Sequence[int]) -> str:
    """The kind of a result."""
    if counted.kind != RATED:
        return counted.kind
    since = counted.at - _DAY
    if all(
        _met(connection, counted.game, pair, since) >= MOST_A_DAY
        for pair in combinations(contestants, 2)
    ):
        return REPEATED
    made = _moves_made(connection, counted.table)
    return SHORT if any(made.get(seat, 0) < counted.rated_from for seat in counted.left) else RATED


def _met(connection: Connection, game: str, pair: Sequence[int], since: float) -> int:
    """Number of games since a time in which two people changed each other's ratings."""
    query = """SELECT count(*) FROM result_seats AS one JOIN result_seats AS other
            ON other.result = one.result
        JOIN results ON number = one.result
        WHERE one.contestant = ? AND other.contestant = ? AND game = ? AND at > ?
            AND kind IN (?, ?)"""
    [(found,)] = connection.execute(query, (*pair, game, since, RATED, SHORT))
    return int(found)


def _moves_made(connection: Connection, table: str) -> dict[int, int]:
    """Moves of persons by seat, without those of bots that replaced them."""
    query = """SELECT seat, count(*) FROM events WHERE "table" = ? AND kind = 'move'
            AND NOT EXISTS (
            SELECT 1 FROM events AS fate WHERE fate."table" = events."table" AND fate.kind = 'life'
            AND fate.seq < events.seq
            AND fate.text IN ('resigned ' || events.seat, 'lost ' || events.seat)
        ) GROUP BY seat"""
    return dict(connection.execute(query, (table,)).fetchall())


def _contestant(connection: Connection, player: bytes | None, name: str) -> int:
    """A person's number in results, with the name updated; a new one if they have none."""
    row = connection.execute(
        "SELECT number FROM contestants WHERE player = ?", (player,)
    ).fetchone()
    if row:
        # Unless they were forgotten just now.
        update = "UPDATE contestants SET name = ? WHERE number = ? AND player IS NOT NULL"
        connection.execute(update, (name, row[0]))
        return int(row[0])
    new, public = (
        "INSERT INTO contestants (player, public, name, listed) VALUES (?, ?, ?, ?)",
        secrets.token_hex(8),
    )
    connection.execute(new, (player, public, name, player is not None))
    [(number,)] = connection.execute("SELECT number FROM contestants WHERE public = ?", (public,))
    return int(number)


def _known(connection: Connection, game: str, contestant: int) -> SeatStrength:
    query = "SELECT mu, sigma, games, wins FROM ratings WHERE game = ? AND contestant = ?"
    row = connection.execute(query, (game, contestant)).fetchone()
    return SeatStrength(Rating(*row[:2]), *row[2:]) if row else SeatStrength(initial_rating())


def rate(
    kind: str, known: Mapping[int, SeatStrength], placed: Sequence[_Placed]
) -> list[tuple[_Placed, SeatStrength]]:
    """New strengths after a game.

    In a short one those who stayed are rated among themselves, and those who left can only lose.
    """
    if kind == RATED:
        return _rate(known, placed)
    if kind != SHORT:
        return []
    last = max(each.place for each in placed)
    stayed = [each for each in placed if each.place < last]
    lost = [
        (each, strength._replace(rating=_no_higher(strength.rating, known[each.contestant].rating)))
        for each, strength in _rate(known, placed)
        if each.place == last
    ]
    return [*(_rate(known, stayed) if len(stayed) > 1 else ()), *lost]


def _rate(
    known: Mapping[int, SeatStrength], placed: Sequence[_Placed]
) -> list[tuple[_Placed, SeatStrength]]:
    before = [known[each.contestant] for each in placed]
    after = after_game([each.rating for each in before], [each.place for each in placed])
    return [
        (each, SeatStrength(rating, old.games + 1, old.wins + each.won))
        for rating, old, each in zip(after, before, placed, strict=True)
    ]


def _no_higher(after: Rating, before: Rating) -> Rating:
    """Cap a rating: of two who leave together, the weaker would gain by the shared place."""
    return after._replace(mu=min(after.mu, before.mu))


_RATING = """INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (game, contestant) DO UPDATE
    SET
    mu = excluded.mu, sigma = excluded.sigma, games = excluded.games, wins = excluded.wins"""


def _write(
    connection: Connection, result: int, game: str, after: Iterable[tuple[_Placed, SeatStrength]]
) -> None:
    for each, (rating, games, wins) in after:
        change = "UPDATE result_seats SET mu = ?, sigma = ? WHERE result = ? AND seat = ?"
        connection.execute(change, (*rating, result, each.seat))
        row = (game, each.contestant, *rating, games, wins)
        connection.execute(_RATING, row)


# ---------------------------------------------------------------- recomputation


class RatingBook:
    """All ratings, computed from the results alone."""

    def __init__(self) -> None:
        self.last = 0  # number of the last result read
        self.games = 0
        self.now: dict[tuple[str, int], SeatStrength] = {}
        self.after: dict[tuple[int, int], Rating] = {}  # by result and seat

    def follow(self, connection: Connection) -> "RatingBook":
        """Read new results."""
        for number, game, kind, placed in _results(connection, self.last):
            known = {
                each.contestant: self.now.get(
                    (game, each.contestant), SeatStrength(initial_rating())
                )
                for each in placed
            }
            for each, strength in rate(kind, known, placed):
                self.now[game, each.contestant] = strength
                self.after[number, each.seat] = strength.rating
            self.last, self.games = number, self.games + 1
        return self

    def differing(self, connection: Connection) -> int:
        """Number of stored ratings, current and historical, that differ from the computed ones."""
        kept = {(row[0], row[1]): row[2:] for row in connection.execute("SELECT * FROM ratings")}
        wanted = {
            key: (*strength.rating, strength.games, strength.wins)
            for key, strength in self.now.items()
        }
        query = """SELECT result, seat, mu, sigma FROM result_seats
            WHERE mu IS NOT NULL OR sigma IS NOT NULL"""
        then = {(row[0], row[1]): row[2:] for row in connection.execute(query)}
        return _unlike(kept, wanted) + _unlike(
            then, {key: tuple(rating) for key, rating in self.after.items()}
        )

    def write(self, connection: Connection) -> int:
        """Correct all stored ratings; returns how many were wrong.

        Only the last part of it blocks servers from writing.
        """
        self.follow(connection)
        with connection.transaction():
            connection.take_lock(LOCK)
            found = self.follow(connection).differing(connection)
            if found:
                connection.execute("DELETE FROM ratings")
                rows = [
                    (*key, *strength.rating, strength.games, strength.wins)
                    for key, strength in self.now.items()
                ]
                connection.executemany(_RATING, rows)
                connection.execute("UPDATE result_seats SET mu = NULL, sigma = NULL")
                change = "UPDATE result_seats SET mu = ?, sigma = ? WHERE result = ? AND seat = ?"
                connection.executemany(
                    change, [(*rating, *key) for key, rating in self.after.items()]
                )
        return found


def _unlike(kept: Mapping[Any, tuple[float, ...]], wanted: Mapping[Any, tuple[float, ...]]) -> int:
    return sum(kept.get(key) != wanted.get(key) for key in kept.keys() | wanted.keys())


def _results(connection: Connection, after: int) -> Iterator[tuple[int, str, str, list[_Placed]]]:
    """Results that change ratings, in order."""
    query = """SELECT number, game, kind, seat, contestant, place, won FROM results
            JOIN result_seats ON result = number
        WHERE kind IN (?, ?) AND number > ? ORDER BY number, seat"""
    rows: Iterable[tuple[int, str, str, int, int, int, int]] = connection.execute(
        query, (RATED, SHORT, after)
    ).fetchall()
    found: list[_Placed] = []
    now = 0, "", ""
    for number, game, kind, seat, contestant, place, won in rows:
        if number != now[0] and found:
            yield *now, found
            found = []
        now = number, game, kind
        found.append(_Placed(seat, contestant, place, bool(won)))
    if found:
        yield *now, found
