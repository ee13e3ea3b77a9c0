"""Basari, the card game, at a table: what a scoring and the actions would bring now, and what can be watched of an event."""

from typing import Any

from souk.core.position import Position
from souk.games.basari_cards import rules
from souk.games.basari_cards.words import ACTIONS
from souk.games.haggling import rules as haggling
from souk.games.haggling import scene as haggling_scene
from souk.games.haggling.scene import copied
from souk.kernel.bits import bit

_FAR = 1000  # from 15 workers, for a scoring that is not to come; who has more of them is still the same


def box(pos: Position) -> dict[str, Any]:
    return haggling_scene.box() | {
        "actions": list(ACTIONS[: rules.actions(pos.state)]),
        "workers": rules.ENOUGH_WORKERS,
        "workers_points": rules.WORKERS_POINTS,
        "cards": rules.CARDS,
        "deals": rules.DEALS,
    }


# ---------------------------------------------------------------- now


def scene(pos: Position, seat: int) -> dict[str, Any]:
    """What a scoring would bring now, the workers on the pile; for a seat what the actions would bring, what it may say in a haggle,
    and how many gems it may take."""
    s = pos.state
    if pos.over:
        return {}
    shown = haggling_scene.scoring_now(s, rules.end_deal, rules.score_majorities) | {"pile": _pile(s)}
    if seat >= 0 and s.card[seat] != haggling.NONE:
        shown["actions"] = _actions(s, seat)
    if s.phase == rules.HAGGLE:
        shown |= haggling_scene.stakes(s, _actions, ACTIONS[s.action])
        shown |= haggling_scene.haggle_now(s, seat, False, rules.carry_out, rules.end_deal)
    if s.phase == rules.TAKE:
        shown["take"] = rules.gems_to_take(s)
    return shown


def _pile(s: Any) -> list[int]:
    """How many cards of the pile show 1, 2, 3 and 4 workers."""
    pile = rules.pile(s)
    workers = [rules.workers_on(s, card) for card in range(rules.CARDS) if pile & bit(card)]
    return [workers.count(n) for n in range(1, 5)]


def _actions(s: Any, seat: int) -> dict[str, Any]:
    """What B and C would bring a seat with its card."""
    done = copied(s)
    rules.carry_out(done, rules.B, seat)
    rules.carry_out(done, rules.C, seat)
    gems = [done.gems[seat, colour] - s.gems[seat, colour] for colour in range(haggling.COLOURS)]
    return {"B": done.points[seat] - s.points[seat], "C": gems}


# ---------------------------------------------------------------- what happens


def shown(before: Position, after: Position, seat: int | None, text: str) -> dict[str, Any]:
    s = before.state
    found: dict[str, Any] = {}
    if s.phase == rules.CHOOSE and seat is not None:
        found = haggling_scene.revealed(before, seat, text)
        if not found:
            return {}
    settled = haggling_scene.settled(before, seat, text, _postpone).state
    if s.phase in (rules.DEAL, rules.DRAW):
        found = {"to": s.turn, "card": text, "workers": settled.workers[s.turn] - s.workers[s.turn] + _FAR}
    found |= haggling_scene.changed(s, settled, seat, text)
    if after.state.deals > s.deals:
        scoring = haggling_scene.scoring_shown(settled, after.state, rules.score_majorities)
        found["scoring"] = {"number": after.state.deals} | scoring
    return found


def _postpone(s: Any) -> None:
    for seat in range(s.players):
        s.workers[seat] -= _FAR


# ---------------------------------------------------------------- where points came from


def sources(positions: list[Position], events: list[tuple[int | None, str]]) -> list[dict[str, int]]:
    """By seat: points on cards, for workers, and for the majorities of each deal."""
    names = ["cards", "workers", *(f"deal_{number + 1}" for number in range(rules.DEALS))]
    found = [dict.fromkeys(names, 0) for _ in range(positions[0].players)]
    for before, after, (seat, text) in zip(positions, positions[1:], events, strict=False):
        if before.scores != after.scores:
            _note_sources(found, shown(before, after, seat, text))
    return found


def _note_sources(found: list[dict[str, int]], event: dict[str, Any]) -> None:
    for each, points in event.get("points", []):
        found[each]["cards"] += points
    if scoring := event.get("scoring"):
        for each, points in scoring["besides"]:
            found[each]["workers"] += points
        for seats, points, _ in scoring["colours"]:
            for each in seats:
                found[each][f"deal_{scoring['number']}"] += points
