"""Basari looked at: choices by arch, haggles, majorities, and where the points come from."""

from functools import cached_property

from souk.core.position import Position
from souk.core.reporting import Card, Moment, Moments, Notes, Report
from souk.games.basari import scene, words
from souk.games.haggling import report_cards
from souk.games.haggling.report import Ground, Haggling

ACTIONS = {"dice": "dice", "points": "points", "gems": "gems"}
SOURCES = {
    "dice": "dice",
    "points": "arches",
    "lap": "laps",
    "scoring_1": "scoring 1",
    "scoring_2": "scoring 2",
    "scoring_3": "scoring 3",
}


class _ByArch(Haggling):
    @cached_property
    def _arches(self) -> list[list[int]]:
        found: list[list[int]] = scene.box(self.moments[0].before)["arches"]
        return found

    def ground(self, moment: Moment, seat: int) -> Ground:
        number, *gems = self._arches[moment.before.to_json()["figures"][seat]]
        return Ground(number, sum(gems))


def look(moments: Moments, notes: Notes) -> None:
    _ByArch(moments, notes, words.ACTIONS, "gems").look()


def cards(start: Position) -> list[Card]:
    return report_cards.cards(start.players, ACTIONS, "points", "gems", SOURCES)


REPORT = Report(look, cards, first="Seat 0 places the first disc.", turns="rounds")
