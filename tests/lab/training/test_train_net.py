"""How a net learns: that it is the mind of the kernels, what it is examined with, and that it learns anything."""

from functools import cache

import numpy as np
import pytest
import torch

import souk
from souk.bots.desk import Desk
from souk.kernel.mind import weigh_up
from souk.kernel.mind_shape import SCORE
from souk.kernel.state import States, state_class
from souk.lab.training.learning import Learner, Lecture, Lessons, Net, of_games, times_seen
from souk.lab.training.selfplay import Manner, Samples, Side, Stint, played
from tests.minds.random_minds import SEEING
from tests.random_games import random_game

SEED = 8
OFTEN = 1000


@cache
def samples() -> Samples:
    return played(Stint("suleika", 2, SEED, 0, 60, (Side(),), (0, 0), Manner(4, 4, 0.5, 0.05, 8)))[0]


def learner_for(name: str, lessons: Lessons | None = None) -> Learner:
    mind = souk.game(name).mind
    return Learner(mind.ROWS, mind.symmetries(), lessons or Lessons(seed=SEED), "cpu")


def with_much_to_say(net: Net) -> None:
    """Give a net weights of a usual size."""
    with torch.no_grad():
        for weights, size in (
            (net.rows, 0.1),
            (net.second.weight, 0.3),
            (net.third.weight, 0.3),
            (net.third.bias, 0.3),
        ):
            weights.normal_(0.0, size)
    net.keep_small()


@pytest.mark.parametrize("name", SEEING)
def test_the_net_is_the_mind_of_the_kernels(name: str) -> None:
    """In floating point, up to what whole numbers leave out."""
    learner = learner_for(name)
    with_much_to_say(learner.net)
    learner.seen[:-1] = OFTEN
    mind, said = learner.in_whole_numbers(), []
    players = souk.game(name).players[-1]
    quiet = [
        r.position.copy() for r in random_game(name, players, {}, SEED) if r.position.game.rules.quiet(r.position.state)
    ]
    for pos in quiet[:: max(1, len(quiet) // 12)]:
        desk = Desk(pos, 0)
        states, notes = desk.interpreted()
        pos.game.rules.outlook(states[0], notes[0].values, desk.lore)
        outlook = torch.tensor(desk["values"][:players].copy(), dtype=torch.float32)
        n = pos.game.rules.sight(states[0], notes[0], desk.lore)
        seen = torch.from_numpy(desk["seen"][:n, :players].T.astype(np.int64))
        values, chances = learner.net(seen[None], outlook[None])
        weigh_up(states[0], notes[0], desk.lore, States(mind, state_class(mind.dtype))[0])
        assert np.allclose(values[0].detach().numpy(), desk["values"][:players], atol=0.5)
        assert np.allclose(chances[0].exp().detach().numpy(), desk["wins"][:players], atol=0.02)
        said.append(desk["wins"][:players].copy())
    assert np.ptp(said, axis=0).max() > 0.1  # it is no net that always says the same


def test_of_corrections_of_scores_as_much_counts_as_they_are_believed() -> None:
    said = []
    for belief in (1.0, 0.5):
        learner = learner_for("suleika", Lessons(seed=SEED, belief=belief))
        with_much_to_say(learner.net)
        mind = learner.in_whole_numbers()
        said.append(np.append(mind["third"][0], mind["third_floor"][0][:, None], axis=1))
    whole, half = said
    assert abs(whole[SCORE]).max() > 20
    assert abs(whole[SCORE] - 2 * half[SCORE]).max() <= 1  # up to what whole numbers leave out
    assert np.array_equal(np.delete(whole, SCORE, axis=0), np.delete(half, SCORE, axis=0))


def test_held_out_games_are_not_learned_from() -> None:
    learned, held_out = of_games(samples(), 0.05)
    assert len(learned) + len(held_out) == len(samples())
    assert not set(learned["game"].tolist()) & set(held_out["game"].tolist())
    assert 0 < len(held_out) <= 0.1 * len(samples())
    assert len(of_games(samples(), 1e-9)[1])  # one game at least
    with pytest.raises(ValueError, match="one game only"):
        of_games(samples()[samples()["game"] == 0], 0.05)


def test_a_net_that_has_learned_nothing_says_what_the_outlook_says() -> None:
    learner, found = learner_for("suleika"), samples()
    off = (found["outlook"] - found["score"]).astype(np.float64)
    assert abs(learner.examined(found).score - np.sqrt((off**2).mean())) < 1e-3


def test_what_is_learned_is_known_better() -> None:
    learner = learner_for("suleika", Lessons(epochs=30, batch=128, seed=SEED))
    before = learner.examined(samples())
    losses = [float(loss) for _, _, loss in learner.teach(samples())]
    after = learner.examined(samples())
    assert np.mean(losses[-5:]) < np.mean(losses[:5])
    assert after.chances < before.chances
    assert after.score < before.score


def test_in_a_review_what_came_of_a_position_is_what_is_said_of_the_next() -> None:
    """A net that has learned nothing says what the outlook says."""
    learner, found = learner_for("suleika"), samples()
    lecture = Lecture(found, learner.count, 0.0, "cpu")
    last = np.append(np.diff(found["game"]) != 0, True)
    for hindsight in (0.0, 0.25, 1.0):
        lecture.review(learner.net, hindsight)
        came = found["score"].copy()
        for k in reversed(range(len(found))):
            if not last[k]:
                came[k] = hindsight * came[k + 1] + (1 - hindsight) * found["outlook"][k + 1]
        assert np.allclose(lecture.score.numpy(), came, atol=1e-3)
        assert np.allclose(lecture.wins.sum(1).numpy(), 1.0, atol=1e-5)
    assert np.allclose(lecture.score.numpy(), found["score"])  # with hindsight alone it is how the game ended


def test_nothing_is_said_of_what_was_never_seen() -> None:
    learner = learner_for("suleika", Lessons(epochs=1, batch=128, seed=SEED))
    list(learner.teach(samples()))
    counts = times_seen(Lecture(samples(), learner.count, 0.0, "cpu"), learner.symmetries)
    rows = learner.in_whole_numbers()["rows"][0]
    assert not rows[counts == 0].any()
    assert rows[counts > OFTEN].any(axis=1).all()
    assert not rows[-1].any()
