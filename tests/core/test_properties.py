"""Invariants of all positions, with games, moments and numbers chosen by hypothesis."""

import json
from typing import Any

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import souk
from souk.games.basari_common import rules as haggling
from souk.games.suleika import rules as suleika
from souk.kernel.bitset import bit, count, member
from souk.kernel.rng import below
from tests.support.marks import clause
from tests.support.random_games import VARIANTS, random_game

SEEDS = st.integers(0, 2**64 - 1)
STEPS = st.integers(0, 120)
COUNTS = st.integers(0, 25)
OFFERS = st.builds(haggling.pack, COUNTS, COUNTS, COUNTS, COUNTS)


def moment(variant: tuple[str, int, dict[str, Any]], seed: int, step: int) -> souk.Position:
    """The position after `step` events of a random game, or at its end."""
    position = None
    for number, record in enumerate(random_game(*variant, seed)):
        position = record.position
        if number == step:
            break
    assert position is not None
    return position


MOMENTS = st.builds(moment, st.sampled_from(VARIANTS), SEEDS, STEPS)


@given(MOMENTS)
@settings(max_examples=150)
def test_json_brings_every_position_back(position: souk.Position) -> None:
    again = position.game.from_json(json.loads(json.dumps(position.to_json())))
    assert again == position
    assert hash(again) == hash(position)
    assert again.moves(0)[:50] == position.moves(0)[:50]
    assert again.chances() == position.chances()


@given(MOMENTS)
@settings(max_examples=60)
def test_what_a_seat_sees_can_be_seen_again(position: souk.Position) -> None:
    """Viewing is idempotent, and hides only choices."""
    for seat in range(-1, position.players):
        view = position.to_json(seat)
        assert position.seen_by(seat).to_json(seat) == view
        truth = position.to_json()
        assert {name for name in truth if truth[name] != view[name]} <= {"choices"}
        if seat >= 0 and "choices" in truth:
            assert view["choices"][seat] == truth["choices"][seat]


@given(st.sets(st.integers(0, 63), min_size=1), SEEDS)
def test_bit_sets_are_sets(numbers: set[int], x: int) -> None:
    bits = sum(bit(number) for number in numbers)
    assert count(bits) == len(numbers)
    assert [member(bits, k) for k in range(len(numbers))] == sorted(numbers)
    assert 0 <= below(x, len(numbers)) < len(numbers)


# ---------------------------------------------------------------- haggling


@clause("B23", "K22")
@given(OFFERS, OFFERS, OFFERS)
def test_offers_have_one_order(one: int, two: int, three: int) -> None:
    assert haggling.higher(one, two) + haggling.higher(two, one) == (one != two)
    if haggling.higher(one, two) and haggling.higher(two, three):
        assert haggling.higher(one, three)


@clause("B23")
@given(OFFERS, OFFERS)
@example(haggling.pack(1, 0, 0, 9), haggling.pack(0, 10, 0, 0))
def test_more_gems_or_as_many_of_higher_rank(one: int, two: int) -> None:
    def counts(offer: int) -> list[int]:
        return [haggling.part(offer, colour) for colour in range(4)]

    assert haggling.higher(one, two) == (
        (sum(counts(one)), counts(one)) > (sum(counts(two)), counts(two))
    )


# ---------------------------------------------------------------- Suleika


@clause("S12")
@given(st.integers(0, 48), st.integers(0, 3))
def test_a_step_can_be_walked_back(field: int, facing: int) -> None:
    """Omar, turned around, walks back the same way, balconies included."""
    game = souk.game("suleika")
    s: Any = game.start(players=4).state
    s.omar, s.facing = field, facing
    suleika.walk_one(s)
    s.facing = (s.facing + 2) % 4
    suleika.walk_one(s)
    assert (s.omar, s.facing) == (field, (facing + 2) % 4)


@clause("S2", "S18", "S19")
@given(st.sampled_from([2, 3, 4]), SEEDS, st.integers(0, 192))
@settings(max_examples=60)
def test_rugs_lie_as_rugs_do(players: int, seed: int, step: int) -> None:
    """No rug shows on more than two fields, and the latest shows on both of its fields."""
    s: Any = moment(("suleika", players, {}), seed, step).state
    assert sum(count(cover) for cover in s.cover) == sum(1 for number in s.rug if number)
    showing = [number for number in s.rug if number]
    assert all(showing.count(number) <= 2 for number in showing)
    assert s.last == max(showing, default=0)
    assert s.last == 0 or showing.count(s.last) == 2


@clause("S20")
@given(st.sampled_from([2, 3, 4]), SEEDS, st.integers(0, 192))
@settings(max_examples=60)
def test_there_is_room_for_a_rug_wherever_omar_stands(players: int, seed: int, step: int) -> None:
    s: Any = moment(("suleika", players, {}), seed, step).state
    for field in range(49):
        s.omar = field
        assert suleika.places(s) != 0


# ---------------------------------------------------------------- Bazaar


@clause("Z11")
@given(st.integers(2, 6), SEEDS, st.integers(6, 120))
@settings(max_examples=60)
def test_a_trade_can_be_traded_back(players: int, seed: int, step: int) -> None:
    position = moment(("bazaar", players, {}), seed, step)
    before = position.to_json()
    assume(before["phase"] == "act")
    seat = position.actors[0]
    for trade in position.moves(seat)[1:]:
        given_chips, got = trade.removeprefix("trade ").split(">")
        future = position.copy()
        future.play(seat, trade)
        after = future.to_json() | {"phase": "act", "turn": seat}
        if sum(after["chips"][seat]) > 10:
            continue
        back = position.game.from_json(after)
        back.play(seat, f"trade {got}>{given_chips}")
        assert back.to_json()["chips"] == before["chips"]
        assert back.to_json()["bank"] == before["bank"]
