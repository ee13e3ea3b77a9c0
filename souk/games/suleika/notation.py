"""Suleika as text and JSON: fields, moves, outcomes, positions."""

import re
from functools import lru_cache
from typing import Any, Literal

import msgspec

from souk.core.errors import IllegalMove
from souk.core.json_fields import Fields, brief
from souk.core.messages import Message
from souk.core.parsing import number, split, squeeze, unreadable
from souk.games.suleika import rules
from souk.games.suleika.box import rugs_of_each
from souk.kernel.bitset import bit, write_members

COLOURS = ("red", "yellow", "blue", "green")
INITIALS = "rybg"
DIRECTIONS = "nesw"
TURNS = ("back", "left", "right", "straight")
PHASES = ("card", "turn", "die", "rug", "over")

Initial = Literal["r", "y", "b", "g"]
Direction = Literal["n", "e", "s", "w"]

# ---------------------------------------------------------------- fields


_NAMES = [column + str(row + 1) for column in "abcdefg" for row in range(rules.SIDE)]


def field_name(field: int) -> str:
    return _NAMES[field]


def field_at(name: str) -> int | None:
    """The field of a name such as "d4", or None."""
    if not re.fullmatch("[a-g][1-7]", name):
        return None
    return (ord(name[0]) - ord("a")) * rules.SIDE + int(name[1]) - 1


def next_to(one: int, other: int) -> bool:
    return any(rules.beside(one, side) == other for side in range(4))


# ---------------------------------------------------------------- moves


def move_text(s: Any, move: int) -> str:
    if move < len(TURNS):
        return TURNS[move]
    return f"rug {field_name(rules.near_half(move))} {field_name(rules.far_half(move))}"


def read_move(s: Any, text: str) -> int:
    word, rest = split(text, "rug")
    if word in TURNS and not rest:
        return TURNS.index(word)
    halves = re.fullmatch(r"([a-z][1-9][0-9]*|[a-z]0)([a-z][1-9][0-9]*|[a-z]0)", squeeze(rest))
    if word != "rug" or halves is None:
        raise unreadable(text, Message("suleika.reason.moves"))
    one, other = (_half(name) for name in halves.groups())
    if not next_to(one, other):
        raise IllegalMove(Message("suleika.reason.halves_share_an_edge"), "S2")
    if next_to(other, s.omar) and not next_to(one, s.omar):
        one, other = other, one
    return int(rules.rug_move(one, other))


def _half(name: str) -> int:
    field = field_at(name)
    if field is None:
        raise IllegalMove(Message("suleika.reason.no_such_field", field=name), "S17")
    return field


# ---------------------------------------------------------------- chance


def outcome_text(s: Any, outcome: int) -> str:
    return COLOURS[outcome] if s.phase == rules.CARD else str(outcome)


def read_outcome(s: Any, text: str) -> int:
    word = squeeze(text).lower()
    if s.phase == rules.DIE:
        return number(word, Message("reason.core.what_the_die_shows"))
    if word not in COLOURS:
        raise unreadable(text, Message("suleika.reason.rugs"))
    return COLOURS.index(word)


# ---------------------------------------------------------------- positions


def field_names(players: int) -> tuple[list[str], list[str]]:
    return ["phase", "turn", "omar", "board", "money", "left", "rug"], []


# Fields in display order: rows from 7 down to 1, each from a to g.
ROWS = [
    [column * rules.SIDE + row for column in range(rules.SIDE)]
    for row in reversed(range(rules.SIDE))
]


@lru_cache(512)
def _board(cover: tuple[int, ...], rugs: tuple[int, ...]) -> list[list[str]]:
    """By row, what is visible on each field: "" or a rug half.

    Cached: most events leave it unchanged.
    """
    texts, fields = [""] * rules.SIDE**2, [0] * rules.SIDE**2
    for shown, initial in zip(cover, INITIALS, strict=True):
        for i in range(write_members(shown, fields)):
            texts[fields[i]] = f"{initial}{rugs[fields[i]]}"
    return [[texts[field] for field in row] for row in ROWS]


class Omar(msgspec.Struct):
    at: str  # a field such as "d4"
    facing: Direction


class SuleikaPosition(msgspec.Struct):
    phase: Literal["card", "turn", "die", "rug", "over"]
    turn: int | None
    omar: Omar
    board: list[list[str]]  # rows from 7 down to 1: "" or a colour's initial and a rug's number
    money: list[int]
    left: list[int | list[int]]  # rugs still to lay, by seat; with two players also by colour
    rug: Initial | None  # two players: the colour to be laid now


def position(s: Any) -> SuleikaPosition:
    left = list(s.left[: 2 * s.players]) if s.players == 2 else list(s.left[: s.players])
    return SuleikaPosition(
        phase=PHASES[s.phase],  # type: ignore[arg-type]
        turn=s.turn if s.turn >= 0 else None,
        omar=Omar(field_name(s.omar), DIRECTIONS[s.facing]),  # type: ignore[arg-type]
        board=_board(tuple(s.cover), tuple(s.rug)),
        money=list(s.money[: s.players]),
        left=[left[:2], left[2:]] if s.players == 2 else left,
        rug=INITIALS[s.up] if s.up >= 0 else None,  # type: ignore[arg-type]
    )


def from_json(s: Any, fields: Fields) -> None:
    phases = PHASES if s.players == 2 else PHASES[1:]
    s.phase = PHASES.index(fields.word("phase", phases))
    _read_omar(s, fields.inner("omar", ["at", "facing"]))
    _read_board(s, fields)
    _read_purses(s, fields)
    _check_rugs(s, fields)
    _read_turn(s, fields)
    _read_rug(s, fields)


