"""Declarations in a game's `report.py`: what to measure in a game, and how to present it.

Nothing is counted or drawn here: the lab (`souk.lab.report`) aggregates the notes of many games and
fills in the cards. Without a `report.py`, a report shows wins by seat, scores and length.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from souk.core.facts import Fact
from souk.core.position import Position

YES, NO = "yes", "no"


class Moment(NamedTuple):
    """An event of a game, with the positions before and after it and its facts."""

    before: Position
    seat: int | None
    text: str
    after: Position
    facts: list[Fact]


Moments = Sequence[Moment]  # of a whole game


def sources(moments: Moments) -> list[dict[str, int]]:
    """Each seat's points by source in a whole game."""
    start = moments[0].before
    return start.game.facts.sources(start, [fact for moment in moments for fact in moment.facts])


class Notes:
    """Measurements of one game: means of numbers, shares of categories, chances of events."""

    def __init__(self) -> None:
        self.means: dict[str, tuple[float, int]] = {}  # by name: sum and count
        self.shares: dict[str, dict[str, int]] = {}  # by name: counts by category

    def mean(self, name: str, value: float, of: int = 1) -> None:
        """Note a number; or, with `of`, a sum of that many."""
        total, cases = self.means.get(name, (0.0, 0))
        self.means[name] = total + value, cases + of

    def share(self, name: str, kind: object) -> None:
        kinds = self.shares.setdefault(name, {})
        kinds[str(kind)] = kinds.get(str(kind), 0) + 1

    def chance(self, name: str, happened: object) -> None:
        self.share(name, YES if happened else NO)


# ---------------------------------------------------------------- statistics


@dataclass(frozen=True)
class Statistic:
    """A statistic of what was noted under a name in all games.

    `how` is the `mean` of numbers; the `share` of a category; the share of a category only where it
    occurred (`seen`); the mean of parts of a whole (`part`); or a statistic of any game's
    `outcome`.
    """

    how: str
    name: str
    kind: str = ""
    share: bool = True  # shown as a percentage


def mean_of(name: str) -> Statistic:
    return Statistic("mean", name, share=False)


def share_of(name: str, kind: object) -> Statistic:
    return Statistic("share", name, str(kind))


def seen_of(name: str, kind: object) -> Statistic:
    return Statistic("seen", name, str(kind))


def chance_of(name: str) -> Statistic:
    return share_of(name, YES)


@dataclass(frozen=True)
class FigureLine:
    """A row of a table: a label and a statistic."""

    about: str
    reading: Statistic


def mean(about: str, name: str) -> FigureLine:
    return FigureLine(about, mean_of(name))


def kind(about: str, name: str, of: object) -> FigureLine:
    return FigureLine(about, share_of(name, of))


def chance(about: str, name: str) -> FigureLine:
    return FigureLine(about, chance_of(name))


def part(about: str, name: str) -> FigureLine:
    return FigureLine(about, Statistic("part", name))


def result(about: str, name: str, *, share: bool = True) -> FigureLine:
    return FigureLine(about, Statistic("outcome", name, share=share))


@dataclass(frozen=True)
class EveryMatching:
    """One row for every name with a prefix, made from the rest of the name.

    Sorted by the mean or chance in the last kind of play, highest first, or else by name.
    """

    prefix: str
    line: Callable[[str], FigureLine]
    ranked_by: str = ""  # "mean" or "chance"
    only: Callable[[str], bool] = bool


# ---------------------------------------------------------------- content


@dataclass(frozen=True)
class Caption:
    """A caption of one kind of play: a text with a placeholder {}.

    The placeholder is for a statistic, the number of cases of several, or the sum of all means
    whose names have a prefix.
    """

    text: str
    figure: Statistic | None = None
    cases: tuple[Statistic, ...] = ()
    sum_of: str = ""


@dataclass(frozen=True)
class FigureTable:
    """A table with a row per figure and a column per kind of play.

    Rows without data are left out; rows beyond `most` are collapsed.
    """

    lines: Sequence[FigureLine | EveryMatching]
    most: int | None = None
    rest: str = ""  # label of the collapsed rows


@dataclass(frozen=True)
class BarChart:
    """For each kind of play, a labelled bar per statistic."""

    title: str
    figures: Mapping[str, Statistic]
    beside: Caption
    even: float | None = None  # position of the line for an even share
    known_only: bool = False  # leave out bars without data


@dataclass(frozen=True)
class BoardPlan:
    """The geometry of a board: its square fields, all of one size, and decorations."""

    size: float
    fields: Mapping[str, tuple[float, float]]  # upper left corners by name
    tile: float  # side of a field
    frame: float  # width of the frame
    ways: Sequence[str] = ()  # as SVG paths
    # Texts: position, text, and text-anchor ("middle", "end").
    signs: Sequence[tuple[float, float, str, str]] = ()


@dataclass(frozen=True)
class FieldMap:
    """For each kind of play, a board with fields shaded by share."""

    title: str
    name: str  # the share whose categories are fields
    cases: str  # label of the cases
    plan: BoardPlan


@dataclass(frozen=True)
class Distribution:
    """An exactly known distribution. `per`: the number of values per unit shown."""

    title: str
    name: str
    told: str
    counts: Mapping[int, float]
    per: int = 1


@dataclass(frozen=True)
class PairGrid:
    """A value for each pair of numbers, shown as shading."""

    title: str
    values: Mapping[tuple[int, int], float]


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Collapsible:
    """Long content, collapsed by default."""

    summary: str
    content: FigureTable


Content = FigureTable | BarChart | FieldMap | Distribution | PairGrid | Paragraph | Collapsible


@dataclass(frozen=True)
class Card:
    """A card. In the note, {last} is the last kind of play, usually the strongest."""

    title: str
    note: str
    content: Sequence[Content]
    wide: bool = False


def table_card(title: str, note: str, lines: Sequence[FigureLine | EveryMatching]) -> Card:
    """A card with a single table."""
    return Card(title, note, [FigureTable(lines)], wide=True)


def rules_that_matter(lines: Sequence[FigureLine | EveryMatching]) -> Card:
    return table_card("How often each rule matters", "Of all cases in which it could have.", lines)


# ---------------------------------------------------------------- report


@dataclass(frozen=True)
class SoloTexts:
    """Labels for results of a single player."""

    title: str = "SoloTexts"
    note: str = "With 95 % intervals."
    won: str = "the game was won"
    score: str = "points"
    verdict: str = "alone {} points are made on average"


@dataclass(frozen=True)
class ExtraWork:
    """Content computed without playing games.

    `work` is applied to each part, in other processes, so it must be a module-level function.
    """

    work: Callable[[Any], Any]
    parts: Sequence[Any]
    cards: Callable[[Sequence[Any]], Sequence[Card]]


def _no_notes(_moments: Moments, _notes: Notes) -> None:
    pass


def _no_cards(_start: Position) -> Sequence[Card]:
    return ()


def _no_extra_work(_start: Position) -> ExtraWork | None:
    return None


@dataclass(frozen=True)
class Report:
    """A game's report: `REPORT` in its `report.py`.

    `look` measures a game; `cards` makes the cards for all games from a start position.
    """

    look: Callable[[Moments, Notes], None] = _no_notes
    cards: Callable[[Position], Sequence[Card]] = _no_cards
    first: str = ""  # a sentence on who goes first
    turns: str = "turns"  # label of the mean "turns"
    # Default options for two or more players.
    options: Mapping[str, Any] = field(default_factory=dict)
    alone: SoloTexts = SoloTexts()
    besides: Callable[[Position], ExtraWork | None] = _no_extra_work
