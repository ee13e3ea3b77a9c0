"""Report of Basari, the card game: choices by card, haggles, majorities, workers, sources
of points.
"""

from souk.core.position import Position
from souk.core.report_spec import Card, Moments, Notes, Report
from souk.games.basari_cards import notation, rules
from souk.games.basari_cards.facts import WorkersScored
from souk.games.basari_common import report_cards
from souk.games.basari_common.report import Ground, Haggling

ACTIONS = {"A": "workers (A)", "B": "points (B)", "C": "gems (C)", "D": "exchange (D)"}
_DEALS = {f"deal_{n}": f"deal {n}" for n in range(1, rules.DEALS + 1)}
SOURCES = {"cards": "cards", "workers": "workers"} | _DEALS


class _ByCard(Haggling):
    bonus = WorkersScored

    def ground(self, pos: Position, seat: int) -> Ground:
        card = pos.state.card[seat]
        return Ground(rules.points_on(pos.state, card), sum(notation.gems_on(pos.state, card)))


def _actions(start: Position) -> tuple[str, ...]:
    """The actions at a table of this size."""
    return notation.ACTIONS[: rules.actions(start.state)]


def look(moments: Moments, notes: Notes) -> None:
    _ByCard(moments, notes, _actions(moments[0].before), "C").look()


def cards(start: Position) -> list[Card]:
    actions = {action: ACTIONS[action] for action in _actions(start)}
    return report_cards.cards(start.players, actions, "B", "C", SOURCES)


REPORT = Report(look, cards, first="Nobody goes first: all choose at once.", turns="rounds")
