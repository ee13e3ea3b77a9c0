"""A summary counts exactly the games that `simulate` returns."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import souk
from souk.games import names
from souk.kernel.batch_play import Results
from souk.lab.simulate import summary as module
from souk.lab.simulate.summary import LENGTHS, SCORES, Summary, census, summarize


def same(one: Summary, other: Summary) -> bool:
    counted = [each.name for each in fields(Summary) if each.name != "seconds"]
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in counted)


@pytest.mark.parametrize("game", names())
def test_the_sums_of_what_simulate_brings(game: str) -> None:
    players = souk.game(game).players[-1]
    text: list[int] = []
    found = census(game, players, 5_000, 3, report=text.append)
    games = souk.simulate(game, players, 5_000, 3)
    scores = games.scores.astype(np.int64)
    lengths = games.lengths.astype(np.int64)
    alone = games.winners.sum(axis=1)
    assert (found.game, found.players, found.games, sum(text)) == (game, players, 5_000, 5_000)
    assert found.wins.tolist() == games.winners.sum(axis=0).tolist()
    assert found.solo_wins.tolist() == games.winners[alone == 1].sum(axis=0).tolist()
    assert found.shared == (alone > 1).sum()
    assert found.score_sums.tolist() == scores.sum(axis=0).tolist()
    assert found.score_squares.tolist() == (scores**2).sum(axis=0).tolist()
    for seat in range(players):
        counts = np.histogram(scores[:, seat], bins=[*SCORES, SCORES.stop])[0]
        assert found.scores[seat].tolist() == [0, *counts, 0]
        assert found.score(seat) == pytest.approx(
            (scores[:, seat].mean(), scores[:, seat].std(ddof=1))
        )
    assert found.lengths.tolist() == [*np.histogram(lengths, bins=[*LENGTHS, LENGTHS.stop])[0], 0]
    assert (found.events, found.event_squares) == (games.events, (lengths**2).sum())
    assert (found.shortest, found.longest) == (lengths.min(), lengths.max())
    assert found.length == pytest.approx((lengths.mean(), lengths.std(ddof=1)))
    assert found.seconds > 0


def test_part_by_part_and_interpreted_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = census("bazaar", 3, 1_000, 5, double_purchase=True)
    monkeypatch.setattr(module, "_CHUNK", {"cpu": 300, "python": 7})
    assert same(census("bazaar", 3, 1_000, 5, double_purchase=True), whole)
    assert not same(census("bazaar", 3, 1_000, 6, double_purchase=True), whole)
    assert same(census("suleika", 2, 10, 5, target="python"), census("suleika", 2, 10, 5))


def test_alone_there_may_be_no_winner() -> None:
    found = census("bazaar", 1, 500, 1, rates=(1, 2), ware="WWWRR")
    assert found.winners.sum() == 500
    assert found.wins.tolist() == found.solo_wins.tolist() == [found.winners[1]]
    assert found.winners[0] > 0


def test_what_is_out_of_range_shares_a_count() -> None:
    scores = np.array([[-1000, 511], [-65, 512], [-64, 513], [0, 30_000]], np.int32)
    lengths = np.array([3, 2047, 2048, 90_000], np.int32)
    found = summarize("suleika", 2, Results(scores, np.array([1, 2, 3, 3], np.uint8), lengths))
    assert found.scores[0, :2].tolist() == [2, 1]
    assert found.scores[1, -2:].tolist() == [1, 3]
    assert found.scores.sum(axis=1).tolist() == [4, 4]
    assert found.lengths[-2:].tolist() == [1, 2]
    assert found.score_sums.tolist() == [-1129, 31_536]
    assert found.longest == 90_000
    assert found.wins.tolist() == [3, 3]
    assert found.solo_wins.tolist() == [1, 1]
    assert found.shared == 2


def test_a_single_game_has_no_spread() -> None:
    assert census("suleika", 4, 1, 1).length == (144.0, 0.0)


def test_a_billion_games_lose_no_digit() -> None:
    """Sums whose squares exceed 64 bits."""
    one = census("suleika", 4, 1_000, 1)
    many = one
    for _ in range(20):
        many += many
    assert many.games == 1_000 << 20
    assert many.score(0)[0] == one.score(0)[0]
    assert many.score(0)[1] == pytest.approx(one.score(0)[1], rel=1e-3)
    assert many.length == (144.0, 0.0)


def test_different_tables_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="suleika for 4 and suleika for 3 do not add up"):
        census("suleika", 4, 1) + census("suleika", 3, 1)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"players": 9}, "players"),
        ({"games": 0}, "games"),
        ({"seed": -1}, "seed"),
        ({"target": "gpu"}, "target"),
    ],
)
def test_nonsense_is_refused(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(ValueError, match=f"^{field}: "):
        census("suleika", **{"players": 4} | settings)