def _read_omar(s: Any, omar: Fields) -> None:
    field = field_at(omar["at"]) if isinstance(omar["at"], str) else None
    if field is None:
        raise omar.wrong("at", f"{brief(omar['at'])} is not a field from a1 to g7")
    s.omar = field
    s.facing = DIRECTIONS.index(omar.word("facing", DIRECTIONS))


def _read_board(s: Any, fields: Fields) -> None:
    fields_by_rug: dict[int, list[int]] = {}
    for row, names in zip(fields.items("board", rules.SIDE), ROWS, strict=True):
        if not isinstance(row, list) or len(row) != rules.SIDE:
            raise fields.wrong("board", f"must hold rows of {rules.SIDE}, not {brief(row)}")
        for text, field in zip(row, names, strict=True):
            if text != "":
                colour, rug = _read_half(s, fields, text, field)
                s.cover[colour] |= bit(field)
                s.rug[field] = rug
                fields_by_rug.setdefault(rug, []).append(field)
    for rug, places in fields_by_rug.items():
        where = ", ".join(map(field_name, places))
        if len({rules.colour_at(s, field) for field in places}) > 1:
            raise fields.wrong("board", f"number {rug} is on rugs of two colours ({where})")
        if len(places) > 2 or (len(places) == 2 and not next_to(*places)):
            raise fields.wrong(
                "board",
                f"rug {rug} cannot lie on {where}: a rug covers two fields that share an edge",
            )
    s.last = max(fields_by_rug, default=0)


def _read_half(s: Any, fields: Fields, text: object, field: int) -> tuple[int, int]:
    colours, highest = _colours(s), _rugs_in_play(s)
    match = re.fullmatch(f"([{colours}])([1-9][0-9]?)", text) if isinstance(text, str) else None
    if match is None or int(match[2]) > highest:
        where = f"{brief(text)} on {field_name(field)}"
        problem = f'{where} is not "" or a colour ({", ".join(colours)}) and a rug\'s number'
        raise fields.wrong("board", f"{problem} from 1 to {highest}")
    return INITIALS.index(match[1]), int(match[2])


def _colours(s: Any) -> str:
    """Initials of the colours in play."""
    return INITIALS[:3] if s.players == 3 else INITIALS


def _rugs_in_play(s: Any) -> int:
    return rugs_of_each(s.players) * len(_colours(s))


def _check_rugs(s: Any, fields: Fields) -> None:
    """S3–S4: no more rugs than exist, by colour and in all (rugs laid are numbered)."""
    of_each, in_play = rugs_of_each(s.players), _rugs_in_play(s)
    for colour, cover in enumerate(s.cover):
        showing = len({s.rug[field] for field in range(rules.SIDE**2) if cover >> field & 1})
        if showing + s.left[colour] > of_each:
            seen = f"{showing} of {of_each} {COLOURS[colour]} rugs can be seen"
            problem = f"{seen}, so at most {of_each - showing}"
            raise fields.wrong("left", f"{problem} are still to be laid, not {s.left[colour]}")
    if s.last + sum(s.left) > in_play:
        problem = f"rug {s.last} of {in_play} lies on the market, so at most {in_play - s.last}"
        raise fields.wrong("left", f"{problem} are still to be laid, not {sum(s.left)}")


def _read_purses(s: Any, fields: Fields) -> None:
    money = fields.wholes("money", s.players, 0, rules.PIASTRES)
    if sum(money) != rules.PIASTRES:
        raise fields.wrong("money", f"there are {rules.PIASTRES} piastres in all, not {sum(money)}")
    if s.players == 2:
        left = [count for pair in fields.table("left", 2, 2, 0, rugs_of_each(2)) for count in pair]
    else:
        left = fields.wholes("left", s.players, 0, rugs_of_each(s.players))
    for seat, piastres in enumerate(money):
        s.money[seat] = piastres
    for colour, rugs in enumerate(left):
        s.left[colour] = rugs


def _read_turn(s: Any, fields: Fields) -> None:
    if s.phase == rules.OVER:
        fields.nothing("turn", "when the game is over")
        s.turn = -1
        return
    s.turn = fields.seat("turn", s.players)
    turns_for_next = s.turn_at_end and s.phase == rules.TURN and fields["rug"] is None
    if rules.rugs_left(s, s.turn) == 0 and not turns_for_next:
        raise fields.wrong("left", f"seat {s.turn} is to lay a rug and has none")
    if sum(s.left) == 0:
        raise fields.wrong("left", "the game is over when no rug is left")


def _read_rug(s: Any, fields: Fields) -> None:
    s.up = -1
    after_laying = s.turn_at_end and s.phase == rules.TURN and fields["rug"] is None
    if s.players != 2 or s.phase in (rules.CARD, rules.OVER) or after_laying:
        fields.nothing("rug", "here" if s.players == 2 else "unless two play")
        return
    own = INITIALS[2 * s.turn : 2 * s.turn + 2]
    s.up = INITIALS.index(fields.word("rug", own))
    if s.left[s.up] == 0:
        raise fields.wrong("rug", f"seat {s.turn} has no {COLOURS[s.up]} rug left")


def pieces(s: Any) -> dict[str, int]:
    return {"piastres": sum(s.money), "rugs": sum(s.left) + s.last}  # those laid are numbered
