"""Solitaire Bazaar: analysed in actions against the exact solution."""

import json
import random

import pytest

import souk
from souk.analysis.study import ACTIONS_LOST
from tests.support.analysed_games import CLOSE

PUZZLE = {"rates": (1, 2), "ware": "WWWRR"}


def played(seed: int, care: float) -> souk.Record:
    """A game with this share of best moves, the others random."""
    record, rng, par = souk.Record("bazaar", 1, **PUZZLE), random.Random(seed), souk.solve(**PUZZLE)
    while not (pos := record.position).over:
        if not pos.actors:
            record.draw(rng)
        else:
            record.play(0, par.best(pos) if rng.random() < care else rng.choice(pos.moves(0)))
    return record


@pytest.fixture(scope="module")
def record() -> souk.Record:
    return played(1, 0.6)


@pytest.fixture(scope="module")
def study(record: souk.Record) -> souk.Study:
    return souk.analyse(record)


def test_it_adds_up_in_actions(record: souk.Record, study: souk.Study) -> None:
    [seat] = study.seats
    assert seat.start + seat.luck + seat.own + seat.others == pytest.approx(seat.result, abs=CLOSE)
    assert seat.result == -record.position.scores[0]
    assert seat.others == 0
    assert seat.own == pytest.approx(-sum(step.loss for step in study.steps), abs=CLOSE)
    assert study.start == (1.0,)
    assert {step.before for step in study.steps} | {step.after for step in study.steps} == {(1.0,)}
    assert len(study.steps) == len(record.events)


def test_every_move_against_the_solution(record: souk.Record, study: souk.Study) -> None:
    par = souk.solve(**PUZZLE)
    for step, before, after in zip(
        study.steps, record.positions(), list(record.positions())[1:], strict=False
    ):
        if step.seat is None:
            assert step.kind == "chance"
            continue
        best, played = (pos.scores[0] + par.expected(pos) for pos in (before, after))
        assert min(each.score for each in step.considered) == pytest.approx(best, abs=CLOSE)
        assert step.loss == pytest.approx(played - best, abs=1e-6)
        assert (step.kind, step.error, step.exact) == ("move", 0.0, True)
        assert not step.mark or step.loss >= ACTIONS_LOST[0]


def test_perfect_play_gives_nothing_away() -> None:
    record = played(3, 1.0)
    study = souk.analyse(record)
    assert study.seats[0].own == pytest.approx(0, abs=CLOSE)
    assert not any(step.mark for step in study.steps)
    assert study.accuracy == (1.0,)
    assert study.seats[0].start == pytest.approx(-souk.solve(**PUZZLE).actions)


def test_accuracy_is_in_actions_against_actions(study: souk.Study) -> None:
    """Loss relative to the mean loss of all moves."""
    moves = [
        (step, [each.score for each in step.considered]) for step in study.steps if step.seat == 0
    ]
    stakes = sum(sum(scores) / len(scores) - min(scores) for _, scores in moves)
    [accuracy] = study.accuracy
    assert accuracy == pytest.approx(1 - sum(step.loss for step, _ in moves) / stakes)
    careless = [souk.analyse(played(seed, 0.0)).accuracy[0] or 0.0 for seed in range(2)]
    print(accuracy, careless)
    assert max(careless) < 0.25 < (accuracy or 0.0)


def test_it_can_be_kept(study: souk.Study) -> None:
    assert souk.Study.from_json(json.loads(json.dumps(study.to_json()))) == study
