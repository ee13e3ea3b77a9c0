"""What both Basari games draw alike in a terminal: gems, what everybody holds and would score, secret choices, the haggle.

Each gem has its own sign, colour and letter: ◆ r, ✦ y, ■ g, ● b.
"""

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from souk.games.art.palette import BRASS, CREAM, FAINT, GEMS, LAMP, SAND
from souk.games.art.terminal import asked
from souk.games.haggling import notation as haggle_notation
from souk.games.haggling import rules as haggling

_SIGNS = "◆✦■●"
_ALONE, _SHARED = "★", "☆"
_NAME = 15  # columns for a player

Column = tuple[str, Sequence[RenderableType]]  # a heading, and a cell for each seat


def gem(colour: int, n: int = 1) -> Text:
    return Text(_SIGNS[colour] * n, GEMS[colour])


def gems(counts: Sequence[int]) -> Text:
    """Some gems one by one: ◆◆✦."""
    return Text("").join(gem(colour, n) for colour, n in enumerate(counts))


def counted_gems(counts: Sequence[int]) -> Text:
    """Some gems as one counts and types them: ◆ 2r  ✦ 1y."""
    parts = [gem(colour) + Text(f" {n}{haggle_notation.GEMS[colour]}", CREAM) for colour, n in enumerate(counts) if n]
    return Text("  ").join(parts)


# ---------------------------------------------------------------- holdings


def scoring_now(s: Any, score: Callable[[Any], None]) -> list[int]:
    """What a scoring would bring each seat if it came now: the rules score a copy."""
    scored = type(s)(s.record.copy())
    score(scored)
    return [scored.points[seat] - s.points[seat] for seat in range(s.players)]


def holdings(s: Any, players: list[Text], scoring: list[int], columns: Sequence[Column]) -> Table:
    """Everybody's points and gems, who holds the majorities, what a scoring would bring now, and the game's own columns;
    below them the supply, and what the majorities are worth."""
    table = Table(box=None, header_style=f"bold {BRASS}", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", width=_NAME, no_wrap=True, overflow="ellipsis")
    table.add_column("pts", justify="right")
    for colour in range(haggling.COLOURS):
        table.add_column(gem(colour) + Text(" " + haggle_notation.GEMS[colour], BRASS), justify="left")
    table.add_column("scoring", justify="right")
    for heading, _ in columns:
        table.add_column(heading, no_wrap=True)
    for seat in range(s.players):
        table.add_row(
            players[seat],
            Text(str(s.points[seat]), f"bold {CREAM}"),
            *(_held(s, seat, colour) for colour in range(haggling.COLOURS)),
            Text(f"{scoring[seat]:+}" if scoring[seat] else "", SAND),
            *(cells[seat] for _, cells in columns),
        )
    _below(table, "  supply", [f"{s.supply[colour]:>2}" for colour in range(haggling.COLOURS)])
    _below(table, f"  {_ALONE} most  {_SHARED} tie", [f"{points:>2}" for points in haggling.MAJORITY_POINTS])
    return table


def _held(s: Any, seat: int, colour: int) -> Text:
    """How many gems of a colour a seat holds, with a star where nobody has more."""
    n = s.gems[seat, colour]
    holders = haggling.majority(s, colour)
    if not holders >> seat & 1:
        return Text(f"{n:>2} ", SAND if n else FAINT)
    star = _ALONE if int(holders).bit_count() == 1 else _SHARED
    return Text(f"{n:>2}", f"bold {CREAM}") + Text(star, GEMS[colour])


def _below(table: Table, label: str, cells: list[str]) -> None:
    table.add_row(Text(label, FAINT), "", *(Text(cell, FAINT) for cell in cells))


# ---------------------------------------------------------------- choices


def choice(s: Any, seat: int, actions: Sequence[str], choosing: bool) -> Text:
    """What a seat has chosen. While others still choose, only the person at the table, seat 0, sees their own."""
    chosen = s.choice[seat]
    if chosen == haggling.NONE:
        return Text("…" if choosing else "", FAINT)
    if chosen == haggling.HIDDEN or (choosing and seat != 0):
        return Text("chosen", FAINT)
    return Text(actions[chosen], f"bold {LAMP}" if chosen == s.action else SAND)


# ---------------------------------------------------------------- the haggle


def counter(s: Any, names: list[str], stop_and_raise: Sequence[str]) -> RenderableType:
    """Two at the counter: what is offered, and what the one to speak may say. `stop_and_raise`: the first two moves."""
    if s.turn == haggling.NONE:
        both = f"{names[s.opener]} and {names[s.other]}"
        return Group(asked("", f"{both} are level: the dice say who opens the haggle."), Text())
    if s.offer:
        offered = [haggling.part(s.offer, colour) for colour in range(haggling.COLOURS)]
        lies = Text.assemble("  ", counted_gems(offered), f"  offered by {names[haggling.partner(s, s.turn)]}")
    else:
        lies = Text(f"  Nothing lies on the counter yet; {names[s.other]} will answer.")
    lies.no_wrap, lies.overflow = True, "ellipsis"
    stops = [move for move in stop_and_raise if not move.startswith("offer")]
    raises = [f"{move} or more" for move in stop_and_raise if move.startswith("offer")][:1]
    return Group(lies, asked(names[s.turn], f"may {' or '.join(stops + raises)}."))


def stop_and_raise(s: Any, rules: Any) -> list[str]:
    """The first two moves of the one to speak: to end the haggle where that is possible, and the lowest offer."""
    room = [0, 0]
    n = rules.moves(s, s.turn, room) if s.turn != haggling.NONE else 0
    return [haggle_notation.haggle_move_text(move) for move in room[:n]]
