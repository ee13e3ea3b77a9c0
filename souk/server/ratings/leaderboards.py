"""Leaderboards, profiles and the ratings at a table, read from the stored results."""

from typing import NamedTuple

from souk.core.skill_rating import Rating, initial_rating
from souk.server.protocol.ratings import (
    Leader,
    LeaderBoard,
    ProfileGame,
    RatedGame,
    RatedOpponent,
    RatedPoint,
    RatingNow,
    SeatRating,
    TableRatings,
)
from souk.server.ratings.ratings import ESTABLISHED_SIGMA, RATED, displayed_rating
from souk.server.storage.connection import Connection
from souk.server.storage.maintenance import NAMELESS

PAGE_SIZE = 50  # of a leaderboard
MAX_RECENT = 20  # games of a profile
MAX_POINTS = 200  # of the graph of a rating

_ENDED_EARLY = """SELECT kind = 'life' FROM events
    WHERE events."table" = tables.id ORDER BY seq DESC LIMIT 1"""


class Contestant(NamedTuple):
    """A person in results."""

    number: int
    player: bytes | None
    public: str
    name: str
    listed: bool


def rating_now(rating: Rating) -> RatingNow:
    return RatingNow(*displayed_rating(rating), rating.sigma > ESTABLISHED_SIGMA)


# ---------------------------------------------------------------- people


def contestant_by_public_id(connection: Connection, public: str) -> Contestant | None:
    return _contestant(connection, "public", public)


def contestant_of(connection: Connection, player: bytes | None) -> Contestant | None:
    return _contestant(connection, "player", player)


def _contestant(connection: Connection, by: str, value: str | bytes | None) -> Contestant | None:
    """A person who has played a rated game and was not forgotten."""
    query = f"""SELECT number, player, public, name, listed FROM contestants WHERE {by} = ?
            AND player IS NOT NULL
        AND EXISTS (SELECT 1 FROM ratings WHERE contestant = number)"""
    row = connection.execute(query, (value,)).fetchone()
    return Contestant._make([*row[:4], bool(row[4])]) if row else None


# ---------------------------------------------------------------- leaderboards


# Order: strongest first, then more certain ratings, then earlier players.
_BOARD = """FROM ratings JOIN contestants ON number = contestant
    WHERE game = :game AND listed AND player IS NOT NULL AND (sigma > :sure) = :provisional"""
_ORDER = "mu DESC, sigma, contestant"


