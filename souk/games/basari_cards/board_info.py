"""Basari, the card game, at a table: what a scoring and the actions would bring now, and what the pile holds."""

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from souk.core.position import Position
from souk.games.basari_cards import rules
from souk.games.basari_cards.notation import ACTIONS
from souk.games.haggling import rules as haggling
from souk.games.haggling.scene import HagglingBox, HagglingScene, Prospects
from souk.kernel.bits import bit

SCORING = rules.score_majorities, rules.score_workers
PROSPECTS = Prospects(rules, ACTIONS, rules.B, rules.C, SCORING, free_to_pass=False)


class CardsBox(HagglingBox):
    actions: list[str]
    workers: int  # that are enough
    workers_points: int
    cards: int
    deals: int


class CardsScene(HagglingScene, omit_defaults=True):
    pile: list[int] = []  # how many of its cards show 1, 2, 3 and 4 workers
    no_card: bool = False  # the pile is empty, so that the action for another card brings nothing
    take: int = 0  # how many gems whoever exchanges may take


def box(pos: Position) -> CardsBox:
    return CardsBox(
        actions=list(ACTIONS[: rules.actions(pos.state)]),
        workers=rules.ENOUGH_WORKERS,
        workers_points=rules.WORKERS_POINTS,
        cards=rules.CARDS,
        deals=rules.DEALS,
    )


def scene(pos: Position, seat: int) -> CardsScene:
    """What a scoring would bring now, the workers on the pile; for a seat what the actions would bring, what it may say in a haggle,
    and how many gems it may take."""
    s, found = pos.state, CardsScene()
    if pos.over:
        return found
    PROSPECTS.show(found, pos, seat, seat >= 0 and s.card[seat] != haggling.NONE)
    found.pile, found.no_card = pile(s), bool(rules.pile_is_empty(s))
    if s.phase == rules.TAKE:
        found.take = rules.gems_to_take(s)
    return found


in_passing = PROSPECTS.in_passing


def pile(s: Any) -> list[int]:
    """How many cards of the pile show 1, 2, 3 and 4 workers."""
    return [*_workers_of(rules.pile(s), s.deck.tobytes())]


@lru_cache(256)
def _workers_of(cards: int, deck: bytes) -> list[int]:
    """The same of some cards of a deck."""
    s = SimpleNamespace(deck=memoryview(deck).cast("H"))
    workers = [rules.workers_on(s, card) for card in range(rules.CARDS) if cards & bit(card)]
    return [workers.count(n) for n in range(1, 5)]
