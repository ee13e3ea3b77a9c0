"""What a browser and the server say to each other about study, over HTTP: puzzles of the day, games looked back at, positions of
one's own, my numbers.
`web/src/study-protocol.ts` is written from this; all else is in `souk.table.protocol`.

* `GET /api/puzzles/{date}`: `PuzzleDay`. `POST /api/puzzles` with `TryPuzzle`: `PuzzleNow`. `POST /api/puzzles/ask` with the same: `Answer`.
* `GET /api/tables/{table}/study?known=`: `LookedBack`, of a game that is over; `POST` there with `LookDeeper`: the same, and deeper from now on.
* `GET /api/tables/{table}/replay?from=&to=`: `Replay`. `GET /api/tables/{table}/instead?step=&move=`: `Event`. `POST /api/studies` with
  `StudyFile`: `FileTaken`; what is asked of a table can then be asked of the file, by its id.
* `POST /api/positions/check` with `CheckPosition`: `PositionChecked`. `POST /api/positions/advise` with `AdvisePosition`: `Advice`.
* `GET /api/me`: `MyNumbers`.
"""

from typing import Any

import msgspec

from souk.study.study import Balance
from souk.table.protocol import Event, OwnBox, Printed, SeatNow, Told, View

# ---------------------------------------------------------------- puzzles of the day


class PuzzleCard(msgspec.Struct):
    """A game's puzzles of a day: errands of these grades, or, where there are none, a position with so many players."""

    game: str
    grades: list[str]
    players: int


class PuzzleDay(msgspec.Struct):
    """GET /api/puzzles/{date}"""

    date: str
    cards: list[PuzzleCard]


