"""`Batch`: agreement with the interpreted rules, with any number of threads, and refusals."""

import numpy as np
import pytest

import souk.lab
from souk.core.observation_spec import places
from souk.games import game, names
from souk.lab.environments.batch import Batch

_TABLES = [(name, game(name).players[-1]) for name in names()]


@pytest.mark.parametrize(("name", "players"), _TABLES)
def test_shows_what_the_rules_show(name: str, players: int) -> None:
    """Compiled observations and masks are those of the interpreted rules.

    The partial move of a seat (draft) is in the slot, not in the position.
    """
    batch = Batch(name, players, size=6, seed=1)
    drafts = 0
    for _ in range(60):
        batch.step(batch.sample())
        for slot, seat in enumerate(batch.seats()):
            pos, draft = batch.position(slot), int(batch._slots.slots["draft"][slot])
            assert seat == pos.actors[0]
            observed, mask = [0] * batch.observe().shape[1], [0] * batch.actions
            pos.game.rules.observe(pos.seen_by(seat).state, seat, draft, observed)
            pos.game.rules.action_mask(pos.state, seat, draft, mask)
            assert batch.observe()[slot].tolist() == observed
            assert batch.mask()[slot].tolist() == mask
            drafts += draft != 0
    assert (drafts > 0) == name.startswith("basari")


@pytest.mark.parametrize(("name", "players"), _TABLES)
def test_games_end_and_begin_anew(name: str, players: int) -> None:
    batch = Batch(name, players, size=64, seed=2)
    ended = 0
    for _ in range(900):
        rewards, over = batch.step(batch.sample())
        ended += int(over.sum())
        assert (rewards[over == 0] == 0).all()
        assert np.allclose(rewards.sum(1), 0, atol=1e-5)
        assert (np.abs(rewards[over == 1]).max(1) > 0).all()
        assert (batch.mask().sum(1) > 0).all()
    assert ended > 64


def test_threads_change_nothing() -> None:
    one, four = (Batch("basari", 4, size=5000, seed=3, threads=threads) for threads in (1, 4))
    for _ in range(30):
        actions = one.sample()
        assert np.array_equal(actions, four.sample())
        one.step(actions)
        four.step(actions)
        assert np.array_equal(one.observe(), four.observe())


def test_begins_anew_from_a_seed() -> None:
    batch = Batch("bazaar", 3, size=10, seed=4)
    first = batch.observe().copy()
    batch.step(batch.sample())
    assert not np.array_equal(batch.observe(), first)
    assert np.array_equal(batch.reset(4), first)
    assert not np.array_equal(batch.reset(5), first)


def test_shared_without_a_copy() -> None:
    batch = souk.lab.Batch("suleika", players=2, size=10)
    for shared in (batch.observe(), batch.mask(), *batch.step(batch.sample())):
        assert np.shares_memory(np.from_dlpack(shared), shared)


def test_an_action_that_is_not_allowed_changes_nothing() -> None:
    batch = Batch("suleika", 4, size=8, seed=6)
    before, actions = batch.observe().copy(), batch.sample().copy()
    # a rug, while Omar must turn
    actions[5] = 19
    with pytest.raises(
        ValueError, match=r"^actions: 19 is illegal in game 5, where seat 0 is to move"
    ):
        batch.step(actions)
    assert np.array_equal(batch.observe(), before)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (
            [0] * 3,
            r"^actions: must be 4 whole numbers, one for each game, not int64 of shape \(3,\)",
        ),
        ([0.5] * 4, r"^actions: must be 4 whole numbers"),
        (["left"] * 4, r"^actions: must be 4 whole numbers"),
    ],
)
def test_actions_of_a_wrong_form(actions: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Batch("suleika", 4, size=4).step(actions)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"game": "chess"}, "chess"),
        ({"players": 7}, r"^players: Suleika is for 2 to 4 players, not 7"),
        ({"size": 0}, r"^size: must be a whole number from 1"),
        ({"device": "tpu"}, r"^device: must be .cpu. or .cuda., not 'tpu'"),
        ({"seed": -1}, r"^seed: must be a whole number from 0"),
        ({"colour": "red"}, r"^colour: Suleika has no such option"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Batch(**({"game": "suleika", "players": 2} | settings))  # type: ignore[arg-type]


def test_fields_say_where_everything_is() -> None:
    batch = Batch("bazaar", 4, size=2)
    assert batch.places == places(batch.fields)
    assert sum(field.size for field in batch.fields) == batch.observe().shape[1]
    assert sum(kind.size for kind in batch.kinds) == batch.actions == batch.mask().shape[1]
    assert (batch.observe()[:, batch.places["bank"]] > 0).all()
