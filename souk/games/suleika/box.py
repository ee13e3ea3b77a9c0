"""Suleika's start options."""

from typing import Any

from souk.core.json_fields import brief, is_whole


def defaults(players: int) -> dict[str, Any]:
    return {"first": 0, "turn_at_end": False}


def check(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """S7: the seat that begins. S40: with two players Omar may be turned at the end of a turn."""
    first, turn_at_end = options["first"], options["turn_at_end"]
    if not is_whole(first) or not 0 <= first < players:
        raise ValueError(f"first: must be a seat from 0 to {players - 1}, not {brief(first)}")
    if not isinstance(turn_at_end, bool):
        raise ValueError(f"turn_at_end: must be true or false, not {brief(turn_at_end)}")
    if turn_at_end and players != 2:
        raise ValueError(f"turn_at_end: only two players can play so, not {players}")
    return options


def rugs_of_each(players: int) -> int:
    """S3–S4: rugs of each colour in play."""
    return 15 if players == 3 else 12


def fill(s: Any, options: dict[str, Any]) -> None:
    s.first = options["first"]
    s.turn_at_end = options["turn_at_end"]


def rated_from(players: int) -> int:
    """A player makes about 48, 30 or 24 moves in a game of two, three or four."""
    return {2: 10, 3: 6, 4: 5}[players]
