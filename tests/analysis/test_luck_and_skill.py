"""Luck and skill add up to the result."""

import json
import random
from fractions import Fraction
from pathlib import Path
from statistics import fmean

import pytest

import souk
from souk.analysis.analyse import analyse
from souk.analysis.study import CHANCES_LOST, Balance, Step, mark_of
from souk.bots.bot import Considered
from souk.bots.registry import make_bot
from tests.support.analysed_games import CLOSE, check_study, first_events
from tests.support.forked import run_python
from tests.support.random_games import whole_random_game

TABLES = [
    ("suleika", 2),
    ("suleika", 3),
    ("suleika", 4),
    ("basari", 3),
    ("basari", 4),
    ("basari-cards", 3),
]
TABLES += [("bazaar", players) for players in souk.game("bazaar").players if players > 1]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_whole_games_add_up(name: str, players: int) -> None:
    record = whole_random_game(name, players, {}, 15)
    study = souk.analyse(record, playouts=16, seed=3)
    check_study(study, record)
    assert not study.unfinished
    winners = record.position.winners
    assert [seat.result for seat in study.seats] == [
        (seat in winners) / len(winners) for seat in range(players)
    ]
    assert any(step.loss > 0 for step in study.steps)
    assert any(step.mark for step in study.steps)  # random play makes mistakes
    print(name, players, study.accuracy)
    assert fmean(share or 0.0 for share in study.accuracy) < 0.6


@pytest.mark.parametrize("name", ["basari", "basari-cards"])
def test_secret_choices_are_luck_and_skill(name: str) -> None:
    """A choice is judged without knowing the others'; what they chose is luck."""
    record = first_events(name, 3, 10)
    study = souk.analyse(record, playouts=400, unfinished=True)
    check_study(study, record)
    secret = [step for step in study.steps if step.kind == "secret"]
    assert len(secret) >= 3
    assert all(step.mix and step.best is None for step in secret)
    assert any(abs(luck) > 0.001 for step in secret for luck in step.luck)


# ---------------------------------------------------------------- who played best


def a_step(seat: int | None, loss: float, *wins: float) -> Step:
    """A choice between moves with these win chances."""
    considered = [Considered(f"move {k}", 0.0, win, 0.0) for k, win in enumerate(wins)]
    kind = "chance" if seat is None else "move"
    return Step(
        seat,
        "",
        kind,
        (0.5, 0.5),
        (0.5, 0.5),
        (0.0, 0.0),
        (0.0, 0.0),
        loss=loss,
        considered=considered,
    )


def a_study(*steps: Step) -> souk.Study:
    return souk.Study("", 0, 0, (0.5, 0.5), list(steps), [Balance(0.5, 0.0, 0.0, 0.0, 0.5)] * 2)


def test_a_stake_is_what_choosing_at_random_would_lose() -> None:
    assert a_step(0, 0.0, 0.6, 0.4, 0.2).stake == pytest.approx(0.2)
    assert a_step(0, 0.0, 0.1, 0.1, 0.1).stake == 0
    assert a_step(0, 0.0, 0.7).stake == 0
    assert a_step(None, 0.0).stake == 0


def test_accuracy_is_what_was_not_lost_of_the_stakes() -> None:
    study = a_study(
        a_step(0, 0.1, 0.6, 0.4, 0.2),
        a_step(1, 0.9, 0.9, 0.0),
        a_step(0, 0.0, 0.8, 0.4),
        a_step(None, 0),
    )
    assert study.share_lost == pytest.approx((0.25, 2.0))
    assert study.accuracy == pytest.approx(
        (0.75, 0.0)
    )  # worse than random is no better than random
    assert a_study(a_step(0, 0.0, 0.6, 0.4), a_step(1, 0.0, 0.3), a_step(1, 0.0)).accuracy == (
        1.0,
        None,
    )


def test_rounding_is_no_stake() -> None:
    wins = [sum([1 / 3] * 3) / 3, 1 / 3, 0.1 + 0.2 + 1 / 30]
    assert a_study(*[a_step(0, 0.0, *wins)] * 40).accuracy == (None, None)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_search_is_more_accurate_than_random_play(seed: int) -> None:
    record, rng, thinking = (
        souk.Record("bazaar", 2),
        random.Random(seed),
        make_bot("vizier:playouts=100", seed=seed),
    )
    while not (pos := record.position).over:
        if not pos.actors:
            record.draw(rng)
        else:
            [seat] = pos.actors
            record.play(
                seat, thinking.choose(pos, seat).move if seat == 0 else rng.choice(pos.moves(seat))
            )
    found = souk.analyse(record, playouts=32, seed=seed).accuracy
    print(seed, found)
    assert found[0] is not None
    assert found[1] is not None
    assert found[0] > 0.6 > found[1]


# ---------------------------------------------------------------- reproducibility


def test_the_same_seed_and_playouts_give_the_same_study_in_another_process(tmp_path: Path) -> None:
    record = first_events("basari", 3, 12)
    record.save(tmp_path / "game.souk")
    here = [
        souk.analyse(record, playouts=32, seed=seed, unfinished=True).to_json()
        for seed in (5, 5, 6)
    ]
    assert here[0] == here[1]
    assert here[0]["steps"] != here[2]["steps"]
    code = (
        "import json, souk; print(json.dumps(souk.analyse("
        "souk.load('game.souk'), playouts=32, seed=5, unfinished=True).to_json()))"
    )
    there = run_python(["-c", code], folder=tmp_path)
    assert there.stdout == json.dumps(here[0]) + "\n"


def test_progress_is_reported() -> None:
    told: list[tuple[int, int]] = []
    analyse(
        first_events("basari", 3, 8),
        playouts=16,
        unfinished=True,
        progress=lambda *done: told.append(done),
    )
    assert [done for done, _ in told] == list(range(1, told[-1][1] + 1))


