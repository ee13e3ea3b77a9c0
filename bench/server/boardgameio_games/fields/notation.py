"""Fields as text."""

from typing import Any

import msgspec

from souk.core.json_fields import Fields
from souk.core.parsing import number

from . import rules


def move_text(s: Any, move: int) -> str:
    return str(move)


def read_move(s: Any, text: str) -> int:
    return number(text.strip(), "a field")


def outcome_text(s: Any, outcome: int) -> str:
    return str(outcome)


def read_outcome(s: Any, text: str) -> int:
    return number(text.strip(), "an outcome")


def field_names(players: int) -> tuple[list[str], list[str]]:
    return ["turn", "money", "fields", "made"], []


class FieldsPosition(msgspec.Struct):
    turn: int
    money: list[int]
    fields: list[int]
    made: int


def position(s: Any) -> FieldsPosition:
    return FieldsPosition(s.turn, list(s.money), list(s.field), s.made)


def from_json(s: Any, fields: Fields) -> None:
    s.turn = fields.seat("turn", 2)
    s.made = fields.whole("made", 0, rules.MOVES)
    for seat, money in enumerate(fields.wholes("money", 2, 0, 999)):
        s.money[seat] = money
    for field, mark in enumerate(fields.wholes("fields", rules.FIELDS, 0, 2)):
        s.field[field] = mark


def pieces(s: Any) -> dict[str, int]:
    return {}
