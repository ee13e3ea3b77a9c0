"""Training a net: agreement with the kernels, evaluation, and learning."""

from functools import cache

import numpy as np
import pytest
import torch

import souk
from souk.bots.workspace import Workspace
from souk.kernel.net import evaluate_with_net
from souk.kernel.net_layout import SCORE
from souk.kernel.state import States, state_class
from souk.lab.training.selfplay import Samples, SelfPlayTask, Side, play_task
from souk.lab.training.settings import LearningSettings, SelfPlaySettings
from souk.lab.training.train_net import Learner, Net, TrainingData, hold_out_games, row_counts
from tests.support.random_games import random_game
from tests.support.random_nets import SEEING

SEED = 8
OFTEN = 1000


@cache
def samples() -> Samples:
    return play_task(
        SelfPlayTask(
            "suleika", 2, SEED, 0, 60, (Side(),), (0, 0), SelfPlaySettings(4, 4, 0.5, 0.05, 8)
        )
    )[0]


def learner_for(name: str, lessons: LearningSettings | None = None) -> Learner:
    net = souk.game(name).net_features
    return Learner(net.ROWS, net.symmetries(), lessons or LearningSettings(seed=SEED), "cpu")


def with_much_to_say(net: Net) -> None:
    """Give a net weights of typical size."""
    with torch.no_grad():
        for weights, size in (
            (net.rows, 0.1),
            (net.second.weight, 0.3),
            (net.third.weight, 0.3),
            (net.third.bias, 0.3),
        ):
            weights.normal_(0.0, size)
    net.clamp_weights()


@pytest.mark.parametrize("name", SEEING)
def test_the_net_agrees_with_the_kernels(name: str) -> None:
    """In floating point, up to quantisation error."""
    learner = learner_for(name)
    with_much_to_say(learner.net)
    learner.seen[:-1] = OFTEN
    net, said = learner.quantized(), []
    players = souk.game(name).players[-1]
    is_quiet = [
        r.position.copy()
        for r in random_game(name, players, {}, SEED)
        if r.position.game.rules.is_quiet(r.position.state)
    ]
    for pos in is_quiet[:: max(1, len(is_quiet) // 12)]:
        workspace = Workspace(pos, 0)
        states, notes = workspace.interpreted()
        pos.game.rules.evaluate(states[0], notes[0].values, workspace.lookup)
        evaluate = torch.tensor(workspace["values"][:players].copy(), dtype=torch.float32)
        n = pos.game.rules.features(states[0], notes[0], workspace.lookup)
        seen = torch.from_numpy(workspace["seen"][:n, :players].T.astype(np.int64))
        values, chances = learner.net(seen[None], evaluate[None])
        evaluate_with_net(
            states[0], notes[0], workspace.lookup, States(net, state_class(net.dtype))[0]
        )
        assert np.allclose(values[0].detach().numpy(), workspace["values"][:players], atol=0.5)
        assert np.allclose(
            chances[0].exp().detach().numpy(), workspace["wins"][:players], atol=0.02
        )
        said.append(workspace["wins"][:players].copy())
    # the net is not constant
    assert np.ptp(said, axis=0).max() > 0.1


def test_of_corrections_of_scores_as_much_counts_as_they_are_believed() -> None:
    said = []
    for scale in (1.0, 0.5):
        learner = learner_for("suleika", LearningSettings(seed=SEED, correction_scale=scale))
        with_much_to_say(learner.net)
        net = learner.quantized()
        said.append(np.append(net["third"][0], net["third_floor"][0][:, None], axis=1))
    whole, half = said
    assert abs(whole[SCORE]).max() > 20
    # up to quantisation error
    assert abs(whole[SCORE] - 2 * half[SCORE]).max() <= 1
    assert np.array_equal(np.delete(whole, SCORE, axis=0), np.delete(half, SCORE, axis=0))


def test_held_out_games_are_not_learned_from() -> None:
    learned, held_out = hold_out_games(samples(), 0.05)
    assert len(learned) + len(held_out) == len(samples())
    assert not set(learned["game"].tolist()) & set(held_out["game"].tolist())
    assert 0 < len(held_out) <= 0.1 * len(samples())
    assert len(hold_out_games(samples(), 1e-9)[1])  # one game at least
    with pytest.raises(ValueError, match="one game only"):
        hold_out_games(samples()[samples()["game"] == 0], 0.05)


def test_a_net_that_has_learned_nothing_says_what_the_outlook_says() -> None:
    learner, found = learner_for("suleika"), samples()
    off = (found["evaluation"] - found["score"]).astype(np.float64)
    assert abs(learner.evaluate_on(found).score - np.sqrt((off**2).mean())) < 1e-3


def test_what_is_learned_is_known_better() -> None:
    learner = learner_for("suleika", LearningSettings(epochs=30, batch=128, seed=SEED))
    before = learner.evaluate_on(samples())
    losses = [float(loss) for _, _, loss in learner.train(samples())]
    after = learner.evaluate_on(samples())
    assert np.mean(losses[-5:]) < np.mean(losses[:5])
    assert after.chances < before.chances
    assert after.score < before.score


def test_in_a_review_what_came_of_a_position_is_what_is_said_of_the_next() -> None:
    """An untrained net predicts what the heuristics do."""
    learner, found = learner_for("suleika"), samples()
    lecture = TrainingData(found, learner.count, 0.0, "cpu")
    last = np.append(np.diff(found["game"]) != 0, True)
    for td_lambda in (0.0, 0.25, 1.0):
        lecture.relabel(learner.net, td_lambda)
        came = found["score"].copy()
        for k in reversed(range(len(found))):
            if not last[k]:
                came[k] = td_lambda * came[k + 1] + (1 - td_lambda) * found["evaluation"][k + 1]
        assert np.allclose(lecture.score.numpy(), came, atol=1e-3)
        assert np.allclose(lecture.wins.sum(1).numpy(), 1.0, atol=1e-5)
    # with td_lambda 1, targets are the results
    assert np.allclose(lecture.score.numpy(), found["score"])


def test_nothing_is_said_of_what_was_never_seen() -> None:
    learner = learner_for("suleika", LearningSettings(epochs=1, batch=128, seed=SEED))
    list(learner.train(samples()))
    counts = row_counts(TrainingData(samples(), learner.count, 0.0, "cpu"), learner.symmetries)
    rows = learner.quantized()["rows"][0]
    assert not rows[counts == 0].any()
    assert rows[counts > OFTEN].any(axis=1).all()
    assert not rows[-1].any()
