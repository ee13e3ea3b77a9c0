"""Basari's report: choices by arch, haggles, majorities, and sources of points."""

from souk.core.position import Position
from souk.core.report_spec import Card, Moments, Notes, Report
from souk.games.basari import notation, rules
from souk.games.basari.facts import LapScored
from souk.games.basari_common import report_cards
from souk.games.basari_common.report import Ground, Haggling

ACTIONS = {"dice": "dice", "points": "points", "gems": "gems"}
_SCORINGS = {f"scoring_{n}": f"scoring {n}" for n in range(1, rules.SCORINGS + 1)}
SOURCES = {"dice": "dice", "points": "arches", "lap": "laps"} | _SCORINGS


class _ByArch(Haggling):
    bonus = LapScored

    def ground(self, pos: Position, seat: int) -> Ground:
        arch = pos.state.figure[seat]
        return Ground(rules.arch_number(pos.state, arch), sum(notation.gems_on(pos.state, arch)))


def look(moments: Moments, notes: Notes) -> None:
    _ByArch(moments, notes, notation.ACTIONS, "gems").look()


def cards(start: Position) -> list[Card]:
    return report_cards.cards(start.players, ACTIONS, "points", "gems", SOURCES)


REPORT = Report(look, cards, first="Seat 0 places the first disc.", turns="rounds")
