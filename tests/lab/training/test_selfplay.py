"""Self-play for training, and matches between two sides."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import souk
from souk.kernel import interpreter as interpreting
from souk.kernel.interpreter import interpreted_kernel, without_compiling
from souk.kernel.rng import below, draw, stream_start, stream_step
from souk.lab.training.selfplay import (
    Samples,
    SelfPlayTask,
    Side,
    kernel_arguments,
    line_ups,
    match,
    play_task,
    selfplay,
)
from souk.lab.training.selfplay_kernels import TABLE, play_games
from souk.lab.training.settings import SelfPlaySettings
from souk.lab.workers import Processes
from tests.support.random_nets import SEEING, random_file

SEED, GAMES = 3, 2
COMPILED = "basari-cards"
games = pytest.mark.parametrize("name", SEEING)


def stint(name: str, manner: SelfPlaySettings | None = None, **more: Any) -> SelfPlayTask:
    players = max(2, souk.game(name).players[0])
    usual = SelfPlayTask(
        name,
        players,
        SEED,
        5,
        GAMES,
        (Side(),),
        (0,) * players,
        manner or SelfPlaySettings(3, 2, 0.5, 0.05, 8),
    )
    return replace(usual, **more)


@pytest.fixture
def by_python(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Compile nothing inside the block, even if this process has compiled kernels."""
    monkeypatch.setattr(interpreting, "_compiled", set())
    with without_compiling():
        yield


def same(one: Samples, other: Samples) -> bool:
    return all(np.array_equal(one[field], other[field]) for field in one.dtype.names or ())


def test_games_are_the_same_interpreted_and_compiled() -> None:
    """In a game with secret choices. One game is enough: compiling takes twenty seconds."""
    (_, arrays), (pos, others) = (
        kernel_arguments(stint(COMPILED)),
        kernel_arguments(stint(COMPILED)),
    )
    interpreting.load_kernel(pos.game, play_games)(*arrays)
    interpreted_kernel(pos.game, play_games)(*others)
    (*_, plan, samples, results), (*_, other_plan, other_samples, other_results) = arrays, others
    assert plan["kept"][0] > GAMES
    assert same(plan, other_plan)
    assert same(samples, other_samples)
    assert same(results, other_results)


@games
@pytest.mark.usefixtures("by_python")
def test_samples_say_what_was_found_and_how_it_ended(name: str) -> None:
    samples, results = play_task(stint(name))
    players, rows = results["wins"].shape[1], souk.game(name).net_features.ROWS
    assert len(samples) > GAMES
    assert np.allclose(samples["found_wins"].sum(1), 1.0, atol=1e-5)
    assert np.allclose(results["wins"].sum(1), 1.0)
    assert (samples["found_wins"] >= 0).all()
    first = stint(name).number * GAMES
    assert set(samples["game"]) <= set(range(first, first + GAMES))
    for sample in samples:
        assert np.array_equal(sample["score"], results[sample["game"] - first]["score"])
        assert np.array_equal(sample["wins"], results[sample["game"] - first]["wins"])
        seen = sample["seen"][: sample["n"], :players]
        assert len(seen)
        assert ((seen >= 0) & (seen < rows)).all()


@games
def test_final_scores_are_those_of_the_game(name: str) -> None:
    pos, arrays = kernel_arguments(stint(name, games=1))
    interpreted_kernel(pos.game, play_games)(*arrays)
    pos.array[0] = arrays[0][TABLE]
    assert pos.over
    assert arrays[-1]["score"][0, : pos.players].tolist() == list(pos.scores)
    winners = [seat for seat, share in enumerate(arrays[-1]["wins"][0, : pos.players]) if share]
    assert winners == list(pos.winners)


@pytest.mark.usefixtures("by_python")
def test_nothing_is_kept_in_the_random_opening() -> None:
    """The number of random moves is drawn first; with many, a game ends before they do."""
    most, number, shortest, longest = 299, 20, 40, 120
    samples, results = play_task(
        stint("suleika", SelfPlaySettings(1, 1, 1.0, 0.0, most), games=number, number=0)
    )
    assert (results["wins"].sum(1) == 1).all()
    for game in range(number):
        start = stream_start(SEED, game)
        opening = below(draw(start, stream_step(start), 0), most + 1)
        kept = int((samples["game"] == game).sum())
        assert kept == 0 or opening < longest, (game, opening)
        assert kept > 0 or opening > shortest, (game, opening)
    assert 0 < len(set(samples["game"].tolist())) < number


@pytest.mark.usefixtures("by_python")
def test_changed_seats_have_the_same_dice() -> None:
    """Games that are random to the end depend on the dice alone."""
    opening = SelfPlaySettings(1, 1, 0.0, 0.0, 10**9)
    one, other = (
        play_task(stint("suleika", opening, seats=seats, games=4))[1] for seats in line_ups(2)
    )
    assert np.array_equal(one, other)
    third = play_task(stint("suleika", opening, games=4, number=6))[1]
    assert not np.array_equal(one, third)


def test_positions_come_in_the_order_of_their_games() -> None:
    manner = SelfPlaySettings(2, 2, 0.5, 0.05, 4)
    parts = list(selfplay(Processes(1), COMPILED, 3, Side(), manner, SEED, range(4), 3))
    games = np.concatenate(parts)["game"]
    assert (np.diff(games) >= 0).all()
    assert set(games.tolist()) == set(range(12))
    later = next(selfplay(Processes(1), COMPILED, 3, Side(), manner, SEED, range(2, 3), 3))
    # independent of earlier games
    assert same(parts[2], later)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_neither_side_has_the_better_seats(players: int) -> None:
    one, other = line_ups(players)
    assert [1 - side for side in one] == list(other)
    assert abs(sum(one) - sum(other)) == players % 2


@pytest.mark.parametrize("players", [3, 4])
def test_a_match_against_oneself_is_near_even(players: int) -> None:
    shares = match(Processes(1), COMPILED, players, (Side(), Side()), 4, SEED, 200)
    assert len(shares) == 200
    assert abs(shares.mean() - 0.5) < 0.1


def test_a_match_tells_who_is_better(tmp_path: Any) -> None:
    """A net of random weights is worse than none."""
    nonsense = Side(str(random_file(tmp_path, souk.game(COMPILED))))
    shares = match(Processes(1), COMPILED, 3, (Side(), nonsense), 20, SEED, 60)
    assert shares.mean() > 0.65
    turned = match(Processes(1), COMPILED, 3, (nonsense, Side()), 20, SEED, 60)
    assert turned.mean() < 0.35
