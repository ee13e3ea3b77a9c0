"""Both Basari games in plain numbers for explanations: gems, majorities, worths of actions.

Majorities are claimed by counting; the worths, the same as in `heuristics.py`, only rank what is
true. Actions by number: progress (the die, a card), points, gems, and the exchange of gems.
"""

import math
from collections.abc import Mapping, Sequence

from souk.core.messages import Message
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.basari_common.notation import GEM_NAMES, Gems, held_gems
from souk.games.basari_common.rules import COLOURS, MAJORITY_POINTS

PROGRESS, POINTS, GEMS, EXCHANGE = range(4)
EVERY_COLOUR = range(COLOURS)

# As in `heuristics.py`: gems that multiply a seat's power by e, by rounds to go; a gem's worth in
# every scoring after the next; what another's gain costs, by players.
_WIDTHS = (0.35, 0.5, 0.7, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4)
_LATER = 0.065
EDGE = (0.0, 0.0, 1.0, 1 / 2, 1 / 3, 1 / 4)
_LEAST_WORTH = 0.5

# By seat, how often (0 to 1) it chooses each move.
Likely = Mapping[int, Mapping[str, float]]
# The same by number of the action.
Wishes = Mapping[int, Sequence[float]]


def reason(family: str, points: float, message: Message) -> Reason:
    return Reason(message.key.rpartition(".")[2], family, points, message)


def colour_name(colour: int) -> Message:
    return Message(f"basari-common.why.colour.{GEM_NAMES[colour]}")


def gem_place(colour: int) -> str:
    return f"gem {GEM_NAMES[colour]}"


class Court:
    """A position: what everybody holds, and what their actions bring.

    Args:
        pos: the position.
        later: scorings after the next.
        rounds: rounds to the next scoring, roughly.
        arch: by seat, the points of the action for points.
        shown: by seat, the gems of the action for gems, as far as the supply lasts.
    """

    # Least lead of the estimate of a choice: below that it has the wrong sign too often.
    clear = 0.8

    def __init__(
        self, pos: Position, later: int, rounds: float, arch: list[int], shown: list[Gems]
    ) -> None:
        s = pos.state
        self.players = int(s.players)
        self.points = [int(points) for points in s.points[: self.players]]
        self.gems = held_gems(s)
        self.later, self.rounds, self.arch, self.shown = later, rounds, arch, shown
        self._width = _WIDTHS[min(int(rounds + 0.5), len(_WIDTHS) - 1)]

    @property
    def edge(self) -> float:
        return EDGE[self.players]

    # ------------------------------------------------------------ worths

    def progress(self, seat: int) -> float:
        """The worth of another roll or card."""
        raise NotImplementedError

    def exchange(self, seat: int) -> float:
        """The worth of exchanging gems."""
        raise NotImplementedError

    def worth(self, seat: int, action: int) -> float:
        if action == PROGRESS:
            return self.progress(seat)
        if action == POINTS:
            return float(self.arch[seat])
        gems = self.gem_worth(seat, self.shown[seat]) if action == GEMS else self.exchange(seat)
        return max(_LEAST_WORTH, gems)

    def gem_worth(self, seat: int, gems: Gems) -> float:
        """The worth of gems from the supply."""
        return self.gain(self.with_gems({seat: gems}), seat)

    def gain(self, then: list[Gems], seat: int) -> float:
        """What gems that change hands bring a seat, in points of this scoring and later."""
        return sum(
            (1 + self.edge)
            * MAJORITY_POINTS[colour]
            * (
                self._part(then, seat, colour)
                - self._part(self.gems, seat, colour)
                + _LATER * self.later * (then[seat][colour] - self.gems[seat][colour])
            )
            for colour in EVERY_COLOUR
            if any(one[colour] != two[colour] for one, two in zip(then, self.gems, strict=True))
        )

    def _part(self, gems: list[Gems], seat: int, colour: int) -> float:
        """The part of a colour's points that a seat may expect at the next scoring."""
        power = [math.exp(held[colour] / self._width) for held in gems]
        return power[seat] / sum(power)

    # ------------------------------------------------------------ gems

    def with_gems(self, more: Mapping[int, Gems]) -> list[Gems]:
        """Everybody's gems with some more (or, below zero, fewer)."""
        return [
            [n + plus for n, plus in zip(held, more[seat], strict=True)] if seat in more else held
            for seat, held in enumerate(self.gems)
        ]

    def majorities(self, gems: list[Gems], seat: int) -> dict[int, int]:
        """Colours of which a seat holds the most, with the number of seats that share it."""
        found = {}
        for colour in EVERY_COLOUR:
            most = max(held[colour] for held in gems)
            if most and gems[seat][colour] == most:
                found[colour] = sum(held[colour] == most for held in gems)
        return found

    def leads(self, seat: int, colour: int) -> bool:
        """Whether a seat alone holds the most of a colour."""
        return self.majorities(self.gems, seat).get(colour) == 1


def alone_and_shared(wishes: Wishes, action: int) -> tuple[float, float]:
    """The chance that no rival chooses an action, and that exactly one does."""
    alone, one = 1.0, 0.0
    for mix in wishes.values():
        chance = mix[action]
        one, alone = one * (1 - chance) + alone * chance, alone * (1 - chance)
    return alone, one


def hope(wishes: Wishes, action: int) -> float:
    """The part of an action that one may expect: half of it if one rival wants it too, none if
    more do. The exchange is never lost.
    """
    alone, one = alone_and_shared(wishes, action)
    return alone + 0.5 * (1 - alone if action == EXCHANGE else one)
