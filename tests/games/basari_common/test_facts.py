"""Facts of random games of both Basari games match what happened: gems, points, three scorings."""

import pytest

import souk
from souk.core.facts import Fact
from souk.games.basari.facts import ScoringBegan
from souk.games.basari_cards.facts import DealEnded
from tests.support.ledgers import check_facts
from tests.support.random_games import whole_random_game

SEEDS = range(6)
TABLES = [
    ("basari", 3),
    ("basari", 4),
    ("basari-cards", 3),
    ("basari-cards", 4),
    ("basari-cards", 5),
]
# The fact that begins a scoring; the source of points for ending a deal or lap, and their minimum.
SCORINGS: dict[str, type[Fact]] = {"basari": ScoringBegan, "basari-cards": DealEnded}
REACHED = {"basari": ("lap", 30), "basari-cards": ("workers", 36)}


@pytest.fixture(params=SEEDS)
def record(name: str, players: int, request: pytest.FixtureRequest) -> souk.Record:
    return whole_random_game(name, players, {}, request.param)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_points_and_gems_told_to_move_are_those_that_moved(record: souk.Record) -> None:
    check_facts(record)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_three_scorings_are_told_in_their_order(record: souk.Record) -> None:
    scorings = [
        fact
        for facts in record.facts()
        for fact in facts
        if isinstance(fact, SCORINGS[record.game.name])
    ]
    assert [fact.number for fact in scorings] == [1, 2, 3]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_sources_add_up_to_the_scores(record: souk.Record) -> None:
    points_by_seat = record.game.facts.sources(
        record.start, [fact for facts in record.facts() for fact in facts]
    )
    assert [sum(by_name.values()) for by_name in points_by_seat] == record.position.scores
    source, least = REACHED[record.game.name]
    assert sum(by_name[source] for by_name in points_by_seat) >= least
