"""Bazaar positions for tests: constructed in JSON, or from random games."""

import tomllib
from pathlib import Path
from typing import Any

import souk

BAZAAR = souk.game("bazaar")
FOLDER = Path(souk.__file__).parent / "games" / "bazaar"
PAGE = FOLDER / "rules.md"
TOPS = ["WWWRR", "BBGGY", "WWBGY", "WWWWW"]  # the last is starred
NOBODYS = ("rates", "stalls", "first", "over")
# Numbers of players and options for which the game differs.
TABLES: list[tuple[int, dict[str, Any]]] = [
    (1, {}),
    (2, {"double_purchase": True}),
    (3, {}),
    (6, {"double_purchase": True}),
]


def shipped() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "souk.toml").read_text())


def hand(letters: str) -> list[int]:
    """Chip counts of a hand such as "WWR"."""
    return [letters.count(colour) for colour in "WBGRY"]


def at(*hands: str, **fields: Any) -> dict[str, Any]:
    """A position in JSON by the seats' hands: seat 0 must act, unless `fields` say otherwise.

    Rate cards 1 and 2 are in play, the stalls show TOPS, and the bank has the rest; `left` sets the
    cards per stall.
    """
    players = len(hands)
    chips = [hand(letters) for letters in hands]
    left = fields.pop("left", [5, 5, 5, 5] if players > 1 else [1])
    tops = fields.pop("tops", TOPS)
    stalls = [
        {"top": top if count else None, "left": count}
        for top, count in zip(tops, left, strict=False)
    ]
    position = {
        "game": "bazaar",
        "players": players,
        "phase": "act",
        "turn": None if fields.get("phase") in NOBODYS else 0,
        "chips": chips,
        "bank": [20 - sum(column) for column in zip(*chips, strict=True)],
        "points": [0] * players,
        "bought": [0] * players,
        "rates": [1, 2],
        "stalls": stalls,
        "seen": [stall["top"] for stall in stalls if stall["top"]],
        "turns_without_purchase": 0,
    }
    return position | ({"actions": 0} if players == 1 else {}) | fields


def position(*hands: str, **fields: Any) -> souk.Position:
    return BAZAAR.from_json(at(*hands, **fields))


def buying(letters: str, **fields: Any) -> souk.Position:
    """Seat 0 of two may buy with these chips."""
    return position(letters, "", phase="buy", **fields)


def double(letters: str, **fields: Any) -> souk.Position:
    return buying(letters, options={"double_purchase": True}, **fields)


def chips(pos: souk.Position, seat: int = 0) -> list[int]:
    counts: list[int] = pos.to_json()["chips"][seat]
    return counts


def phase(pos: souk.Position) -> str:
    return str(pos.to_json()["phase"])
