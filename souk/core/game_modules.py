"""Interfaces of the modules in a game package, and defaults for the optional ones.

Every game has `rules.py`, `notation.py` and `box.py`. All else is optional: whole modules, and
within a module every name that its class of defaults provides.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec
import numpy as np

from souk.core.box_data import BoxData
from souk.core.facts import CameUp, Chose, Ended, Fact, Moved
from souk.core.json_fields import Fields, is_whole
from souk.core.messages import Message, Seat, texts
from souk.core.reasons import Reason
from souk.kernel.rule_clones import Function
from souk.kernel.state import State, StateArray
from souk.kernel.tracing import Tracer
from souk.kernel.workspace import Layout

if TYPE_CHECKING:
    from souk.core.observation_spec import Actions, Field
    from souk.core.position import Position
    from souk.core.record import Record
    from souk.core.seat_view import SeatView

Defaults = TypeVar("Defaults")
Options = dict[str, Any]
# By seat: points by source.
Sources = list[dict[str, int]]


class Notation(Protocol):
    """`notation.py`: moves, outcomes and positions as text and JSON."""

    def move_text(self, s: State, move: int) -> str: ...

    def read_move(self, s: State, text: str) -> int:
        """Parse a move, legal or not; raise IllegalMove if unreadable."""
        ...

    def outcome_text(self, s: State, outcome: int) -> str: ...

    def read_outcome(self, s: State, text: str) -> int:
        """Parse an outcome, due or not; raise IllegalMove if unreadable."""
        ...

    def field_names(self, players: int) -> tuple[list[str], list[str]]:
        """JSON fields besides game, players and options: required ones and ignored ones."""
        ...

    def position(self, s: State) -> msgspec.Struct:
        """The position as a struct, for `to_json` and the browser."""
        ...

    def from_json(self, s: State, fields: Fields) -> None:
        """Fill a state that holds the options; ValueError names the invalid field."""
        ...

    def pieces(self, s: State) -> dict[str, int]:
        """Counts of everything that is conserved during a game."""
        ...


class Box(Protocol):
    """`box.py`: the contents of a game's box, and the options of `start`."""

    # The part that comes from a data file, and so may be a user's own; default None.
    DATA: BoxData | None

    def defaults(self, players: int) -> Options:
        """All options for this number of players, with their defaults."""
        ...

    def check(self, players: int, options: Options) -> Options:
        """Return the options in canonical form; ValueError names an invalid one."""
        ...

    def fill(self, s: State, options: Options) -> None:
        """Write the options and the box data to an empty state."""
        ...

    def extra(self) -> Options:
        """Further options with defaults, kept in a position only if not the default."""
        ...

    def again(self, players: int, options: Options) -> Options:
        """Options for a rematch. By default the next seat goes first."""
        ...

    def rated_from(self, players: int) -> int:
        """The number of moves after which leaving a rated game counts in full.

        About a fifth of a player's moves in a whole game (docs/play/ratings.md has the figures).
        """
        ...


class Facts(Protocol):
    """`facts.py`: facts of events, and the sources of points."""

    KINDS: Sequence[type[Fact]]
    # Tracers by the rule they observe.
    TRACERS: Mapping[Function, Tracer]

    def sources(self, start: "Position", facts: Iterable[Fact]) -> Sources:
        """Each seat's points by source, from all facts of a game."""
        ...


class Messages(Protocol):
    """`messages.py`: texts about facts, due events, prompts and errors."""

    def describe(self, fact: Fact) -> list[Message]:
        """Describe a fact for the game log."""
        ...

    def due(self, s: State) -> Message:
        """The due die or card."""
        ...

    def prompt(self, s: State, seat: int, moves: Sequence[int]) -> Message | None:
        """The prompt after "Your turn:" for a seat with these moves.

        `moves` may be only the first of very many.
        """
        ...

    def refusal(self, s: State, seat: int, move: int) -> tuple[Message, str | None]:
        """Why the seat to move may not make a move, and the clause."""
        ...


class Explanations(Protocol):
    """`explanations.py`: pros and cons of a move, and why one move is better than another."""

    # Win chance that one of a reason's `points` is worth.
    POINT: float

    def reasons(self, pos: "Position", seat: int, move: str) -> list[Message]:
        """Numeric facts about a legal move, the most important first.

        Reasons of two moves are compared if they have the same key and seats. `pos` holds only what
        the seat may know.
        """
        ...

    def name_move(self, pos: "Position", move: str) -> Message:
        """A legal move in a few words, as within "better: d4 and d5"; about where it goes."""
        ...

    def compare(
        self,
        pos: "Position",
        seat: int,
        better: str,
        other: str,
        likely: Mapping[int, Mapping[str, float]] | None = None,
    ) -> list[Reason]:
        """Everything true that speaks for one legal move against another, most specific first.

        `pos` holds only what the seat may know. `likely` is, by seat, how likely each move of
        others is that choose secretly at the same time. Whether the move is better at all is for a
        search to say: nearly every move has something to be said for it. Games without secret
        choices may leave `likely` out.
        """
        ...


