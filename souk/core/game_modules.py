"""What a game's room holds, module by module, and what is taken in the place of what is missing.

`rules.py`, `notation.py` and `box.py` every game has. All the rest is optional: whole modules, and in a module whatever the class of defaults
below has an answer to.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec
import numpy as np

from souk.core.datafile import BoxData
from souk.core.facts import CameUp, Chose, Ended, Fact, Moved
from souk.core.fields import Fields, is_whole
from souk.core.message import Message, Seat
from souk.kernel.desk import Layout
from souk.kernel.state import State, StateArray
from souk.kernel.twins import Function
from souk.kernel.watching import Witness

if TYPE_CHECKING:
    from souk.core.numbers import Actions, Field
    from souk.core.position import Position
    from souk.core.record import Record
    from souk.core.view import SeatView

Plain = TypeVar("Plain")  # a class of defaults
Options = dict[str, Any]
Sources = list[dict[str, int]]  # by seat: where its points came from


class Notation(Protocol):
    """`notation.py`: a game's moves, outcomes and positions as text and as JSON."""

    def move_text(self, s: State, move: int) -> str: ...

    def read_move(self, s: State, text: str) -> int:
        """The move a text names, whether legal or not; IllegalMove where it names none."""
        ...

    def outcome_text(self, s: State, outcome: int) -> str: ...

    def read_outcome(self, s: State, text: str) -> int:
        """The outcome a text names, due or not; IllegalMove where it names none."""
        ...

    def field_names(self, players: int) -> tuple[list[str], list[str]]:
        """The JSON fields of a position besides game, players and options: those needed, those ignored."""
        ...

    def position(self, s: State) -> msgspec.Struct:
        """A position with all its fields, as the browser and `to_json` have it."""
        ...

    def from_json(self, s: State, fields: Fields) -> None:
        """Write a position into a state that holds the options; ValueError names the field that is wrong."""
        ...

    def pieces(self, s: State) -> dict[str, int]:
        """How many there are of everything that neither appears nor vanishes, wherever it lies."""
        ...


class Box(Protocol):
    """`box.py`: what is in a game's box, and what can be chosen at the start."""

    DATA: BoxData | None  # what comes from a data file, and so from anybody's own box; None, by default

    def defaults(self, players: int) -> Options:
        """Every option at this number of players, with its default."""
        ...

    def check(self, players: int, options: Options) -> Options:
        """The options in their canonical form; ValueError names the one that makes no sense."""
        ...

    def fill(self, s: State, options: Options) -> None:
        """Write the options and the box data into an empty state."""
        ...

    def extra(self) -> Options:
        """Further options with their defaults, which show among a position's only where they are not the default. None, by default."""
        ...

    def again(self, players: int, options: Options) -> Options:
        """The options of another game of the same people. By default whoever comes next begins."""
        ...


class Facts(Protocol):
    """`facts.py`: what an event did, and what the points of a whole game are made of."""

    KINDS: Sequence[type[Fact]]
    WITNESSES: Mapping[Function, Witness]  # by the rule they look at

    def sources(self, start: "Position", facts: Iterable[Fact]) -> Sources:
        """Where everybody's points came from, by all facts of a game that began so."""
        ...


class Telling(Protocol):
    """`telling.py`: what is said to people, as messages: what happened, what is due, and why something is refused."""

    def told(self, fact: Fact) -> list[Message]:
        """A fact in words, for the log."""
        ...

    def due(self, s: State) -> Message:
        """What die or card is due."""
        ...

    def asked(self, s: State, seat: int, moves: Sequence[int]) -> Message | None:
        """What a seat is to do that may make these moves (the first of them, where they are very many), as one says it after "Your turn:"."""
        ...

    def refusal(self, s: State, seat: int, move: int) -> tuple[Message, str | None]:
        """Why a seat whose turn it is may not make a move, and the clause."""
        ...


class Reasons(Protocol):
    """`reasons.py`: what speaks for a move and against it, as far as it can be counted by the rules alone."""

    def reasons(self, pos: "Position", seat: int, move: str) -> list[Message]:
        """Facts about a legal move of a seat, each with its numbers, from the weightiest on. Of two moves those are compared that have
        the same key and speak of the same seats. `pos` holds nothing that the seat may not know."""
        ...


