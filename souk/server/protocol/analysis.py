"""The HTTP API of puzzles, analysis, custom positions and statistics.

`web/src/protocol/analysis.ts` is generated from this.

* `GET /api/puzzles/{date}`: `PuzzleDay`. `POST /api/puzzles` with `TryPuzzle`: `PuzzleNow`.
  `POST /api/puzzles/ask` with the same: `Answer`.
* `GET /api/tables/{table}/study?known=`: `AnalysisStatus` of a finished game; `POST` with
  `DeepenAnalysis`: the same, and a deeper analysis.
* `GET /api/tables/{table}/replay?from=&to=`: `Replay`.
  `GET /api/tables/{table}/instead?step=&move=`: `Event`.
* `POST /api/studies` with `AnalysisUpload`: `UploadAccepted`; its id replaces a table's above.
* `POST /api/positions/check` with `CheckPosition`: `PositionChecked`.
  `POST /api/positions/advise` with `AdvisePosition`: `Advice`.
* `GET /api/me`: `MyStats`.
"""

from typing import Any

import msgspec

from souk.analysis.study import Balance
from souk.server.protocol.table import DieShown, Event, OwnBox, SeatNow, Spoken, Told, View

# ---------------------------------------------------------------- puzzles


class PuzzleCard(msgspec.Struct):
    """The puzzles of a game on a day: solitaire puzzles of these grades, or a position with so many
    players.
    """

    game: str
    grades: list[str]
    players: int


class PuzzleDay(msgspec.Struct):
    """GET /api/puzzles/{date}"""

    date: str
    cards: list[PuzzleCard]


