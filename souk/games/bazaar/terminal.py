"""Bazaar in a terminal: rates in play, holdings, and stalls with the points of buying now.

Each chip has its own mark, colour and letter: ○W, ≈B, ♣G, ◆R, ✶Y.
"""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from souk.core.messages import Words
from souk.core.seat_view import SeatView
from souk.drawing.palette import BRASS, CHIPS, CREAM, DUSK, FAINT, INK, LAMP, SAND
from souk.drawing.terminal import SideBySide, heading, night, player, prompt_line, to_move
from souk.games.bazaar.board_info import BazaarBox, BazaarScene, Prospect
from souk.games.bazaar.box import COLOURS
from souk.games.bazaar.notation import BazaarPosition, StallNow

_MARKS = "○≈♣◆✶"
_PAINTS = [
    f"{ink} on {chip}" for ink, chip in zip((INK, CREAM, CREAM, CREAM, INK), CHIPS, strict=True)
]
_ARROWS = (" = ", " ▶ ", " ◀ ", "◀ ▶")  # by whether the left side can be given, and (2) the right
_RATE_CARD, _HOLDINGS, _STALL = 25, 47, 24  # columns
_IN_A_ROW = 6  # chips of an equation that fit a card with gaps between them

BazaarView = SeatView[BazaarPosition, BazaarBox, BazaarScene]


def picture(view: BazaarView, names: Sequence[str], language: str) -> RenderableType:
    words = Words(language, names)
    rates = [(_rate_card(view, place, words), _RATE_CARD) for place in range(2)]
    stalls = [(_stall(view, stall, words), _STALL) for stall in range(len(view.position.stalls))]
    holdings = _holdings(view, words, names), _HOLDINGS
    return night(_now(view, words, names), SideBySide(*rates, holdings), SideBySide(*stalls))


# ---------------------------------------------------------------- chips


def _chip(letter: str) -> Text:
    colour = COLOURS.index(letter)
    return Text(_MARKS[colour] + letter, _PAINTS[colour])


def _chips(letters: str, gap: str = " ") -> Text:
    return Text(gap).join(map(_chip, letters))


def _on_turn(view: BazaarView) -> bool:
    """Whether the board info is about the seat on turn."""
    return view.scene.whose == view.position.turn


# ---------------------------------------------------------------- rates


def _rate_card(view: BazaarView, place: int, words: Words) -> Panel:
    """One of the two rate cards; arrows show the trades the seat on turn can make."""
    lines = Table.grid(padding=0)
    lines.add_column(justify="right", min_width=5)
    lines.add_column(min_width=5, justify="center")
    lines.add_column()
    drawn = view.position.rates[place : place + 1]
    usable = view.scene.trades if view.position.phase == "act" and _on_turn(view) else 0
    equations = view.box.rates[drawn[0] - 1] if drawn else []
    for i, (left, right) in enumerate(equations, len(equations) * place):
        gap = " " if len(left + right) <= _IN_A_ROW else ""
        ways = usable >> 2 * i & 3
        lines.add_row(
            _chips(left, gap),
            Text(_ARROWS[ways], f"bold {LAMP}" if ways else FAINT),
            _chips(right, gap),
        )
    label = words("bazaar.rate_card", n=drawn[0]) if drawn else words("bazaar.terminal.to_be_drawn")
    title = Text(f" {label} ", f"bold {BRASS}")
    return Panel(
        lines, title=title, border_style=BRASS, style=f"on {DUSK}", width=_RATE_CARD, height=7
    )


# ---------------------------------------------------------------- holdings