class Insight(Protocol):
    """`insight.py`: what a strong player looks at: the verbs for it (see souk.kernel.verbs) that it has an answer to, and these."""

    HORIZON: int  # how many quiet positions a playout goes on to before it is judged by `outlook`
    KERNELS: Sequence[Function]  # what `study` compiles
    STAND_INS: Mapping[
        Function, Function
    ]  # what is run in the place of rules where nothing is compiled, and Python would take too long
    DESK: Layout  # fields of its own on the desk where bots think (souk.kernel.desk)
    LAPSES: (
        float  # how often traders play as apprentices do, so that they stand about midway between those and merchants
    )

    def study(self, array: StateArray) -> np.ndarray[Any, np.dtype[np.float32]]:
        """The `lore` of a table: what is worked out once for its box data and options. Kept, where it takes long."""
        ...

    def solved(self, view: "Position") -> list[tuple[str, float, float]]:
        """The moves of a position that is solved exactly, the best first, with win chance and score; empty where it is not."""
        ...


class Mind(Protocol):
    """`mind.py`: what a mind sees of a position: the verb `sight` (see souk.kernel.verbs), and these."""

    ROWS: int  # how many things it tells apart; `sight` numbers them from 0
    MOST_SEEN: int  # as many of them as can be the case at once

    def symmetries(self) -> Sequence[np.ndarray[Any, np.dtype[np.int64]]]:
        """For each way in which a position looks the same: by the number of a thing, its number seen so. The first leaves all as it is."""
        ...

    def looks_around(self, players: int) -> tuple[float, int, bool]:
        """How widely a search explores that goes by the mind, how often it has a position judged again before it looks at its moves, and whether it weighs all
        that dice and cards may bring instead of drawing them (games of at most six whose moves are no secret can)."""
        ...

    def variants(self, players: int) -> Sequence[Options]:
        """The options with which games are played to learn from: usually those by default alone."""
        ...


class Scene(Protocol):
    """`scene.py`: what the rules say about what lies on the table, for whoever draws it."""

    def box(self, pos: "Position") -> msgspec.Struct:
        """What does not change in a game."""
        ...

    def scene(self, pos: "Position", seat: int) -> msgspec.Struct:
        """What a seat, or a spectator (-1), is shown of a position that holds nothing it may not know."""
        ...

    def in_passing(self, pos: "Position") -> msgspec.Struct | None:
        """Of a position that something else followed at once: what of its scene everybody is to see, and is gone in the end; None where nothing is."""
        ...

    def choices(self, pos: "Position") -> dict[str, Any]:
        """By option: what there is to choose from before a game, where one has to see it."""
        ...

    def aside(self, pos: "Position") -> dict[str, Any]:
        """What takes long to work out and is asked for apart."""
        ...


class Puzzles(Protocol):
    """`puzzles.py`: what the game's puzzles of the day are (souk.study.puzzles): errands, alone with dice that are all known beforehand;
    or positions in which one move is clearly the best."""

    GRADES: Sequence[str]  # of errands, from the easiest on; none where there are no errands
    TOPICS: Sequence[str]  # of positions: what is asked for by turns; none where it is whatever comes

    def errand(self, grade: str, rng: Random) -> tuple[Options, list[str]] | None:
        """The options of a game alone and all that comes up in it; None where what was drawn is of another grade."""
        ...

    def shortest(self, start: "Position", coming: Sequence[str]) -> list[str]:
        """Moves that lead to the end of an errand with the lowest score there can be."""
        ...

    def topic(self, pos: "Position", seat: int, best: str) -> str:
        """What kind of decision it is where this is the best move, in a word; "" where that is not worth asking."""
        ...


class Numbers(Protocol):
    """`numbers.py`: what a learning program sees and may do; its verbs are in souk.kernel.verbs."""

    FIELDS: tuple["Field", ...]
    ACTIONS: tuple["Actions", ...]


