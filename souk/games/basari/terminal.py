"""Basari drawn in a terminal: the ring of arches with figures and discs, and inside it what everybody holds."""

from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from souk.games.art.palette import ARCH_LIT, BRASS, BY_NIGHT, CREAM, DUSK, INK, LAMP, SEATS
from souk.games.art.terminal import asked, heading, night, player, to_move
from souk.games.basari import GAME, rules
from souk.games.basari.notation import ACTIONS
from souk.games.haggling import rules as haggling
from souk.games.haggling.terminal import Column, choice, counter, gems, holdings, scoring_now, stop_and_raise

# The ring runs clockwise from the top left corner: nine arches along the top and the bottom, five down each side.
_TOP, _SIDE = 9, 5
_TILE = 11  # columns of an arch: its number, four figures, and four discs with their sign
_INSIDE = (_TOP - 2) * _TILE
_GROUNDS = (BY_NIGHT["ground-2"], DUSK)


def picture(s: Any, names: list[str], language: str) -> RenderableType:  # noqa: ARG001
    lit = to_move(s, rules)
    arches = [_arch(s, arch, names, lit) for arch in range(rules.ARCHES)]
    right = arches[_TOP : _TOP + _SIDE]
    bottom = arches[_TOP + _SIDE : 2 * _TOP + _SIDE][::-1]
    left = arches[2 * _TOP + _SIDE :][::-1]
    middle = Table.grid(padding=0)
    middle.add_column(width=_TILE)
    middle.add_column(width=_INSIDE)
    middle.add_row(_column(left), Padding(_inside(s, names, lit), (0, 2)), _column(right))
    return night(*_row(arches[:_TOP]), middle, *_row(bottom))


# ---------------------------------------------------------------- the ring


def _row(arches: list[tuple[Text, Text]]) -> list[Text]:
    return [Text("").join(arch[line] for arch in arches) for line in range(2)]


def _column(arches: list[tuple[Text, Text]]) -> RenderableType:
    return Group(*(line for arch in arches for line in arch))


def _arch(s: Any, arch: int, names: list[str], lit: int) -> tuple[Text, Text]:
    """An arch in two lines: what it shows; its number, and who stands and who has started there."""
    standing = [seat for seat in range(s.players) if s.figure[seat] == arch]
    discs = [seat for seat in range(s.players) if s.disc[seat] == arch]
    shown = Text.assemble((f" {rules.arch_number(s, arch)} ", f"bold {CREAM}"), gems(_gems_of(s, arch)))
    gap = " " if len(standing + discs) < 8 else ""  # with everybody's figure and disc there is no room for it
    below = Text(f"{arch:>2}{gap}", BRASS).append_text(Text("").join(_figure(seat, names) for seat in standing))
    if discs:
        below.append("○", CREAM)
    for seat in discs:
        below.append(_mark(seat, names).lower(), SEATS[seat])
    ground = ARCH_LIT if any(lit >> seat & 1 for seat in standing) else _GROUNDS[arch % 2]
    return _on(ground, shown), _on(ground, below)


def _on(ground: str, text: Text) -> Text:
    """A text as wide as an arch, on a ground that its own colours keep to."""
    wide = Text(style=f"on {ground}")
    wide.append_text(text)
    wide.append(" " * (_TILE - text.cell_len))
    return wide


def _figure(seat: int, names: list[str]) -> Text:
    return Text(_mark(seat, names), f"bold {INK} on {SEATS[seat]}")


def _mark(seat: int, names: list[str]) -> str:
    """A player's initial, or the seat's number where two initials are the same."""
    initials = [name[:1].upper() for name in names]
    told_apart = len(set(initials)) == len(names) and "".join(initials).isascii()
    return initials[seat] if told_apart else str(seat)


def _gems_of(s: Any, arch: int) -> list[int]:
    return [rules.arch_gems(s, arch, colour) for colour in range(haggling.COLOURS)]


# ---------------------------------------------------------------- inside it


def _inside(s: Any, names: list[str], lit: int) -> RenderableType:
    scoring = [0] * s.players if s.phase == rules.OVER else scoring_now(s, _score)
    players = [player(seat, names, lit, _figure(seat, names)) for seat in range(s.players)]
    return Group(_now(s, names), holdings(s, players, scoring, _columns(s)))


def _score(s: Any) -> None:
    """A scoring, also where nobody has walked a lap yet."""
    before = s.scorings
    rules.score_if_due(s)
    if s.scorings == before:
        for colour in range(haggling.COLOURS):
            rules.score_majority(s, colour)


def _columns(s: Any) -> list[Column]:
    """How far each has walked, what is to be had there, and the choice."""
    seats = range(s.players)
    stands = [_stand(s, seat) for seat in seats]
    chosen = [choice(s, seat, ACTIONS, s.phase == rules.CHOOSE) for seat in seats]
    return [("walked", [_walked(s, seat) for seat in seats]), ("arch", stands), ("choice", chosen)]


def _walked(s: Any, seat: int) -> Text:
    lap = s.walked[seat] >= rules.ARCHES
    return Text(f"{s.walked[seat]:>2}/{rules.ARCHES}", f"bold {LAMP}" if lap else "")


def _stand(s: Any, seat: int) -> Text:
    arch = s.figure[seat]
    if arch == haggling.NONE:
        return Text()
    return Text(f"{rules.arch_number(s, arch)} ", CREAM) + gems(_gems_of(s, arch))


def _now(s: Any, names: list[str]) -> RenderableType:
    """What is going on, always in three lines, so that the ring keeps its form."""
    title = f"{GAME.title} · scorings {s.scorings} of {rules.SCORINGS}"
    if s.phase in (rules.OPENER, rules.HAGGLE):
        return heading(f"{title} · the counter: for {ACTIONS[s.action]}", counter(s, names, stop_and_raise(s, rules)))
    return heading(title, _asked(s, names), Text())


def _asked(s: Any, names: list[str]) -> Text:
    if s.phase == rules.CHOOSE:
        return asked("All choose in secret:", "dice, points or gems.")
    if s.phase == rules.OVER:
        return asked("", "The game is over.")
    tasks = {
        rules.START: f"starts at an arch without a disc ○, arch 0 to arch {rules.ARCHES - 1}.",
        rules.WALK: "rolls, and walks as far.",
        rules.ROLL: f"has the dice: a walk, and {rules.FACES} minus the roll in points.",
    }
    return asked(names[s.turn], tasks[s.phase])
