"""Bazaar looked at: rates and what they are used for, wares and what they bring, chips left over; alone, how near to par."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from souk.games.bazaar import GAME, rules, scene
from souk.games.bazaar.box import RATE_CARDS
from souk.games.bazaar.solver import solve
from souk.lab.report import bazaar_cards
from souk.lab.report.gathering import Course, Event, Hands, Table, in_order
from souk.lab.report.measure import Measured
from souk.lab.report.parts import Card
from souk.lab.report.tally import Notes

OPTIONS: dict[str, Any] = {"first": 0}  # otherwise any seat may begin, and seats would tell nothing
FIRST = "Seat 0 begins."
TURNS = "turns"


def shape(ware: str) -> str:
    """How a ware's dots are spread over colours, such as "3 + 2"."""
    return " + ".join(map(str, sorted(Counter(ware).values(), reverse=True)))


def look(course: Course, notes: Notes) -> None:
    start, end = course[0].before, course[-1].after
    cards = scene.box(start)["rates"]
    turns = [0] * start.players  # since the seat's last purchase
    lain: Counter[str] = Counter()  # turns that each ware has lain there
    for event in course:
        phase = event.before.state.phase
        if phase == rules.ACT:
            before = event.before.to_json()
            _look_at_action(event.text, before, cards, notes)
            turns[before["turn"]] += 1
            lain.update(stall["top"] for stall in before["stalls"] if stall["top"])
        elif phase == rules.DIE:
            notes.share("die", event.text)
            notes.chance("bank is out", event.text != "choice" and event.after.state.bank == event.before.state.bank)
        elif phase == rules.BUY and event.seat is not None:
            _look_at_purchase(event, event.seat, notes, turns, lain)
    if start.players == 1:
        _look_at_puzzle(course, notes)
    else:
        notes.chance("closed by quiet turns", end.to_json()["turns_without_purchase"])
        _look_at_sources(course, notes)
    notes.chance("chip returned", any(event.before.state.phase == rules.RETURN for event in course))
    notes.mean("turns", sum(event.before.state.phase == rules.ACT for event in course))


def _look_at_action(text: str, before: dict[str, Any], cards: list[Any], notes: Notes) -> None:
    """A roll or a trade. How often a rate is used is told by how often it lay there to be used."""
    trade = text.removeprefix("trade ") if text.startswith("trade") else None
    notes.chance("trade", trade)
    notes.mean("chips held", sum(before["chips"][before["turn"]]))
    for card in before["rates"]:
        ways = [way for left, right in cards[card - 1] for way in (f"{left}>{right}", f"{right}>{left}")]
        notes.chance(f"use of card {card}", trade in ways)
        for way in ways:
            notes.chance(f"use of {way}", way == trade)
    if trade is not None:
        given, got = trade.split(">")
        notes.mean("chips gained by a trade", len(got) - len(given))
        notes.share("chips given and got", f"{len(given)} for {len(got)}")


def _look_at_purchase(event: Event, seat: int, notes: Notes, turns: list[int], lain: Counter[str]) -> None:
    notes.chance("bought where one could", event.text != "done")
    if event.text == "done" or event.before.players == 1:
        return
    sold = scene.shown(event.before, event.after, seat, event.text)["sold"]
    left = sum(event.after.to_json()["chips"][seat])
    notes.share("chips left over", min(left, 3))
    for ware in sold:
        points, name = ware["points"], ware["ware"]
        notes.mean("points of a ware", points)
        notes.mean(f"points with {min(left, 3)} left", points)
        notes.mean(f"points of {name}", points)
        notes.mean(f"turns of {name}", lain.pop(name))
        notes.mean(f"points of {'starred' if ware['star'] else 'plain'} wares", points)
        notes.mean(f"points of wares {shape(name)}", points)
        notes.share("shapes bought", shape(name))
    notes.mean("turns for a purchase", turns[seat], of=len(sold))
    turns[seat] = 0


def _look_at_sources(course: Course, notes: Notes) -> None:
    positions = [course[0].before, *(event.after for event in course)]
    winners, end = positions[-1].winners, positions[-1].to_json()
    found = scene.sources(positions, [(event.seat, event.text) for event in course])
    for seat, points in enumerate(found):
        who = "the winner" if seat in winners else "others"
        notes.mean(f"wares of {who}", end["bought"][seat])
        for source in scene.SOURCES[:6]:
            notes.mean(f"from {source}", points.get(source, 0))
            notes.mean(f"{source} of {who}", points.get(source, 0))


# ---------------------------------------------------------------- alone


def _look_at_puzzle(course: Course, notes: Notes) -> None:
    end = course[-1].after
    par = next(scene.aside(event.after)["par"] for event in course if scene.aside(event.after))
    notes.chance("bought", end.winners)
    notes.mean("par", par)
    if end.winners:
        notes.mean("actions above par", end.scores[0] - par)


def pairs() -> list[tuple[int, int]]:
    """All pairs of rate cards."""
    return list(combinations(range(1, RATE_CARDS + 1), 2))


def wares() -> list[str]:
    """All wares, in the order of the data."""
    return list(GAME.start(players=1, rates=(1, 2)).chances())


def pars(rates: tuple[int, int]) -> dict[str, float]:
    """Par, the smallest expected number of actions, of every ware at a pair of rate cards."""
    return {ware: solve(rates, ware).actions for ware in wares()}


# ---------------------------------------------------------------- on the page


def cards(plays: Sequence[Measured]) -> list[Card]:
    return bazaar_cards.cards(plays)


def aside(table: Table, hands: Hands) -> list[Card]:
    """What can be told besides the games: alone, par of every puzzle of our cards."""
    if table.players > 1 or "cards" in table.options:
        return []
    every = pairs()
    found = in_order(pars, ((rates,) for rates in every), hands)
    return bazaar_cards.par_cards(dict(zip(every, found, strict=True)))
