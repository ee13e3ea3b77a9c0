"""Basari, the card game, looked at: choices by card, haggles, majorities, workers, and where the points come from."""

from souk.core.position import Position
from souk.core.reporting import Card, Moment, Moments, Notes, Report
from souk.games.basari_cards import scene
from souk.games.haggling import report_cards
from souk.games.haggling.report import Ground, Haggling

ACTIONS = {"A": "workers (A)", "B": "points (B)", "C": "gems (C)", "D": "exchange (D)"}
SOURCES = {"cards": "cards", "workers": "workers", "deal_1": "deal 1", "deal_2": "deal 2", "deal_3": "deal 3"}


class _ByCard(Haggling):
    def ground(self, moment: Moment, seat: int) -> Ground:
        _, points, gems = moment.before.to_json()["cards"][seat].split("/")
        return Ground(int(points), len(gems))


def _actions(start: Position) -> list[str]:
    """Those there are at a table of so many."""
    found: list[str] = scene.box(start)["actions"]
    return found


def look(moments: Moments, notes: Notes) -> None:
    _ByCard(moments, notes, _actions(moments[0].before), "C").look()


def cards(start: Position) -> list[Card]:
    actions = {action: ACTIONS[action] for action in _actions(start)}
    return report_cards.cards(start.players, actions, "B", "C", SOURCES)


REPORT = Report(look, cards, first="Nobody goes first: all choose at once.", turns="rounds")
