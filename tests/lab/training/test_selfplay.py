"""Games that searches play to learn from them, and matches between two sides."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import souk
from souk.kernel import interpreting
from souk.kernel.chance import below, draw, stream_start, stream_step
from souk.kernel.interpreting import at_once, interpreted
from souk.lab.training.kernels import TABLE, play_games
from souk.lab.training.selfplay import Manner, Samples, Side, Stint, laid_out, learned_from, line_ups, match, played
from souk.lab.workers import Processes
from tests.minds.random_minds import SEEING, random_file

SEED, GAMES = 3, 2
COMPILED = "basari-cards"
games = pytest.mark.parametrize("name", SEEING)


def stint(name: str, manner: Manner | None = None, **more: Any) -> Stint:
    players = max(2, souk.game(name).players[0])
    usual = Stint(name, players, SEED, 5, GAMES, (Side(),), (0,) * players, manner or Manner(3, 2, 0.5, 0.05, 8))
    return replace(usual, **more)


@pytest.fixture
def by_python(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Within this nothing is compiled, whatever this process has already."""
    monkeypatch.setattr(interpreting, "_compiled", set())
    with at_once():
        yield


def same(one: Samples, other: Samples) -> bool:
    return all(np.array_equal(one[field], other[field]) for field in one.dtype.names or ())


def test_games_are_the_same_interpreted_and_compiled() -> None:
    """In a game with secret choices. One is enough: what is compiled here takes twenty seconds, and knows no game."""
    (_, arrays), (pos, others) = laid_out(stint(COMPILED)), laid_out(stint(COMPILED))
    interpreting.entry(pos.game, play_games)(*arrays)
    interpreted(pos.game, play_games)(*others)
    (*_, plan, samples, results), (*_, other_plan, other_samples, other_results) = arrays, others
    assert plan["kept"][0] > GAMES
    assert same(plan, other_plan)
    assert same(samples, other_samples)
    assert same(results, other_results)


@games
@pytest.mark.usefixtures("by_python")
def test_samples_say_what_was_found_and_how_it_ended(name: str) -> None:
    samples, results = played(stint(name))
    players, rows = results["wins"].shape[1], souk.game(name).mind.ROWS
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
    pos, arrays = laid_out(stint(name, games=1))
    interpreted(pos.game, play_games)(*arrays)
    pos.array[0] = arrays[0][TABLE]
    assert pos.over
    assert arrays[-1]["score"][0, : pos.players].tolist() == list(pos.scores)
    winners = [seat for seat, share in enumerate(arrays[-1]["wins"][0, : pos.players]) if share]
    assert winners == list(pos.winners)


@pytest.mark.usefixtures("by_python")
def test_nothing_is_kept_before_the_scramble() -> None:
    """How many moves are just any moves is drawn first: with many of them a game is over before."""
    most, number, shortest, longest = 299, 20, 40, 120
    samples, results = played(stint("suleika", Manner(1, 1, 1.0, 0.0, most), games=number, number=0))
    assert (results["wins"].sum(1) == 1).all()
    for game in range(number):
        start = stream_start(SEED, game)
        scrambled = below(draw(start, stream_step(start), 0), most + 1)
        kept = int((samples["game"] == game).sum())
        assert kept == 0 or scrambled < longest, (game, scrambled)
        assert kept > 0 or scrambled > shortest, (game, scrambled)
    assert 0 < len(set(samples["game"].tolist())) < number


@pytest.mark.usefixtures("by_python")
def test_changed_seats_have_the_same_dice() -> None:
    """Of games that are scrambled to their end nothing but the dice is left."""
    scrambled = Manner(1, 1, 0.0, 0.0, 10**9)
    one, other = (played(stint("suleika", scrambled, seats=seats, games=4))[1] for seats in line_ups(2))
    assert np.array_equal(one, other)
    third = played(stint("suleika", scrambled, games=4, number=6))[1]
    assert not np.array_equal(one, third)


def test_positions_come_in_the_order_of_their_games() -> None:
    manner = Manner(2, 2, 0.5, 0.05, 4)
    parts = list(learned_from(Processes(1), COMPILED, 3, Side(), manner, SEED, range(4), 3))
    games = np.concatenate(parts)["game"]
    assert (np.diff(games) >= 0).all()
    assert set(games.tolist()) == set(range(12))
    later = next(learned_from(Processes(1), COMPILED, 3, Side(), manner, SEED, range(2, 3), 3))
    assert same(parts[2], later)  # whatever was played before


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
    """A mind of random weights is worse than none."""
    nonsense = Side(str(random_file(tmp_path, souk.game(COMPILED))))
    shares = match(Processes(1), COMPILED, 3, (Side(), nonsense), 20, SEED, 60)
    assert shares.mean() > 0.65
    turned = match(Processes(1), COMPILED, 3, (nonsense, Side()), 20, SEED, 60)
    assert turned.mean() < 0.35
