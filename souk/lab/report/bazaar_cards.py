"""What a report tells of Bazaar: rates, wares and chips left over; alone, par and how near one comes to it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from statistics import mean as average

from souk.games.bazaar import GAME, scene
from souk.lab.report.measure import Measured
from souk.lab.report.parts import Card, Line, chance, kind, mean, more, rows_of, table, told
from souk.lab.report.plots import Row, column_plot, grid_plot, hill_plot
from souk.lab.report.tally import Figure

FACES = ("white", "blue", "green", "red", "yellow", "choice")
LEFT = ("0", "1", "2", "3")
SOURCES = {
    "left_0": "0 left",
    "left_1": "1 left",
    "left_2": "2 left",
    "left_3": "3+ left",
    "star": "stars",
    "empty_stall": "empty stall",
}
BUSIEST = 15  # trades and wares that are told of before the rest is folded up

Pars = Mapping[tuple[int, int], Mapping[str, float]]  # by rate cards and ware


def cards(plays: Sequence[Measured]) -> list[Card]:
    trading = [_die(plays), _rate_cards(plays), _ways(plays)]
    if plays[0].table.players == 1:
        return [_above_par(plays), *trading]
    return [
        _left_over(plays),
        _worth_left(plays),
        _sources(plays),
        _rules(plays),
        *trading,
        _shapes(plays),
        _wares(plays),
    ]


# ---------------------------------------------------------------- chips and points


def _left_over(plays: Sequence[Measured]) -> Card:
    rows = rows_of(plays, lambda each: f"{told(each.tally.mean('turns for a purchase'), False)} turns for a ware")
    found = [(row, each.tally.shares("chips left over")) for row, each in zip(rows, plays, strict=True)]
    note = "Chips that are left after a purchase, in percent of all purchases. 3 stands for 3 or more."
    return Card("Surplus chips", note, column_plot("Chips left over at a purchase", found, LEFT))


def _worth_left(plays: Sequence[Measured]) -> Card:
    rows = rows_of(plays, lambda each: f"{told(each.tally.mean('points of a ware'), False)} on average")
    found = [
        (row, {left: figure for left in LEFT if (figure := each.tally.mean(f"points with {left} left"))})
        for row, each in zip(rows, plays, strict=True)
    ]
    note = "Points of a ware, by the chips that were left after it."
    return Card("What surplus chips cost", note, column_plot("Points by chips left", found, LEFT, share=False))


def _sources(plays: Sequence[Measured]) -> Card:
    rows = rows_of(plays, lambda each: f"winner: {told(each.tally.mean('wares of the winner'), False)} wares")
    found = [
        (row, {name: figure for source, name in SOURCES.items() if (figure := each.tally.mean(f"from {source}"))})
        for row, each in zip(rows, plays, strict=True)
    ]
    note = "Points of a player in a game: of wares by the chips left over, and what stars and an empty stall added."
    names = list(SOURCES.values())
    return Card("Where points come from", note, column_plot("Points by source", found, names, share=False))


def _rules(plays: Sequence[Measured]) -> Card:
    lines = [
        chance("the action is a trade", "trade"),
        mean("chips gained by a trade", "chips gained by a trade"),
        mean("chips held before an action", "chips held"),
        chance("whoever can buy does", "bought where one could"),
        chance("the bank is out of the colour rolled", "bank is out"),
        chance("somebody has a chip too many and returns one, in a game", "chip returned"),
        chance("the bazaar closes because nobody buys", "closed by quiet turns"),
    ]
    return Card("How often each rule matters", "Of all cases in which it could have.", table(plays, lines), wide=True)


def _die(plays: Sequence[Measured]) -> Card:
    rows = rows_of(plays, lambda each: f"n = {sum(f.cases for f in list(each.tally.shares('die').values())[:1]):,}")
    found = [(row, each.tally.shares("die")) for row, each in zip(rows, plays, strict=True)]
    note = "Percent of all rolls."
    return Card("How the die falls", note, column_plot("Faces of the die", found, FACES, even=1 / len(FACES)))


# ---------------------------------------------------------------- rates and wares


def _rate_cards(plays: Sequence[Measured]) -> Card:
    rates = scene.box(GAME.start(**plays[0].table.options, players=plays[0].table.players))["rates"]
    lines = [
        chance(f"card {number}: {', '.join(' = '.join(equation) for equation in card)}", f"use of card {number}")
        for number, card in enumerate(rates, 1)
    ]
    note = "How often an action is a trade by this card, of the actions for which it lay on the table."
    return Card("Which rates are used", note, table(plays, lines), wide=True)


def _used(plays: Sequence[Measured], prefix: str, read: str) -> list[str]:
    """Names that begin so, the highest first by the last kind of play."""
    tally = plays[-1].tally
    found: dict[str, Figure] = {}
    for name in tally.names():
        figure = (tally.chance(name) if read == "chance" else tally.mean(name)) if name.startswith(prefix) else None
        if figure is not None:
            found[name.removeprefix(prefix)] = figure
    return sorted(found, key=lambda name: -found[name].value)


def _ways(plays: Sequence[Measured]) -> Card:
    lines = [
        chance(way.replace(">", " for "), f"use of {way}") for way in _used(plays, "use of ", "chance") if ">" in way
    ]
    note = f"Given for got; the busiest first, by {plays[-1].table.bot}. Of the actions for which the card lay on the table."
    return Card("Which trades are made", note, _some(plays, lines, "all trades"), wide=True)


def _some(plays: Sequence[Measured], lines: Sequence[Line], rest: str) -> str:
    first = table(plays, lines[:BUSIEST])
    return first + (more(f"The rest of {rest}", table(plays, lines[BUSIEST:])) if len(lines) > BUSIEST else "")


def _shapes(plays: Sequence[Measured]) -> Card:
    shapes = _used(plays, "points of wares ", "mean")
    lines = [mean(f"points of {stars} wares", f"points of {stars} wares") for stars in ("starred", "plain")]
    lines += [mean(f"points, dots {shape}", f"points of wares {shape}") for shape in shapes]
    lines += [kind(f"of all wares bought, dots {shape}", "shapes bought", shape) for shape in shapes]
    note = "Dots 3 + 2: three of one colour, two of another."
    return Card("Which wares are worth what", note, table(plays, lines), wide=True)


def _wares(plays: Sequence[Measured]) -> Card:
    names = [name for name in _used(plays, "points of ", "mean") if name.isupper()]
    lines = [mean(name, f"points of {name}") for name in names]
    waits = [mean(name, f"turns of {name}") for name in _used(plays, "turns of ", "mean")]
    content = _some(plays, lines, "the wares") + more("Turns that each ware lay there", table(plays, waits))
    note = f"Points of each ware when it was bought; the dearest first, by {plays[-1].table.bot}."
    return Card("Wares one by one", note, content, wide=True)


# ---------------------------------------------------------------- alone


def _above_par(plays: Sequence[Measured]) -> Card:
    lines = [
        mean("par of the puzzles played", "par"),
        mean("actions above par, where the ware was bought", "actions above par"),
        chance("the action is a trade", "trade"),
    ]
    note = "Par is the smallest expected number of actions; whoever plays perfectly is at par on average."
    return Card("How near to par", note, table(plays, lines), wide=True)


def par_cards(pars: Pars) -> list[Card]:
    """What is known exactly: nothing here is sampled, so nothing has an interval."""
    every = [par for by_ware in pars.values() for par in by_ware.values()]
    tenths = Counter(round(10 * par) for par in every)
    row = Row(0, f"{len(every):,} puzzles", f"mean {average(every):.2f}, {min(every):.2f} to {max(every):.2f}")
    by_ware = {ware: average(found[ware] for found in pars.values()) for ware in next(iter(pars.values()))}
    ranked = sorted(by_ware, key=lambda ware: by_ware[ware])
    by_pair = {rates: average(found.values()) for rates, found in pars.items()}
    easy, hard = min(by_pair, key=lambda rates: by_pair[rates]), max(by_pair, key=lambda rates: by_pair[rates])
    sides = [f"{ware} ({by_ware[ware]:.2f})" for ware in ranked]
    told_wares = f"Easiest: {', '.join(sides[:5])}. Hardest: {', '.join(sides[-5:])}."
    note = f"Mean par over all wares. The easiest pair is {easy[0]} and {easy[1]}, the hardest {hard[0]} and {hard[1]}. Exact."
    return [
        Card(
            "Par",
            "The smallest expected number of actions, over all pairs of rate cards and all wares. Exact.",
            hill_plot("Par", [(row, tenths)], per=10),
        ),
        Card("Par by rate cards", note, grid_plot("Par by rate cards", by_pair)),
        Card("Par by ware", "Mean over all pairs of rate cards. Exact.", f"<p>{escape(told_wares)}</p>"),
    ]
