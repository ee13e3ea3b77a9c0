"""Basari looked at: choices by arch, haggles, majorities, and where the points come from."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from souk.games.basari import scene, words
from souk.lab.report import haggling_cards
from souk.lab.report.gathering import Course, Event
from souk.lab.report.haggling import Ground, Haggling
from souk.lab.report.measure import Measured
from souk.lab.report.parts import Card
from souk.lab.report.tally import Notes

OPTIONS: dict[str, Any] = {}
FIRST = "Seat 0 places the first disc."
TURNS = "rounds"
ACTIONS = {"dice": "dice", "points": "points", "gems": "gems"}
SOURCES = {
    "dice": "dice",
    "points": "arches",
    "lap": "laps",
    "scoring_1": "scoring 1",
    "scoring_2": "scoring 2",
    "scoring_3": "scoring 3",
}


class _Arches(Haggling):
    @cached_property
    def _arches(self) -> list[list[int]]:
        found: list[list[int]] = scene.box(self.course[0].before)["arches"]
        return found

    def ground(self, event: Event, seat: int) -> Ground:
        number, *gems = self._arches[event.before.to_json()["figures"][seat]]
        return Ground(number, sum(gems))


def look(course: Course, notes: Notes) -> None:
    _Arches(course, notes, words.ACTIONS, "gems").look()


def cards(plays: Sequence[Measured]) -> list[Card]:
    return haggling_cards.cards(plays, ACTIONS, "points", "gems", SOURCES)
