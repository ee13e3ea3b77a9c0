"""Basari in a terminal: the ring of arches with figures and discs, and holdings inside."""

from collections.abc import Collection, Sequence
from functools import partial

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from souk.core.messages import Words
from souk.core.seat_view import SeatView
from souk.drawing.palette import ARCH_LIT, BRASS, BY_NIGHT, CREAM, DUSK, INK, LAMP, SEATS
from souk.drawing.terminal import night, player, prompt_line, to_move
from souk.games.basari.board_info import BasariBox
from souk.games.basari.notation import BasariPosition
from souk.games.basari_common.board_info import HagglingScene
from souk.games.basari_common.terminal import Column, choices, gems, holdings, status

# The ring runs clockwise from the top left: nine arches along top and bottom, five down each side.
_TOP, _SIDE = 9, 5
_TILE = 11  # width of an arch: its number, four figures, and four discs with their sign
_INSIDE = (_TOP - 2) * _TILE
_GROUNDS = (BY_NIGHT["ground-2"], DUSK)

BasariView = SeatView[BasariPosition, BasariBox, HagglingScene]


def picture(view: BasariView, names: Sequence[str], language: str) -> RenderableType:
    words, lit = Words(language, names), to_move(view)
    arches = [_arch(view, arch, names, lit) for arch in range(view.box.lap)]
    right = arches[_TOP : _TOP + _SIDE]
    bottom = arches[_TOP + _SIDE : 2 * _TOP + _SIDE][::-1]
    left = arches[2 * _TOP + _SIDE :][::-1]
    middle = Table.grid(padding=0)
    middle.add_column(width=_TILE)
    middle.add_column(width=_INSIDE)
    middle.add_row(_column(left), Padding(_inside(view, words, names, lit), (0, 1)), _column(right))
    return night(*_row(arches[:_TOP]), middle, *_row(bottom))


# ---------------------------------------------------------------- the ring


def _row(arches: list[tuple[Text, Text]]) -> list[Text]:
    """Arches side by side, cropped to the terminal."""
    return [
        Text("", no_wrap=True, overflow="crop").join(arch[line] for arch in arches)
        for line in range(2)
    ]


def _column(arches: list[tuple[Text, Text]]) -> RenderableType:
    return Group(*(line for arch in arches for line in arch))


def _arch(
    view: BasariView, arch: int, names: Sequence[str], lit: Collection[int]
) -> tuple[Text, Text]:
    """An arch in two lines: number and gems; arch index, figures and discs."""
    standing = [seat for seat, place in enumerate(view.position.figures) if place == arch]
    discs = [seat for seat, place in enumerate(view.position.discs) if place == arch]
    # With all figures and discs on one arch there is no room for a gap.
    gap = " " if len(standing + discs) < 8 else ""
    below = Text(f"{arch:>2}{gap}", BRASS).append_text(
        Text("").join(_figure(seat, names) for seat in standing)
    )
    if discs:
        below.append("○", CREAM)
    for seat in discs:
        below.append(_mark(seat, names).lower(), SEATS[seat])
    ground = ARCH_LIT if set(standing) & set(lit) else _GROUNDS[arch % 2]
    return _on(ground, Text(" ") + _sign(view, arch)), _on(ground, below)


def _sign(view: BasariView, arch: int) -> Text:
    """Number and gems of an arch."""
    sign = view.box.arches[arch]
    return Text.assemble((f"{sign.points} ", f"bold {CREAM}"), gems(sign.gems))


def _on(ground: str, text: Text) -> Text:
    """Pad a text to the width of an arch, on a background that keeps the text's own colours."""
    wide = Text(style=f"on {ground}")
    wide.append_text(text)
    wide.append(" " * (_TILE - text.cell_len))
    return wide


def _figure(seat: int, names: Sequence[str]) -> Text:
    return Text(_mark(seat, names), f"bold {INK} on {SEATS[seat]}")


def _mark(seat: int, names: Sequence[str]) -> str:
    """A player's initial, or the seat number if two initials coincide."""
    initials = [name[:1].upper() for name in names]
    told_apart = len(set(initials)) == len(names) and "".join(initials).isascii()
    return initials[seat] if told_apart else str(seat)


# ---------------------------------------------------------------- inside the ring


def _inside(
    view: BasariView, words: Words, names: Sequence[str], lit: Collection[int]
) -> RenderableType:
    players = [player(seat, names, lit, _figure(seat, names)) for seat in range(view.players)]
    return Group(_now(view, words, names), holdings(view, words, players, _columns(view, words)))


def _columns(view: BasariView, words: Words) -> list[Column]:
    """Arches walked, number and gems of the current arch, and the choice."""
    walked = [_walked(n, view.box.lap) for n in view.position.walked]
    stands = [Text() if arch is None else _sign(view, arch) for arch in view.position.figures]
    chosen = choices(view, words, partial(action_name, words))
    headings = (words(f"basari.terminal.{name}") for name in ("walked", "arch", "choice"))
    return list(zip(headings, (walked, stands, chosen), strict=True))


def action_name(words: Words, action: str) -> str:
    return words(f"basari.action.{action}")


def _walked(n: int, lap: int) -> Text:
    return Text(f"{n:>2}/{lap}", f"bold {LAMP}" if n >= lap else "")


def _now(view: BasariView, words: Words, names: Sequence[str]) -> RenderableType:
    scorings = words("basari.terminal.scorings", n=view.position.scorings, last=view.box.scorings)
    title = f"{words('basari.title')} · {scorings}"
    return status(
        view, words, names, title, partial(action_name, words), partial(_asked, view, words)
    )


def _asked(view: BasariView, words: Words, who: str | None) -> Text:
    if who is None:
        return prompt_line(words("basari.terminal.choose"))
    values = {"last": view.box.lap - 1, "faces": len(view.box.dice)}
    return prompt_line(words(f"basari.terminal.{view.position.phase}", who=who, **values), who)
