"""The parts of docs/findings.md, from what bench/findings.py measured: every figure with its interval and its n."""

from collections.abc import Callable, Sequence
from importlib import import_module
from statistics import mean as average
from typing import Any

from findings_claims import Found, in_short, told
from findings_lessons import lessons
from grids import block, grid

import souk
from souk.core.reporting import FigureLine, chance, kind, mean, part, result, seen_of
from souk.lab.report import Measured
from souk.lab.wording import number

Kept = dict[str, Any]
GEM_ACTIONS = {"basari": ("points", "gems"), "basari-cards": ("B", "C")}


# ---------------------------------------------------------------- figures in Markdown


def plays_of(found: Found) -> list[str]:
    return list(dict.fromkeys(bot for _, bot in found))


def counts_of(found: Found) -> list[int]:
    return sorted({players for players, _ in found})


def figures(found: Found, lines: Sequence[FigureLine], counts: Sequence[int] | None = None) -> list[str]:
    """A table: a row for each figure and number of players, a column for each kind of play."""
    rows = []
    for line in lines:
        for players in counts or counts_of(found):
            plays = [found.get((players, bot)) for bot in plays_of(found)]
            read = [each and each.read(line.reading) for each in plays]
            if any(read):
                cells = [told(figure, line.reading.share) if figure else "–" for figure in read]
                rows.append([line.about, str(players), *cells])
    return grid(["", "players", *plays_of(found)], rows)


# ---------------------------------------------------------------- claims that are made of every game


def going_first(found: Found) -> list[str]:
    rows, clear = [], []
    for (players, bot), each in sorted(found.items(), key=lambda item: item[0][0]):
        if players == 1:
            continue
        first, outcome = each.outcome.wins[0], each.outcome
        side = "▲" if first.low > outcome.even else "▼" if first.high < outcome.even else "·"
        if side != "·":
            clear.append(f"{players} players, {bot}: {100 * outcome.first_share.value:+.1f}")
        shares = " / ".join(f"{number(win.value, True)}" for win in outcome.wins)
        rows.append(
            [
                str(players),
                bot,
                f"{told(first)} {side}",
                f"{number(outcome.even, True)} %",
                shares,
                told(outcome.first_points, False),
            ]
        )
    seats = "wins by seat, in %"
    heads = ["players", "play", "the first seat wins", "even", seats, "its points above the others' mean"]
    verdict = (
        f"Clear of an even share (▲ ▼), in percentage points: {'; '.join(clear)}."
        if clear
        else "Nowhere is it clear of an even share."
    )
    return [verdict, "", *grid(heads, rows)]


def length_and_ties(found: Found) -> list[str]:
    lines = [
        result("moves, dice and cards in a game", "length", share=False),
        mean("turns or rounds", "turns"),
        result("points between the best and the next", "margin", share=False),
        result("two or more have the best score", "level"),
        result("the win is shared", "shared"),
    ]
    return figures(found, lines, [players for players in counts_of(found) if players > 1])


# ---------------------------------------------------------------- Suleika


def suleika(found: Found) -> list[str]:
    lines = [
        chance("a walk goes round a balcony", "balcony"),
        kind("Omar stops on another's rug", "ground", "another's"),
        mean("piastres paid there", "payment"),
        mean("piastres a walk costs, first quarter of the game", "toll in part 1"),
        mean("piastres a walk costs, last quarter", "toll in part 4"),
        chance("the payer cannot pay in full", "short"),
        chance("a player is without money at some time", "broke"),
        kind("a rug covers two halves of others", "covered", 2),
        chance("a covered half was another's", "covers another's"),
    ]
    won = [
        mean(f"{about}, {who}", f"{name} of {who}")
        for name, about in (("money", "money at the end"), ("halves", "halves showing at the end"))
        for who in ("the winner", "others")
    ]
    won += [mean(f"the winner's lead in {name}", f"winner's lead in {name}") for name in ("money", "halves")]
    return [
        *block("Where Omar stops", stops(found)),
        *block("What it costs", figures(found, lines)),
        *block("Money or rugs", figures(found, won)),
    ]


