"""Fields as text."""

from typing import Any

from souk.core.fields import Fields
from souk.core.message import Message, Seat
from souk.core.reading import number

from . import rules


def move_text(s: Any, move: int) -> str:
    return str(move)


def read_move(s: Any, text: str) -> int:
    return number(text.strip(), "a field")


def refusal(s: Any, seat: int, move: int) -> tuple[Message, str | None]:
    return Message("there is no such field"), None


def outcome_text(s: Any, outcome: int) -> str:
    return str(outcome)


def read_outcome(s: Any, text: str) -> int:
    return number(text.strip(), "an outcome")


def due(s: Any) -> Message:
    return Message("nothing")


def field_names(players: int) -> tuple[list[str], list[str]]:
    return ["turn", "money", "fields", "made"], []


def to_json(s: Any) -> dict[str, Any]:
    return {"turn": s.turn, "money": list(s.money), "fields": list(s.field), "made": s.made}


def from_json(s: Any, fields: Fields) -> None:
    s.turn = fields.seat("turn", 2)
    s.made = fields.whole("made", 0, rules.MOVES)
    for seat, money in enumerate(fields.wholes("money", 2, 0, 999)):
        s.money[seat] = money
    for field, mark in enumerate(fields.wholes("fields", rules.FIELDS, 0, 2)):
        s.field[field] = mark


def pieces(s: Any) -> dict[str, int]:
    return {}


def tell(before: Any, after: Any, seat: int | None, text: str) -> list[Message]:
    return [Message("{who} marks {field}.", who=Seat(seat or 0), field=text)]