class Heuristics(Protocol):
    """`heuristics.py`: game ops for search and playouts (souk.kernel.game_ops), and these."""

    # Number of quiet positions a playout passes before `evaluate`.
    HORIZON: int
    # The kernels that `build_lookup` compiles.
    KERNELS: Sequence[Function]
    # Replacements for rules that would be too slow interpreted.
    STAND_INS: Mapping[Function, Function]
    # The game's own fields in the workspace (souk.kernel.workspace).
    WORKSPACE: Layout
    # How often traders play like apprentices, so that they rank midway between those and merchants.
    LAPSES: float

    def build_lookup(self, array: StateArray) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Precompute the `lookup` for a table's box data and options. Cached if slow."""
        ...

    def exact_moves(self, view: "Position") -> list[tuple[str, float, float]]:
        """The moves of a solved position with win chance and score, best first; else empty."""
        ...


class NetFeatures(Protocol):
    """`net_features.py`: input features of the value net: the game op `features`, and these."""

    # Number of features; `features` numbers them from 0.
    ROWS: int
    # Maximum number of active features.
    MOST_SEEN: int

    def symmetries(self) -> Sequence[np.ndarray[Any, np.dtype[np.int64]]]:
        """Permutations of features under which a position is equivalent.

        Each maps feature numbers to their images; the first is the identity.
        """
        ...

    def search_settings(self, players: int) -> tuple[float, int, bool]:
        """Settings for a search that uses the net.

        Returns the exploration constant, how often a position is evaluated before its moves are
        expanded, and whether chance is averaged instead of sampled (for games without secret moves
        whose chance events have at most six outcomes).
        """
        ...

    def variants(self, players: int) -> Sequence[Options]:
        """Options of the games for training: usually only the defaults."""
        ...


class BoardInfo(Protocol):
    """`board_info.py`: what the rules say about the table, for drawing it."""

    def box(self, pos: "Position") -> msgspec.Struct:
        """Data that is constant during a game."""
        ...

    def scene(self, pos: "Position", seat: int) -> msgspec.Struct:
        """The scene for a seat or spectator (-1). The position holds no secrets from it."""
        ...

    def in_passing(self, pos: "Position") -> msgspec.Struct | None:
        """The part of an intermediate position's scene worth showing, or None.

        For positions in which another event follows at once.
        """
        ...

    def choices(self, pos: "Position") -> dict[str, Any]:
        """By option: the alternatives, where they have to be seen before choosing."""
        ...

    def aside(self, pos: "Position") -> dict[str, Any]:
        """Slow information, requested separately."""
        ...


class Puzzles(Protocol):
    """`puzzles.py`: the daily puzzles of a game (souk.analysis.puzzles).

    Either solitaire games with all dice known in advance, or positions with one clearly best move.
    """

    # Grades of solitaire puzzles, easiest first; empty if there are none.
    GRADES: Sequence[str]
    # Topics of position puzzles, used in turn; empty for any topic.
    TOPICS: Sequence[str]

    def draw_solitaire(self, grade: str, rng: Random) -> tuple[Options, list[str]] | None:
        """Draw the options and chance events of a solitaire puzzle; None if of another grade."""
        ...

    def shortest(self, start: "Position", coming: Sequence[str]) -> list[str]:
        """Moves that finish a solitaire puzzle with the lowest possible score."""
        ...

    def topic(self, pos: "Position", seat: int, best: str) -> str:
        """The kind of decision, given the best move; "" if unsuitable as a puzzle."""
        ...


class Observations(Protocol):
    """`observations.py`: what a learning program observes and can do."""

    FIELDS: tuple["Field", ...]
    ACTIONS: tuple["Actions", ...]


class Drawing(Protocol):
    """`DRAWING` in `svg.py`: the table as SVG, and a whole game as HTML."""

    def draw(
        self, view: "SeatView[Any, Any, Any]", names: Sequence[str] = (), width: float = 700
    ) -> str:
        """The table as an SVG file. Players without names are called by their seats."""
        ...

    def album(self, record: "Record") -> str: ...


class Terminal(Protocol):
    """`terminal.py`: the table in a terminal."""

    def picture(self, view: "SeatView[Any, Any, Any]", names: Sequence[str], language: str) -> Any:
        """A rich renderable."""
        ...


# ---------------------------------------------------------------- defaults


def with_defaults(module: Any, defaults: type[Defaults]) -> Defaults:
    """A module, with missing names taken from a class of defaults."""
    instance = defaults()
    # Instance attributes override the class, also for default methods that use them.
    vars(instance).update(vars(module) if module else {})
    return instance


