"""What both Basari games draw alike in a terminal: gems, what everybody holds and would score, secret choices, the haggle.

Each gem has its own sign, colour and letter: ◆ r, ✦ y, ■ g, ● b.
"""

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from souk.core.message import Words
from souk.core.view import SeatView
from souk.games.art import palette
from souk.games.art.palette import BRASS, CREAM, FAINT, LAMP, SAND
from souk.games.art.terminal import asked, heading
from souk.games.haggling.notation import GEMS, Gems
from souk.games.haggling.scene import HagglingBox, HagglingScene

_SIGNS = "◆✦■●"
_ALONE, _SHARED = "★", "☆"
_NAME = 17  # columns for a player

Column = tuple[str, Sequence[RenderableType]]  # a heading, and a cell for each seat
HagglingView = SeatView[Any, HagglingBox, HagglingScene]


def gem(colour: int, n: int = 1) -> Text:
    return Text(_SIGNS[colour] * n, palette.GEMS[colour])


def gems(counts: Gems) -> Text:
    """Some gems one by one: ◆◆✦."""
    return Text("").join(gem(colour, n) for colour, n in enumerate(counts))


def counted_gems(counts: Gems) -> Text:
    """Some gems as one counts and types them: ◆ 2r  ✦ 1y."""
    parts = [gem(colour) + Text(f" {n}{GEMS[colour]}", CREAM) for colour, n in enumerate(counts) if n]
    return Text("  ").join(parts)


# ---------------------------------------------------------------- holdings


def holdings(view: HagglingView, words: Words, players: Sequence[Text], columns: Sequence[Column]) -> Table:
    """Everybody's points and gems, who holds the majorities, what a scoring would bring now, and the game's own columns;
    below them the supply, and what the majorities are worth."""
    table = Table(box=None, header_style=f"bold {BRASS}", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", width=_NAME, no_wrap=True, overflow="ellipsis")
    table.add_column(words("haggling.terminal.points"), justify="right")
    table.add_column(_by_colour([gem(colour) + Text(f" {letter}", BRASS) for colour, letter in enumerate(GEMS)]))
    table.add_column(words("haggling.terminal.scoring"), justify="right")
    for label, _ in columns:
        table.add_column(label, no_wrap=True)
    for seat, title in enumerate(players):
        brings = view.scene.scoring[seat] if view.scene.scoring else 0
        table.add_row(
            title,
            Text(str(view.position.points[seat]), f"bold {CREAM}"),
            _by_colour([_held(view, seat, colour) for colour in range(len(GEMS))]),
            Text(words("haggling.plus", n=brings) if brings else "", SAND),
            *(cells[seat] for _, cells in columns),
        )
    _below(table, words("haggling.terminal.supply"), view.position.supply)
    if view.scene.most:
        legend = words("haggling.terminal.majorities", alone=_ALONE, shared=_SHARED)
        _below(table, legend, view.box.majority)
    return table


def _by_colour(cells: Sequence[Text]) -> Text:
    return Text(" ").join(cells)


def _held(view: HagglingView, seat: int, colour: int) -> Text:
    """How many gems of a colour a seat holds, with a star where nobody has more."""
    n: int = view.position.gems[seat][colour]
    holders = view.scene.most[colour].seats if view.scene.most else []
    if seat not in holders:
        return Text(f"{n:>2} ", SAND if n else FAINT)
    return Text(f"{n:>2}", f"bold {CREAM}") + Text(_ALONE if len(holders) == 1 else _SHARED, palette.GEMS[colour])


def _below(table: Table, label: str, numbers: Sequence[int]) -> None:
    table.add_row(Text(f"  {label}", FAINT), "", _by_colour([Text(f"{n:>2} ", FAINT) for n in numbers]))


# ---------------------------------------------------------------- choices


def choices(view: HagglingView, words: Words, name: Callable[[str], str]) -> list[Text]:
    """What everybody has chosen, as far as the seat may know; in lamplight the action that is being settled."""
    position = view.position
    now, waiting = position.pending[:1], "…" if position.phase == "choose" else ""
    return [
        Text(name(choice), f"bold {LAMP}" if choice in now else SAND)
        if choice is not None
        else Text(words("haggling.terminal.chosen") if ready else waiting, FAINT)
        for choice, ready in zip(position.choices, position.ready, strict=True)
    ]


# ---------------------------------------------------------------- what is going on


def going_on(
    view: HagglingView,
    words: Words,
    names: Sequence[str],
    title: str,
    name: Callable[[str], str],
    ask: Callable[[str | None], Text],
) -> RenderableType:
    """The title and what is going on, always in three lines: a haggle, or what somebody is to do. `name` puts an action into words, `ask`
    what is to be done by whom (None: all are to choose)."""
    haggle, phase, turn = view.position.haggle, view.position.phase, view.position.turn
    if haggle:
        title += " · " + words("haggling.terminal.counter", action=name(haggle.action))
        return heading(title, counter(view, words, names))
    if phase == "over":
        return heading(title, asked(words("told.core.over")), Text())
    return heading(title, ask(None if phase == "choose" else names[turn]), Text())


def counter(view: HagglingView, words: Words, names: Sequence[str]) -> RenderableType:
    """Two at the counter: what is offered, and what the one to speak may say."""
    haggle = view.position.haggle
    if haggle.turn is None:
        return Group(asked(words("haggling.who_opens")), Text())
    if haggle.offer:
        offered = words("haggling.terminal.offered", who=names[haggle.offerer])
        lies = Text.assemble("  ", counted_gems(haggle.offer), f"  {offered}")
    else:
        lies = Text("  " + words("haggling.terminal.nothing_yet", other=names[haggle.seats[1]]))
    lies.no_wrap, lies.overflow = True, "ellipsis"
    return Group(lies, _may_say(view.scene.may_say, words, names[haggle.turn]))


def _may_say(moves: Sequence[str], words: Words, who: str) -> Text:
    stop = next((move for move in moves if not move.startswith("offer")), "")
    offer = next((move for move in moves if move.startswith("offer")), "")
    key = "stop_or_offer" if stop and offer else "offer" if offer else "stop"
    return asked(words(f"haggling.terminal.may_{key}", who=who, stop=stop, offer=offer), who)
