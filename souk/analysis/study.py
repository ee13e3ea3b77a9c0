"""The study of a game: every step with its win chances, luck and mistakes."""

from pathlib import Path
from statistics import fmean
from typing import Any, Self

import msgspec

from souk.bots.bot import Considered
from souk.core.record import Record

Shares = tuple[float, ...]  # one value per seat

MARKS = ("inaccuracy", "mistake", "blunder")
CHANCES_LOST = (0.02, 0.05, 0.10)  # smallest loss of win chance for each mark
ACTIONS_LOST = (0.2, 0.5, 1.0)  # the same in solitaire
SURE = 2.0  # standard errors subtracted from a loss before it is marked
_NOTHING = 1e-9  # smaller stakes are rounding errors


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event of a game."""

    seat: int | None  # None: a die or card
    text: str
    kind: str  # "move", "secret" (a simultaneous choice) or "chance"
    before: Shares  # win chances
    after: Shares
    luck: Shares  # effect of a die or card, or of others' secret choices, against the average
    gifts: Shares  # effect of a mistake: negative for the mover, positive for those who gained
    best: str | None = None  # the best move (open moves only)
    mix: dict[str, float] = {}  # how often each secret choice should be made
    loss: float = 0.0  # what the mover gave away
    error: float = 0.0  # standard error of the loss
    mark: str = ""
    considered: list[Considered] = []
    exact: bool = False  # whether the loss is exact

    @property
    def weight(self) -> float:
        """Importance: the win chance that changed hands, or actions in solitaire."""
        moved = [luck + gift for luck, gift in zip(self.luck, self.gifts, strict=True)]
        return sum(map(abs, moved)) / (2 if len(moved) > 1 else 1)

    @property
    def stake(self) -> float:
        """The mean loss of a random choice, in win chance or solitaire actions.

        0 if there was no choice or all options were equal: once a game is lost no move can lose
        more.
        """
        alone = len(self.before) == 1
        values = [-entry.score if alone else entry.win for entry in self.considered]
        return fmean(max(values) - value for value in values) if values else 0.0


class Balance(msgspec.Struct, frozen=True):
    """A seat's game in five figures: start + luck + own + others == result."""

    start: float
    luck: float
    own: float  # cost of its own mistakes, never above 0
    others: float  # gain from the others' mistakes
    result: float


class Study(msgspec.Struct, frozen=True):
    """An analysed game.

    In solitaire the chances are 1 and all other values are actions, negated since fewer are better.
    """

    record: str  # text of the record
    playouts: int
    seed: int
    start: Shares
    steps: list[Step]
    seats: list[Balance]
    unfinished: bool = False

    def turning_points(self, most: int = 5) -> list[Step]:
        """The steps that mattered most, by weight."""
        return sorted(
            (step for step in self.steps if step.weight > 0), key=lambda step: -step.weight
        )[:most]

    def decisions(self, seat: int) -> list[Step]:
        """The moves and secret choices of a seat whose alternatives are known."""
        return [step for step in self.steps if step.seat == seat and step.considered]

    @property
    def accuracy(self) -> tuple[float | None, ...]:
        """Quality of each seat's choices: 1 is perfect, 0 no better than random, None without
        stakes.
        """
        return tuple(None if lost is None else max(0.0, 1.0 - lost) for lost in self.share_lost)

    @property
    def share_lost(self) -> tuple[float | None, ...]:
        """Loss relative to random choices, by seat: above 1 is worse. None without stakes."""
        return tuple(_share_lost(self.decisions(seat)) for seat in range(len(self.seats)))

    def game(self) -> Record:
        """The analysed record."""
        return Record.parse(self.record)

    def to_json(self) -> dict[str, Any]:
        """The study as plain dicts and lists."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Read the output of `to_json`; raise ValueError for anything else."""
        from souk.analysis.files import check

        try:
            study = msgspec.convert(data, cls)
            check(study)
        except ValueError as error:
            raise ValueError(f"not a study: {error}") from None
        return study

    def save(self, path: str | Path, language: str = "en") -> None:
        """Write a self-contained HTML page in any of the languages, or JSON if the name ends in
        .json.
        """
        from souk.analysis.files import save

        save(self, Path(path), language)

    def __repr__(self) -> str:
        players = f"{len(self.seats)} player{'s' * (len(self.seats) > 1)}"
        return f"<study of {self.game().game.name}, {players}, {len(self.steps)} steps>"

    def _repr_html_(self) -> str:
        """Notebook view: graph, turning points, luck and skill."""
        from souk.analysis.html import in_short

        return in_short(self)


def mark_of(loss: float, error: float, limits: tuple[float, ...] = CHANCES_LOST) -> str:
    """The mark for a loss, after subtracting its uncertainty."""
    sure = loss - SURE * error
    return next(
        (
            mark
            for mark, limit in zip(reversed(MARKS), reversed(limits), strict=True)
            if sure >= limit
        ),
        "",
    )


def is_doubtful(loss: float, error: float) -> bool:
    """Whether a slightly larger or smaller loss would get another mark."""
    return mark_of(loss - error, error) != mark_of(loss + error, error)


def _share_lost(decisions: list[Step]) -> float | None:
    stakes = sum(step.stake for step in decisions)
    return sum(step.loss for step in decisions) / stakes if stakes > _NOTHING else None