class DefaultBox:
    """No options and no data files."""

    DATA: BoxData | None = None

    def defaults(self, players: int) -> Options:
        return {}

    def check(self, players: int, options: Options) -> Options:
        return options

    def fill(self, s: State, options: Options) -> None:
        pass

    def extra(self) -> Options:
        return {}

    def again(self, players: int, options: Options) -> Options:
        """Move "first", if it names a seat, to the next seat; a random start stays random."""
        if not is_whole(options.get("first")):
            return options
        return options | {"first": (options["first"] + 1) % players}

    def rated_from(self, players: int) -> int:
        """High enough that resigning at once gains nothing, low enough for short games."""
        return 5


class DefaultHeuristics:
    """Nothing precomputed, nothing solved."""

    HORIZON = 0
    KERNELS: Sequence[Function] = ()
    STAND_INS: Mapping[Function, Function] = {}
    WORKSPACE: Layout = ()
    LAPSES = 0.0

    def build_lookup(self, array: StateArray) -> np.ndarray[Any, np.dtype[np.float32]]:
        return np.zeros(1, np.float32)

    def exact_moves(self, view: "Position") -> list[tuple[str, float, float]]:
        return []


class DefaultNetFeatures:
    """No features, no net."""

    ROWS = 1
    MOST_SEEN = 1

    def symmetries(self) -> Sequence[np.ndarray[Any, np.dtype[np.int64]]]:
        return [np.arange(self.ROWS)]

    def search_settings(self, players: int) -> tuple[float, int, bool]:
        return 0.08, 0, False

    def variants(self, players: int) -> Sequence[Options]:
        return [{}]


class DefaultPuzzles:
    """Positions with any kind of decision between a few moves."""

    GRADES: Sequence[str] = ()
    TOPICS: Sequence[str] = ()

    def draw_solitaire(self, grade: str, rng: Random) -> tuple[Options, list[str]] | None:
        return None

    def shortest(self, start: "Position", coming: Sequence[str]) -> list[str]:
        return []

    def topic(self, pos: "Position", seat: int, best: str) -> str:
        return str(pos.to_json()["phase"])


class DefaultFacts:
    """Moves and outcomes as text."""

    KINDS: Sequence[type[Fact]] = (Moved, CameUp, Chose, Ended)
    TRACERS: Mapping[Function, Tracer] = {}

    def sources(self, start: "Position", facts: Iterable[Fact]) -> Sources:
        ends = [fact.scores for fact in facts if isinstance(fact, Ended)]
        return [{"points": score} for score in (ends[-1] if ends else start.scores)]


class DefaultMessages:
    """Messages that fit any game."""

    def describe(self, fact: Fact) -> list[Message]:
        match fact:
            case Moved(seat, move):
                return [Message("told.core.moves", who=Seat(seat), move=move).at(f"seat {seat}")]
            case CameUp(outcome):
                return [Message("told.core.comes_up", outcome=outcome)]
            case Chose(seat):
                return [Message("told.core.has_chosen", who=Seat(seat))]
            case Ended():
                return [Message("told.core.over")]
        return []

    def due(self, s: State) -> Message:
        return Message("reason.core.a_die_or_card")

    def prompt(self, s: State, seat: int, moves: Sequence[int]) -> Message | None:
        return None

    def refusal(self, s: State, seat: int, move: int) -> tuple[Message, str | None]:
        return Message("reason.core.not_allowed"), None


class DefaultExplanations:
    """Only the score a move leads to, and no reasons."""

    POINT = 0.02

    def reasons(self, pos: "Position", seat: int, move: str) -> list[Message]:
        after = pos.copy()
        after.play(seat, move)
        return [
            Message(
                "study.reason.score", who=Seat(seat), n=after.scores[seat], now=pos.scores[seat]
            )
        ]

    def name_move(self, pos: "Position", move: str) -> Message:
        """The name of an action such as "gems", else the move as it is written."""
        action = f"{pos.game.name}.action.{move}"
        return Message(action if action in texts("en") else move)

    def compare(
        self,
        pos: "Position",
        seat: int,
        better: str,
        other: str,
        likely: Mapping[int, Mapping[str, float]] | None = None,
    ) -> list[Reason]:
        return []


class EmptyBoardInfo(msgspec.Struct):
    """For games without a scene, the page shows the position alone."""


class DefaultBoardInfo:
    """Nothing besides the position."""

    def box(self, pos: "Position") -> EmptyBoardInfo:
        return EmptyBoardInfo()

    def scene(self, pos: "Position", seat: int) -> EmptyBoardInfo:
        return EmptyBoardInfo()

    def in_passing(self, pos: "Position") -> EmptyBoardInfo | None:
        return None

    def choices(self, pos: "Position") -> dict[str, Any]:
        return {}

    def aside(self, pos: "Position") -> dict[str, Any]:
        return {}
