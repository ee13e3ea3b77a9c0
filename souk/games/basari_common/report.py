"""Measurements for reports of both Basari games: choices and their fate, haggles, prices,
majorities.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from souk.core.facts import Fact
from souk.core.position import Position
from souk.core.report_spec import Moment, Moments, Notes, sources
from souk.games.basari_common import facts
from souk.games.basari_common.notation import GEM_NAMES

MANY = 5  # offers in a haggle; more are counted as this many


class Ground(NamedTuple):
    """The arch or card a choice is based on: points and gems shown there."""

    points: int
    gems: int

    def __str__(self) -> str:
        return f"{self.points} points, {self.gems} gems"


class Haggling:
    """Measures a whole game. `actions`: its actions; `gems`: the one that takes gems."""

    bonus: type[Fact]  # the fact that a seat gets the bonus of a scoring

    def __init__(self, moments: Moments, notes: Notes, actions: Sequence[str], gems: str) -> None:
        self.moments, self.notes, self.actions, self.gems = moments, notes, actions, gems
        self.players = moments[0].before.players
        self.chosen = [Counter[str]() for _ in range(self.players)]
        self.rounds = 0
        self._choices: list[str] = []  # of this round
        self._grounds: list[Ground] = []
        self._lost: set[str] = set()  # actions
        self._offers = 0  # in the current haggle

    def ground(self, pos: Position, seat: int) -> Ground:
        """The arch or card of a seat."""
        raise NotImplementedError

    def look(self) -> None:
        for moment in self.moments:
            for fact in moment.facts:
                self._look_at(fact, moment)
            self._look_at_scoring(
                [fact for fact in moment.facts if isinstance(fact, facts.MajorityScored)], moment
            )
        self._look_at_round()
        self._look_at_end()
        self.notes.mean("turns", self.rounds)

    def _look_at(self, fact: Fact, moment: Moment) -> None:
        match fact:
            case facts.Revealed(choices):
                self._look_at_round()
                self._choices, self._lost = choices, set()
                self._grounds = [self.ground(moment.before, seat) for seat in range(self.players)]
            case facts.Lost(action):
                self._lost.add(action)
            case facts.Offered():
                self._offers += 1
            case facts.HaggleEnded():
                self._look_at_haggle(fact, moment)
            case facts.GemsTaken(seat, gems, wanted) if self._choices[seat] == self.gems:
                self.notes.chance("short", sum(gems) < sum(wanted))

    # ------------------------------------------------------------ choices

    def _look_at_round(self) -> None:
        """After a round: how many wanted the same, and whether anybody got it."""
        if not self._choices:
            return
        self.rounds += 1
        wanted = Counter(self._choices)
        for action in self.actions:
            self.notes.share(f"seats on {action}", wanted[action])
        self.notes.chance("something lost", self._lost)
        for seat, action in enumerate(self._choices):
            self.chosen[seat][action] += 1
            self.notes.share("choice", action)
            self.notes.share(f"choice at {self._grounds[seat]}", action)
            fate = "lost" if action in self._lost else "alone" if wanted[action] == 1 else "shared"
            self.notes.share(f"fate of {action}", fate)

    # ------------------------------------------------------------ haggles

    def _look_at_haggle(self, end: facts.HaggleEnded, moment: Moment) -> None:
        action, notes, given = end.action, self.notes, sum(end.gems)
        notes.share("offers", min(self._offers, MANY))
        notes.chance("more than one offer", self._offers > 1)
        notes.share(f"offers for {action}", min(self._offers, MANY))
        notes.mean(f"gems for {action}", given)
        notes.mean(f"gems after {min(self._offers, MANY)} offers", given)
        notes.chance("opener gets it", end.winner == end.opener)
        if given:
            self._look_at_price(end, moment, given)
        self._offers = 0

    def _look_at_price(self, end: facts.HaggleEnded, moment: Moment, given: int) -> None:
        """What the gems bought, if it came at once: points or gems."""
        for fact in moment.facts:
            match fact:
                case facts.PointsScored(end.winner, worth, end.action):
                    pass
                case facts.GemsTaken(end.winner, gems):
                    worth = sum(gems)
                case _:
                    continue
            self.notes.mean(f"stake for {end.action}", worth)
            self.notes.mean(f"stake for a gem, {end.action}", worth, of=given)

    # ------------------------------------------------------------ scorings, the end

    def _look_at_scoring(self, majorities: Sequence[facts.MajorityScored], moment: Moment) -> None:
        for majority in majorities:
            self.notes.share(
                f"majority of {GEM_NAMES[majority.colour]}", min(len(majority.seats), 3)
            )
            self.notes.chance("majority tied", len(majority.seats) > 1)
        if majorities:
            self.notes.share(
                "seats with a bonus", sum(isinstance(fact, self.bonus) for fact in moment.facts)
            )

    def _look_at_end(self) -> None:
        notes, winners = self.notes, self.moments[-1].after.winners
        for seat, points in enumerate(sources(self.moments)):
            who = "the winner" if seat in winners else "others"
            for source, value in points.items():
                notes.mean(f"from {source}", value)
                notes.mean(f"{source} of {who}", value)
        for action in self.actions:
            most = max(seat[action] for seat in self.chosen)
            keenest = [seat for seat in range(self.players) if self.chosen[seat][action] == most]
            # games with equally keen players say nothing
            if len(keenest) == 1:
                notes.mean(
                    f"win of the keenest on {action}", (keenest[0] in winners) / len(winners)
                )
