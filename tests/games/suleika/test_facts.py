"""Suleika's facts match what happened: walks, payments, rugs and final points."""

from typing import Any

import pytest

from souk.core.facts import Ended, Fact
from souk.games.suleika.facts import Counted, Laid, OmarTurned, OmarWalked, Paid, RugCameUp, sources
from tests.games.suleika.test_rules import at, position
from tests.support.marks import clause
from tests.support.play import facts_of
from tests.support.random_games import random_steps, steps, whole_random_game

TABLES: list[tuple[int, dict[str, Any]]] = [(2, {}), (2, {"turn_at_end": True}), (3, {}), (4, {})]
tables = pytest.mark.parametrize(("players", "options"), TABLES)


@tables
def test_the_facts_of_an_event_are_what_it_did(players: int, options: dict[str, Any]) -> None:
    for before, after, seat, text, facts in random_steps("suleika", players, options, 4):
        was, now = before.to_json(), after.to_json()
        first, *further = facts
        if was["phase"] == "turn":
            assert facts == [OmarTurned(seat, text, now["omar"]["facing"])]
        elif was["phase"] == "card":
            assert facts == [RugCameUp(was["turn"], now["rug"])]
        elif was["phase"] == "rug":
            assert isinstance(first, Laid)
            [laid] = halves(now) - halves(was)
            assert (laid[0], " ".join(["rug", *first.fields]), first.seat) == (
                first.colour,
                text,
                seat,
            )
            assert [type(fact) for fact in further] == ([Counted, Ended] if after.over else [])
        else:
            change = [n - m for m, n in zip(was["money"], now["money"], strict=True)]
            check_walk(first, further, was, now, change)


def halves(truth: dict[str, Any]) -> set[str]:
    return {half for row in truth["board"] for half in row}


def check_walk(
    walk: Fact, further: list[Fact], was: dict[str, Any], now: dict[str, Any], change: list[int]
) -> None:
    assert isinstance(walk, OmarWalked)
    assert (walk.seat, walk.start, walk.faces) == (
        was["turn"],
        was["omar"]["at"],
        was["omar"]["facing"],
    )
    assert len(walk.way.split()) == walk.die
    assert walk.way.split()[-1][:2] == walk.at == now["omar"]["at"]
    assert (walk.ground == "other") == bool(further)
    if further:
        [payment] = further
        assert isinstance(payment, Paid)
        assert payment.seat == was["turn"] != payment.to
        assert (change[payment.seat], change[payment.to]) == (-payment.paid, payment.paid)
        assert len(payment.area) == payment.owed >= payment.paid
        assert now["omar"]["at"] in payment.area
    else:
        assert not any(change)


@clause("S14")
def test_the_ground_omar_stops_on() -> None:
    board = {"d5": "y1", "d6": "r2", "e6": "r2"}
    assert [ground(board, die) for die in "1234"] == ["other", "own", "bare", "bare"]


def ground(board: dict[str, str], die: str) -> str:
    walk = facts_of(position(board=board, phase="die"), None, die)[0]
    assert isinstance(walk, OmarWalked)
    return walk.ground


@clause("S16")
@pytest.mark.parametrize(("purse", "paid"), [(5, 4), (4, 4), (3, 3), (0, 0)])
def test_a_payment_says_what_was_owed_and_what_was_paid(purse: int, paid: int) -> None:
    board = {"d5": "y1", "d6": "y1", "e6": "y2", "e7": "y2"}
    pos = position(board=board, money=[purse, 60 - purse, 30, 30], phase="die")
    facts = facts_of(pos, None, "1")
    assert facts[1:] == [Paid(0, 1, 4, paid, ["d5", "d6", "e6", "e7"])]


@clause("S12")
def test_a_walk_round_a_balcony_is_told_step_by_step() -> None:
    pos = position(omar=at("a6"), phase="die")
    assert facts_of(pos, None, "3") == [OmarWalked(0, 3, "a6", "n", "a7 b7s b6", "b6", "bare")]


@clause("S18")
def test_a_rug_tells_whose_halves_it_covers_and_the_area_it_makes() -> None:
    board = {"d5": "y1", "e5": "y1", "d6": "r2", "d7": "r2", "c5": "b3", "c4": "b3"}
    pos = position(board=board, phase="rug")
    assert facts_of(pos.copy(), 0, "rug d5 d6") == [Laid(0, "r", ("d5", "d6"), [1, 0], 3)]
    assert facts_of(pos.copy(), 0, "rug d3 d2") == [Laid(0, "r", ("d3", "d2"), [], 2)]
    assert facts_of(pos, 0, "rug c4 b4") == [Laid(0, "r", ("c4", "b4"), [2], 2)]


@clause("S40")
def test_who_turns_omar_for_the_next_player_is_the_one_who_turns() -> None:
    record = whole_random_game("suleika", 2, {"turn_at_end": True}, 3)
    turned = [step for step in steps(record) if step.before.to_json()["phase"] == "turn"]
    assert len(turned) > 20
    for step in turned:
        [fact] = step.facts
        assert isinstance(fact, OmarTurned)
        assert fact.seat == step.seat == step.before.to_json()["turn"]


@clause("S30", "S31")
@tables
def test_the_end_counts_purses_and_halves(players: int, options: dict[str, Any]) -> None:
    *_, last = random_steps("suleika", players, options, 6)
    _, counted, ended = last.facts
    assert isinstance(counted, Counted)
    assert counted.money == last.after.to_json()["money"]
    assert [
        money + n for money, n in zip(counted.money, counted.halves, strict=True)
    ] == last.after.scores
    assert ended == Ended(last.after.scores, list(last.after.winners))


@tables
@pytest.mark.parametrize("seed", range(5))
def test_sources_add_up_to_the_score(players: int, options: dict[str, Any], seed: int) -> None:
    record = whole_random_game("suleika", players, options, seed)
    by_seat = sources(record.start, [fact for facts in record.facts() for fact in facts])
    assert [sum(own.values()) for own in by_seat] == record.position.scores
    assert sum(own["taken"] + own["paid"] for own in by_seat) == 0
    assert all(own["paid"] <= 0 <= own["taken"] for own in by_seat)
