"""Fast interpretation changes no results: FastState, and functions replacing rules."""

import random
from typing import Any

import pytest

import souk
from souk.games import names
from souk.games.basari_common.rules import next_offer, pack, size
from souk.kernel.bitset import bit, count, lowest, member, write_members
from souk.kernel.rule import source_rule
from souk.kernel.state import FastState
from tests.support.random_games import VARIANTS, variant_name, whole_random_game

ALL_BITS = (1 << 64) - 1


def sets_of_bits() -> list[int]:
    rng = random.Random(1)
    some = [rng.getrandbits(64) & rng.getrandbits(64) for _ in range(200)]
    return [0, 1, 1 << 63, ALL_BITS, *some, *(1 << number for number in range(64))]


@pytest.mark.parametrize("rule", [count, lowest])
def test_bits_are_counted_as_in_the_source(rule: Any) -> None:
    assert source_rule(rule) is not rule
    assert [rule(bits) for bits in sets_of_bits()] == [
        source_rule(rule)(bits) for bits in sets_of_bits()
    ]


def test_members_are_found_as_in_the_source() -> None:
    assert [bit(number) for number in range(64)] == [
        source_rule(bit)(number) for number in range(64)
    ]
    for bits in sets_of_bits():
        places = range(count(bits) + 1)  # including one past the end
        assert [member(bits, k) for k in places] == [source_rule(member)(bits, k) for k in places]
        quick, slow = [0] * 64, [0] * 64
        assert write_members(bits, quick) == source_rule(write_members)(bits, slow)
        assert quick == slow


def test_memoized_rules_equal_their_source() -> None:
    rng = random.Random(2)
    for _ in range(300):
        held = pack(*(rng.randrange(8) for _ in range(4)))
        offer = pack(*(rng.randrange(4) for _ in range(4)))
        assert size(held) == source_rule(size)(held)
        for _ in range(2):  # computed, then cached
            assert next_offer(held, offer) == source_rule(next_offer)(held, offer)


@pytest.mark.parametrize("name", names())
def test_a_fast_state_reads_and_writes_the_same_bytes(name: str) -> None:
    game, rng = souk.game(name), random.Random(3)
    true = game.state(game.blank(game.usual, game.options(game.usual)))
    quick = game.fast_state(bytearray(true.array.tobytes()))
    for field in game.dtype.names or ():
        shape = game.dtype[field].shape
        number = rng.randrange(100)
        if not shape:
            for state in (true, quick):
                setattr(state, field, number)
            assert getattr(quick, field) == getattr(true, field) == number
        else:
            place = (
                tuple(rng.randrange(size) for size in shape)
                if len(shape) > 1
                else rng.randrange(shape[0])
            )
            for state in (true, quick):
                getattr(state, field)[place] = number
            assert getattr(quick, field).tolist() == getattr(true, field).tolist()
        assert bytes(quick.raw) == true.array.tobytes()
    copied = quick.copy()
    copied.players = 1
    assert (quick.players, bytes(quick.raw)) == (true.players, true.array.tobytes())
    assert copied.array["players"][0] == 1


def test_a_number_that_does_not_fit_is_refused_and_changes_nothing() -> None:
    state: Any = souk.game("suleika").start(3).state
    assert isinstance(state, FastState)
    before = bytes(state.raw)
    for field, number in (("turn", 128), ("last", 1 << 15), ("turn", -129)):
        with pytest.raises(ValueError, match=field):
            setattr(state, field, number)
    with pytest.raises(AttributeError):
        state.money = [1, 2, 3]
    with pytest.raises(AttributeError):
        _ = state.camels
    assert bytes(state.raw) == before
    assert (state.turn, state.last) == (0, 0)


def test_changing_the_array_of_a_position_changes_it() -> None:
    pos = souk.game("suleika").start(3)
    array = pos.array
    array["turn"] = 2
    assert pos.actors == (2,)
    pos.state.turn = 1
    assert (array["turn"][0], pos.copy().actors) == (1, (1,))


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_a_game_comes_to_the_same_bytes_by_the_rules_as_they_stand(
    variant: tuple[str, int, dict[str, Any]],
) -> None:
    """Positions use fast clones of the rules."""
    record = whole_random_game(*variant, seed=7)
    game, position = record.game, record.start
    state = game.state(record.start.array.copy())
    for seat, text in record.events:
        if seat is None:
            game.rules.resolve(state, game.notation.read_outcome(state, text))
            position.resolve(text)
        else:
            move = game.notation.read_move(state, text)
            assert game.rules.legal(state, seat, move)
            room = [0] * 4096
            listed = room[: game.rules.moves(state, seat, room)]
            assert position.move_codes(seat, 4096) == listed
            game.rules.play(state, seat, move)
            position.play(seat, text)
        assert position.packed == state.array.tobytes()
