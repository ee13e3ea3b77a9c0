"""Invariants of every study, and games to analyse."""

from itertools import pairwise

import pytest

import souk
from souk.analysis.study import CHANCES_LOST, MARKS, SURE, Step, Study
from tests.support.random_games import random_game

CLOSE = 1e-9


def first_events(name: str, players: int, events: int, seed: int = 1) -> souk.Record:
    """The start of a random game."""
    return next(
        record for record in random_game(name, players, {}, seed) if len(record.events) == events
    )


def check_study(study: Study, record: souk.Record) -> None:
    """Check everything that holds for any game."""
    assert [(step.seat, step.text) for step in study.steps] == record.events
    assert study.start == study.steps[0].before
    assert all(one.after == other.before for one, other in pairwise(study.steps))
    for step, before in zip(study.steps, record.positions(), strict=False):
        _check_step(step, before)
    _check_sums(study)
    _check_accuracy(study)


def _check_step(step: Step, before: souk.Position) -> None:
    hidden = len(before.actors) > 1 or before.has_secrets
    assert step.kind == ("chance" if step.seat is None else "secret" if hidden else "move")
    for shares in (step.before, step.after):
        assert len(shares) == before.players
        assert sum(shares) == pytest.approx(1, abs=CLOSE)
        assert all(-CLOSE <= share <= 1 + CLOSE for share in shares)
    assert sum(step.luck) == pytest.approx(0, abs=CLOSE)
    assert sum(step.gifts) == pytest.approx(0, abs=CLOSE)
    moved = [luck + gift for luck, gift in zip(step.luck, step.gifts, strict=True)]
    assert moved == pytest.approx(
        [a - b for a, b in zip(step.after, step.before, strict=True)], abs=CLOSE
    )
    assert step.loss >= 0
    assert step.error >= 0
    _check_judgement(step, before)


def _check_judgement(step: Step, before: souk.Position) -> None:
    if step.seat is None:
        assert (step.loss, step.error, step.mark, step.best, step.mix) == (0, 0, "", None, {})
        assert len(before.chances()) > 1 or step.luck == (0.0,) * before.players
        return
    assert step.gifts[step.seat] == -step.loss
    moves = before.moves(step.seat)
    if step.kind == "move":
        assert step.best in moves
        assert step.loss == 0 or step.best != step.text
        assert step.luck == pytest.approx((0.0,) * before.players, abs=CLOSE)
        assert len(moves) > 1 or (step.loss, step.error) == (0, 0)
    elif step.mix:
        assert list(step.mix) == moves
        assert sum(step.mix.values()) == pytest.approx(1)
    if step.mark:
        assert step.loss - SURE * step.error >= CHANCES_LOST[MARKS.index(step.mark)]


def _check_sums(study: Study) -> None:
    for seat, balance in enumerate(study.seats):
        own = [step for step in study.steps if step.seat == seat]
        assert balance.start + balance.luck + balance.own + balance.others == pytest.approx(
            balance.result, abs=CLOSE
        )
        assert balance.start == study.start[seat]
        assert balance.result == study.steps[-1].after[seat]
        assert balance.own == pytest.approx(-sum(step.loss for step in own), abs=CLOSE)
        assert balance.own <= 0


def _check_accuracy(study: Study) -> None:
    """Perfect without losses, never negative, undefined without stakes."""
    assert len(study.accuracy) == len(study.share_lost) == len(study.seats)
    for seat, (accuracy, share) in enumerate(zip(study.accuracy, study.share_lost, strict=True)):
        stakes = [step.stake for step in study.steps if step.seat == seat]
        assert min(stakes, default=0) >= 0
        assert (accuracy is None) == (share is None) == (sum(stakes) < CLOSE)
        if accuracy is not None and share is not None:
            assert accuracy == max(0, 1 - share) <= 1
            assert (accuracy == 1) == (study.seats[seat].own == 0)