def test_so_many_seconds_a_decision() -> None:
    record = first_events("suleika", 2, 6)
    check_study(souk.analyse(record, seconds=0.01, unfinished=True), record)


# ---------------------------------------------------------------- exact results


@pytest.mark.parametrize("seed", [30, 44, 45])
def test_endings_of_suleika_are_exact(seed: int) -> None:
    """The last turns of open games for two, against full enumeration."""
    record = whole_random_game("suleika", 2, {}, seed)
    study = souk.analyse(record, playouts=16)
    last = [
        (step, pos)
        for step, pos in zip(study.steps, record.positions(), strict=False)
        if pos.array["left"].sum() == 1
    ]
    assert len({step.before for step, _ in last}) > 1
    for step, pos in last:
        assert step.before == pytest.approx(
            [float(chance) for chance in enumerated(pos)], abs=CLOSE
        )
        assert step.error == 0
        assert step.exact == (step.kind == "move")


def enumerated(pos: souk.Position) -> list[Fraction]:
    """Win chances of two players who maximise them, by full enumeration."""
    if pos.over:
        return [Fraction(seat in pos.winners, len(pos.winners)) for seat in range(pos.players)]
    if pos.actors:
        [seat] = pos.actors
        return max(
            (enumerated(played(pos, seat, move)) for move in pos.moves(seat)),
            key=lambda found: found[seat],
        )
    chances = {
        outcome: Fraction(chance).limit_denominator(1000)
        for outcome, chance in pos.chances().items()
    }
    found = [(chance, enumerated(resolved(pos, outcome))) for outcome, chance in chances.items()]
    return [
        sum((chance * each[seat] for chance, each in found), Fraction(0))
        for seat in range(pos.players)
    ]


def played(pos: souk.Position, seat: int, move: str) -> souk.Position:
    after = pos.copy()
    after.play(seat, move)
    return after


def resolved(pos: souk.Position, outcome: str) -> souk.Position:
    after = pos.copy()
    after.resolve(outcome)
    return after


# ---------------------------------------------------------------- marks


@pytest.mark.parametrize(
    ("loss", "error", "mark"),
    [(0.019, 0.0, ""), (0.02, 0.0, "inaccuracy"), (0.05, 0.0, "mistake"), (0.1, 0.0, "blunder"),
     (0.1, 0.02, "mistake"), (0.1, 0.05, ""), (0.6, 0.2, "blunder")],
)  # fmt: skip
def test_a_mark_is_given_where_the_error_bars_allow_it(
    loss: float, error: float, mark: str
) -> None:
    assert mark_of(loss, error) == mark
    assert CHANCES_LOST == (0.02, 0.05, 0.1)


def test_turning_points_are_the_weightiest() -> None:
    study = souk.analyse(first_events("suleika", 3, 30), playouts=32, unfinished=True)
    found = study.turning_points(4)
    weights = sorted((step.weight for step in study.steps), reverse=True)
    assert [step.weight for step in found] == weights[:4]
    assert study.turning_points(0) == []


# ---------------------------------------------------------------- invalid input


def test_a_game_that_is_not_over_is_refused_unless_asked_for() -> None:
    record = first_events("basari", 3, 9)
    with pytest.raises(ValueError, match=r"record: this game is not over; pass unfinished=True"):
        souk.analyse(record)
    study = souk.analyse(record, playouts=16, unfinished=True)
    check_study(study, record)
    assert study.unfinished


def test_a_game_in_which_nothing_has_happened() -> None:
    record = souk.Record("suleika", 3)
    study = souk.analyse(record, playouts=100, unfinished=True)
    assert study.steps == []
    assert sum(study.start) == pytest.approx(1)
    assert [(seat.start, seat.luck, seat.own, seat.others) for seat in study.seats] == [
        (share, 0, 0, 0) for share in study.start
    ]
    assert study.accuracy == (None,) * 3


@pytest.mark.parametrize("what", ["game.souk", None, 7, souk.game("basari").start(3)])
def test_what_is_no_record_is_refused(what: object) -> None:
    with pytest.raises(
        ValueError, match=r"record: must be a souk.Record, as souk.load returns it, not \w+"
    ):
        souk.analyse(what)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"playouts": 0}, "playouts: must be a whole number from 1 to 10000000, not 0"),
        (
            {"playouts": 10**9},
            "playouts: must be a whole number from 1 to 10000000, not 1000000000",
        ),
        ({"playouts": 2.5}, "playouts: must be a whole number from 1 to 10000000, not 2.5"),
        ({"playouts": "many"}, "playouts: must be a whole number from 1 to 10000000, not "),
        ({"seconds": 0.0}, "seconds: must be a number, more than 0 and at most 3600, not 0.0"),
        (
            {"seconds": float("nan")},
            "seconds: must be a number, more than 0 and at most 3600, not ",
        ),
        ({"seconds": "long"}, "seconds: must be a number, more than 0 and at most 3600, not "),
        ({"playouts": 10, "seconds": 1.0}, "playouts, seconds: give one of them, not both"),
        ({"seed": "lucky"}, "seed: must be a whole number from 0 to 9223372036854775807, not "),
        ({"seed": -1}, "seed: must be a whole number from 0 "),
        ({"seed": True}, "seed: must be a whole number from 0 "),
    ],
)
def test_effort_that_makes_no_sense_is_refused(given: dict[str, object], message: str) -> None:
    record = first_events("basari", 3, 9)
    with pytest.raises(ValueError, match=message):
        souk.analyse(record, unfinished=True, **given)  # type: ignore[arg-type]
