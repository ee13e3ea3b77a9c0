"""Suleika for the eye: where Omar may walk and what that would cost, what a rug would join, who has what; and what there was to
watch of an event.

A way is a text of fields, one step from each to the next: "c4 b4 a4 a5e". A letter behind a field is the direction Omar faces
there; in the middle of a way it says that a balcony led him to this field.
"""

from types import SimpleNamespace
from typing import Any

from souk.core.position import Position
from souk.games.suleika import rules
from souk.games.suleika.words import COLOURS, DIRECTIONS, INITIALS, TURNS, field_name
from souk.kernel.bits import bit, count

LONGEST = 4  # the most steps the die may show
FIELDS = range(rules.SIDE * rules.SIDE)
NOBODY = -1

Steps = list[tuple[int, int]]  # a field and the direction Omar faces on it, after each step


# ---------------------------------------------------------------- ways


def _walk(field: int, facing: int, steps: int) -> Steps:
    """S11–S12: where a walk leads."""
    walked: Steps = []
    for _ in range(steps):
        field, facing = (int(each) for each in rules.WALK[field, facing])
        walked.append((field, facing))
    return walked


def _way_text(facing: int, walked: Steps) -> str:
    """Only a balcony turns Omar while he walks."""
    parts = []
    for field, now in walked:
        parts.append(field_name(field) + (DIRECTIONS[now] if now != facing else ""))
        facing = now
    return " ".join(parts)


# ---------------------------------------------------------------- what never changes


def box(pos: Position) -> dict[str, Any]:
    """The colours of every seat; the sides of fields that balconies join, such as "a7n b7n"; the die's faces in sixths."""
    s = pos.state
    colours = ["".join(INITIALS[c] for c in range(4) if rules.owner(s, c) == seat) for seat in range(s.players)]
    return {"colours": colours, "balconies": BALCONIES, "sixths": _die()}


def _balconies() -> list[str]:
    """S12: every balcony once, found by walking off the market wherever it ends."""
    found = set()
    for field in FIELDS:
        for facing in range(4):
            [(back, now)] = _walk(field, facing, 1)
            if now != facing:
                inside = DIRECTIONS[rules.turned(now, rules.BACK)]
                found.add(" ".join(sorted((field_name(field) + DIRECTIONS[facing], field_name(back) + inside))))
    return sorted(found)


BALCONIES = _balconies()


def _die() -> list[int]:
    """S6: how many of the die's six faces show one step, two, and so on."""
    faces, weights = [0] * rules.WIDEST, [0] * rules.WIDEST
    n = rules.outcomes(SimpleNamespace(phase=rules.DIE), faces, weights)
    return weights[:n]


# ---------------------------------------------------------------- what lies on the table


def scene(pos: Position, seat: int) -> dict[str, Any]:
    """Visible halves and rugs left; for the seat on turn the ways Omar may go, or the area each rug would be part of."""
    s = pos.state
    found: dict[str, Any] = {
        "halves": [int(rules.halves(s, each)) for each in range(s.players)],
        "rugs": [int(rules.rugs_left(s, each)) for each in range(s.players)],
    }
    if s.turn == seat and s.phase == rules.TURN:
        found["walker"] = int(rules.walker(s))
        found["ways"] = {TURNS[move]: _way(pos, rules.turned(s.facing, move)) for move in pos.move_codes(seat)}
    elif s.turn == seat and s.phase == rules.RUG:
        found["areas"] = [_area_with(s, move) for move in pos.move_codes(seat)]
    return found


def _way(pos: Position, facing: int) -> dict[str, Any]:
    """The way in a direction; where any stop on it costs something, what would be owed on each, what paid, and to whom."""
    walked = _walk(pos.state.omar, facing, LONGEST)
    way: dict[str, Any] = {"faces": DIRECTIONS[facing], "way": _way_text(facing, walked)}
    tolls = [_toll(pos, field) for field, _ in walked]
    if any(owed for owed, _, _ in tolls):
        way["owed"], way["pays"], way["to"] = (list(column) for column in zip(*tolls, strict=True))
    return way


def _toll(pos: Position, field: int) -> tuple[int, int, int]:
    """S13–S16: what a stop would cost, what the purse can pay of it, and whose it would be."""
    s, who = pos.state, rules.walker(pos.state)
    owed = int(rules.price(s, who, field))
    if not owed:
        return 0, 0, NOBODY
    trial = pos.copy().state
    trial.turn, trial.omar = who, field
    rules.pay_owner(trial)
    return owed, int(s.money[who] - trial.money[who]), int(rules.owner(s, rules.colour_at(s, field)))


def _area_with(s: Any, move: int) -> int:
    """S13: how large an area the rug would be part of, once laid."""
    near, far = rules.near_half(move), rules.far_half(move)
    colour = s.up if s.players == 2 else s.turn
    return int(count(rules.connected(s.cover[colour] | bit(near) | bit(far), near)))


# ---------------------------------------------------------------- what happened


def shown(before: Position, after: Position, seat: int | None, text: str) -> dict[str, Any]:
    """A turn: where Omar faces. A die: his way and who pays. A rug that came up: its colour. A rug laid: fields and colour."""
    s = before.state
    if seat is None:
        return (
            {"up": INITIALS[COLOURS.index(text)]} if s.phase == rules.CARD else _walk_shown(s, after.state, int(text))
        )
    if s.phase == rules.TURN:
        return {"faces": DIRECTIONS[after.state.facing]}
    colour = s.up if s.players == 2 else seat
    return {"rug": text.split()[1:], "colour": INITIALS[colour]}


def _walk_shown(s: Any, after: Any, die: int) -> dict[str, Any]:
    """The way walked; and where something was owed, by whom and to whom, how much, what was paid, and the area it was paid for."""
    walk = {"die": die, "from": field_name(s.omar), "faces": DIRECTIONS[s.facing]}
    walk["way"] = _way_text(s.facing, _walk(s.omar, s.facing, die))
    if owed := int(rules.price(s, s.turn, after.omar)):
        colour = rules.colour_at(s, after.omar)
        area = rules.connected(s.cover[colour], after.omar)
        walk["payment"] = {
            "from": int(s.turn),
            "to": int(rules.owner(s, colour)),
            "owed": owed,
            "paid": int(s.money[s.turn] - after.money[s.turn]),
            "area": [field_name(field) for field in FIELDS if area & bit(field)],
        }
    return walk


def sources(positions: list[Position], events: list[tuple[int | None, str]]) -> list[dict[str, int]]:
    """S31: where a seat's points came from: the purse at the start, what others paid, what was paid to them, and halves."""
    first, last = positions[0].state, positions[-1].state
    points = [
        {"purse": int(first.money[seat]), "taken": 0, "paid": 0, "halves": int(rules.halves(last, seat))}
        for seat in range(first.players)
    ]
    for i, _ in enumerate(events):
        for seat, own in enumerate(points):
            change = int(positions[i + 1].state.money[seat] - positions[i].state.money[seat])
            own["taken" if change > 0 else "paid"] += change
    return points
