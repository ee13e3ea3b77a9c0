"""Solitaire: every sentence about two moves is true, counted again by playing."""

import random
from collections import Counter
from collections.abc import Iterator

import souk
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.bazaar.explanations import compare
from tests.games.bazaar import market_claims as market
from tests.support.sentences import assert_well_said

SEED = 41
POSITIONS = 200
MOST = 5  # trades


def positions(dice: random.Random) -> Iterator[Position]:
    while True:
        pos = souk.game("bazaar").start(players=1, rates=tuple(dice.sample(range(1, 11), 2)))
        for _ in range(30):
            if pos.over:
                break
            if not pos.actors:
                pos.draw(dice)
                continue
            moves = pos.moves(0)
            if len(moves) > 1:
                yield pos.copy()
            pos.play(0, dice.choice(moves))


def trades_to_the_card(pos: Position, hand: market.Chips) -> int:
    """0 if a hand is exactly its price."""
    if sum(hand) == 5 and not market.missing(pos, hand, 1):
        return 0
    return market.fewest(pos, 0, hand, 1, MOST)


def is_true(pos: Position, better: str, other: str, reason: Reason) -> bool:
    key, n = reason.key, reason.message.values.get("n", 0)
    then = market.after(pos, 0, better)
    if key == "solo_exact":
        return then.over or then.to_json()["phase"] == "buy"
    one, two = (market.hands_after(pos, 0, move) for move in (better, other))
    if key == "solo_reach":
        return trades_to_the_card(pos, one[0]) == n
    if key == "solo_nearer":
        m = reason.message.values["m"]
        return trades_to_the_card(pos, one[0]) == n < m == trades_to_the_card(pos, two[0])
    if key == "solo_closer":
        missing = [market.missing(pos, hand, 1) for hand in two]
        return market.missing(pos, one[0], 1) == n < max(missing)
    if key == "solo_surplus":
        spare = [sum(hand) - 5 + market.missing(pos, hand, 1) for hand in (one[0], *two)]
        return spare[0] == n < max(spare[1:])
    if key == "solo_faces":
        return market.buying_faces(pos, 0, one[0]) == n
    if key == "solo_roll":
        near = [trades_to_the_card(pos, hand) <= 1 for hand in one]
        return sum(near) + any(near) == n
    if key == "solo_adds":
        held = market.missing(pos, market.chips_of(pos, 0), 1)
        return min(market.missing(pos, hand, 1) for hand in one) < held
    assert key == "full"
    return other == "roll" and sum(market.chips_of(pos, 0)) == market.LIMIT


def test_every_claim_is_true_of_the_position() -> None:
    dice, seen = random.Random(SEED), Counter[str]()
    print("seed", SEED)
    source = positions(dice)
    for _ in range(POSITIONS):
        pos = next(source)
        one, other = dice.sample(pos.moves(0), 2)
        for better, worse in ((one, other), (other, one)):
            for reason in compare(pos, 0, better, worse):
                seen[reason.key] += 1
                values = reason.message.values
                assert is_true(pos, better, worse, reason), (pos.to_json(), better, worse, values)
                assert_well_said(reason.message, 1)
    print(seen)
    assert len(seen) >= 6


def test_reasons_are_given_only_for_fewer_actions() -> None:
    dice, solver = random.Random(SEED), souk.game("bazaar").heuristics
    source, speaks = positions(dice), 0
    for _ in range(40):
        pos = next(source)
        actions = {move: score for move, _, score in solver.exact_moves(pos)}
        one, other = dice.sample(pos.moves(0), 2)
        if compare(pos, 0, one, other):
            speaks += 1
            assert actions[one] < actions[other]
    assert speaks > 5
