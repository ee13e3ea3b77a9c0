"""Who is how strong: leaderboards, profiles, and what a rated table has done to ratings. All of it is read from the results that are kept."""

from typing import NamedTuple

from souk.core.skill import Rating, unknown
from souk.table.chores import NAMELESS
from souk.table.database import Line
from souk.table.rating_protocol import (
    Fellow,
    Leader,
    LeaderBoard,
    ProfileGame,
    RatedGame,
    RatedPoint,
    RatingNow,
    SeatRating,
)
from souk.table.ratings import RATED, SURE, shown

AT_ONCE = 50  # people on a page of a leaderboard
MOST_RECENT = 20  # games of a profile
MOST_POINTS = 200  # of the line of a rating over time, the newest

_ENDED = """SELECT kind = 'life' FROM events WHERE events."table" = tables.id ORDER BY seq DESC LIMIT 1"""


class Contestant(NamedTuple):
    """Somebody as results know them."""

    number: int
    player: bytes | None
    public: str
    name: str
    listed: bool


def rating_now(rating: Rating) -> RatingNow:
    return RatingNow(*shown(rating), rating.sigma > SURE)


# ---------------------------------------------------------------- people


def contestant_known_as(connection: Line, public: str) -> Contestant | None:
    return _contestant(connection, "public", public)


def contestant_of(connection: Line, player: bytes | None) -> Contestant | None:
    return _contestant(connection, "player", player)


def _contestant(connection: Line, by: str, value: str | bytes | None) -> Contestant | None:
    """Only people who have played a rated game, and were not forgotten."""
    asked = f"""SELECT number, player, public, name, listed FROM contestants WHERE {by} = ? AND player IS NOT NULL
        AND EXISTS (SELECT 1 FROM ratings WHERE contestant = number)"""
    row = connection.execute(asked, (value,)).fetchone()
    return Contestant._make([*row[:4], bool(row[4])]) if row else None


# ---------------------------------------------------------------- leaderboards


# People on a board in order: the strongest first, of equals the surer, then whoever came first.
_BOARD = """FROM ratings JOIN contestants ON number = contestant
    WHERE game = :game AND listed AND player IS NOT NULL AND (sigma > :sure) = :provisional"""
_ORDER = "mu DESC, sigma, contestant"