def _holdings(view: BazaarView, words: Words, names: Sequence[str]) -> Table:
    table = Table(box=None, header_style=f"bold {BRASS}", pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", width=15, no_wrap=True, overflow="ellipsis")
    for letter in COLOURS:
        table.add_column(_chip(letter), justify="right")
    for title in ("chips", "points", "wares"):
        table.add_column(words(f"bazaar.terminal.{title}"), justify="right")
    position, lit = view.position, to_move(view)
    for seat, held in enumerate(position.chips):
        counts = [Text(str(n) if n else "·", CREAM if n else FAINT) for n in held]
        total = Text(f"{sum(held)}/{view.box.limit}")
        points = Text(str(position.points[seat]) if view.players > 1 else "", f"bold {CREAM}")
        table.add_row(player(seat, names, lit), *counts, total, points, str(position.bought[seat]))
    bank = Text(f"  {words('bazaar.terminal.bank')}", FAINT)
    table.add_row(bank, *(Text(str(n), FAINT) for n in position.bank))
    return table


# ---------------------------------------------------------------- stalls


def _stall(view: BazaarView, number: int, words: Words) -> Panel:
    stall = view.position.stalls[number]
    prospect = view.scene.stalls[number] if view.scene.stalls else Prospect()
    cards = Text(words("bazaar.cards_left", n=stall.left), FAINT)
    title = words("bazaar.terminal.stall", n=number + 1)
    if stall.top is None:
        state = Text(
            words(f"bazaar.terminal.{'to_be_turned_up' if stall.left else 'empty'}"), FAINT
        )
        return _stall_panel(f" {title} ", [state, cards, Text()], False)
    stars = (stall.top in view.box.starred) if prospect.stars is None else prospect.stars
    lit = view.position.phase == "buy" and _on_turn(view) and prospect.points is not None
    lines = [_chips(stall.top), cards, _prospect(view, stall, prospect, words)]
    return _stall_panel(
        f"{' ▸' if lit else ''} {title} {'★' * stars}{' ' * bool(stars)}", lines, lit
    )


def _stall_panel(title: str, lines: list[Text], lit: bool) -> Panel:
    border, style = LAMP if lit else BRASS, f"{SAND} on {DUSK}"
    titled = Text(title, f"bold {border}")
    return Panel(
        Group(*lines),
        title=titled,
        title_align="left",
        border_style=border,
        style=style,
        width=_STALL,
    )


def _prospect(view: BazaarView, stall: StallNow, prospect: Prospect, words: Words) -> Text:
    """What the ware would bring the seat considered, or the chips it still lacks."""
    if view.scene.whose < 0 or stall.top is None:
        return Text()
    if prospect.points is not None:
        worth = (
            words("bazaar.exactly")
            if view.players == 1
            else words("bazaar.points_now", n=prospect.points)
        )
        return Text(worth, f"bold {LAMP}")
    held = dict(zip(COLOURS, view.position.chips[view.scene.whose], strict=True))
    lacking = "".join(letter * max(0, stall.top.count(letter) - held[letter]) for letter in COLOURS)
    if not lacking:
        return Text(words("bazaar.too_many"))
    return Text.assemble(words("bazaar.terminal.lacks"), " ", _chips(lacking))


# ---------------------------------------------------------------- current status


def _now(view: BazaarView, words: Words, names: Sequence[str]) -> RenderableType:
    position, parts = view.position, [words("bazaar.title")]
    if view.players == 1:
        parts.append(words("bazaar.terminal.actions", n=position.actions))
    elif position.turns_without_purchase:
        parts.append(words("bazaar.terminal.quiet", n=position.turns_without_purchase))
    if not view.over and any(stall.left == 0 for stall in position.stalls):
        parts.append(words("bazaar.terminal.star_more"))
    return heading(" · ".join(parts), _asked(view, words, names))


def _asked(view: BazaarView, words: Words, names: Sequence[str]) -> Text:
    phase, turn = view.position.phase, view.position.turn
    if phase == "over":
        return prompt_line(words("told.core.over"))
    if turn is None:
        return prompt_line(words(f"bazaar.terminal.{phase}"))
    if phase == "return":
        picker = names[view.actors[0]]
        key = "return_own" if view.actors[0] == turn else "return"
        return prompt_line(words(f"bazaar.terminal.{key}", who=picker, holder=names[turn]), picker)
    key = (
        "must_buy" if phase == "buy" and sum(view.position.chips[turn]) > view.box.limit else phase
    )
    return prompt_line(
        words(f"bazaar.terminal.{key}", who=names[turn], n=view.box.limit), names[turn]
    )
