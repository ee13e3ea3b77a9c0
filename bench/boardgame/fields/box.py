"""Fields: nothing can be chosen."""

from typing import Any


def defaults(players: int) -> dict[str, Any]:
    return {}


def check(players: int, options: dict[str, Any]) -> dict[str, Any]:
    return options


def fill(s: Any, options: dict[str, Any]) -> None:
    return


def about(options: dict[str, Any]) -> str:
    return ""
