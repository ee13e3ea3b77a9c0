"""Shared Basari rules: raises against a brute-force list, random haggling, majorities, texts."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import souk
from souk.core.messages import Message
from souk.games.basari_common import messages as haggle_messages
from souk.games.basari_common import notation as haggle_notation
from souk.games.basari_common import rules as haggling
from souk.kernel.bitset import count, lowest
from souk.kernel.rng import draw, stream_start, stream_step
from tests.support.marks import clause

Hand = tuple[int, int, int, int]
BASARI = souk.game("basari")
HANDS = st.tuples(*[st.integers(0, 3)] * 4)
OFFERS = st.tuples(*[st.integers(0, 4)] * 4)


def state(*hands: Hand, offer: Hand = (0, 0, 0, 0)):
    """A table where seat 0 must speak, and seat 1 has offered if `offer` is given; others
    hold nothing.
    """
    pos = BASARI.start(players=4)
    for seat in range(4):
        for colour in range(4):
            pos.state.gems[seat, colour] = hands[seat][colour] if seat < len(hands) else 0
    haggling.begin_haggle(pos.state, 0, 1)
    pos.state.offer = haggling.pack(*offer)
    return pos.state


def counts(offer: int) -> Hand:
    red, yellow, green, blue = (haggling.part(offer, colour) for colour in range(4))
    return red, yellow, green, blue


def value(offer: Hand) -> tuple[int, Hand]:
    """B23 as a sort key: number of gems, then red, yellow, green, blue ones."""
    return sum(offer), offer


def raises(hand: Hand, offer: Hand) -> list[Hand]:
    """All higher offers from a hand, lowest first, by brute force."""
    every = product(*(range(held + 1) for held in hand))
    return sorted((candidate for candidate in every if value(candidate) > value(offer)), key=value)


def listed(s, room: int, free_to_pass: bool = True) -> list[int]:
    out = [0] * room
    return out[: haggling.haggle_moves(s, 0, out, free_to_pass)]


def random_moves(s, n: int, free_to_pass: bool) -> Counter[str]:
    start = stream_start(2, 3)
    numbers = [draw(start, stream_step(start), i) for i in range(n)]
    drawn = Counter(haggling.random_haggle_move(s, 0, x, free_to_pass) for x in numbers)
    return Counter({haggle_notation.haggle_move_text(move): times for move, times in drawn.items()})


# ---------------------------------------------------------------- offers


@given(HANDS)
def test_an_offer_is_its_counts(hand: Hand):
    offer = haggling.pack(*hand)
    assert counts(offer) == hand
    assert haggling.size(offer) == sum(hand)
    assert haggling.higher(offer, 0) is (sum(hand) > 0)


@clause("B23", "K22")
@given(OFFERS, OFFERS)
def test_higher_is_more_gems_or_as_many_of_higher_value(one: Hand, other: Hand):
    assert haggling.higher(haggling.pack(*one), haggling.pack(*other)) is (
        value(one) > value(other)
    )


@clause("B21", "B23", "K22")
@given(HANDS, OFFERS)
def test_raises_are_listed_from_the_lowest_to_the_highest_and_none_is_left_out(
    hand: Hand, offer: Hand
):
    s = state(hand, offer=offer)
    moves = listed(s, 300)
    assert [counts(move - haggling.OFFER) for move in moves[1:]] == raises(hand, offer)
    assert moves[0] == (haggling.ACCEPT if sum(offer) else haggling.PASS)


@clause("B23", "K22")
@given(HANDS, OFFERS)
def test_the_next_offer_is_the_lowest_raise(hand: Hand, offer: Hand):
    next_raise = haggling.next_offer(haggling.pack(*hand), haggling.pack(*offer))
    assert counts(next_raise) == (raises(hand, offer) or [(0, 0, 0, 0)])[0]


@clause("B23", "K22")
@pytest.mark.parametrize(
    ("hand", "offer", "expected"),
    [
        ((25, 25, 25, 25), (0, 0, 0, 25), (0, 0, 1, 24)),
        ((25, 25, 25, 25), (25, 25, 25, 24), (25, 25, 25, 25)),
        ((25, 25, 25, 25), (25, 25, 25, 25), (0, 0, 0, 0)),
        ((25, 0, 0, 25), (0, 25, 25, 0), (25, 0, 0, 25)),
        ((0, 25, 25, 0), (1, 0, 0, 25), (0, 2, 25, 0)),
        ((1, 0, 0, 9), (0, 10, 0, 0), (1, 0, 0, 9)),
        ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_raises_with_many_gems(hand: Hand, offer: Hand, expected: Hand):
    assert counts(haggling.next_offer(haggling.pack(*hand), haggling.pack(*offer))) == expected


@given(HANDS, OFFERS, st.booleans())
def test_legal_is_exactly_what_is_listed(hand: Hand, offer: Hand, free_to_pass: bool):
    s = state(hand, offer=offer)
    moves = set(listed(s, 300, free_to_pass))
    tried = {
        haggling.OFFER + haggling.pack(*counts_tried)
        for counts_tried in product(range(5), repeat=4)
    }
    others = {
        0,
        1,
        2,
        8,
        35,
        haggling.ACCEPT,
        haggling.PASS,
        haggling.ACCEPT + 1,
        haggling.OFFER + (1 << 24),
        haggling.OFFER + 63,
        haggling.OFFER + 0o40000000,
    }
    for move in tried | others:
        assert bool(haggling.haggle_legal(s, 0, move, free_to_pass)) is (move in moves)


def test_a_short_list_holds_the_lowest():
    s = state((3, 3, 3, 3))
    assert listed(s, 5) == listed(s, 300)[:5]
    assert len(listed(s, 300)) == 256


# ---------------------------------------------------------------- stopping


@clause("B21", "B22", "K21")
@pytest.mark.parametrize(
    ("hand", "offer", "free_to_pass", "stop"),
    [
        ((1, 0, 0, 0), (0, 0, 0, 0), True, haggling.PASS),
        ((1, 0, 0, 0), (0, 0, 0, 0), False, 0),
        ((0, 0, 0, 0), (0, 0, 0, 0), False, haggling.PASS),
        ((0, 0, 0, 0), (0, 0, 0, 0), True, haggling.PASS),
        ((1, 0, 0, 0), (0, 0, 0, 1), False, haggling.ACCEPT),
        ((0, 0, 0, 0), (0, 0, 0, 1), True, haggling.ACCEPT),
    ],
)
def test_how_a_haggle_may_be_stopped(hand: Hand, offer: Hand, free_to_pass: bool, stop: int):
    assert haggling.may_stop(state(hand, offer=offer), 0, free_to_pass) == stop


@clause("B22", "B25", "K22")
@given(HANDS, HANDS)
def test_what_is_accepted_changes_hands_and_nothing_else(giver: Hand, taker: Hand):
    s = state(taker, giver, offer=giver)
    haggling.hand_over(s, 1, 0)
    assert [s.gems[1, colour] for colour in range(4)] == [0, 0, 0, 0]
    assert [s.gems[0, colour] for colour in range(4)] == [
        sum(pair) for pair in zip(giver, taker, strict=True)
    ]


# ---------------------------------------------------------------- random haggling

DRAWS = 8000


def near(times: int, chance: float) -> bool:
    """Within five standard deviations of the expectation."""
    return abs(times - DRAWS * chance) < 5 * (DRAWS * chance * (1 - chance)) ** 0.5


@pytest.mark.parametrize(("offer", "stop"), [((0, 0, 0, 0), "pass"), ((0, 0, 1, 2), "accept")])
def test_random_haggling_stops_half_the_time_and_else_offers_one_of_the_eight_lowest(
    offer: Hand, stop: str
):
    hand = (3, 3, 3, 3)
    drawn = random_moves(state(hand, offer=offer), DRAWS, True)
    eight = [
        "offer " + haggle_notation.offer_text(haggling.pack(*each))
        for each in raises(hand, offer)[:8]
    ]
    assert set(drawn) == {stop, *eight}
    assert near(drawn[stop], 1 / 2)
    assert all(near(drawn[move], 1 / 16) for move in eight)


def test_random_haggling_is_even_among_fewer_than_eight():
    hand, offer = (1, 1, 0, 1), (0, 0, 0, 1)
    drawn = random_moves(state(hand, offer=offer), DRAWS, True)
    lowest = [
        "offer " + haggle_notation.offer_text(haggling.pack(*each)) for each in raises(hand, offer)
    ]
    assert len(lowest) == 6
    assert set(drawn) == {"accept", *lowest}
    assert near(drawn["accept"], 1 / 2)
    assert all(near(drawn[move], 1 / 12) for move in lowest)


@clause("K21")
def test_random_haggling_offers_where_one_may_not_pass():
    drawn = random_moves(state((3, 3, 3, 3)), DRAWS, False)
    assert "pass" not in drawn
    assert len(drawn) == 8
    assert all(near(times, 1 / 8) for times in drawn.values())


@pytest.mark.parametrize(
    ("hand", "offer", "only"),
    [
        ((0, 0, 0, 0), (0, 0, 0, 0), "pass"),
        ((0, 0, 0, 0), (0, 0, 0, 1), "accept"),
        ((1, 0, 0, 0), (1, 0, 0, 0), "accept"),
    ],
)
def test_random_haggling_with_nothing_to_offer(hand: Hand, offer: Hand, only: str):
    for free_to_pass in (False, True):
        assert set(random_moves(state(hand, offer=offer), 50, free_to_pass)) == {only}


def test_a_lone_offer_one_must_make():
    assert set(random_moves(state((0, 1, 0, 0)), 50, False)) == {"offer 1y"}


# ---------------------------------------------------------------- majorities and the supply


@clause("B32", "K41", "K42")
@given(st.lists(st.integers(0, 5), min_size=4, max_size=4), st.integers(0, 3))
def test_the_majority_is_all_who_hold_the_most(held: list[int], colour: int):
    hands = [[n if index == colour else 1 for index in range(4)] for n in held]
    seats = [seat for seat in range(4) if held[seat] == max(held) > 0]
    holders = haggling.majority(state(*map(tuple, hands)), colour)
    assert holders == sum(1 << seat for seat in seats)
    assert count(holders) == len(seats)
    assert not seats or lowest(holders) == seats[0]


@clause("B14", "B33", "K15")
@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 6))
def test_gems_move_as_far_as_there_are_any(held: int, supply: int, wanted: int):
    s = state((0, held, 0, 0))
    s.supply[1] = supply
    haggling.take_from_supply(s, 0, 1, wanted)
    assert (s.gems[0, 1], s.supply[1]) == (held + min(wanted, supply), supply - min(wanted, supply))
    s.gems[0, 1], s.supply[1] = held, supply
    haggling.return_to_supply(s, 0, 1, wanted)
    assert (s.gems[0, 1], s.supply[1]) == (held - min(wanted, held), supply + min(wanted, held))


# ---------------------------------------------------------------- texts


@given(
    st.tuples(*[st.integers(0, 25)] * 4).filter(any),
    st.permutations(range(4)),
    st.booleans(),
    st.booleans(),
)
def test_an_offer_is_read_in_any_order_case_and_spacing(
    offer: Hand, order: list[int], upper: bool, spaced: bool
):
    packed = haggling.pack(*offer)
    text = (" " if spaced else "").join(
        f"{offer[colour]}{'rygb'[colour]}" for colour in order if offer[colour]
    )
    assert haggle_notation.read_offer(text.upper() if upper else text) == packed
    assert haggle_notation.read_offer(haggle_notation.offer_text(packed)) == packed
    assert haggle_notation.haggle_move_text(
        haggling.OFFER + packed
    ) == "offer " + haggle_notation.offer_text(packed)


@pytest.mark.parametrize(
    ("offer", "text", "words"),
    [
        ((1, 0, 0, 2), "1r2b", "1 red and 2 blue gems"),
        ((0, 12, 0, 0), "12y", "12 yellow gems"),
        ((1, 2, 3, 4), "1r2y3g4b", "1 red, 2 yellow, 3 green and 4 blue gems"),
    ],
)
def test_an_offer_in_letters_and_in_words(offer: Hand, text: str, words: str):
    assert haggle_notation.offer_text(haggling.pack(*offer)) == text
    assert str(Message("{gems}", gems=haggle_messages.in_words(haggling.pack(*offer)))) == words


@pytest.mark.parametrize("text", ["26r", "31b", "32g", "99y", "1000r", "9" * 5000 + "r"])
def test_more_gems_than_there_are_can_be_read_and_are_held_by_nobody(text: str):
    hoard = state((25, 25, 25, 25))
    assert not haggling.owned(hoard, 0, haggle_notation.read_offer(text))
