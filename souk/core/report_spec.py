"""What a game's `report.py` says: what to look at in a game, and what a report then tells of it.

All of it is declared, and nothing counted or drawn here: the lab (`souk.lab.report`) adds up what was noted in many games, and puts the
figures where a card wants them. A game that has no `report.py` gets what can be told of any game: wins by seat, scores, length.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from souk.core.facts import Fact
from souk.core.position import Position

YES, NO = "yes", "no"


class Moment(NamedTuple):
    """Something that happened in a game: a seat's move, or what a die or card showed (seat None), and what that did."""

    before: Position
    seat: int | None
    text: str
    after: Position
    facts: list[Fact]


Moments = Sequence[Moment]  # of a whole game


def sources(moments: Moments) -> list[dict[str, int]]:
    """By seat: where its points came from in a whole game."""
    start = moments[0].before
    return start.game.facts.sources(start, [fact for moment in moments for fact in moment.facts])


class Notes:
    """What one game was like: `mean` notes a number, `share` of what kind something was, `chance` whether it came to something."""

    def __init__(self) -> None:
        self.means: dict[str, tuple[float, int]] = {}  # by name: the sum, and of how many
        self.shares: dict[str, dict[str, int]] = {}  # by name: how often each kind

    def mean(self, name: str, value: float, of: int = 1) -> None:
        """A number; or, with `of`, the sum of so many."""
        total, cases = self.means.get(name, (0.0, 0))
        self.means[name] = total + value, cases + of

    def share(self, name: str, kind: object) -> None:
        kinds = self.shares.setdefault(name, {})
        kinds[str(kind)] = kinds.get(str(kind), 0) + 1

    def chance(self, name: str, happened: object) -> None:
        self.share(name, YES if happened else NO)


# ---------------------------------------------------------------- which figure


@dataclass(frozen=True)
class Reading:
    """A figure of what was noted under a name in all games: the `mean` of numbers; the `share` of a kind, perhaps none, or nothing where it
    was never `seen`; the mean of parts of a whole, told as a share (`part`); or, whatever the game, a figure of the `outcome`."""

    how: str
    name: str
    kind: str = ""
    share: bool = True  # whether it is told in percent


def mean_of(name: str) -> Reading:
    return Reading("mean", name, share=False)


def share_of(name: str, kind: object) -> Reading:
    return Reading("share", name, str(kind))


def seen_of(name: str, kind: object) -> Reading:
    return Reading("seen", name, str(kind))


def chance_of(name: str) -> Reading:
    return share_of(name, YES)


@dataclass(frozen=True)
class FigureLine:
    """A line of a table: what it is about, and its figure."""

    about: str
    reading: Reading


def mean(about: str, name: str) -> FigureLine:
    return FigureLine(about, mean_of(name))


def kind(about: str, name: str, of: object) -> FigureLine:
    return FigureLine(about, share_of(name, of))


def chance(about: str, name: str) -> FigureLine:
    return FigureLine(about, chance_of(name))


def part(about: str, name: str) -> FigureLine:
    return FigureLine(about, Reading("part", name))


def result(about: str, name: str, *, share: bool = True) -> FigureLine:
    return FigureLine(about, Reading("outcome", name, share=share))


@dataclass(frozen=True)
class Every:
    """A line for every name that begins so, made from the rest of the name; the highest first by the last kind of play, whose mean or
    chance they are ranked by, or else in the order of their names."""

    prefix: str
    line: Callable[[str], FigureLine]
    ranked_by: str = ""  # "mean" or "chance"
    only: Callable[[str], bool] = bool


# ---------------------------------------------------------------- what is told


@dataclass(frozen=True)
class Beside:
    """What is said beside a kind of play: a text with a place {} for a figure, for the number of cases of several, or for the sum of all
    means whose names begin so."""

    text: str
    figure: Reading | None = None
    cases: tuple[Reading, ...] = ()
    sum_of: str = ""


