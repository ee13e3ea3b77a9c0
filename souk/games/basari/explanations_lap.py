"""Basari in plain numbers for explanations, and reasons about the lap and the arches ahead."""

import math
from collections.abc import Iterator

from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.basari import rules
from souk.games.basari.board_info import SCORING
from souk.games.basari.notation import ACTIONS, gems_on
from souk.games.basari_common.board_info import gains
from souk.games.basari_common.explanations_choices import Choice
from souk.games.basari_common.explanations_court import (
    GEMS,
    POINTS,
    PROGRESS,
    Court,
    reason,
)
from souk.games.basari_common.rules import MAJORITY_POINTS

Reasons = Iterator[Reason]
FACES = range(1, rules.FACES + 1)
# Arches per round of the furthest figure; a roll's points and steps, roughly.
_PACE, _ROLL, _STEPS = 4.7, 2.5, 4
_RICH, _MANY = 6, 3  # points or gems that make an arch a good one
_WELL = 4  # good ones of the next six that are worth a sentence


class BasariCourt(Court):
    def __init__(self, pos: Position) -> None:
        s = pos.state
        seats = range(int(s.players))
        self.walked = [int(s.walked[seat]) for seat in seats]
        rounds = max(rules.ARCHES - max(self.walked), 0) / _PACE + 0.6
        supply = [int(n) for n in s.supply]
        arches = [int(s.figure[seat]) for seat in seats]
        shown = [
            [min(n, left) for n, left in zip(gems_on(s, arch), supply, strict=True)]
            for arch in arches
        ]
        points = [int(rules.arch_number(s, arch)) for arch in arches]
        later = max(rules.SCORINGS - 1 - int(s.scorings), 0)
        super().__init__(pos, later, rounds, points, shown)

    def completing(self, seat: int) -> int:
        """Faces of another roll that complete the lap."""
        walked = self.walked[seat]
        if walked >= rules.ARCHES:
            return 0
        return sum(walked + face >= rules.ARCHES for face in FACES)

    def progress(self, seat: int) -> float:
        gain = self._lap_chance(seat, _STEPS) - self._lap_chance(seat, 0)
        return _ROLL + rules.LAP_POINTS * gain

    def _lap_chance(self, seat: int, steps: int) -> float:
        if self.walked[seat] + steps >= rules.ARCHES:
            return 1.0
        furthest = max(walked for other, walked in enumerate(self.walked) if other != seat)
        behind = min(max(furthest - self.walked[seat] - steps, -12), 12)
        haste = min(int(self.rounds + 0.5), 8)
        return 1 / (1 + math.exp(behind / (1.5 + 0.8 * haste)))


def nouns() -> list[Message]:
    """By action: its name as an object."""
    return [Message(f"basari.why.noun.{action}") for action in ACTIONS]


def of_the_dice(pos: Position, choice: Choice, court: BasariCourt, points: float) -> Reasons:
    """For or against another roll."""
    seat, me = choice.seat, Seat(choice.seat)
    if choice.action == PROGRESS:
        yield from _of_rolling(choice, court, points)
        yield from _of_hurrying(pos, choice, court)
    elif choice.other == PROGRESS:
        places = [f"seat {seat}"]
        if court.walked[seat] >= rules.ARCHES and choice.action == GEMS:
            yield reason("lap", points, Message("basari.why.lap_done", me=me).at(*places))
        elif not court.completing(seat):
            if choice.action == POINTS:
                message = Message("basari.why.points_dice", n=court.arch[seat])
                yield reason("points", points, message.at(*places))
            else:
                message = Message("basari.why.no_lap", me=me)
                yield reason("lap", 0.7 * points, message.at(*places))


def _of_rolling(choice: Choice, court: BasariCourt, points: float) -> Reasons:
    seat, me = choice.seat, Seat(choice.seat)
    faces, left = court.completing(seat), rules.ARCHES - court.walked[seat]
    if faces == rules.FACES:
        yield reason("lap", points, Message("basari.why.lap_sure", me=me).at(f"seat {seat}"))
    elif faces:
        message = Message("basari.why.lap", me=me, n=faces).at(f"seat {seat}")
        yield reason("lap", points, message)
    elif left > 0 and choice.worth_more > 0.3:
        message = Message("basari.why.catch_up", me=me, n=left).at(f"seat {seat}")
        yield reason("lap", points, message)


def _of_hurrying(pos: Position, choice: Choice, court: BasariCourt) -> Reasons:
    """The last scoring would be won now."""
    if court.later:
        return
    income = gains(SCORING, pos.state)
    totals = [points + more for points, more in zip(court.points, income, strict=True)]
    ahead = totals[choice.seat] - max(
        total for seat, total in enumerate(totals) if seat != choice.seat
    )
    if ahead > 0:
        message = Message("basari.why.hurry_end", me=Seat(choice.seat)).at(f"seat {choice.seat}")
        yield reason("lap", 1.0 + 0.1 * ahead, message)


# ---------------------------------------------------------------- where to start


def good_arches(pos: Position, start: int) -> int:
    """Good ones among the six arches that a first roll reaches."""
    s = pos.state
    reached = [(start + face) % rules.ARCHES for face in FACES]
    return sum(
        int(rules.arch_number(s, arch)) >= _RICH or sum(gems_on(s, arch)) >= _MANY
        for arch in reached
    )


def of_a_start(pos: Position, seat: int, better: int, other: int) -> Reasons:
    one, two = (good_arches(pos, code - rules.ARCH) for code in (better, other))
    if one >= _WELL and one > two and _value(pos, better) > _value(pos, other):
        arches = [(better - rules.ARCH + face) % rules.ARCHES for face in FACES]
        message = Message("basari.why.start_rich", me=Seat(seat), n=one, m=two)
        yield reason("start", 0.2 * (one - two), message.at(*(f"arch {arch}" for arch in arches)))


def _value(pos: Position, code: int) -> float:
    """Points and gems of the next six arches."""
    s, value = pos.state, 0.0
    for face in FACES:
        arch = (code - rules.ARCH + face) % rules.ARCHES
        gems = zip(gems_on(s, arch), MAJORITY_POINTS, strict=True)
        value += int(rules.arch_number(s, arch)) + sum(n * each for n, each in gems) / 6
    return value
