"""Suleika: what can be chosen at the start."""

from typing import Any

from souk.core.fields import brief, is_whole


def defaults(players: int) -> dict[str, Any]:
    return {"first": 0, "turn_at_end": False}


def check(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """S7: who begins. S40: with two players Omar may be turned at the end of a turn."""
    first, turn_at_end = options["first"], options["turn_at_end"]
    if not is_whole(first) or not 0 <= first < players:
        raise ValueError(f"first: must be a seat from 0 to {players - 1}, not {brief(first)}")
    if not isinstance(turn_at_end, bool):
        raise ValueError(f"turn_at_end: must be true or false, not {brief(turn_at_end)}")
    if turn_at_end and players != 2:
        raise ValueError(f"turn_at_end: only two players can play so, not {players}")
    return options


def fill(s: Any, options: dict[str, Any]) -> None:
    s.first = options["first"]
    s.turn_at_end = options["turn_at_end"]
