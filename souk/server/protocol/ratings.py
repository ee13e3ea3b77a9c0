"""What a browser and the server say to each other about ratings, profiles and the ladder, over HTTP. `web/src/rating-protocol.ts` is written from this.

* `GET /api/leaders/{game}?page=…&provisional=1`: `LeaderBoard`. `GET /api/people/{public}`: `Profile`. `GET /api/people/me`: my own.
* `POST /api/people/me/listed` with `SetListed`: `Profile`. `GET /api/ladder`: `Ladders`. `GET /api/tables/{table}/ratings`: `TableRatings`.
"""

import msgspec

from souk.table.study_protocol import GameTally


class RatingNow(msgspec.Struct):
    """How strong somebody is in a game: the true number is within `off` of it in 19 of 20 cases."""

    rating: int
    off: int
    provisional: bool  # too few games say so


class Leader(msgspec.Struct):
    """Somebody on a leaderboard."""

    place: int
    name: str
    public: str  # the id of their profile
    now: RatingNow
    games: int
    wins: int
    mine: bool = False


class LeaderBoard(msgspec.Struct):
    """GET /api/leaders/{game}: fifty at a time, the strongest first; those whose ratings are provisional are on a board of their own."""

    game: str
    provisional: bool
    page: int  # from 0
    pages: int
    people: int
    leaders: list[Leader]
    mine: Leader | None  # my own place, on whichever page it is
    listed: bool = True  # whether I am to be listed


class RatedPoint(msgspec.Struct):
    """A rating after one game."""

    at: float
    rating: int
    off: int


class Fellow(msgspec.Struct):
    """Somebody at a rated table; "" as the id of who has no profile to be seen."""

    name: str
    public: str
    place: int


class RatedGame(msgspec.Struct):
    """A rated game of somebody's."""

    table: str  # "" where it is no longer kept
    look: bool  # it was played to its end, and can be looked back at
    game: str
    at: float
    place: int
    players: int
    before: int  # the rating
    after: int
    others: list[Fellow]


class ProfileGame(msgspec.Struct):
    """What somebody has done in one game."""

    game: str
    now: RatingNow
    games: int
    wins: int
    place: int  # on the leaderboard, among the sure ones or among the others; 0 for whoever is not listed
    history: list[RatedPoint]


class Profile(msgspec.Struct):
    """GET /api/people/{public}: what all may know of somebody who has played a rated game. It says nothing of other tables than rated ones."""

    public: str
    name: str
    mine: bool
    listed: bool
    games: list[ProfileGame]
    recent: list[RatedGame]
    tallies: list[GameTally]  # luck and errors, where rated games have been looked back at


class SetListed(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/people/me/listed: whether I am shown on leaderboards, and my profile to others. The answer is my Profile."""

    listed: bool


class SeatRating(msgspec.Struct):
    """A seat of a rated table: the rating with which its person came, and the one they left with."""

    seat: int
    public: str
    before: RatingNow
    after: RatingNow | None = None  # once the game counts


class Rung(msgspec.Struct):
    """A step of a ladder: the bots of one level."""

    level: str
    games: int = 0
    wins: int = 0
    climbed: bool = False


class Ladder(msgspec.Struct):
    """Of one game and number of players: rungs from the weakest bots to the strongest. Whoever wins often enough on their rung stands on the next."""

    game: str
    players: int
    rungs: list[Rung]
    at: int  # the rung to be climbed next; as many as there are rungs where all are
    needed: int  # wins that lead on,
    of: int  # among the last so many games there; 0 for any
    near: int = 0  # wins that count by now


class Ladders(msgspec.Struct):
    """GET /api/ladder: mine, of all games."""

    ladders: list[Ladder]


class TableRatings(msgspec.Struct):
    """GET /api/tables/{table}/ratings: what a table means for ratings, or for my ladder."""

    rated: bool
    counted: bool  # the game is over, and its result is kept
    seats: list[SeatRating]
    ladder: Ladder | None = None  # mine, where this game was on it
    climbed: bool = False  # and has led to the next rung
