"""Every sentence about two moves is true of the position, counted again from JSON and facts."""

import random
from collections import Counter
from functools import cache

import souk
from souk.core.messages import Seat
from souk.core.position import Position
from souk.games.basari.explanations import compare
from tests.games.basari_common import court_claims as court
from tests.games.basari_common.court_claims import Case, Claims
from tests.support.basari_positions import position, shipped_arches
from tests.support.sentences import assert_named_apart

SEED = 37
POSITIONS = 150  # with three players, and with four
ARCHES = 28
LAST = 2  # scorings done before the last


def arch(pos: Position, number: int) -> tuple[int, list[int]]:
    """The points and gems of an arch, as the supply has them."""
    points, gems = shipped_arches()[number % ARCHES].split(":")
    supply = pos.to_json()["supply"]
    return int(points), [min(gems.count(c), n) for c, n in zip("RYGB", supply, strict=True)]


def found(pos: Position, better: str, other: str, likely: court.Likely) -> list[Case]:
    seat = _seat(pos)
    figure = pos.to_json()["figures"][seat]
    before = arch(pos, figure) if figure is not None else (0, [0] * 4)
    reasons = compare(pos, seat, better, other, likely)
    return [Case(pos, seat, better, other, likely, reason, *before) for reason in reasons]


def _seat(pos: Position) -> int:
    """Choices are looked at by the first seat."""
    return pos.actors[0]


@cache
def cases() -> list[Case]:
    dice, collected = random.Random(SEED), []
    print("seed", SEED)
    for players in (3, 4):
        source = court.positions("basari", players, dice)
        for _ in range(POSITIONS):
            pos = next(source)
            likely = court.random_wishes(pos, _seat(pos), dice)
            one, other = dice.sample(pos.moves(_seat(pos))[:20], 2)
            for pair in ((one, other), (other, one)):
                collected += found(pos, *pair, likely)
    return collected


# ---------------------------------------------------------------- claims


CLAIMS = Claims(court.SHARED)


@CLAIMS.of("points_dice", "no_lap")
def no_roll_completes_the_lap(case: Case) -> bool:
    n = case.reason.message.values.get("n", case.points)
    walked = case.json["walked"][case.seat]
    done = walked >= ARCHES and case.key == "points_dice"
    return n == case.points and (done or walked + 6 < ARCHES)


@CLAIMS.of("lap", "lap_sure")
def rolls_complete_the_lap(case: Case) -> bool:
    walked = case.json["walked"][case.seat]
    faces = sum(walked + face >= ARCHES for face in range(1, 7))
    return walked < ARCHES and faces == case.reason.message.values.get("n", 6)


@CLAIMS.of("lap_done", "catch_up")
def lap_is_open(case: Case) -> bool:
    left = ARCHES - case.json["walked"][case.seat]
    return left <= 0 if case.key == "lap_done" else left == case.value("n") > 0


@CLAIMS.of("hurry_end")
def would_win_now(case: Case) -> bool:
    totals = [
        points + 10 * (walked >= ARCHES)
        for points, walked in zip(case.json["points"], case.json["walked"], strict=True)
    ]
    for colour, worth in enumerate(court.MAJORITY):
        seats = court.holders(case.gems, colour)
        for seat in seats:
            totals[seat] += worth // len(seats)
    others = [total for seat, total in enumerate(totals) if seat != case.seat]
    return case.json["scorings"] == LAST and totals[case.seat] > max(others)


@CLAIMS.of("start_rich")
def good_arches_lie_ahead(case: Case) -> bool:
    def good(move: str) -> int:
        reached = [shipped_arches()[(int(move.split()[1]) + face) % ARCHES] for face in range(1, 7)]
        return sum(int(sign.split(":")[0]) >= 6 or len(sign.split(":")[1]) >= 3 for sign in reached)

    return (good(case.better), good(case.other)) == (case.value("n"), case.value("m"))


# ---------------------------------------------------------------- tests


def test_every_claim_is_true_of_the_position() -> None:
    for case in cases():
        CLAIMS.assert_true(case)
    seen = Counter(case.key for case in cases())
    print(seen)
    assert len(seen) >= 20


def test_sentences_are_short_and_speak_to_the_listener() -> None:
    court.assert_said(cases())


def test_no_sentence_speaks_for_both_moves() -> None:
    assert list(court.one_sided(cases())) == []


def test_nothing_is_said_of_what_rivals_want_if_that_is_unknown() -> None:
    about_rivals = {"crowd", "alone", "less_contested", "block"}
    told = {case.key for case in cases()} & about_rivals
    assert len(told) >= 3
    for case in cases():
        keys = {reason.key for reason in compare(case.pos, case.seat, case.better, case.other)}
        assert not keys & about_rivals


def test_two_rivals_on_the_gems_speak_for_the_points() -> None:
    """All stand on an arch of seven points with two gems."""
    pos = position(4, figures=[3, 3, 3, 3], walked=[3, 3, 3, 3])
    want_gems, want_dice = ({"dice": 1 - n, "points": 0.0, "gems": n} for n in (0.8, 0.0))
    reasons = compare(pos, 0, "points", "gems", {1: want_gems, 2: want_gems, 3: want_dice})
    crowd = next(reason for reason in reasons if reason.key == "crowd")
    assert crowd.message.values["both"] == [Seat(1), Seat(2)]
    assert crowd.message.about == ("seat 1", "seat 2")
    assert "crowd" not in {reason.key for reason in compare(pos, 0, "gems", "points", {})}


def test_what_others_have_chosen_is_not_told() -> None:
    game = souk.game("basari")
    pos, dice = game.start(players=3), random.Random(1)
    while pos.to_json()["phase"] != "choose":
        pos.play(pos.actors[0], pos.moves(pos.actors[0])[0]) if pos.actors else pos.draw(dice)
    told = []
    for choice in ("dice", "gems"):
        then = pos.copy()
        then.play(1, choice)
        for one, other in (("gems", "points"), ("points", "gems")):
            told.append((one, [str(reason.message) for reason in compare(then, 0, one, other)]))
    assert told[:2] == told[2:]
    assert any(sentences for _, sentences in told)


def test_every_move_has_a_name() -> None:
    source = court.positions("basari", 4, random.Random(3))
    for _ in range(60):
        assert_named_apart(next(source))