def board(connection: Line, game: str, provisional: bool, page: int, player: bytes | None) -> LeaderBoard:
    """A page of a leaderboard; one beyond the last is the last."""
    known = {"game": game, "sure": SURE, "provisional": provisional}
    [(people,)] = connection.execute(f"SELECT count(*) {_BOARD}", known)
    pages = max(1, -(-people // AT_ONCE))
    page = min(page, pages - 1)
    asked = f"SELECT name, public, mu, sigma, games, wins, player = :me {_BOARD} ORDER BY {_ORDER} LIMIT :most OFFSET :first"
    rows = connection.execute(asked, known | {"me": player, "most": AT_ONCE, "first": page * AT_ONCE}).fetchall()
    leaders = [_leader(page * AT_ONCE + k, *row) for k, row in enumerate(rows, 1)]
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
    place: int, name: str, public: str, mu: float, sigma: float, games: int, wins: int, mine: int | None
) -> Leader:
    return Leader(place, name, public, rating_now(Rating(mu, sigma)), games, wins, bool(mine))


def _my_place(connection: Line, me: Contestant, known: dict[str, object]) -> Leader | None:
    place = place_of(connection, me, str(known["game"]))
    asked = f"SELECT mu, sigma, games, wins {_BOARD} AND contestant = :me"
    row = connection.execute(asked, known | {"me": me.number}).fetchone()
    return _leader(place, me.name, me.public, row[0], row[1], row[2], row[3], True) if row else None


def place_of(connection: Line, who: Contestant, game: str) -> int:
    """On the board that somebody is on, from 1; 0 for whoever is not listed."""
    asked = "SELECT mu, sigma FROM ratings WHERE game = ? AND contestant = ?"
    row = connection.execute(asked, (game, who.number)).fetchone()
    if row is None or not who.listed:
        return 0
    known = {"game": game, "sure": SURE, "provisional": row[1] > SURE, "mu": row[0], "sigma": row[1], "me": who.number}
    better = "AND (-mu, sigma, contestant) < (-:mu, :sigma, :me)"
    [(ahead,)] = connection.execute(f"SELECT count(*) {_BOARD} {better}", known)
    return int(ahead) + 1


# ---------------------------------------------------------------- profiles


def games_of(connection: Line, who: Contestant) -> list[ProfileGame]:
    """What somebody has done, the game they have played most first."""
    asked = "SELECT game, mu, sigma, games, wins FROM ratings WHERE contestant = ? ORDER BY games DESC, game"
    return [
        ProfileGame(
            game,
            rating_now(Rating(mu, sigma)),
            games,
            wins,
            place_of(connection, who, game),
            _history(connection, who.number, game),
        )
        for game, mu, sigma, games, wins in connection.execute(asked, (who.number,)).fetchall()
    ]


def _history(connection: Line, contestant: int, game: str) -> list[RatedPoint]:
    asked = """SELECT at, mu, sigma FROM result_seats JOIN results ON number = result
        WHERE contestant = ? AND kind = ? AND game = ? ORDER BY result DESC LIMIT ?"""
    rows = connection.execute(asked, (contestant, RATED, game, MOST_POINTS)).fetchall()
    return [RatedPoint(at, *shown(Rating(mu, sigma))) for at, mu, sigma in reversed(rows)]


def recent_games(connection: Line, contestant: int) -> list[RatedGame]:
    """Somebody's rated games, the newest first."""
    asked = f"""SELECT results.number, tables.id, ({_ENDED}), results.game, at, place, results.players, seat, mu FROM result_seats
        JOIN results ON number = result LEFT JOIN tables ON tables.id = results."table"
        WHERE contestant = ? AND kind = ? ORDER BY result DESC LIMIT ?"""
    found = []
    for number, table, ended, game, at, place, players, seat, mu in connection.execute(
        asked, (contestant, RATED, MOST_RECENT)
    ).fetchall():
        before = rating_before(connection, number, contestant, game)
        after = shown(Rating(mu, unknown().sigma))[0]
        others = _others(connection, number, seat)
        look = table is not None and not ended
        found.append(RatedGame(table or "", look, game, at, place, players, shown(before)[0], after, others))
    return found


def rating_before(connection: Line, result: int, contestant: int, game: str) -> Rating:
    """With which somebody came to a game."""
    asked = """SELECT mu, sigma FROM result_seats JOIN results ON number = result
        WHERE contestant = ? AND kind = ? AND game = ? AND result < ? ORDER BY result DESC LIMIT 1"""
    row = connection.execute(asked, (contestant, RATED, game, result)).fetchone()
    return Rating(*row) if row else unknown()


def _others(connection: Line, result: int, seat: int) -> list[Fellow]:
    """Who else played; whoever does not wish to be listed is nobody here either."""
    asked = """SELECT listed, name, public, place FROM result_seats JOIN contestants ON number = contestant
        WHERE result = ? AND seat != ? ORDER BY place, seat"""
    rows = connection.execute(asked, (result, seat)).fetchall()
    return [
        Fellow(name if listed else NAMELESS, public if listed else "", place) for listed, name, public, place in rows
    ]


# ---------------------------------------------------------------- tables


def seat_ratings(connection: Line, table: str) -> tuple[bool, list[SeatRating]]:
    """Of a rated table: whether its result is kept, and by seat with which rating somebody came and left."""
    row = connection.execute(
        'SELECT number, game FROM results WHERE "table" = ? AND kind = ?', (table, RATED)
    ).fetchone()
    if row is None:
        return False, _ratings_of_sitting(connection, table)
    asked = """SELECT seat, contestant, listed, public, mu, sigma FROM result_seats JOIN contestants ON number = contestant
        WHERE result = ? ORDER BY seat"""
    return True, [
        SeatRating(
            seat,
            public if listed else "",
            rating_now(rating_before(connection, row[0], contestant, row[1])),
            rating_now(Rating(mu, sigma)),
        )
        for seat, contestant, listed, public, mu, sigma in connection.execute(asked, (row[0],)).fetchall()
    ]


def _ratings_of_sitting(connection: Line, table: str) -> list[SeatRating]:
    """Of those who sit at a table whose game goes on."""
    asked = """SELECT seat, listed, contestants.public, mu, sigma FROM tables JOIN seats ON seats."table" = id
        LEFT JOIN contestants ON contestants.player = seats.player
        LEFT JOIN ratings ON ratings.contestant = contestants.number AND ratings.game = tables.game
        WHERE id = ? AND rated AND kind = 'person' ORDER BY seat"""
    return [
        SeatRating(
            seat,
            public if listed and mu is not None else "",
            rating_now(unknown() if mu is None else Rating(mu, sigma)),
        )
        for seat, listed, public, mu, sigma in connection.execute(asked, (table,)).fetchall()
    ]
