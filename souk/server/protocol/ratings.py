"""The HTTP API of ratings, profiles and the ladder.

`web/src/protocol/ratings.ts` is generated from this.

* `GET /api/leaders/{game}?page=…&provisional=1`: `LeaderBoard`.
* `GET /api/people/{public}`: `Profile`; `me` as the id is my own.
* `POST /api/people/me/listed` with `SetListedOnLeaderboard`: `Profile`.
* `GET /api/ladder`: `Ladders`. `GET /api/tables/{table}/ratings`: `TableRatings`.
"""

from typing import Literal

import msgspec

from souk.server.protocol.analysis import GameStats

# "short": somebody left after too few moves, which costs them and gives nobody anything.
# "repeated": these people have met often enough today.
Limited = Literal["", "short", "repeated"]


class RatingNow(msgspec.Struct):
    """A rating in a game; the true one is within `off` of it in 19 of 20 cases."""

    rating: int
    off: int
    provisional: bool  # after few games


class Leader(msgspec.Struct):
    """A line of a leaderboard."""

    place: int
    name: str
    public: str  # the id of their profile
    now: RatingNow
    games: int
    wins: int
    mine: bool = False


class LeaderBoard(msgspec.Struct):
    """GET /api/leaders/{game}: fifty at a time, strongest first; provisional ratings have a board
    of their own.
    """

    game: str
    provisional: bool
    page: int  # from 0
    pages: int
    people: int
    leaders: list[Leader]
    mine: Leader | None  # my own place, on whichever page
    listed: bool = True  # whether I am listed


class RatedPoint(msgspec.Struct):
    """A rating after one game."""

    at: float
    rating: int
    off: int


class RatedOpponent(msgspec.Struct):
    """An opponent; the id is "" without a public profile."""

    name: str
    public: str
    place: int


class RatedGame(msgspec.Struct):
    """A rated game of a profile."""

    table: str  # "" if it was deleted
    look: bool  # was played to its end and can be analysed
    game: str
    at: float
    place: int
    players: int
    before: int  # the rating
    after: int
    others: list[RatedOpponent]


class ProfileGame(msgspec.Struct):
    """The results in one game."""

    game: str
    now: RatingNow
    games: int
    wins: int
    place: int  # on its leaderboard; 0 if not listed
    history: list[RatedPoint]


class Profile(msgspec.Struct):
    """GET /api/people/{public}: public data of a person with a rated game.

    Says nothing of unrated tables.
    """

    public: str
    name: str
    mine: bool
    listed: bool
    games: list[ProfileGame]
    recent: list[RatedGame]
    tallies: list[GameStats]  # luck and errors, if rated games were analysed


class SetListedOnLeaderboard(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/people/me/listed: whether leaderboards show me and others may see my profile."""

    listed: bool


class SeatRating(msgspec.Struct):
    """A seat of a rated table, with the ratings before and after."""

    seat: int
    public: str
    before: RatingNow
    after: RatingNow | None = None  # once the game is over, if it has changed


class Rung(msgspec.Struct):
    """A rung of a ladder: the bots of one level."""

    level: str
    games: int = 0
    wins: int = 0
    climbed: bool = False


class Ladder(msgspec.Struct):
    """A game for a number of players: rungs from the weakest bots to the strongest.

    Enough wins on a rung lead to the next.
    """

    game: str
    players: int
    rungs: list[Rung]
    at: int  # the current rung; the number of rungs if all are climbed
    needed: int  # wins needed,
    of: int  # among the last so many games there; 0 for any
    near: int = 0  # wins that count so far


class Ladders(msgspec.Struct):
    """GET /api/ladder: mine, of all games."""

    ladders: list[Ladder]


class TableRatings(msgspec.Struct):
    """GET /api/tables/{table}/ratings: what a table means for ratings or for my ladder."""

    rated: bool
    counted: bool  # the game is over and its result is stored
    seats: list[SeatRating]
    ladder: Ladder | None = None  # mine, if this game was on it
    climbed: bool = False  # this game led to the next rung
    limited: Limited = ""  # why a rated game does not count in full
