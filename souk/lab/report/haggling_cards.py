"""What a report tells of both Basari games: choices, haggles, supply and majorities, and where the points come from."""

from collections.abc import Mapping, Sequence

from souk.games.haggling.notation import GEM_NAMES
from souk.lab.report.haggling import MANY
from souk.lab.report.measure import Measured
from souk.lab.report.parts import Card, Line, chance, kind, mean, part, rows_of, table, told
from souk.lab.report.plots import column_plot

Names = Mapping[str, str]  # how actions and sources are called on the page


def cards(plays: Sequence[Measured], actions: Names, points: str, gems: str, sources: Names) -> list[Card]:
    """`points` and `gems`: the actions that bring these."""
    return [
        _choices(plays, actions),
        _offers(plays),
        _prices(plays, actions),
        _sources(plays, sources),
        _crowds(plays, actions),
        _haggles(plays, actions, points, gems),
        _rules(plays),
        _keenest(plays, actions),
        _grounds(plays, actions, gems),
        _winners(plays, sources),
    ]


def _choices(plays: Sequence[Measured], actions: Names) -> Card:
    rows = rows_of(plays, lambda each: f"{told(each.tally.mean('turns'), False)} rounds a game")
    found = [
        (row, {actions[action]: figure for action, figure in each.tally.shares("choice").items()})
        for row, each in zip(rows, plays, strict=True)
    ]
    note = "Percent of all choices."
    return Card("What is chosen", note, column_plot("Choices by action", found, list(actions.values())))


def _offers(plays: Sequence[Measured]) -> Card:
    rows = rows_of(plays, lambda each: f"opener gets it: {told(each.tally.chance('opener gets it'), True)}")
    kinds = [str(n) for n in range(MANY + 1)]
    found = [(row, each.tally.shares("offers")) for row, each in zip(rows, plays, strict=True)]
    note = f"How many offers are made until one stands, in percent of all haggles. {MANY} stands for {MANY} or more, 0 for a haggle opened with nothing."
    return Card("Offers in a haggle", note, column_plot("Offers in a haggle", found, kinds))


def _prices(plays: Sequence[Measured], actions: Names) -> Card:
    rows = rows_of(plays, lambda each: f"n = {_haggles_in(each, actions):,}")
    found = [
        (row, {name: figure for action, name in actions.items() if (figure := each.tally.mean(f"gems for {action}"))})
        for row, each in zip(rows, plays, strict=True)
    ]
    haggled = [name for name in actions.values() if any(name in by_action for _, by_action in found)]
    note = "Gems that whoever gets the action gives for it, on average."
    return Card("What a haggle costs", note, column_plot("Gems given, by action", found, haggled, share=False))


def _haggles_in(measured: Measured, actions: Names) -> int:
    figures = [measured.tally.mean(f"gems for {action}") for action in actions]
    return sum(figure.cases for figure in figures if figure)


def _sources(plays: Sequence[Measured], sources: Names) -> Card:
    rows = rows_of(plays, lambda each: f"{sum(f.value for f in each.tally.means('from ').values()):.1f} points")
    found = [
        (row, {name: figure for source, name in sources.items() if (figure := each.tally.mean(f"from {source}"))})
        for row, each in zip(rows, plays, strict=True)
    ]
    note = "Points of a player in a game, on average."
    return Card(
        "Where points come from", note, column_plot("Points by source", found, list(sources.values()), share=False)
    )


def _crowds(plays: Sequence[Measured], actions: Names) -> Card:
    lines = [
        kind(f"{name}: {about}", f"fate of {action}", fate)
        for action, name in actions.items()
        for fate, about in (
            ("alone", "nobody else wants it"),
            ("shared", "others share or haggle"),
            ("lost", "too many, nothing happens"),
        )
    ]
    lines += [chance("somebody loses a choice that way, in a round", "something lost")]
    return Card("What becomes of a choice", "Of all choices of that action.", table(plays, lines), wide=True)


def _haggles(plays: Sequence[Measured], actions: Names, points: str, gems: str) -> Card:
    lines = [
        chance("there is more than one offer", "more than one offer"),
        mean("gems given after one offer", "gems after 1 offers"),
        mean("gems given after two offers", "gems after 2 offers"),
        mean("gems given after three offers", "gems after 3 offers"),
        mean(f"points got in a haggle for {actions[points]}", f"stake for {points}"),
        mean(f"points got for each gem given, {actions[points]}", f"stake for a gem, {points}"),
        mean(f"gems got in a haggle for {actions[gems]}", f"stake for {gems}"),
        mean(f"gems got for each gem given, {actions[gems]}", f"stake for a gem, {gems}"),
    ]
    return Card("The price of a gem", "What the offers that were accepted bought.", table(plays, lines), wide=True)


def _rules(plays: Sequence[Measured]) -> Card:
    lines = [
        chance("the supply is short when gems are taken", "short"),
        chance("a majority is tied", "majority tied"),
        *(kind(f"one player alone has the most {colour}", f"majority of {colour}", 1) for colour in GEM_NAMES),
        kind("one player alone gets the bonus of a scoring", "seats with a bonus", 1),
        kind("two players get it", "seats with a bonus", 2),
    ]
    return Card("How often each rule matters", "Of all cases in which it could have.", table(plays, lines), wide=True)


def _keenest(plays: Sequence[Measured], actions: Names) -> Card:
    lines = [
        part(f"whoever chose {name} most often wins", f"win of the keenest on {action}")
        for action, name in actions.items()
    ]
    even = plays[0].outcome.even
    note = f"Share of wins, an even share being {100 * even:.1f} %. Games in which several chose it equally often are left out. This tells what goes together, not what causes what."
    return Card("What goes with winning", note, table(plays, lines), wide=True)


def _grounds(plays: Sequence[Measured], actions: Names, gems: str) -> Card:
    prefix = "choice at "
    grounds = sorted({name for each in plays for name in each.tally.names() if name.startswith(prefix)})
    lines = [kind(name.removeprefix(prefix), name, gems) for name in grounds]
    note = f"How often {actions[gems]} is chosen, by what the player stands on or was dealt."
    return Card("Points or gems", note, table(plays, lines), wide=True)


def _winners(plays: Sequence[Measured], sources: Names) -> Card:
    lines: list[Line] = [
        mean(f"{name}, {who}", f"{source} of {who}")
        for source, name in sources.items()
        for who in ("the winner", "others")
    ]
    return Card("Winners and others", "Points by where they come from, on average.", table(plays, lines), wide=True)
