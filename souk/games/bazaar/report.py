"""Bazaar's report: use of rates, value of wares, chips left over; in solitaire, distance to par."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from souk.core.facts import Fact
from souk.core.position import Position
from souk.core.report_spec import ExtraWork, Moment, Moments, Notes, Report, SoloTexts, sources
from souk.games.bazaar import board_info
from souk.games.bazaar.box import RATE_CARDS
from souk.games.bazaar.facts import (
    SOURCES,
    BankOut,
    BazaarClosed,
    BoughtNothing,
    ChipReturned,
    DieThrown,
    Rolled,
    Sold,
    Traded,
)
from souk.games.bazaar.report_cards import cards, par_cards
from souk.games.bazaar.solitaire_solver import solve


def shape(ware: str) -> str:
    """How a ware's dots are spread over colours, such as "3 + 2"."""
    return " + ".join(map(str, sorted(Counter(ware).values(), reverse=True)))


# ---------------------------------------------------------------- measuring


class _Look:
    """Looks at a whole game."""

    def __init__(self, moments: Moments, notes: Notes) -> None:
        self.moments, self.notes = moments, notes
        self.start, self.box = moments[0].before, board_info.box(moments[0].before)
        self.turns = [0] * self.start.players  # since the seat's last purchase
        self.lain: Counter[str] = Counter()  # turns each ware has been on offer
        self.actions = 0

    def look(self) -> None:
        for moment in self.moments:
            for fact in moment.facts:
                self._look_at(fact, moment)
            self._look_at_purchase([fact for fact in moment.facts if isinstance(fact, Sold)])
        facts = [fact for moment in self.moments for fact in moment.facts]
        if self.start.players == 1:
            _look_at_puzzle(self.moments, self.notes)
        else:
            self.notes.chance("closed by quiet turns", BazaarClosed("quiet") in facts)
            self._look_at_sources()
        self.notes.chance("chip returned", any(isinstance(fact, ChipReturned) for fact in facts))
        self.notes.mean("turns", self.actions)

    def _look_at(self, fact: Fact, moment: Moment) -> None:
        match fact:
            case Rolled(seat):
                self._look_at_action(seat, None, moment)
            case Traded(seat):
                self._look_at_action(seat, fact, moment)
            case DieThrown(_, face):
                self.notes.share("die", face)
                self.notes.chance(
                    "bank is out", any(isinstance(fact, BankOut) for fact in moment.facts)
                )
            case BoughtNothing():
                self.notes.chance("bought where one could", False)

    def _look_at_action(self, seat: int, traded: Traded | None, moment: Moment) -> None:
        """A roll or a trade. A rate's use is relative to how often it was available."""
        notes, before = self.notes, moment.before.to_json()
        self.actions += 1
        self.turns[seat] += 1
        self.lain.update(stall["top"] for stall in before["stalls"] if stall["top"])
        notes.chance("trade", traded)
        notes.mean("chips held", sum(before["chips"][seat]))
        trade = f"{traded.gives}>{traded.gets}" if traded else None
        for card in before["rates"]:
            ways = [
                way
                for left, right in self.box.rates[card - 1]
                for way in (f"{left}>{right}", f"{right}>{left}")
            ]
            notes.chance(f"use of card {card}", trade in ways)
            for way in ways:
                notes.chance(f"use of {way}", way == trade)
        if traded:
            notes.mean("chips gained by a trade", len(traded.gets) - len(traded.gives))
            notes.share("chips given and got", f"{len(traded.gives)} for {len(traded.gets)}")

    def _look_at_purchase(self, sold: Sequence[Sold]) -> None:
        notes = self.notes
        if sold:
            notes.chance("bought where one could", True)
        if not sold or self.start.players == 1:
            return
        left, seat = min(sold[-1].rest, 3), sold[0].seat
        notes.share("chips left over", left)
        for sale in sold:
            notes.mean("points of a ware", sale.points)
            notes.mean(f"points with {left} left", sale.points)
            notes.mean(f"points of {sale.ware}", sale.points)
            notes.mean(f"turns of {sale.ware}", self.lain.pop(sale.ware))
            notes.mean(
                f"points of {'starred' if sale.ware in self.box.starred else 'plain'} wares",
                sale.points,
            )
            notes.mean(f"points of wares {shape(sale.ware)}", sale.points)
            notes.share("shapes bought", shape(sale.ware))
        notes.mean("turns for a purchase", self.turns[seat], of=len(sold))
        self.turns[seat] = 0

    def _look_at_sources(self) -> None:
        notes, end = self.notes, self.moments[-1].after
        bought = end.to_json()["bought"]
        for seat, points in enumerate(sources(self.moments)):
            who = "the winner" if seat in end.winners else "others"
            notes.mean(f"wares of {who}", bought[seat])
            for source in SOURCES[:6]:
                notes.mean(f"from {source}", points.get(source, 0))
                notes.mean(f"{source} of {who}", points.get(source, 0))


def look(moments: Moments, notes: Notes) -> None:
    _Look(moments, notes).look()


# ---------------------------------------------------------------- solitaire


def _look_at_puzzle(moments: Moments, notes: Notes) -> None:
    end = moments[-1].after
    par = next(
        board_info.aside(moment.after)["par"]
        for moment in moments
        if board_info.aside(moment.after)
    )
    notes.chance("bought", end.winners)
    notes.mean("par", par)
    if end.winners:
        notes.mean("actions above par", end.scores[0] - par)


def pairs() -> list[tuple[int, int]]:
    """All pairs of rate cards."""
    return list(combinations(range(1, RATE_CARDS + 1), 2))


def pars(rates: tuple[int, int]) -> dict[str, float]:
    """Par (the smallest expected number of actions) of every ware with a pair of rate cards."""
    from souk.games.bazaar import GAME

    wares = GAME.start(players=1, rates=(1, 2)).chances()
    return {ware: solve(rates, ware).actions for ware in wares}


def besides(start: Position) -> ExtraWork | None:
    """Solitaire: par of every puzzle of the shipped cards."""
    if start.players > 1 or "cards" in start.options:
        return None
    every = pairs()
    return ExtraWork(pars, every, lambda results: par_cards(dict(zip(every, results, strict=True))))


REPORT = Report(
    look,
    cards,
    first="Seat 0 begins.",
    # A fixed first seat: drawn ones would make seats alike.
    options={"first": 0},
    alone=SoloTexts(
        "The puzzle",
        "Games that came to nothing count with all their actions.",
        "the ware was bought",
        "actions",
        "alone it takes {} actions on average",
    ),
    besides=besides,
)
