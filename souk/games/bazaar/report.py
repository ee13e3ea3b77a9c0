"""Bazaar looked at: rates and what they are used for, wares and what they bring, chips left over; alone, how near to par."""

from collections import Counter
from itertools import combinations
from typing import Any

from souk.core.position import Position
from souk.core.reporting import Alone, Besides, Moment, Moments, Notes, Report
from souk.games.bazaar import rules, scene
from souk.games.bazaar.box import RATE_CARDS
from souk.games.bazaar.report_cards import cards, par_cards
from souk.games.bazaar.solver import solve


def shape(ware: str) -> str:
    """How a ware's dots are spread over colours, such as "3 + 2"."""
    return " + ".join(map(str, sorted(Counter(ware).values(), reverse=True)))


# ---------------------------------------------------------------- what there was to see


def _sold(moment: Moment, seat: int) -> list[dict[str, Any]]:
    """The wares of a purchase."""
    found: list[dict[str, Any]] = scene.shown(moment.before, moment.after, seat, moment.text)["sold"]
    return found


def _sources(moments: Moments) -> list[dict[str, int]]:
    positions = [moments[0].before, *(moment.after for moment in moments)]
    return scene.sources(positions, [(moment.seat, moment.text) for moment in moments])


# ---------------------------------------------------------------- looking


def look(moments: Moments, notes: Notes) -> None:
    start, end = moments[0].before, moments[-1].after
    rate_cards = scene.box(start)["rates"]
    turns = [0] * start.players  # since the seat's last purchase
    lain: Counter[str] = Counter()  # turns that each ware has lain there
    for moment in moments:
        phase = moment.before.state.phase
        if phase == rules.ACT:
            before = moment.before.to_json()
            _look_at_action(moment.text, before, rate_cards, notes)
            turns[before["turn"]] += 1
            lain.update(stall["top"] for stall in before["stalls"] if stall["top"])
        elif phase == rules.DIE:
            _look_at_die(moment, notes)
        elif phase == rules.BUY and moment.seat is not None:
            _look_at_purchase(moment, moment.seat, notes, turns, lain)
    if start.players == 1:
        _look_at_puzzle(moments, notes)
    else:
        notes.chance("closed by quiet turns", end.to_json()["turns_without_purchase"])
        _look_at_sources(moments, notes)
    notes.chance("chip returned", any(moment.before.state.phase == rules.RETURN for moment in moments))
    notes.mean("turns", sum(moment.before.state.phase == rules.ACT for moment in moments))


def _look_at_action(text: str, before: dict[str, Any], rate_cards: list[Any], notes: Notes) -> None:
    """A roll or a trade. How often a rate is used is told by how often it lay there to be used."""
    trade = text.removeprefix("trade ") if text.startswith("trade") else None
    notes.chance("trade", trade)
    notes.mean("chips held", sum(before["chips"][before["turn"]]))
    for card in before["rates"]:
        ways = [way for left, right in rate_cards[card - 1] for way in (f"{left}>{right}", f"{right}>{left}")]
        notes.chance(f"use of card {card}", trade in ways)
        for way in ways:
            notes.chance(f"use of {way}", way == trade)
    if trade is not None:
        given, got = trade.split(">")
        notes.mean("chips gained by a trade", len(got) - len(given))
        notes.share("chips given and got", f"{len(given)} for {len(got)}")


def _look_at_die(moment: Moment, notes: Notes) -> None:
    notes.share("die", moment.text)
    notes.chance("bank is out", moment.text != "choice" and moment.after.state.bank == moment.before.state.bank)


def _look_at_purchase(moment: Moment, seat: int, notes: Notes, turns: list[int], lain: Counter[str]) -> None:
    notes.chance("bought where one could", moment.text != "done")
    if moment.text == "done" or moment.before.players == 1:
        return
    sold = _sold(moment, seat)
    left = sum(moment.after.to_json()["chips"][seat])
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


def _look_at_sources(moments: Moments, notes: Notes) -> None:
    winners, end = moments[-1].after.winners, moments[-1].after.to_json()
    for seat, points in enumerate(_sources(moments)):
        who = "the winner" if seat in winners else "others"
        notes.mean(f"wares of {who}", end["bought"][seat])
        for source in scene.SOURCES[:6]:
            notes.mean(f"from {source}", points.get(source, 0))
            notes.mean(f"{source} of {who}", points.get(source, 0))


# ---------------------------------------------------------------- alone


def _look_at_puzzle(moments: Moments, notes: Notes) -> None:
    end = moments[-1].after
    par = next(scene.aside(moment.after)["par"] for moment in moments if scene.aside(moment.after))
    notes.chance("bought", end.winners)
    notes.mean("par", par)
    if end.winners:
        notes.mean("actions above par", end.scores[0] - par)


def pairs() -> list[tuple[int, int]]:
    """All pairs of rate cards."""
    return list(combinations(range(1, RATE_CARDS + 1), 2))


def pars(rates: tuple[int, int]) -> dict[str, float]:
    """Par, the smallest expected number of actions, of every ware at a pair of rate cards."""
    from souk.games.bazaar import GAME

    wares = GAME.start(players=1, rates=(1, 2)).chances()
    return {ware: solve(rates, ware).actions for ware in wares}


def besides(start: Position) -> Besides | None:
    """Alone, par of every puzzle of our cards."""
    if start.players > 1 or "cards" in start.options:
        return None
    every = pairs()
    return Besides(pars, every, lambda found: par_cards(dict(zip(every, found, strict=True))))


REPORT = Report(
    look,
    cards,
    first="Seat 0 begins.",
    options={"first": 0},  # otherwise any seat may begin, and seats would tell nothing
    alone=Alone(
        "The puzzle",
        "Games that came to nothing count with all their actions.",
        "the ware was bought",
        "actions",
        "alone it takes {} actions on average",
    ),
    besides=besides,
)
