"""What both Basari games are looked at for: who chooses what and what becomes of it, haggles and their price, majorities.

What an action is worth, what was carried out and what a scoring paid is asked of the game's scene.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from souk.core.reporting import Moment, Moments, Notes
from souk.games.haggling.notation import GEM_NAMES
from souk.games.haggling.scene import SUPPLY

MANY = 5  # offers in a haggle; more are counted as that many


class Ground(NamedTuple):
    """What a seat stands on when it chooses, an arch or a card: the points and the gems shown there."""

    points: int
    gems: int

    def __str__(self) -> str:
        return f"{self.points} points, {self.gems} gems"


# ---------------------------------------------------------------- what there was to see


def _watched(moment: Moment) -> dict[str, Any]:
    shown: dict[str, Any] = moment.before.game.furniture("scene").shown(
        moment.before, moment.after, moment.seat, moment.text
    )
    return shown


def _sources(moments: Moments) -> list[dict[str, int]]:
    positions = [moments[0].before, *(moment.after for moment in moments)]
    events = [(moment.seat, moment.text) for moment in moments]
    found: list[dict[str, int]] = positions[0].game.furniture("scene").sources(positions, events)
    return found


def _winner(moment: Moment) -> int:
    """To whom the action is left, at the end of a haggle."""
    told = moment.before.game.words.tell(moment.before.state, moment.after.state, moment.seat, moment.text)
    winner: int = told[0].values["other"].number
    return winner


def _stakes(moment: Moment) -> list[Any] | None:
    """What the action brings the opener and the other, where the scene knows that."""
    found: list[Any] | None = moment.before.game.furniture("scene").scene(moment.before, -1).get("stakes")
    return found


# ---------------------------------------------------------------- looking


class Haggling:
    """Looks at a whole game. `actions`: those there are; `gems`: the one that takes gems."""

    def __init__(self, moments: Moments, notes: Notes, actions: Sequence[str], gems: str) -> None:
        self.moments, self.notes, self.actions, self.gems = moments, notes, actions, gems
        self.players = moments[0].before.players
        self.chosen = [Counter[str]() for _ in range(self.players)]
        self.rounds = 0
        self._choices: list[str] = []  # of this round
        self._offers = 0  # in the haggle at hand

    def ground(self, moment: Moment, seat: int) -> Ground:
        """What a seat stands on."""
        raise NotImplementedError

    def look(self) -> None:
        for moment in self.moments:
            shown = _watched(moment)
            if "choices" in shown:
                self._look_at_choices(moment, shown)
            if moment.before.to_json()["haggle"]:
                self._look_at_haggle(moment)
            self._look_at_supply(moment, shown)
            if "scoring" in shown:
                self._look_at_scoring(shown["scoring"])
        self._look_at_end()
        self.notes.mean("turns", self.rounds)

    # ------------------------------------------------------------ choices

    def _look_at_choices(self, moment: Moment, shown: dict[str, Any]) -> None:
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
            self.notes.share(f"choice at {self.ground(moment, seat)}", action)
            fate = "lost" if action in lost else "alone" if wanted[action] == 1 else "shared"
            self.notes.share(f"fate of {action}", fate)

    # ------------------------------------------------------------ haggles

    def _look_at_haggle(self, moment: Moment) -> None:
        if moment.seat is None:  # who opens
            return
        if moment.text.startswith("offer"):
            self._offers += 1
            return
        haggle = moment.before.to_json()["haggle"]
        action, notes = haggle["action"], self.notes
        given = sum(haggle["offer"] or ())
        notes.share("offers", min(self._offers, MANY))
        notes.chance("more than one offer", self._offers > 1)
        notes.share(f"offers for {action}", min(self._offers, MANY))
        notes.mean(f"gems for {action}", given)
        notes.mean(f"gems after {min(self._offers, MANY)} offers", given)
        winner = _winner(moment)
        notes.chance("opener gets it", winner == haggle["seats"][0])
        if given:
            self._look_at_price(moment, haggle, winner, given)
        self._offers = 0

    def _look_at_price(self, moment: Moment, haggle: dict[str, Any], winner: int, given: int) -> None:
        """What the gems bought: points or gems, where it is known what is at stake."""
        stakes = _stakes(moment)
        if stakes is None:
            return
        stake = stakes[haggle["seats"].index(winner)]
        worth = sum(stake) if isinstance(stake, list) else stake
        self.notes.mean(f"stake for {haggle['action']}", worth)
        self.notes.mean(f"stake for a gem, {haggle['action']}", worth, of=given)

    # ------------------------------------------------------------ gems, scorings, the end

    def _look_at_supply(self, moment: Moment, shown: dict[str, Any]) -> None:
        """Whether the supply held all the gems that somebody was to take."""
        for giver, taker, counts in shown.get("gems", []):
            if giver == SUPPLY and self._choices[taker] == self.gems:
                self.notes.chance("short", sum(counts) < self.ground(moment, taker).gems)

    def _look_at_scoring(self, scoring: dict[str, Any]) -> None:
        for colour, (seats, _, _) in zip(GEM_NAMES, scoring["colours"], strict=True):
            self.notes.share(f"majority of {colour}", min(len(seats), 3))
            self.notes.chance("majority tied", len(seats) > 1)
        besides = {seat for seat, _ in scoring["besides"]}
        self.notes.share("seats with a bonus", len(besides))

    def _look_at_end(self) -> None:
        notes, winners = self.notes, self.moments[-1].after.winners
        for seat, points in enumerate(_sources(self.moments)):
            who = "the winner" if seat in winners else "others"
            for source, value in points.items():
                notes.mean(f"from {source}", value)
                notes.mean(f"{source} of {who}", value)
        for action in self.actions:
            most = max(seat[action] for seat in self.chosen)
            keenest = [seat for seat in range(self.players) if self.chosen[seat][action] == most]
            if len(keenest) == 1:  # a game in which two were equally keen tells nothing
                notes.mean(f"win of the keenest on {action}", (keenest[0] in winners) / len(winners))