class Drawing(Protocol):
    """`DRAWING` in `drawing.py`: the table as SVG, and a whole game to step through as HTML."""

    def draw(self, view: "SeatView[Any, Any, Any]", names: Sequence[str] = (), width: float = 700) -> str:
        """The table as one SVG file. Without names players are called by their seats."""
        ...

    def album(self, record: "Record") -> str: ...


class Terminal(Protocol):
    """`terminal.py`: the table in a terminal."""

    def picture(self, view: "SeatView[Any, Any, Any]", names: Sequence[str], language: str) -> Any:
        """Something that rich can print."""
        ...


# ---------------------------------------------------------------- what stands in for what is missing


def completed(module: Any, plain: type[Plain]) -> Plain:
    """A module, with what it lacks taken from a class of defaults; the defaults alone where there is no module."""
    made = plain()
    vars(made).update(
        vars(module) if module else {}
    )  # what the module has stands before what the class has, for defaults too
    return made


class PlainBox:
    """Nothing to choose, and nothing that the rulebook does not have."""

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
        """Where an option names the seat that is first, the next one is. One that goes by lot goes by lot again."""
        if not is_whole(options.get("first")):
            return options
        return options | {"first": (options["first"] + 1) % players}


class PlainInsight:
    """Nothing to be worked out beforehand, and nothing that is solved."""

    HORIZON = 0
    KERNELS: Sequence[Function] = ()
    STAND_INS: Mapping[Function, Function] = {}
    DESK: Layout = ()
    LAPSES = 0.0

    def study(self, array: StateArray) -> np.ndarray[Any, np.dtype[np.float32]]:
        return np.zeros(1, np.float32)

    def solved(self, view: "Position") -> list[tuple[str, float, float]]:
        return []


class PlainMind:
    """Nothing is seen: there is no mind."""

    ROWS = 1
    MOST_SEEN = 1

    def symmetries(self) -> Sequence[np.ndarray[Any, np.dtype[np.int64]]]:
        return [np.arange(self.ROWS)]

    def looks_around(self, players: int) -> tuple[float, int, bool]:
        return 0.08, 0, False

    def variants(self, players: int) -> Sequence[Options]:
        return [{}]


class PlainPuzzles:
    """Positions, of any kind of decision with a few moves to choose from."""

    GRADES: Sequence[str] = ()
    TOPICS: Sequence[str] = ()

    def errand(self, grade: str, rng: Random) -> tuple[Options, list[str]] | None:
        return None

    def shortest(self, start: "Position", coming: Sequence[str]) -> list[str]:
        return []

    def topic(self, pos: "Position", seat: int, best: str) -> str:
        return str(pos.to_json()["phase"])


class PlainFacts:
    """Every move and every outcome as it is written."""

    KINDS: Sequence[type[Fact]] = (Moved, CameUp, Chose, Ended)
    WITNESSES: Mapping[Function, Witness] = {}

    def sources(self, start: "Position", facts: Iterable[Fact]) -> Sources:
        ends = [fact.scores for fact in facts if isinstance(fact, Ended)]
        return [{"points": score} for score in (ends[-1] if ends else start.scores)]


class PlainTelling:
    """Says what can be said of any game."""

    def told(self, fact: Fact) -> list[Message]:
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

    def asked(self, s: State, seat: int, moves: Sequence[int]) -> Message | None:
        return None

    def refusal(self, s: State, seat: int, move: int) -> tuple[Message, str | None]:
        return Message("reason.core.not_allowed"), None


class PlainReasons:
    """Nothing is known of a move but the score that it leads to."""

    def reasons(self, pos: "Position", seat: int, move: str) -> list[Message]:
        then = pos.copy()
        then.play(seat, move)
        return [Message("study.reason.score", who=Seat(seat), n=then.scores[seat], now=pos.scores[seat])]


class NoScene(msgspec.Struct):
    """Of a game without a scene the page shows the position alone."""


class PlainScene:
    """Nothing besides the position."""

    def box(self, pos: "Position") -> NoScene:
        return NoScene()

    def scene(self, pos: "Position", seat: int) -> NoScene:
        return NoScene()

    def in_passing(self, pos: "Position") -> NoScene | None:
        return None

    def choices(self, pos: "Position") -> dict[str, Any]:
        return {}

    def aside(self, pos: "Position") -> dict[str, Any]:
        return {}