@dataclass(frozen=True)
class Lines:
    """A table: a line for each figure, a column for each kind of play. Lines of which nothing is known are left out. Where there are more
    than `most`, the rest is folded up."""

    lines: Sequence[FigureLine | Every]
    most: int | None = None
    rest: str = ""  # what the rest is called


@dataclass(frozen=True)
class Columns:
    """For each kind of play a column for each figure, by what stands below it."""

    title: str
    figures: Mapping[str, Reading]
    beside: Beside
    even: float | None = None  # where a line marks an even share
    known_only: bool = False  # leave out what no kind of play knows anything of


@dataclass(frozen=True)
class Plan:
    """A board to be drawn: where its fields are, square and all of one size, and what lies round them."""

    size: float
    fields: Mapping[str, tuple[float, float]]  # by name, the upper left corner
    tile: float  # the side of a field
    frame: float  # how far within the size the ground begins
    ways: Sequence[str] = ()  # as SVG paths
    signs: Sequence[
        tuple[float, float, str, str]
    ] = ()  # texts: where, what, and to which side of that ("middle", "end")


@dataclass(frozen=True)
class FieldMap:
    """For each kind of play a board with a share on every field: the brighter, the higher."""

    title: str
    name: str  # under which fields were noted as kinds
    cases: str  # what they are
    plan: Plan


@dataclass(frozen=True)
class Hill:
    """How often each value comes up, where that is known exactly. `per`: so many of the values make one of what is told."""

    title: str
    name: str
    told: str
    counts: Mapping[int, float]
    per: int = 1


@dataclass(frozen=True)
class PairGrid:
    """A value for each pair of numbers: the brighter, the higher."""

    title: str
    values: Mapping[tuple[int, int], float]


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Folded:
    """Something long that is folded up until somebody asks."""

    summary: str
    content: Lines


Content = Lines | Columns | FieldMap | Hill | PairGrid | Paragraph | Folded


@dataclass(frozen=True)
class Card:
    """Something told on the page. In the note, {last} stands for the last kind of play, the strongest as a rule."""

    title: str
    note: str
    content: Sequence[Content]
    wide: bool = False


def tabled(title: str, note: str, lines: Sequence[FigureLine | Every]) -> Card:
    """A card with a table alone."""
    return Card(title, note, [Lines(lines)], wide=True)


def rules_that_matter(lines: Sequence[FigureLine | Every]) -> Card:
    return tabled("How often each rule matters", "Of all cases in which it could have.", lines)


# ---------------------------------------------------------------- all of it


@dataclass(frozen=True)
class Alone:
    """How results are told where there is but one player."""

    title: str = "Alone"
    note: str = "With 95 % intervals."
    won: str = "the game was won"
    score: str = "points"
    verdict: str = "alone {} points are made on average"


@dataclass(frozen=True)
class Besides:
    """What can be told without playing: something is worked out for each part, by whoever has time, and told when all is there. Work and
    parts are sent to other processes, so the work is a function of a module."""

    work: Callable[[Any], Any]
    parts: Sequence[Any]
    cards: Callable[[Sequence[Any]], Sequence[Card]]


def _look_at_nothing(_moments: Moments, _notes: Notes) -> None:
    pass


def _no_cards(_start: Position) -> Sequence[Card]:
    return ()


def _nothing_besides(_start: Position) -> Besides | None:
    return None


@dataclass(frozen=True)
class Report:
    """What a report tells of a game: `REPORT` in the `report.py` of its room. `look` notes what a game was like, `cards` tells of all
    games played from a start."""

    look: Callable[[Moments, Notes], None] = _look_at_nothing
    cards: Callable[[Position], Sequence[Card]] = _no_cards
    first: str = ""  # who goes first, as a sentence
    turns: str = "turns"  # what is noted as the mean "turns"
    options: Mapping[str, Any] = field(
        default_factory=dict
    )  # at a table for two or more, where nobody chooses otherwise
    alone: Alone = Alone()
    besides: Callable[[Position], Besides | None] = _nothing_besides
