"""Basari, the card game, looked at: choices by card, haggles, majorities, workers, and where the points come from."""

from collections.abc import Sequence
from typing import Any

from souk.games.basari_cards import scene
from souk.lab.report import haggling_cards
from souk.lab.report.gathering import Course, Event
from souk.lab.report.haggling import Ground, Haggling
from souk.lab.report.measure import Measured
from souk.lab.report.parts import Card
from souk.lab.report.tally import Notes

OPTIONS: dict[str, Any] = {}
FIRST = "Nobody goes first: all choose at once."
TURNS = "rounds"
ACTIONS = {"A": "workers (A)", "B": "points (B)", "C": "gems (C)", "D": "exchange (D)"}
SOURCES = {"cards": "cards", "workers": "workers", "deal_1": "deal 1", "deal_2": "deal 2", "deal_3": "deal 3"}


class _Cards(Haggling):
    def ground(self, event: Event, seat: int) -> Ground:
        _, points, gems = event.before.to_json()["cards"][seat].split("/")
        return Ground(int(points), len(gems))


def look(course: Course, notes: Notes) -> None:
    _Cards(course, notes, scene.box(course[0].before)["actions"], "C").look()


def cards(plays: Sequence[Measured]) -> list[Card]:
    actions = {action: name for action, name in ACTIONS.items() if plays[0].tally.shares(f"seats on {action}")}
    return haggling_cards.cards(plays, actions, "B", "C", SOURCES)
