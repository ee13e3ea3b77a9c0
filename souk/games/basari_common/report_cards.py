"""Report cards of both Basari games: choices, haggles, supply, majorities and sources of points."""

from collections.abc import Mapping

from souk.core import report_spec as tell
from souk.games.basari_common.notation import GEM_NAMES
from souk.games.basari_common.report import MANY

Names = Mapping[str, str]  # display names of actions and sources


def cards(players: int, actions: Names, points: str, gems: str, sources: Names) -> list[tell.Card]:
    """`points` and `gems`: the actions that bring these."""
    return [
        _choices(actions),
        _offers(),
        _prices(actions),
        _sources(sources),
        _crowds(actions),
        _haggles(actions, points, gems),
        _rules(),
        _keenest(players, actions),
        _grounds(actions, gems),
        _winners(sources),
    ]


def _choices(actions: Names) -> tell.Card:
    chosen = {name: tell.seen_of("choice", action) for action, name in actions.items()}
    beside = tell.Caption("{} rounds a game", tell.mean_of("turns"))
    return tell.Card(
        "What is chosen",
        "Percent of all choices.",
        [tell.BarChart("Choices by action", chosen, beside)],
    )


def _offers() -> tell.Card:
    offers = {str(n): tell.seen_of("offers", n) for n in range(MANY + 1)}
    beside = tell.Caption("opener gets it: {}", tell.chance_of("opener gets it"))
    note = (
        f"How many offers are made until one stands, in percent of all haggles. "
        f"{MANY} stands for {MANY} or more, 0 for a haggle "
        "opened with nothing."
    )
    return tell.Card(
        "Offers in a haggle", note, [tell.BarChart("Offers in a haggle", offers, beside)]
    )


def _prices(actions: Names) -> tell.Card:
    gems = {name: tell.mean_of(f"gems for {action}") for action, name in actions.items()}
    beside = tell.Caption("n = {}", cases=tuple(gems.values()))
    note = "Gems given for the action, on average."
    return tell.Card(
        "What a haggle costs",
        note,
        [tell.BarChart("Gems given, by action", gems, beside, known_only=True)],
    )


def _sources(sources: Names) -> tell.Card:
    points = {name: tell.mean_of(f"from {source}") for source, name in sources.items()}
    note = "Points of a player in a game, on average."
    return tell.Card(
        "Where points come from",
        note,
        [tell.BarChart("Points by source", points, tell.Caption("{} points", sum_of="from "))],
    )


def _crowds(actions: Names) -> tell.Card:
    fates = {
        "alone": "nobody else wants it",
        "shared": "others share or haggle",
        "lost": "too many, nothing happens",
    }
    lines = [
        tell.kind(f"{name}: {about}", f"fate of {action}", fate)
        for action, name in actions.items()
        for fate, about in fates.items()
    ]
    lines += [tell.chance("somebody loses a choice this way, in a round", "something lost")]
    return tell.table_card("What becomes of a choice", "Of all choices of that action.", lines)


def _haggles(actions: Names, points: str, gems: str) -> tell.Card:
    lines = [
        tell.chance("there is more than one offer", "more than one offer"),
        tell.mean("gems given after one offer", "gems after 1 offers"),
        tell.mean("gems given after two offers", "gems after 2 offers"),
        tell.mean("gems given after three offers", "gems after 3 offers"),
        tell.mean(f"points got in a haggle for {actions[points]}", f"stake for {points}"),
        tell.mean(
            f"points got for each gem given, {actions[points]}", f"stake for a gem, {points}"
        ),
        tell.mean(f"gems got in a haggle for {actions[gems]}", f"stake for {gems}"),
        tell.mean(f"gems got for each gem given, {actions[gems]}", f"stake for a gem, {gems}"),
    ]
    return tell.table_card(
        "The price of a gem", "What the offers that were accepted bought.", lines
    )


def _rules() -> tell.Card:
    lines = [
        tell.chance("the supply is short when gems are taken", "short"),
        tell.chance("a majority is tied", "majority tied"),
        *(
            tell.kind(f"one player alone has the most {colour}", f"majority of {colour}", 1)
            for colour in GEM_NAMES
        ),
        tell.kind("one player alone gets the bonus of a scoring", "seats with a bonus", 1),
        tell.kind("two players get it", "seats with a bonus", 2),
    ]
    return tell.rules_that_matter(lines)


def _keenest(players: int, actions: Names) -> tell.Card:
    lines = [
        tell.part(f"the player who chose {name} most often wins", f"win of the keenest on {action}")
        for action, name in actions.items()
    ]
    note = (
        f"Share of wins, an even share being {100 / players:.1f} %. "
        "Games in which several chose it equally often are left out. "
        "This shows correlation, not cause."
    )
    return tell.table_card("What goes with winning", note, lines)


def _grounds(actions: Names, gems: str) -> tell.Card:
    every = tell.EveryMatching(
        "choice at ", lambda ground: tell.kind(ground, f"choice at {ground}", gems)
    )
    note = f"How often {actions[gems]} is chosen, by what the player stands on or was dealt."
    return tell.table_card("Points or gems", note, [every])


def _winners(sources: Names) -> tell.Card:
    lines = [
        tell.mean(f"{name}, {who}", f"{source} of {who}")
        for source, name in sources.items()
        for who in ("the winner", "others")
    ]
    return tell.table_card(
        "Winners and others", "Points by where they come from, on average.", lines
    )
