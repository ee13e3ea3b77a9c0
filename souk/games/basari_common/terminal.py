"""Terminal output shared by both Basari games: gems, holdings, secret choices and the haggle.

Each gem has its own sign, colour and letter: ◆ r, ✦ y, ■ g, ● b.
"""

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from souk.core.messages import Words
from souk.core.seat_view import SeatView
from souk.drawing import palette
from souk.drawing.palette import BRASS, CREAM, FAINT, LAMP, SAND
from souk.drawing.terminal import heading, prompt_line
from souk.games.basari_common.board_info import HagglingBox, HagglingScene
from souk.games.basari_common.notation import GEMS, Gems

_SIGNS = "◆✦■●"
_ALONE, _SHARED = "★", "☆"
_NAME = 17  # column width of a player's name

Column = tuple[str, Sequence[RenderableType]]  # a heading, and a cell per seat
HagglingView = SeatView[Any, HagglingBox, HagglingScene]


def gem(colour: int, n: int = 1) -> Text:
    return Text(_SIGNS[colour] * n, palette.GEMS[colour])


def gems(counts: Gems) -> Text:
    """Gems one by one: ◆◆✦."""
    return Text("").join(gem(colour, n) for colour, n in enumerate(counts))


def counted_gems(counts: Gems) -> Text:
    """Gems as typed in an offer: ◆ 2r  ✦ 1y."""
    parts = [
        gem(colour) + Text(f" {n}{GEMS[colour]}", CREAM) for colour, n in enumerate(counts) if n
    ]
    return Text("  ").join(parts)


# ---------------------------------------------------------------- holdings


def holdings(
    view: HagglingView, words: Words, players: Sequence[Text], columns: Sequence[Column]
) -> Table:
    """Table of points, gems, majorities, points of a scoring now, and the game's own columns.

    Below: the supply, and points per majority.
    """
    table = Table(box=None, header_style=f"bold {BRASS}", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", width=_NAME, no_wrap=True, overflow="ellipsis")
    table.add_column(words("basari-common.terminal.points"), justify="right")
    table.add_column(
        _by_colour([gem(colour) + Text(f" {letter}", BRASS) for colour, letter in enumerate(GEMS)])
    )
    table.add_column(words("basari-common.terminal.scoring"), justify="right")
    for label, _ in columns:
        table.add_column(label, no_wrap=True)
    for seat, title in enumerate(players):
        brings = view.scene.scoring[seat] if view.scene.scoring else 0
        table.add_row(
            title,
            Text(str(view.position.points[seat]), f"bold {CREAM}"),
            _by_colour([_held(view, seat, colour) for colour in range(len(GEMS))]),
            Text(words("basari-common.plus", n=brings) if brings else "", SAND),
            *(cells[seat] for _, cells in columns),
        )
    _below(table, words("basari-common.terminal.supply"), view.position.supply)
    if view.scene.most:
        legend = words("basari-common.terminal.majorities", alone=_ALONE, shared=_SHARED)
        _below(table, legend, view.box.majority)
    return table


def _by_colour(cells: Sequence[Text]) -> Text:
    return Text(" ").join(cells)


def _held(view: HagglingView, seat: int, colour: int) -> Text:
    """Gems of a colour a seat holds, with a star for the majority."""
    n: int = view.position.gems[seat][colour]
    holders = view.scene.most[colour].seats if view.scene.most else []
    if seat not in holders:
        return Text(f"{n:>2} ", SAND if n else FAINT)
    return Text(f"{n:>2}", f"bold {CREAM}") + Text(
        _ALONE if len(holders) == 1 else _SHARED, palette.GEMS[colour]
    )


def _below(table: Table, label: str, numbers: Sequence[int]) -> None:
    table.add_row(
        Text(f"  {label}", FAINT), "", _by_colour([Text(f"{n:>2} ", FAINT) for n in numbers])
    )


# ---------------------------------------------------------------- choices


def choices(view: HagglingView, words: Words, name: Callable[[str], str]) -> list[Text]:
    """Everybody's choices as far as visible, the action being settled highlighted."""
    position = view.position
    now, waiting = position.pending[:1], "…" if position.phase == "choose" else ""
    return [
        Text(name(choice), f"bold {LAMP}" if choice in now else SAND)
        if choice is not None
        else Text(words("basari-common.terminal.chosen") if ready else waiting, FAINT)
        for choice, ready in zip(position.choices, position.ready, strict=True)
    ]


# ---------------------------------------------------------------- current status


def status(
    view: HagglingView,
    words: Words,
    names: Sequence[str],
    title: str,
    name: Callable[[str], str],
    ask: Callable[[str | None], Text],
) -> RenderableType:
    """Title and status, always three lines: a haggle, or the prompt.

    `name` puts an action into words, `ask` gives the prompt for a player (None: all choose).
    """
    haggle, phase, turn = view.position.haggle, view.position.phase, view.position.turn
    if haggle:
        title += " · " + words("basari-common.terminal.counter", action=name(haggle.action))
        return heading(title, counter(view, words, names))
    if phase == "over":
        return heading(title, prompt_line(words("told.core.over")), Text())
    return heading(title, ask(None if phase == "choose" else names[turn]), Text())


def counter(view: HagglingView, words: Words, names: Sequence[str]) -> RenderableType:
    """The haggle: the current offer, and the speaker's options."""
    haggle = view.position.haggle
    if haggle.turn is None:
        return Group(prompt_line(words("basari-common.who_opens")), Text())
    if haggle.offer:
        offered = words("basari-common.terminal.offered", who=names[haggle.offerer])
        lies = Text.assemble("  ", counted_gems(haggle.offer), f"  {offered}")
    else:
        lies = Text(
            "  " + words("basari-common.terminal.nothing_yet", other=names[haggle.seats[1]])
        )
    lies.no_wrap, lies.overflow = True, "ellipsis"
    return Group(lies, _may_say(view.scene.may_say, words, names[haggle.turn]))


def _may_say(moves: Sequence[str], words: Words, who: str) -> Text:
    stop = next((move for move in moves if not move.startswith("offer")), "")
    offer = next((move for move in moves if move.startswith("offer")), "")
    key = "stop_or_offer" if stop and offer else "offer" if offer else "stop"
    return prompt_line(
        words(f"basari-common.terminal.may_{key}", who=who, stop=stop, offer=offer), who
    )