class TryPuzzle(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/puzzles: a puzzle after these moves, of which in a position the first is the answer. The server keeps nothing of it."""

    date: str  # as in 2026-11-16, by the clock of whoever asks
    game: str
    grade: str = ""  # of an errand
    moves: list[str] = []
    give_up: bool = False  # tell the answer


class SoloDone(msgspec.Struct):
    """How an errand was done, and a shortest way to do it."""

    actions: int
    best: int
    stars: int
    way: list[str]


class MoveWeighed(msgspec.Struct):
    """A move that was looked at, as text and in words: the chance to win that it leaves, with its standard error."""

    move: str
    told: Told
    win: float
    error: float


class PuzzleAnswered(msgspec.Struct):
    """What there is to say about an answer: all moves that were looked at, the best first, and what speaks for that one."""

    right: bool
    best: str
    weighed: list[MoveWeighed]
    gap: float  # between the best and the next
    error: float  # of the gap
    playouts: int  # 0 where everything is exact
    said: list[Told]  # of the best move, where it differs from the one that was played, or else from the next
    said_of_other: list[Told]


class PuzzleNow(msgspec.Struct):
    """The answer to TryPuzzle. What it is all about is told once the errand is done, the question answered, or given up."""

    date: str
    game: str
    grade: str
    box: OwnBox
    seats: list[SeatNow]
    seat: int
    view: View
    events: list[Event]  # of the last move
    coming: list[str]  # of an errand: all that comes up
    used: int  # and how much of it has
    done: SoloDone | None = None
    answered: PuzzleAnswered | None = None


# ---------------------------------------------------------------- looking back at a game that is over


class OpenMove(msgspec.Struct, omit_defaults=True):
    """A move that there was."""

    move: str
    told: list[Told]  # in words, as if it had been made
    win: float  # the chance to win with it, as far as the search has seen; alone the actions it comes to in the end


class Turning(msgspec.Struct, omit_defaults=True):
    """What there is to be said about an event. Alone luck, gifts, loss and error are in actions (see `souk.study.study`)."""

    seat: int | None  # None: a die or card
    kind: str  # "move", "secret" or "chance"
    after: list[float]  # everybody's chance to win
    luck: list[float]
    gifts: list[float]  # what the mover gave away, and who was given it
    weight: float = 0.0  # how much it mattered
    loss: float = 0.0
    error: float = 0.0  # the standard error of that
    mark: str = ""  # "inaccuracy", "mistake" or "blunder"
    move: str = ""  # what was played
    best: str = ""  # the best move there was, where that is another
    better: list[Told] = []  # it in words
    reasons: list[Told] = []  # what speaks for it
    mix: dict[str, float] = {}  # how often each of the secret choices should be made
    considered: list[OpenMove] = []  # the best few, and what was played
    exact: bool = False
    unseen: bool = False  # it has not been looked at yet: until then it changes nothing


class Lookback(msgspec.Struct, omit_defaults=True):
    """A game looked back at. Its accuracy is told once every event has been looked at; studies kept by earlier versions have none."""

    start: list[float]  # everybody's chance to win before the first event
    seats: list[Balance]
    steps: list[Turning]  # one for every event
    accuracy: list[float | None] = []  # how well everybody chose, from 0 to 1; None where nothing was at stake


class LookedBack(msgspec.Struct, omit_defaults=True):
    """How far looking back at a game has come. A page asks again until all is done."""

    version: str  # of what has been found out
    done: int
    of: int
    playouts: int  # for each decision, once all is done; 0 where all is known exactly
    deeper: int = 0  # the playouts that can be asked for next; 0 for none
    waking: int = 0  # about how many seconds until it can begin: what it thinks with is being compiled
    before: int = 0  # other games that are being looked back at
    study: Lookback | None = None  # None where there is nothing yet, or the page knows this version


class LookDeeper(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/tables/{table}/study"""

    playouts: int


class StudyFile(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/studies: look back at a game that somebody has as a file. It is kept for an hour."""

    record: str


class FileTaken(msgspec.Struct, omit_defaults=True):
    """Where it is, or what is wrong with it."""

    id: str = ""  # by which it is looked at: /look/ID
    fault: Told | None = None


class Replay(msgspec.Struct, omit_defaults=True):
    """Some of the events of a game that is over, each with the view that a spectator had after it."""

    game: str
    box: OwnBox
    seats: list[SeatNow]
    mine: list[int]
    of: int  # events in all
    first: int  # the number of the first event here
    events: list[Event]
    start: View | None = None  # before the first event of the game, where that is the first here
    printed: Printed | None = None
    file: bool = False  # it is no table's, but somebody's file


# ---------------------------------------------------------------- positions of one's own


class CheckPosition(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """POST /api/positions/check: what a position looks like that somebody is setting up, or what is wrong with it. Nothing is kept."""

    game: str
    position: dict[str, Any] | None = None  # None: as the game begins
    players: int = 0  # then with so many


class AdvisePosition(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/positions/advise: what a seat that is to move could do there. The answer is Advice."""

    game: str
    position: dict[str, Any]
    seat: int


class PositionChecked(msgspec.Struct):
    """The answer to CheckPosition."""

    position: dict[str, Any]  # with all its fields; {} where something is wrong
    view: View | None  # as whoever is to move sees it
    box: OwnBox | None
    players: int
    fault: Told | None = None  # what is wrong with it


# ---------------------------------------------------------------- my numbers


class PlayedGame(msgspec.Struct, omit_defaults=True):
    """A finished game of mine."""

    table: str
    changed: float  # when it ended, in seconds since 1970
    won: bool
    old: bool = False  # it was played by other rules than today's, and cannot be looked back at
    balance: Balance | None = None  # of my seat, where somebody has looked back at it


class WonAgainst(msgspec.Struct):
    """How often I have won: against bots of a level as the strongest at the table, or "people", or "alone"."""

    level: str
    games: int = 0
    wins: int = 0


class Slip(msgspec.Struct):
    """A kind of move, by the word that it begins with, or "secret": how many I have made, and how many of them were errors."""

    kind: str
    moves: int = 0
    inaccuracy: int = 0
    mistake: int = 0
    blunder: int = 0
    lost: float = 0.0  # what they gave away together: chances to win, or alone actions


class GameTally(msgspec.Struct):
    """What my games of one kind add up to."""

    game: str
    alone: bool  # then luck and errors are in actions, and nobody wins
    played: list[PlayedGame] = []  # the eldest first
    against: list[WonAgainst] = []  # the strongest last
    slips: list[Slip] = []  # of games that were looked back at: the kind with most errors first


class MyNumbers(msgspec.Struct):
    """GET /api/me: of whoever asks, and of the newest hundred games that they have played from beginning to end on one seat."""

    games: list[GameTally]  # the one played most first
