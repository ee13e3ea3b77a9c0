"""Positions of Basari, the card game, for tests."""

from typing import Any

import souk
from souk.games.basari_cards import rules

GAME = souk.game("basari-cards")
DECK = list(GAME.start(players=3).chances())  # every card may be first


def data(phase: str = "choose", players: int = 3, **changes: Any) -> dict[str, Any]:
    """A position as JSON, like the start except for `changes`; supply and seen cards follow
    from them.
    """
    gems = changes.get("gems", [[3, 3, 3, 3]] * players)
    fields: dict[str, Any] = {
        "game": "basari-cards",
        "players": players,
        "phase": phase,
        "turn": None,
        "points": [0] * players,
        "workers": [0] * players,
        "gems": gems,
        "supply": [22 - sum(row[colour] for row in gems) for colour in range(4)],
        "cards": [None] * players,
        "seen": [card for card in changes.get("cards", []) if card],
        "choices": [None] * players,
        "haggle": None,
        "pending": [],
        "deals": 0,
    }
    return fields | changes


def at(phase: str = "choose", players: int = 3, **changes: Any) -> souk.Position:
    return GAME.from_json(data(phase, players, **changes))


def with_an_empty_pile(**changes: Any) -> souk.Position:
    """All cards are seen. Not readable from JSON, as a seat has 15 workers before that
    happens.
    """
    pos = at(**changes)
    pos.state.seen = rules.WHOLE_DECK
    return pos


def choose(pos: souk.Position, choices: str) -> dict[str, Any]:
    """Everybody chooses, seat 0 first; returns the resulting JSON."""
    for seat, choice in enumerate(choices):
        pos.play(seat, choice)
    return pos.to_json()


def haggle(action: str = "A", offer: list[int] | None = None, **changes: Any) -> dict[str, Any]:
    """Seats 0 and 1 haggle: 0 is the opener, and 1 has made the offer if there is one."""
    who = {"seats": [0, 1], "turn": 0, "offer": offer, "offerer": 1 if offer else None}
    choices = {"A": "AAB", "B": "BBC", "C": "CCA"}[action]
    pending = [
        action_name for action_name in "ABC" if action_name >= action and action_name in choices
    ]
    return data(
        "haggle",
        turn=0,
        choices=list(choices),
        pending=pending,
        haggle={"action": action} | who,
        **changes,
    )


def exchange(phase: str, choices: str, turn: int, **changes: Any) -> souk.Position:
    """Action D: the seat `turn` must give or take."""
    return at(phase, 5, turn=turn, choices=list(choices), pending=["D"], **changes)
