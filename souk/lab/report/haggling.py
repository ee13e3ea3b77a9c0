"""What both Basari games are looked at for: who chooses what and what becomes of it, haggles and their price, majorities.

What an action is worth, what was carried out and what a scoring paid is asked of the game's scene.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from souk.games.haggling.notation import GEM_NAMES
from souk.games.haggling.scene import SUPPLY
from souk.lab.report.gathering import Course, Event
from souk.lab.report.tally import Notes

MANY = 5  # offers in a haggle; more are counted as that many


class Ground(NamedTuple):
    """What a seat stands on when it chooses, an arch or a card: the points and the gems shown there."""

    points: int
    gems: int

    def __str__(self) -> str:
        return f"{self.points} points, {self.gems} gems"


class Haggling:
    """Looks at a whole game. `actions`: those there are; `gems`: the one that takes gems."""

    def __init__(self, course: Course, notes: Notes, actions: Sequence[str], gems: str) -> None:
        self.course, self.notes, self.actions, self.gems = course, notes, actions, gems
        self.scene = course[0].before.game.furniture("scene")
        self.players = course[0].before.players
        self.chosen = [Counter[str]() for _ in range(self.players)]
        self.rounds = 0
        self._choices: list[str] = []  # of this round
        self._offers = 0  # in the haggle at hand

    def ground(self, event: Event, seat: int) -> Ground:
        """What a seat stands on."""
        raise NotImplementedError

    def look(self) -> None:
        for event in self.course:
            shown = self.scene.shown(event.before, event.after, event.seat, event.text)
            if "choices" in shown:
                self._look_at_choices(event, shown)
            if event.before.to_json()["haggle"]:
                self._look_at_haggle(event)
            self._look_at_supply(event, shown)
            if "scoring" in shown:
                self._look_at_scoring(shown["scoring"])
        self._look_at_end()
        self.notes.mean("turns", self.rounds)

    # ------------------------------------------------------------ choices

    def _look_at_choices(self, event: Event, shown: dict[str, Any]) -> None:
        """All have chosen: how many want the same, and whether anybody gets it."""
        self.rounds += 1
        self._choices = shown["choices"]
        wanted, lost = Counter(self._choices), shown.get("lost", [])
        for action in self.actions:
            self.notes.share(f"seats on {action}", wanted[action])
        self.notes.chance("something lost", lost)
        for seat, action in enumerate(self._choices):
            self.chosen[seat][action] += 1
            self.notes.share("choice", action)
            self.notes.share(f"choice at {self.ground(event, seat)}", action)
            fate = "lost" if action in lost else "alone" if wanted[action] == 1 else "shared"
            self.notes.share(f"fate of {action}", fate)

    # ------------------------------------------------------------ haggles

    def _look_at_haggle(self, event: Event) -> None:
        if event.seat is None:  # who opens
            return
        if event.text.startswith("offer"):
            self._offers += 1
            return
        haggle = event.before.to_json()["haggle"]
        action, notes = haggle["action"], self.notes
        given = sum(haggle["offer"] or ())
        notes.share("offers", min(self._offers, MANY))
        notes.chance("more than one offer", self._offers > 1)
        notes.share(f"offers for {action}", min(self._offers, MANY))
        notes.mean(f"gems for {action}", given)
        notes.mean(f"gems after {min(self._offers, MANY)} offers", given)
        told = event.before.game.words.tell(event.before.state, event.after.state, event.seat, event.text)
        winner = told[0].values["other"].number  # to whom the action is left
        notes.chance("opener gets it", winner == haggle["seats"][0])
        if given:
            self._look_at_price(event, haggle, winner, given)
        self._offers = 0

    def _look_at_price(self, event: Event, haggle: dict[str, Any], winner: int, given: int) -> None:
        """What the gems bought: points or gems, where the scene knows what is at stake."""
        stakes = self.scene.scene(event.before, -1).get("stakes")
        if stakes is None:
            return
        stake = stakes[haggle["seats"].index(winner)]
        worth = sum(stake) if isinstance(stake, list) else stake
        self.notes.mean(f"stake for {haggle['action']}", worth)
        self.notes.mean(f"stake for a gem, {haggle['action']}", worth, of=given)

    # ------------------------------------------------------------ gems, scorings, the end

    def _look_at_supply(self, event: Event, shown: dict[str, Any]) -> None:
        """Whether the supply held all the gems that somebody was to take."""
        for giver, taker, counts in shown.get("gems", []):
            if giver == SUPPLY and self._choices[taker] == self.gems:
                self.notes.chance("short", sum(counts) < self.ground(event, taker).gems)

    def _look_at_scoring(self, scoring: dict[str, Any]) -> None:
        for colour, (seats, _, _) in zip(GEM_NAMES, scoring["colours"], strict=True):
            self.notes.share(f"majority of {colour}", min(len(seats), 3))
            self.notes.chance("majority tied", len(seats) > 1)
        besides = {seat for seat, _ in scoring["besides"]}
        self.notes.share("seats with a bonus", len(besides))

    def _look_at_end(self) -> None:
        course, notes = self.course, self.notes
        positions = [course[0].before, *(event.after for event in course)]
        winners = positions[-1].winners
        events = [(event.seat, event.text) for event in course]
        for seat, points in enumerate(self.scene.sources(positions, events)):
            who = "the winner" if seat in winners else "others"
            for source, value in points.items():
                notes.mean(f"from {source}", value)
                notes.mean(f"{source} of {who}", value)
        for action in self.actions:
            most = max(seat[action] for seat in self.chosen)
            keenest = [seat for seat in range(self.players) if self.chosen[seat][action] == most]
            if len(keenest) == 1:  # a game in which two were equally keen tells nothing
                notes.mean(f"win of the keenest on {action}", (keenest[0] in winners) / len(winners))
