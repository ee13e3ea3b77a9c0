"""What we found, in sentences: made from the figures, so that they say no more than the figures can bear."""

import math
from collections.abc import Callable

from souk.core.reporting import part
from souk.lab.report import Measured
from souk.lab.statistics import Figure
from souk.lab.wording import number

Found = dict[tuple[int, str], Measured]  # by the number of players and the kind of play


def told(figure: Figure, share: bool = True) -> str:
    unit = " %" if share else ""
    if not math.isfinite(figure.half):
        return f"{number(figure.value, share)}{unit} (n = {figure.cases:,})"
    interval = f"{number(figure.low, share)} to {number(figure.high, share)}"
    return f"**{number(figure.value, share)}{unit}** ({interval}; n = {figure.cases:,})"


def in_short(game: str, found: Found) -> list[str]:
    """The claims about a game, as a list. The strongest kind of play is the last one measured."""
    return [f"* {claim}" for claim in (*first(found), *CLAIMS[game](found))] + [""]


def strongest(found: Found) -> list[Measured]:
    """The strongest play at every number of players but one."""
    bot = list(found)[-1][1]
    return [
        each
        for (players, name), each in sorted(found.items(), key=lambda item: item[0][0])
        if name == bot and players > 1
    ]


def at(each: Measured) -> str:
    return f"{each.table.players} players"


def listed(plays: list[Measured], read: Callable[[Measured], Figure | None], share: bool = True) -> str:
    """A figure at every number of players."""
    figures = [(each, read(each)) for each in plays]
    return "; ".join(f"{told(figure, share)} with {at(each)}" for each, figure in figures if figure)


def first(found: Found) -> list[str]:
    """Whether going first is worth anything, for each kind of play."""
    claims = []
    for bot in dict.fromkeys(bot for _, bot in found):
        plays = [each for (players, name), each in found.items() if name == bot and players > 1]
        ahead = [at(each) for each in plays if each.outcome.first_share.low > 0]
        behind = [at(each) for each in plays if each.outcome.first_share.high < 0]
        verdicts = [f"ahead of an even share with {', '.join(ahead)}"] * bool(ahead)
        verdicts += [f"behind it with {', '.join(behind)}"] * bool(behind)
        verdict = " and ".join(verdicts) or "nowhere clear of an even share"
        claims.append(
            f"**Going first, {bot}: {verdict}.** The first seat wins: {listed(plays, lambda each: each.outcome.wins[0])}."
        )
    return claims


def sure(figure: Figure | None) -> Figure:
    assert figure is not None  # it comes up in every game
    return figure


def compared(one: Figure, other: Figure, more: str, less: str, same: str) -> str:
    """Which of two figures is larger, as far as their intervals can tell."""
    return more if one.low > other.high else less if one.high < other.low else same


# ---------------------------------------------------------------- by game


def suleika(found: Found) -> list[str]:
    plays = strongest(found)
    most = plays[-1].tally
    early, late = sure(most.mean("toll in part 1")), sure(most.mean("toll in part 4"))
    money, halves = sure(most.mean("winner's lead in money")), sure(most.mean("winner's lead in halves"))
    shares = most.shares("stop")
    busiest = max(shares, key=lambda field: shares[field].value)
    return [
        f"**Money and rugs.** {compared(money, halves, 'Money decides more than rugs', 'Rugs decide more than money', 'Whether money or rugs decide more cannot be told')}: with "
        f"{at(plays[-1])} the winner is ahead of the others by {told(money, False)} piastres and {told(halves, False)} halves.",
        f"**Tolls.** With {at(plays[-1])} a walk costs {told(early, False)} piastres in the first quarter of the game and {told(late, False)} in the last.",
        f"**Omar** stops most often on {busiest}, {told(shares[busiest])} of the time with {at(plays[-1])}; an even share would be {number(1 / 49, True)} %.",
        f"**Balconies** are walked in: {listed(plays, lambda each: each.tally.chance('balcony'))}.",
        f"**Ruin.** Whoever has to pay cannot pay in full in {listed(plays, lambda each: each.tally.chance('short'))}.",
    ]


def basari(found: Found) -> list[str]:
    return _haggling(found, "points", "gems")


def basari_cards(found: Found) -> list[str]:
    return _haggling(found, "B", "C")


def _haggling(found: Found, points: str, gems: str) -> list[str]:
    plays = strongest(found)
    keen = [each.read(part("", f"win of the keenest on {gems}").reading) for each in plays]
    even = [each.outcome.even for each in plays]
    pays = [
        f"{told(figure)} with {at(each)}, even {number(share, True)} %"
        for each, figure, share in zip(plays, keen, even, strict=True)
        if figure
    ]
    return [
        f"**The run on {gems}.** It is chosen in {listed(plays, lambda each: each.tally.share('choice', gems))}; of these choices so many are lost "
        f"because more than two made them: {listed(plays, lambda each: each.tally.share(f'fate of {gems}', 'lost'))}.",
        f"**Haggles.** More than one offer is made in {listed(plays, lambda each: each.tally.chance('more than one offer'))}.",
        f"**The price of a gem.** Points for each gem given, in a haggle for {points}: "
        f"{listed(plays, lambda each: each.tally.mean(f'stake for a gem, {points}'), False)}. Gems for each gem given, in one for {gems}: "
        f"{listed(plays, lambda each: each.tally.mean(f'stake for a gem, {gems}'), False)}.",
        f"**Gems or points.** Whoever chose {gems} most often wins: {'; '.join(pays)}.",
        f"**The supply** is short when gems are taken in {listed(plays, lambda each: each.tally.chance('short'))}; a majority is tied in "
        f"{listed(plays, lambda each: each.tally.chance('majority tied'))}.",
    ]


def bazaar(found: Found) -> list[str]:
    plays = strongest(found)
    worth = [
        f"{left} left: {told(figure, False)}"
        for left in range(4)
        if (figure := plays[-1].tally.mean(f"points with {left} left"))
    ]
    stars = [sure(plays[-1].tally.mean(f"points of {kind} wares")) for kind in ("starred", "plain")]
    return [
        f"**Surplus chips.** A ware is bought with no chip left over in {listed(plays, lambda each: each.tally.share('chips left over', 0))}. What a ware brings, with {at(plays[-1])}: "
        f"{'; '.join(worth)} points.",
        f"**Time.** Turns for a ware: {listed(plays, lambda each: each.tally.mean('turns for a purchase'), False)}.",
        f"**Trading** is the action in {listed(plays, lambda each: each.tally.chance('trade'))}. Chips gained by a trade: "
        f"{listed(plays, lambda each: each.tally.mean('chips gained by a trade'), False)}.",
        f"**Stars.** {compared(stars[0], stars[1], 'Starred wares bring more', 'Starred wares bring less', 'Whether starred wares bring more cannot be told')}: with {at(plays[-1])} "
        f"{told(stars[0], False)} points, plain ones {told(stars[1], False)}.",
    ]


CLAIMS: dict[str, Callable[[Found], list[str]]] = {
    "suleika": suleika,
    "basari": basari,
    "basari-cards": basari_cards,
    "bazaar": bazaar,
}
