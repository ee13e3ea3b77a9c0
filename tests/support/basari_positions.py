"""Basari positions for tests: constructed in JSON, or from random games."""

import tomllib
from pathlib import Path
from typing import Any

import souk

BASARI = souk.game("basari")
FOLDER = Path(souk.__file__).parent / "games" / "basari"
NUMBERS_5_6_7 = [0, 1, 3]  # arches of the shipped board with these numbers: 5:RRY, 6:GGG, 7:YB
SETTLING = ("opener", "haggle", "dice")
HANDS = [[2, 0, 8, 1], [2, 7, 3, 1], [2, 5, 8, 1], [2, 5, 4, 2]]  # the rulebook's example (B42)
NO_OFFER = {"offer": None, "offerer": None}  # of a haggle


def shipped_arches() -> list[str]:
    arches: list[str] = tomllib.loads((FOLDER / "souk.toml").read_text())["arches"]
    return arches


def at(players: int = 4, **fields: Any) -> dict[str, Any]:
    """A position in JSON: everybody must choose, unless `fields` say otherwise; the supply
    is the rest.
    """
    gems = fields.setdefault("gems", [[3, 3, 3, 3] for _ in range(players)])
    return {
        "game": "basari",
        "players": players,
        "phase": "choose",
        "turn": None,
        "figures": [0, 7, 14, 21][:players],
        "discs": [0, 7, 14, 21][:players],
        "walked": [0] * players,
        "points": [0] * players,
        "supply": [25 - sum(column) for column in zip(*gems, strict=False)],
        "choices": [None] * players,
        "haggle": None,
        "pending": [],
        "scorings": 0,
    } | fields


def position(players: int = 4, **fields: Any) -> souk.Position:
    return BASARI.from_json(at(players, **fields))


def haggle(**fields: Any) -> dict[str, Any]:
    """Seats 0 and 1 haggle for the dice, seat 0 to open; the others have chosen points and gems."""
    inner = {"action": "dice", "seats": [0, 1], "turn": 0} | NO_OFFER | fields.pop("haggle", {})
    choices = ["dice", "dice", "points", "gems"]
    outer = {
        "phase": "haggle",
        "turn": 0,
        "choices": choices,
        "pending": ["dice", "points", "gems"],
        "haggle": inner,
    }
    return at(**(outer | fields))


def offered(offer: list[int], **fields: Any) -> souk.Position:
    """Seat 0 has offered, and seat 1 must answer."""
    return BASARI.from_json(
        haggle(turn=1, haggle={"turn": 1, "offer": offer, "offerer": 0}, **fields)
    )


def choose(pos: souk.Position, *actions: str) -> souk.Position:
    for seat, action in enumerate(actions):
        pos.play(seat, action)
    return pos


def gems(pos: souk.Position, seat: int) -> list[int]:
    counts: list[int] = pos.to_json()["gems"][seat]
    return counts


def end_round(**fields: Any) -> souk.Position:
    """A round in which all four choose points, so that only its end happens."""
    return choose(position(**fields), *["points"] * 4)
