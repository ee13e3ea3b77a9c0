"""Bazaar's report cards: rates, wares and chips left over; in solitaire, par and distance to it."""

from collections import Counter
from collections.abc import Mapping
from statistics import mean as average

from souk.core import report_spec as tell
from souk.core.position import Position
from souk.games.bazaar import board_info

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
BUSIEST = 15  # trades and wares listed before the rest is collapsed

Pars = Mapping[tuple[int, int], Mapping[str, float]]  # by rate cards and ware


def cards(start: Position) -> list[tell.Card]:
    trading = [_die(), _rate_cards(start), _ways()]
    if start.players == 1:
        return [_above_par(), *trading]
    return [_left_over(), _worth_left(), _sources(), _rules(), *trading, _shapes(), _wares()]


# ---------------------------------------------------------------- chips and points


def _left_over() -> tell.Card:
    left = {n: tell.seen_of("chips left over", n) for n in LEFT}
    beside = tell.Caption("{} turns for a ware", tell.mean_of("turns for a purchase"))
    note = (
        "Chips that are left after a purchase, in percent of all purchases. 3 stands for 3 or more."
    )
    return tell.Card(
        "Surplus chips", note, [tell.BarChart("Chips left over at a purchase", left, beside)]
    )


def _worth_left() -> tell.Card:
    points = {n: tell.mean_of(f"points with {n} left") for n in LEFT}
    beside = tell.Caption("{} on average", tell.mean_of("points of a ware"))
    note = "Points of a ware, by the chips that were left after it."
    return tell.Card(
        "What surplus chips cost", note, [tell.BarChart("Points by chips left", points, beside)]
    )


def _sources() -> tell.Card:
    points = {name: tell.mean_of(f"from {source}") for source, name in SOURCES.items()}
    beside = tell.Caption("winner: {} wares", tell.mean_of("wares of the winner"))
    note = "A player's points: wares by chips left over, extras for stars and an empty stall."
    return tell.Card(
        "Where points come from", note, [tell.BarChart("Points by source", points, beside)]
    )


def _rules() -> tell.Card:
    lines = [
        tell.chance("the action is a trade", "trade"),
        tell.mean("chips gained by a trade", "chips gained by a trade"),
        tell.mean("chips held before an action", "chips held"),
        tell.chance("a player who can buy does", "bought where one could"),
        tell.chance("the bank is out of the colour rolled", "bank is out"),
        tell.chance("a player returns an eleventh chip, in a game", "chip returned"),
        tell.chance("the bazaar closes because nobody buys", "closed by quiet turns"),
    ]
    return tell.rules_that_matter(lines)


def _die() -> tell.Card:
    faces = {face: tell.seen_of("die", face) for face in FACES}
    beside = tell.Caption("n = {}", cases=(tell.seen_of("die", FACES[0]),))
    plot = tell.BarChart("Faces of the die", faces, beside, even=1 / len(FACES))
    return tell.Card("How the die falls", "Percent of all rolls.", [plot])


# ---------------------------------------------------------------- rates and wares


def _rate_cards(start: Position) -> tell.Card:
    lines = [
        tell.chance(
            f"card {number}: {', '.join(' = '.join(equation) for equation in card)}",
            f"use of card {number}",
        )
        for number, card in enumerate(board_info.box(start).rates, 1)
    ]
    note = (
        "How often an action is a trade by this card, of the actions for which it lay on the table."
    )
    return tell.table_card("Which rates are used", note, lines)


def _ways() -> tell.Card:
    every = tell.EveryMatching(
        "use of ",
        lambda way: tell.chance(way.replace(">", " for "), f"use of {way}"),
        ranked_by="chance",
        only=lambda way: ">" in way,
    )
    note = "Given for got; most frequent first, by {last}. Of the actions with that card in play."
    return tell.Card(
        "Which trades are made", note, [tell.FigureTable([every], BUSIEST, "all trades")], wide=True
    )


def _shapes() -> tell.Card:
    prefix = "points of wares "
    lines: list[tell.FigureLine | tell.EveryMatching] = [
        *(
            tell.mean(f"points of {stars} wares", f"points of {stars} wares")
            for stars in ("starred", "plain")
        ),
        tell.EveryMatching(
            prefix, lambda shape: tell.mean(f"points, dots {shape}", prefix + shape), "mean"
        ),
        tell.EveryMatching(
            prefix,
            lambda shape: tell.kind(f"of all wares bought, dots {shape}", "shapes bought", shape),
            "mean",
        ),
    ]
    note = "Dots 3 + 2: three of one colour, two of another."
    return tell.table_card("Which wares are worth what", note, lines)


def _wares() -> tell.Card:
    worth = tell.EveryMatching(
        "points of ", lambda ware: tell.mean(ware, f"points of {ware}"), "mean", only=str.isupper
    )
    waits = tell.EveryMatching(
        "turns of ", lambda ware: tell.mean(ware, f"turns of {ware}"), "mean"
    )
    content: list[tell.Content] = [
        tell.FigureTable([worth], BUSIEST, "the wares"),
        tell.Collapsible("Turns each ware was on offer", tell.FigureTable([waits])),
    ]
    note = "Points of each ware when it was bought; most valuable first, by {last}."
    return tell.Card("Wares one by one", note, content, wide=True)


# ---------------------------------------------------------------- solitaire


def _above_par() -> tell.Card:
    lines = [
        tell.mean("par of the puzzles played", "par"),
        tell.mean("actions above par, where the ware was bought", "actions above par"),
        tell.chance("the action is a trade", "trade"),
    ]
    note = "Par is the smallest expected number of actions; perfect play averages par."
    return tell.table_card("How near to par", note, lines)


def par_cards(pars: Pars) -> list[tell.Card]:
    """Exact results: nothing is sampled, so nothing has an interval."""
    return [_par(pars), _par_by_rates(pars), _par_by_ware(pars)]


def _par(pars: Pars) -> tell.Card:
    numbers = [par for by_ware in pars.values() for par in by_ware.values()]
    tenths = Counter(round(10 * par) for par in numbers)
    summary = f"mean {average(numbers):.2f}, {min(numbers):.2f} to {max(numbers):.2f}"
    note = "Smallest expected number of actions, over all pairs of rate cards and all wares. Exact."
    return tell.Card(
        "Par",
        note,
        [tell.Distribution("Par", f"{len(numbers):,} puzzles", summary, tenths, per=10)],
    )


def _par_by_rates(pars: Pars) -> tell.Card:
    by_pair = {rates: average(pars_by_ware.values()) for rates, pars_by_ware in pars.items()}
    easy, hard = (
        min(by_pair, key=lambda rates: by_pair[rates]),
        max(by_pair, key=lambda rates: by_pair[rates]),
    )
    extremes = f"easiest pair is {easy[0]} and {easy[1]}, the hardest {hard[0]} and {hard[1]}"
    note = f"Mean par over all wares. The {extremes}. Exact."
    return tell.Card("Par by rate cards", note, [tell.PairGrid("Par by rate cards", by_pair)])


def _par_by_ware(pars: Pars) -> tell.Card:
    by_ware = {
        ware: average(pars_by_ware[ware] for pars_by_ware in pars.values())
        for ware in next(iter(pars.values()))
    }
    sides = [
        f"{ware} ({by_ware[ware]:.2f})" for ware in sorted(by_ware, key=lambda ware: by_ware[ware])
    ]
    summary = f"Easiest: {', '.join(sides[:5])}. Hardest: {', '.join(sides[-5:])}."
    return tell.Card(
        "Par by ware", "Mean over all pairs of rate cards. Exact.", [tell.Paragraph(summary)]
    )