def leaderboard(
    connection: Connection, game: str, provisional: bool, page: int, player: bytes | None
) -> LeaderBoard:
    """A page of a leaderboard; the last one if there are fewer."""
    known = {"game": game, "sure": ESTABLISHED_SIGMA, "provisional": provisional}
    [(people,)] = connection.execute(f"SELECT count(*) {_BOARD}", known)
    pages = max(1, -(-people // PAGE_SIZE))
    page = min(page, pages - 1)
    query = f"""SELECT name, public, mu, sigma, games, wins, player = :me {_BOARD}
        ORDER BY {_ORDER} LIMIT :most OFFSET :first"""
    rows = connection.execute(
        query, known | {"me": player, "most": PAGE_SIZE, "first": page * PAGE_SIZE}
    ).fetchall()
    leaders = [_leader(page * PAGE_SIZE + k, *row) for k, row in enumerate(rows, 1)]
    found = contestant_of(connection, player)
    return LeaderBoard(
        game,
        provisional,
        page,
        pages,
        people,
        leaders,
        _my_place(connection, found, known) if found else None,
        found is None or found.listed,
    )


def _leader(
    place: int,
    name: str,
    public: str,
    mu: float,
    sigma: float,
    games: int,
    wins: int,
    mine: int | None,
) -> Leader:
    return Leader(place, name, public, rating_now(Rating(mu, sigma)), games, wins, bool(mine))


def _my_place(connection: Connection, me: Contestant, known: dict[str, object]) -> Leader | None:
    place = place_of(connection, me, str(known["game"]))
    query = f"SELECT mu, sigma, games, wins {_BOARD} AND contestant = :me"
    row = connection.execute(query, known | {"me": me.number}).fetchone()
    return _leader(place, me.name, me.public, row[0], row[1], row[2], row[3], True) if row else None


def place_of(connection: Connection, who: Contestant, game: str) -> int:
    """A person's place on their leaderboard, from 1; 0 if not listed."""
    query = "SELECT mu, sigma FROM ratings WHERE game = ? AND contestant = ?"
    row = connection.execute(query, (game, who.number)).fetchone()
    if row is None or not who.listed:
        return 0
    known = {
        "game": game,
        "sure": ESTABLISHED_SIGMA,
        "provisional": row[1] > ESTABLISHED_SIGMA,
        "mu": row[0],
        "sigma": row[1],
        "me": who.number,
    }
    better = "AND (-mu, sigma, contestant) < (-:mu, :sigma, :me)"
    [(ahead,)] = connection.execute(f"SELECT count(*) {_BOARD} {better}", known)
    return int(ahead) + 1


# ---------------------------------------------------------------- profiles


def games_of(connection: Connection, who: Contestant) -> list[ProfileGame]:
    """A person's results by game, most played first."""
    query = """SELECT game, mu, sigma, games, wins FROM ratings
        WHERE contestant = ? ORDER BY games DESC, game"""
    return [
        ProfileGame(
            game,
            rating_now(Rating(mu, sigma)),
            games,
            wins,
            place_of(connection, who, game),
            _history(connection, who.number, game),
        )
        for game, mu, sigma, games, wins in connection.execute(query, (who.number,)).fetchall()
    ]


def _history(connection: Connection, contestant: int, game: str) -> list[RatedPoint]:
    query = """SELECT at, mu, sigma FROM result_seats JOIN results ON number = result
        WHERE contestant = ? AND mu IS NOT NULL AND game = ? ORDER BY result DESC LIMIT ?"""
    rows = connection.execute(query, (contestant, game, MAX_POINTS)).fetchall()
    return [
        RatedPoint(at, *displayed_rating(Rating(mu, sigma))) for at, mu, sigma in reversed(rows)
    ]


def recent_games(connection: Connection, contestant: int) -> list[RatedGame]:
    """The games that have changed a person's ratings, newest first."""
    query = f"""SELECT results.number, tables.id, ({_ENDED_EARLY}),
            results.game, at, place, results.players, seat, mu FROM result_seats
        JOIN results ON number = result LEFT JOIN tables ON tables.id = results."table"
        WHERE contestant = ? AND mu IS NOT NULL ORDER BY result DESC LIMIT ?"""
    found = []
    for number, table, ended, game, at, place, players, seat, mu in connection.execute(
        query, (contestant, MAX_RECENT)
    ).fetchall():
        before = rating_before(connection, number, contestant, game)
        after = displayed_rating(Rating(mu, initial_rating().sigma))[0]
        others = _others(connection, number, seat)
        look = table is not None and not ended
        found.append(
            RatedGame(
                table or "",
                look,
                game,
                at,
                place,
                players,
                displayed_rating(before)[0],
                after,
                others,
            )
        )
    return found


def rating_before(connection: Connection, result: int, contestant: int, game: str) -> Rating:
    """A person's rating before a game."""
    query = """SELECT mu, sigma FROM result_seats JOIN results ON number = result
        WHERE contestant = ? AND mu IS NOT NULL AND game = ? AND result < ? ORDER BY result DESC
            LIMIT 1"""
    row = connection.execute(query, (contestant, game, result)).fetchone()
    return Rating(*row) if row else initial_rating()


def _others(connection: Connection, result: int, seat: int) -> list[RatedOpponent]:
    """The opponents, anonymous unless they are listed."""
    query = """SELECT listed, name, public, place FROM result_seats JOIN contestants
            ON number = contestant
        WHERE result = ? AND seat != ? ORDER BY place, seat"""
    rows = connection.execute(query, (result, seat)).fetchall()
    return [
        RatedOpponent(name if listed else NAMELESS, public if listed else "", place)
        for listed, name, public, place in rows
    ]


# ---------------------------------------------------------------- tables


def seat_ratings(connection: Connection, table: str) -> TableRatings:
    """Ratings before and after a rated table, by seat."""
    row = connection.execute(
        'SELECT number, game, kind FROM results WHERE "table" = ?', (table,)
    ).fetchone()
    if row is None:
        return TableRatings(True, False, _ratings_before(connection, table))
    query = """SELECT seat, contestant, listed, public, mu, sigma FROM result_seats JOIN contestants
            ON number = contestant
        WHERE result = ? ORDER BY seat"""
    seats = [
        SeatRating(
            seat,
            public if listed else "",
            rating_now(rating_before(connection, row[0], contestant, row[1])),
            None if mu is None else rating_now(Rating(mu, sigma)),
        )
        for seat, contestant, listed, public, mu, sigma in connection.execute(
            query, (row[0],)
        ).fetchall()
    ]
    return TableRatings(True, True, seats, limited="" if row[2] == RATED else row[2])


def _ratings_before(connection: Connection, table: str) -> list[SeatRating]:
    """Ratings at a table whose game is running."""
    query = """SELECT seat, listed, contestants.public, mu, sigma FROM tables JOIN seats
            ON seats."table" = id
        LEFT JOIN contestants ON contestants.player = seats.player
        LEFT JOIN ratings ON ratings.contestant = contestants.number AND ratings.game = tables.game
        WHERE id = ? AND rated AND kind = 'person' ORDER BY seat"""
    return [
        SeatRating(
            seat,
            public if listed and mu is not None else "",
            rating_now(initial_rating() if mu is None else Rating(mu, sigma)),
        )
        for seat, listed, public, mu, sigma in connection.execute(query, (table,)).fetchall()
    ]
