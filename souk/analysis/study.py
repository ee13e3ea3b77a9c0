"""A study: a whole game looked back at, step by step, with luck told from skill."""

from math import fsum
from pathlib import Path
from statistics import fmean
from typing import Any, Self

import msgspec

from souk.bots.bot import Considered
from souk.core.record import Record

Shares = tuple[float, ...]  # something of everybody, by seat

MARKS = ("inaccuracy", "mistake", "blunder")
CHANCES_LOST = (0.02, 0.05, 0.10)  # of winning, from which on a move is called so
ACTIONS_LOST = (0.2, 0.5, 1.0)  # alone
SURE = 2.0  # standard errors that a loss must be above
_NOTHING = 1e-9  # stakes that are less are rounding


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event of a game."""

    seat: int | None  # None: a die or card
    text: str
    kind: str  # "move", "secret" (a choice that others could not see) or "chance"
    before: Shares  # everybody's chance to win
    after: Shares
    luck: Shares  # what a die or card, or others' secret choices, brought against their average
    gifts: Shares  # what the mover gave away (below 0 for the mover), and who was given it
    best: str | None = None  # the best move there was, of moves that all could see
    mix: dict[str, float] = {}  # how often each of the secret choices should be made
    loss: float = 0.0  # what the mover gave away
    error: float = 0.0  # the standard error of that
    mark: str = ""
    considered: list[Considered] = []
    exact: bool = False  # whether the loss is known for certain

    @property
    def weight(self) -> float:
        """How much it mattered: how much of the chances changed hands, or alone how many actions."""
        moved = [luck + gift for luck, gift in zip(self.luck, self.gifts, strict=True)]
        return sum(map(abs, moved)) / (2 if len(moved) > 1 else 1)

    @property
    def stake(self) -> float:
        """What there was to give away: what choosing at random would have given away on average. Chances to win, or alone actions.

        It is 0 where there was no choice, and where all came to the same: whoever has lost already cannot lose more, however bad the move."""
        alone = len(self.before) == 1
        worths = [-each.score if alone else each.win for each in self.considered]
        return fmean(max(worths) - worth for worth in worths) if worths else 0.0


class Balance(msgspec.Struct, frozen=True):
    """A seat's game in five figures: start + luck + own + others == result."""

    start: float
    luck: float
    own: float  # what its own errors cost it: never above 0
    others: float  # what the others' errors brought it
    result: float


class Study(msgspec.Struct, frozen=True):
    """A game looked back at. Alone everything but the chances, which are 1, is in actions, fewer of them being better: -7.0 is seven."""

    record: str  # the game, as a record is written
    playouts: int
    seed: int
    start: Shares
    steps: list[Step]
    seats: list[Balance]
    unfinished: bool = False

    def turning_points(self, most: int = 5) -> list[Step]:
        """The steps that mattered most, the weightiest first."""
        return sorted((step for step in self.steps if step.weight > 0), key=lambda step: -step.weight)[:most]

    def decisions(self, seat: int) -> list[Step]:
        """The moves and secret choices of a seat of which it is known what there was to choose from."""
        return [step for step in self.steps if step.seat == seat and step.considered]

    @property
    def accuracy(self) -> tuple[float | None, ...]:
        """How well everybody chose, by seat: 1 for a perfect game, 0 for choices no better than random ones, however much was at stake. None where nothing
        was. Alone too, where losses and stakes are both in actions."""
        return tuple(None if lost is None else max(0.0, 1.0 - lost) for lost in self.share_lost)

    @property
    def share_lost(self) -> tuple[float | None, ...]:
        """What everybody gave away, of what choosing at random each time would have given away on average: above 1 where they chose
        worse than at random. None where nothing was at stake."""
        return tuple(_share_lost(self.decisions(seat)) for seat in range(len(self.seats)))

    def game(self) -> Record:
        """The record that was looked at."""
        return Record.parse(self.record)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain dicts and lists."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found

    @classmethod
    def from_json(cls, data: object) -> Self:
        """A study from what `to_json` gave; ValueError says what is wrong with anything else."""
        from souk.study.keeping import check

        try:
            study = msgspec.convert(data, cls)
            check(study)
        except ValueError as error:
            raise ValueError(f"not a study: {error}") from None
        return study

    def save(self, path: str | Path, language: str = "en") -> None:
        """One page of HTML that holds everything, in any of the languages, or with a name that ends in .json the study itself."""
        from souk.study.keeping import save

        save(self, Path(path), language)

    def __repr__(self) -> str:
        players = f"{len(self.seats)} player{'s' * (len(self.seats) > 1)}"
        return f"<study of {self.game().game.name}, {players}, {len(self.steps)} steps>"

    def _repr_html_(self) -> str:
        """In a notebook: graph, turning points, and everybody's luck and skill."""
        from souk.study.page import in_short

        return in_short(self)


def mark_of(loss: float, error: float, limits: tuple[float, ...] = CHANCES_LOST) -> str:
    """The word for a loss that is surely so large."""
    sure = loss - SURE * error
    return next((mark for mark, limit in zip(reversed(MARKS), reversed(limits), strict=True) if sure >= limit), "")


def is_doubtful(loss: float, error: float) -> bool:
    """Whether a loss might as well go by another word, if it were a little larger or smaller."""
    return mark_of(loss - error, error) != mark_of(loss + error, error)


def _share_lost(decisions: list[Step]) -> float | None:
    stakes = sum(step.stake for step in decisions)
    return sum(step.loss for step in decisions) / stakes if stakes > _NOTHING else None


def balances(start: Shares, result: Shares, steps: list[Step]) -> list[Balance]:
    """Every seat's game, added up."""
    found = []
    for seat in range(len(start)):
        luck = fsum(step.luck[seat] for step in steps)
        own = fsum(step.gifts[seat] for step in steps if step.seat == seat)
        others = fsum(step.gifts[seat] for step in steps if step.seat != seat)
        found.append(Balance(start[seat], luck, own, others, result[seat]))
    return found
