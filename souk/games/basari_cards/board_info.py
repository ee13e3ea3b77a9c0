"""Basari, the card game, for the board display: prospects of a scoring and of actions, and
the pile.
"""

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from souk.core.position import Position
from souk.games.basari_cards import rules
from souk.games.basari_cards.notation import ACTIONS
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.board_info import HagglingBox, HagglingScene, Prospects
from souk.kernel.bitset import bit

SCORING = rules.score_majorities, rules.score_workers
PROSPECTS = Prospects(rules, ACTIONS, rules.B, rules.C, SCORING, free_to_pass=False)


class CardsBox(HagglingBox):
    actions: list[str]
    workers: int  # enough to end a deal
    workers_points: int
    cards: int
    deals: int


class CardsScene(HagglingScene, omit_defaults=True):
    pile: list[int] = []  # number of its cards with 1, 2, 3 and 4 workers
    no_card: bool = False  # the pile is empty, so drawing a card brings nothing
    take: int = 0  # gems the exchanging seat may take


def box(pos: Position) -> CardsBox:
    return CardsBox(
        actions=list(ACTIONS[: rules.actions(pos.state)]),
        workers=rules.ENOUGH_WORKERS,
        workers_points=rules.WORKERS_POINTS,
        cards=rules.CARDS,
        deals=rules.DEALS,
    )


def scene(pos: Position, seat: int) -> CardsScene:
    """What a scoring would bring now, and the pile; for a seat also its actions, haggle
    options and gems to take.
    """
    s, info = pos.state, CardsScene()
    if pos.over:
        return info
    PROSPECTS.show(info, pos, seat, seat >= 0 and s.card[seat] != haggling.NONE)
    info.pile, info.no_card = pile(s), bool(rules.pile_is_empty(s))
    if s.phase == rules.TAKE:
        info.take = rules.gems_to_take(s)
    return info


in_passing = PROSPECTS.in_passing


def pile(s: Any) -> list[int]:
    """Number of cards in the pile with 1, 2, 3 and 4 workers."""
    return [*_workers_of(rules.pile(s), s.deck.tobytes())]


@lru_cache(256)
def _workers_of(cards: int, deck: bytes) -> list[int]:
    """The same for some cards of a deck."""
    s = SimpleNamespace(deck=memoryview(deck).cast("H"))
    workers = [rules.workers_on(s, card) for card in range(rules.CARDS) if cards & bit(card)]
    return [workers.count(n) for n in range(1, 5)]