def stops(found: Found) -> list[str]:
    """The busiest and the quietest fields, where most play."""
    players, bullets = counts_of(found)[-1], []
    for bot in plays_of(found):
        shares = found[players, bot].tally.shares("stop")
        ranked = sorted(shares, key=lambda field: -shares[field].value)
        often, seldom = (
            ", ".join(f"{field} {told(shares[field])}" for field in some) for some in (ranked[:3], ranked[-3:])
        )
        bullets.append(
            f"* {bot}, {players} players: most often {often}; least often {seldom}. Even would be {100 / 49:.1f} %."
        )
    return [*bullets, ""]


# ---------------------------------------------------------------- both Basari games


def haggling(game: str) -> Callable[[Found], list[str]]:
    (points, gems), room = GEM_ACTIONS[game], import_module(f"{souk.game(game).home}.report")

    def tell(found: Found) -> list[str]:
        actions = [
            action for action in room.ACTIONS if next(reversed(found.values())).tally.shares(f"seats on {action}")
        ]
        chosen = [FigureLine(f"{action} is chosen", seen_of("choice", action)) for action in actions]
        chosen += [
            kind(f"a choice of {action} is lost, too many want it", f"fate of {action}", "lost")
            for action in actions
            if action != "D"
        ]
        prices = [
            chance("a haggle goes past one offer", "more than one offer"),
            chance("the opener gets the action", "opener gets it"),
            *(mean(f"gems given for {action}", f"gems for {action}") for action in actions),
            mean(f"points got for each gem given, {points}", f"stake for a gem, {points}"),
            mean(f"gems got for each gem given, {gems}", f"stake for a gem, {gems}"),
        ]
        keen = [
            part(f"whoever chose {action} most often wins", f"win of the keenest on {action}") for action in actions
        ]
        rules = [
            chance("the supply is short when gems are taken", "short"),
            chance("a majority is tied", "majority tied"),
        ]
        rules += [mean(f"points from {name}", f"from {source}") for source, name in room.SOURCES.items()]
        about = "Which choices go with winning; games in which two were equally keen are left out. It does not tell what causes what."
        return [
            *block("What is chosen, and lost", figures(found, chosen)),
            *block("What haggles cost", figures(found, prices)),
            *block("Gems or points", [about, ""], figures(found, keen)),
            *block("Supply, majorities, points", figures(found, rules)),
        ]

    return tell


# ---------------------------------------------------------------- Bazaar


def bazaar(found: Found) -> list[str]:
    several = {key: each for key, each in found.items() if key[0] > 1}
    buying = [
        *(kind(f"{left} chips left over at a purchase", "chips left over", left) for left in range(3)),
        kind("3 or more left over", "chips left over", 3),
        *(mean(f"points of a ware, {left} left", f"points with {left} left") for left in range(4)),
        mean("turns for a purchase", "turns for a purchase"),
        chance("an action is a trade", "trade"),
        mean("chips gained by a trade", "chips gained by a trade"),
    ]
    worth = [mean(f"points of {stars} wares", f"points of {stars} wares") for stars in ("starred", "plain")]
    shapes = sorted({name for each in several.values() for name in each.tally.means("points of wares ")})
    worth += [mean(f"points of a ware with dots {shape}", f"points of wares {shape}") for shape in shapes]
    four = {key: each for key, each in several.items() if key[0] == 4} or several
    alone = {key: each for key, each in found.items() if key[0] == 1}
    puzzles = [mean("actions above par", "actions above par"), chance("the ware is bought in 200 actions", "bought")]
    return [
        *block("Surplus chips, trades and time", figures(several, buying)),
        *block("Which wares are worth what", figures(four, worth)),
        *block("Which rates are used", rates(four)),
        *block("Alone", figures(alone, puzzles)),
    ]


def rates(found: Found) -> list[str]:
    """The rate cards and trades used most and least, of the actions for which they lay there."""
    bullets = []
    for (players, bot), each in found.items():
        tally = each.tally
        used = {
            name.removeprefix("use of "): tally.chance(name) for name in tally.names() if name.startswith("use of ")
        }
        for what, cards in (("cards", True), ("trades, given > got", False)):
            some = {name: figure for name, figure in used.items() if figure and name.startswith("card ") == cards}
            ranked = sorted(some, key=lambda name: -some[name].value)
            often, seldom = (
                ", ".join(f"{name} {told(some[name])}" for name in those) for those in (ranked[:3], ranked[-2:])
            )
            bullets.append(f"* {bot}, {players} players, {what}: most used {often}; least used {seldom}.")
    return [*bullets, ""]