class TryPuzzle(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/puzzles: a puzzle after these moves; in a position the first is the answer.

    Stateless.
    """

    date: str  # as in 2026-11-16, by the browser's clock
    game: str
    grade: str = ""  # of a solitaire puzzle
    moves: list[str] = []
    give_up: bool = False  # show the solution


class SoloDone(msgspec.Struct):
    """A finished solitaire puzzle, with a shortest solution."""

    actions: int
    best: int
    stars: int
    way: list[str]


class MoveCompared(msgspec.Struct):
    """An evaluated move with its chance to win and standard error."""

    move: str
    told: Told
    win: float
    error: float


class PuzzleAnswered(msgspec.Struct):
    """The solution: all evaluated moves, best first, and why the best is better."""

    right: bool
    best: str
    weighed: list[MoveCompared]
    gap: float  # between the best and the next
    error: float  # of the gap
    playouts: int  # 0 if everything is exact
    spoken: Spoken  # about the best move, against the one played or else the next best
    said: list[Told]  # the numbers in which they differ
    said_of_other: list[Told]


class PuzzleNow(msgspec.Struct):
    """The answer to TryPuzzle.

    The solution follows once the puzzle is done, answered or given up.
    """

    date: str
    game: str
    grade: str
    box: OwnBox
    seats: list[SeatNow]
    seat: int
    view: View
    events: list[Event]  # of the last move
    coming: list[str]  # of a solitaire puzzle: all that comes up
    used: int  # and how much of it has come up
    done: SoloDone | None = None
    answered: PuzzleAnswered | None = None


# ---------------------------------------------------------------- analysis


class OpenMove(msgspec.Struct, omit_defaults=True):
    """A possible move."""

    move: str
    told: list[Told]  # its effects in words
    win: float  # its chance to win as far as searched; alone, the expected number of actions


class AnalysedStep(msgspec.Struct, omit_defaults=True):
    """The analysis of an event.

    Alone, luck, gifts, loss and error are in actions (see `souk.analysis.study`).
    """

    seat: int | None  # null: a die or card
    kind: str  # "move", "secret" or "chance"
    after: list[float]  # chances to win
    luck: list[float]
    gifts: list[float]  # what the mover gave away, and to whom
    weight: float = 0.0  # its importance
    loss: float = 0.0
    error: float = 0.0  # the standard error of the loss
    mark: str = ""  # "inaccuracy", "mistake" or "blunder"
    move: str = ""  # what was played
    best: str = ""  # the best move, if it is another
    better: list[Told] = []  # its effects in words
    name: Told = []  # the best move in a few words
    spoken: Spoken | None = None  # why it is better
    reasons: list[Told] = []  # numbers about it
    mix: dict[str, float] = {}  # how often each secret choice should be made
    considered: list[OpenMove] = []  # the best moves and the one played
    exact: bool = False
    unseen: bool = False  # not analysed yet; until then it changes nothing


class AnalysisView(msgspec.Struct, omit_defaults=True):
    """The analysis of a game. Accuracy needs all events; analyses by earlier versions have none."""

    start: list[float]  # chances to win before the first event
    seats: list[Balance]
    steps: list[AnalysedStep]  # one for every event
    accuracy: list[float | None] = []  # by seat, from 0 to 1; null if nothing was at stake


class AnalysisStatus(msgspec.Struct, omit_defaults=True):
    """The progress of an analysis. The page polls until it is complete."""

    version: str  # of the results
    done: int
    of: int
    playouts: int  # for each decision, at the end; 0 if all is exact
    deeper: int = 0  # the next number of playouts; 0 for none
    waking: int = 0  # estimated seconds until it can begin, as its kernels are being compiled
    before: int = 0  # other games in the queue
    # null if there is nothing yet, or the page knows this version
    study: AnalysisView | None = None


class DeepenAnalysis(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/tables/{table}/study"""

    playouts: int


class AnalysisUpload(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/studies: analyse a game from a file, which is kept for an hour."""

    record: str


class UploadAccepted(msgspec.Struct, omit_defaults=True):
    """Its id, or the error in the file."""

    id: str = ""  # for /look/ID
    fault: Told | None = None


class Replay(msgspec.Struct, omit_defaults=True):
    """Some events of a finished game, each with the view of a spectator."""

    game: str
    box: OwnBox
    seats: list[SeatNow]
    mine: list[int]
    of: int  # number of events
    first: int  # number of the first event here
    events: list[Event]
    start: View | None = None  # before the first event, if that is here
    printed: DieShown | None = None
    file: bool = False  # from a file, not a table


# ---------------------------------------------------------------- custom positions


class CheckPosition(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """POST /api/positions/check: show or check a position that is being set up.

    Nothing is stored.
    """

    game: str
    position: dict[str, Any] | None = None  # null: the initial one
    players: int = 0  # of the initial position


class AdvisePosition(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/positions/advise: advice for a seat that has to move. The answer is Advice."""

    game: str
    position: dict[str, Any]
    seat: int


class PositionChecked(msgspec.Struct):
    """The answer to CheckPosition."""

    position: dict[str, Any]  # with all fields; {} if it is wrong
    view: View | None  # for the seat to move
    box: OwnBox | None
    players: int
    fault: Told | None = None  # the error


# ---------------------------------------------------------------- statistics


class PlayedGame(msgspec.Struct, omit_defaults=True):
    """A finished game of mine."""

    table: str
    changed: float  # when it ended, in seconds since 1970
    won: bool
    old: bool = False  # played by older rules: cannot be analysed
    balance: Balance | None = None  # of my seat, if it was analysed


class WonAgainst(msgspec.Struct):
    """My wins: against bots, by the strongest level at the table, or "people", or "alone"."""

    level: str
    games: int = 0
    wins: int = 0


class Mistake(msgspec.Struct):
    """A kind of move, by its first word or "secret": my number of moves and errors."""

    kind: str
    moves: int = 0
    inaccuracy: int = 0
    mistake: int = 0
    blunder: int = 0
    lost: float = 0.0  # chances to win given away; alone, actions


class GameStats(msgspec.Struct):
    """Statistics of my games of one kind."""

    game: str
    alone: bool  # then luck and errors are in actions, and nobody wins
    played: list[PlayedGame] = []  # oldest first
    against: list[WonAgainst] = []  # strongest last
    slips: list[Mistake] = []  # of analysed games, most errors first


class MyStats(msgspec.Struct):
    """GET /api/me: from my latest hundred games played from beginning to end on one seat."""

    games: list[GameStats]  # most played first
