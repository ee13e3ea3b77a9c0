"""Bazaar drawn in a terminal: the rates in play, everybody's chips, and the stalls with what a purchase would bring now.

Each chip has its own mark, colour and letter: ○W, ≈B, ♣G, ◆R, ✶Y.
"""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from souk.games.art.palette import BRASS, CREAM, DUSK, INK, LAMP, SAND, WHITE
from souk.games.art.terminal import FAINT, asked, heading, night, player, side_by_side, to_move
from souk.games.bazaar import GAME, rules
from souk.games.bazaar.box import COLOURS, counts_in

_MARKS = "○≈♣◆✶"
_PAINTS = (
    f"{INK} on {WHITE}",
    f"{CREAM} on #2c5cb5",
    f"{CREAM} on #247a4b",
    f"{CREAM} on #b02c36",
    f"{INK} on #e3ae3a",
)
_ARROWS = (" = ", " ▶ ", " ◀ ", "◀ ▶")  # by whether the left side can be given, and (2) the right
_RATE_CARD, _HOLDINGS, _STALL = 25, 47, 24  # columns
_IN_A_ROW = 6  # chips of an equation that fit its card with gaps between them


def picture(s: Any, names: list[str]) -> RenderableType:
    rates = [(_rate_card(s, place), _RATE_CARD) for place in range(2)]
    stalls = [(_stall(s, stall), _STALL) for stall in range(rules.stalls(s))]
    return night(_now(s, names), side_by_side(*rates, (_holdings(s, names), _HOLDINGS)), side_by_side(*stalls))


# ---------------------------------------------------------------- chips


def _chip(colour: int) -> Text:
    return Text(_MARKS[colour] + COLOURS[colour], _PAINTS[colour])


def _chips(counts: Sequence[int], gap: str = " ") -> Text:
    return Text(gap).join(_chip(colour) for colour, n in enumerate(counts) for _ in range(n))


# ---------------------------------------------------------------- rates


def _rate_card(s: Any, place: int) -> Panel:
    """One of the two rate cards; arrows show which way the seat on turn can trade now."""
    number = s.rates[place]
    lines = Table.grid(padding=0)
    lines.add_column(justify="right", min_width=5)
    lines.add_column(min_width=5, justify="center")
    lines.add_column()
    usable = rules.trades(s, s.turn) if s.phase == rules.ACT else 0
    for i in range(5 * place, 5 * place + 5) if number else ():
        left, right = counts_in(rules.side(s, 2 * i)), counts_in(rules.side(s, 2 * i + 1))
        gap = " " if sum(left + right) <= _IN_A_ROW else ""
        ways = usable >> 2 * i & 3
        lines.add_row(_chips(left, gap), Text(_ARROWS[ways], f"bold {LAMP}" if ways else FAINT), _chips(right, gap))
    title = Text(f" rate card {number} " if number else " to be drawn ", f"bold {BRASS}")
    return Panel(lines, title=title, border_style=BRASS, style=f"on {DUSK}", width=_RATE_CARD, height=7)


# ---------------------------------------------------------------- holdings


def _holdings(s: Any, names: list[str]) -> Table:
    table = Table(box=None, header_style=f"bold {BRASS}", pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", width=15, no_wrap=True, overflow="ellipsis")
    for colour in range(len(COLOURS)):
        table.add_column(_chip(colour), justify="right")
    for title in ("chips", "pts", "wares"):
        table.add_column(title, justify="right")
    lit = to_move(s, rules)
    for seat in range(s.players):
        counts = [Text(str(n) if n else "·", CREAM if n else FAINT) for n in counts_in(s.chips[seat])]
        total = Text(f"{rules.held(s, seat)}/{rules.LIMIT}")
        points = Text(str(s.points[seat]) if s.players > 1 else "", f"bold {CREAM}")
        table.add_row(player(seat, names, lit), *counts, total, points, str(s.bought[seat]))
    table.add_row(Text("  bank", FAINT), *(Text(str(n), FAINT) for n in counts_in(s.bank)))
    return table


# ---------------------------------------------------------------- stalls


def _stall(s: Any, stall: int) -> Panel:
    left = s.left[stall]
    cards = Text(f"{left} card{'s' * (left != 1)}", FAINT)
    if s.top[stall] == rules.NO_WARE:
        lines = [Text("to be turned up" if left else "empty", FAINT), cards, Text()]
        return _stall_panel(stall, "", lines, False)
    lines = [_chips(counts_in(rules.price(s, stall))), cards, _prospect(s, stall)]
    lit = s.phase == rules.BUY and bool(rules.purchases(s, s.turn) >> stall & 1)
    return _stall_panel(stall, "★ " * rules.starred(s, stall), lines, lit)


def _stall_panel(stall: int, star: str, lines: list[Text], lit: bool) -> Panel:
    border = LAMP if lit else BRASS
    title = Text(f"{' ▸' if lit else ''} stall {stall + 1} {star}", f"bold {border}")
    style = f"{SAND} on {DUSK}"
    return Panel(Group(*lines), title=title, title_align="left", border_style=border, style=style, width=_STALL)


def _prospect(s: Any, stall: int) -> Text:
    """What the ware would bring the seat on turn, or the chips still to be had for it."""
    if s.turn < 0:
        return Text()
    if rules.payable(s, s.chips[s.turn], stall):
        points = rules.value(s, stall, rules.held(s, s.turn) - rules.PRICE)
        worth = f"{points} point{'s' * (points != 1)} now" if s.players > 1 else "paid exactly"
        return Text(worth, f"bold {LAMP}")
    price, held = counts_in(rules.price(s, stall)), counts_in(s.chips[s.turn])
    lacking = [max(0, need - have) for need, have in zip(price, held, strict=True)]
    return Text.assemble("lacks ", _chips(lacking)) if any(lacking) else Text("too many chips")


# ---------------------------------------------------------------- what is going on


def _now(s: Any, names: list[str]) -> RenderableType:
    parts = [GAME.title]
    if s.players == 1:
        parts.append(f"{s.actions} action{'s' * (s.actions != 1)} so far")
    elif s.idle:
        parts.append(f"{s.idle} turn{'s' * (s.idle != 1)} since the last purchase")
    if s.phase != rules.OVER and rules.empty_stalls(s):
        parts.append("a stall is empty: every ware counts one star more")
    return heading(" · ".join(parts), _asked(s, names))


def _asked(s: Any, names: list[str]) -> Text:
    if s.turn < 0:
        comes = {
            rules.RATES: "Rate cards are drawn.",
            rules.FIRST: "The die says who begins.",
            rules.OVER: "The game is over.",
        }
        return asked("", comes.get(s.phase, "The wares come up."))
    who = names[s.turn]
    if s.phase == rules.RETURN:
        picker = rules.actors(s).bit_length() - 1
        whose = "" if picker == s.turn else f" of {who}'s"
        return asked(names[picker], f"picks the chip{whose} that goes back to the bank.")
    tasks = {
        rules.ACT: "rolls, or trades by an equation with ▶ or ◀, if there is one.",
        rules.DIE: "rolls for a chip.",
        rules.CHOICE: "rolled Choice, and takes any chip.",
        rules.BUY: "may buy now, at a stall with ▸.",
        rules.REVEAL: "has bought: the next ware comes up.",
    }
    return asked(who, tasks[s.phase])