# ---------------------------------------------------------------- matches and puzzles


def matches(kept: Kept) -> list[str]:
    rows = [
        [souk.game(row["game"]).title, str(row["players"]), f"**{row['one']}** – {row['other']}", f"{row['games']:,}",
         f"**{100 * row['share'][0]:.1f} %** ({100 * row['share'][1]:.1f} to {100 * row['share'][2]:.1f})", f"`{row['command']}`"]
        for row in kept["matches"]
    ]  # fmt: skip
    return grid(["game", "players", "bots", "games", "share of wins, even being 50 %", "command"], rows)


def traders(kept: Kept) -> list[str]:
    found = read_found(kept)
    lines = [
        kind("3 or more chips left over at a purchase", "chips left over", 3),
        mean("points of a ware", "points of a ware"),
        mean("turns for a purchase", "turns for a purchase"),
    ]
    about = "The trader buys as soon as it can, chips left over or not; the merchant looks ahead. At tables of traders alone, who never lapse (`trader:lapses=0`):"
    return [about, "", *figures(found, lines), *commands(kept), "Against each other:", "", *matches(kept)]


def skill(kept: Kept) -> list[str]:
    about = "How far thinking carries, and how much is left to luck: merchants and random players hold equally many seats over a match."
    return [about, "", *matches(kept)]


def puzzle(kept: Kept) -> list[str]:
    pars = {(tuple(rates), ware): par for rates, by_ware in kept["pars"] for ware, par in by_ware.items()}
    every = sorted(pars.values())
    easy, hard = min(pars, key=lambda key: pars[key]), max(pars, key=lambda key: pars[key])
    by_pair = {tuple(rates): average(by_ware.values()) for rates, by_ware in kept["pars"]}
    by_ware: dict[str, list[float]] = {}
    for (_, ware), par in pars.items():
        by_ware.setdefault(ware, []).append(par)
    wares = sorted(by_ware, key=lambda ware: average(by_ware[ware]))
    pairs = sorted(by_pair, key=lambda pair: by_pair[pair])
    tenth = len(every) // 10
    return [
        f"All {len(every):,} puzzles of two rate cards and a ware are solved exactly, so nothing here has an interval. Par, the smallest expected number of actions, "
        f"is **{average(every):.2f}** on average, {every[0]:.2f} ({easy[1]}, rates {easy[0]}) to {every[-1]:.2f} ({hard[1]}, rates {hard[0]}); the middle 80 % lie "
        f"between {every[tenth]:.2f} and {every[-1 - tenth]:.2f}.",
        "",
        f"* Easiest pair of rate cards: {pairs[0]} ({by_pair[pairs[0]]:.2f}); hardest: {pairs[-1]} ({by_pair[pairs[-1]]:.2f}).",
        f"* Easiest wares: {', '.join(f'{ware} ({average(by_ware[ware]):.2f})' for ware in wares[:3])}; hardest: "
        f"{', '.join(f'{ware} ({average(by_ware[ware]):.2f})' for ware in wares[-3:])}.",
        "",
        f"Command: `{kept['command']}`",
        "",
    ]


# ---------------------------------------------------------------- the page


def read_found(kept: Kept) -> Found:
    found = [Measured.from_json(each) for each in kept["measured"]]
    return {(each.table.players, each.table.bot): each for each in found}


def commands(kept: Kept) -> list[str]:
    return ["Commands:", "", *(f"    {command}" for command in kept["commands"]), ""]


def of_a_game(game: str, tell: Callable[[Found], list[str]]) -> Callable[[Kept], list[str]]:
    def lines(kept: Kept) -> list[str]:
        found = read_found(kept)
        return [
            *block("In short", in_short(game, found)),
            *block("Going first", [souk.game(game).report.first, ""], going_first(found)),
            *block("Length, margins and ties", length_and_ties(found)),
            *tell(found),
            *commands(kept),
        ]

    return lines


PARTS: dict[str, Callable[[Kept], list[str]]] = {
    "suleika": of_a_game("suleika", suleika),
    "basari": of_a_game("basari", haggling("basari")),
    "basari-cards": of_a_game("basari-cards", haggling("basari-cards")),
    "bazaar": of_a_game("bazaar", bazaar),
    "traders": traders,
    "puzzle": puzzle,
    "skill": skill,
    "lessons": lessons,
}
