"""Traced rules act like plain ones, and report facts in order to the state's listener."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from souk.core.facts import CameUp, Chose, Ended, Fact, Moved
from souk.core.game import Game
from souk.core.game_modules import DefaultFacts, with_defaults
from souk.games.basari import box, notation, rules
from souk.kernel.rule import rule
from souk.kernel.tracing import Trace, TracedRules, Tracer
from tests.support.basari_positions import at
from tests.support.play import facts_of
from tests.support.random_games import VARIANTS, variant_name, whole_random_game

# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seed", range(2))
def test_traced_and_plain_rules_come_to_the_same_bytes(
    variant: tuple[str, int, dict[str, Any]], seed: int
) -> None:
    record = whole_random_game(*variant, seed)
    traced, heard = record.start, list[Fact]()
    for expected, (seat, text) in zip(
        islice(record.positions(), 1, None), record.events, strict=True
    ):
        before = len(heard)
        traced.resolve(text, heard.append) if seat is None else traced.play(
            seat, text, heard.append
        )
        assert traced.array.tobytes() == expected.array.tobytes()
        assert len(heard) > before  # something was reported


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_a_state_that_nobody_listens_to_any_more_tells_nothing(
    variant: tuple[str, int, dict[str, Any]],
) -> None:
    """A listener receives neither later events nor those of a copy."""
    record = whole_random_game(*variant, 2)
    pos, heard = record.start, list[Fact]()
    (seat, text), (other, following) = record.events[:2]
    pos.resolve(text, heard.append) if seat is None else pos.play(seat, text, heard.append)
    before = list(heard)
    for position in (pos.copy(), pos):
        position.resolve(following) if other is None else position.play(other, following)
    assert heard == before


# ---------------------------------------------------------------- a few rules


@rule
def pay(s, amount):
    """Pay up to what the purse holds; return the amount paid."""
    paid = min(amount, s.money)
    s.money -= paid
    return paid


@rule
def pay_twice(s, amount):
    return pay(s, amount) + 10 * pay(s, amount)


@rule
def play(s, seat, move):
    s.before = s.money
    total = pay_twice(s, move)
    s.paid = total
    return total


@rule
def resolve(s, outcome):
    s.money += outcome


RULES = SimpleNamespace(play=play, resolve=resolve)


def state(money: int, listener: Callable[[Any], object]) -> Any:
    return SimpleNamespace(money=money, before=0, paid=0, listener=listener)


def paying(s: Any, amount: int) -> Trace:
    yield f"has {s.money}"
    paid = yield
    yield f"paid {paid}"
    yield f"has {s.money} left"


def played(tracers: dict[Any, Tracer], money: int = 5, move: int = 3) -> tuple[list[Any], Any, Any]:
    """The facts of a move, the state after it, and the rule's result."""
    heard: list[Any] = []
    s = state(money, heard.append)
    return heard, s, TracedRules(RULES, tracers).play(s, 0, move)


def test_a_tracer_sees_the_state_before_and_after_and_what_the_rule_returned() -> None:
    heard, _, _ = played({pay: paying})
    assert heard == ["has 5", "paid 3", "has 2 left", "has 2", "paid 2", "has 0 left"]


def test_facts_come_in_the_order_in_which_the_rules_do_things() -> None:
    """An outer rule's tracer reports before and after everything from inner ones."""

    def whole(s: Any, amount: int) -> Trace:
        yield "begins"
        yield
        yield "ends"

    def part(s: Any, amount: int) -> Trace:
        yield "pays"
        yield

    heard, _, _ = played({pay_twice: whole, pay: part})
    assert heard == ["begins", "pays", "pays", "ends"]


def test_what_a_rule_returns_is_passed_through() -> None:
    silent, s, result = played({})
    assert (silent, s.paid, result) == ([], 23, 23)
    for tracer in (paying, only_before, only_after, silent_tracer):
        _, s, result = played({pay: tracer, pay_twice: tracer})
        assert (s.money, s.before, s.paid, result) == (0, 5, 23, 23)


def only_before(s: Any, amount: int) -> Trace:
    yield "before"
    yield


def only_after(s: Any, amount: int) -> Trace:
    yield
    yield "after"


def silent_tracer(s: Any, amount: int) -> Trace:
    yield


def test_a_tracer_may_tell_nothing_or_on_one_side_alone() -> None:
    assert played({pay: only_before})[0] == ["before", "before"]
    assert played({pay: only_after})[0] == ["after", "after"]
    assert played({pay: silent_tracer})[0] == []


def test_a_tracer_may_observe_a_game_op_itself() -> None:
    def resolving(s: Any, outcome: int) -> Trace:
        yield
        yield f"{outcome} came up, and there are {s.money}"

    heard: list[Any] = []
    s = state(1, heard.append)
    TracedRules(RULES, {resolve: resolving}).resolve(s, 6)
    assert (heard, s.money) == (["6 came up, and there are 7"], 7)


def test_the_rules_themselves_are_left_alone() -> None:
    """Calling the rule itself is not traced, only its clone is."""
    TracedRules(RULES, {pay: paying})
    s = SimpleNamespace(money=5, before=0, paid=0)  # no listener
    assert play(s, 0, 3) == 23


def test_two_threads_with_two_states_do_not_hear_each_other() -> None:
    """Both threads are inside the same traced rule whenever a fact is reported."""
    meeting = threading.Barrier(2)

    def meeting_tracer(s: Any, amount: int) -> Trace:
        meeting.wait(10)
        yield s.name, "before"
        meeting.wait(10)
        yield
        meeting.wait(10)
        yield s.name, "after"
        meeting.wait(10)

    traced = TracedRules(RULES, {pay: meeting_tracer})
    heard: dict[str, list[Any]] = {"one": [], "two": []}

    def run(name: str) -> None:
        s = state(5, heard[name].append)
        s.name = name
        traced.play(s, 0, 3)

    threads = [threading.Thread(target=run, args=(name,)) for name in heard]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert heard == {name: [(name, "before"), (name, "after")] * 2 for name in heard}


def test_games_told_in_several_threads_at_once_are_told_as_one_after_the_other() -> None:
    records = [whole_random_game("basari", 3, {}, seed) for seed in range(4)]
    alone = [list(record.facts()) for record in records]
    with ThreadPoolExecutor(len(records)) as pool:
        assert list(pool.map(lambda record: list(record.facts()), records)) == alone


# ---------------------------------------------------------------- a game without facts of its own


@pytest.fixture
def plain_basari() -> Game:
    """Basari without its facts.py."""
    game = Game("basari", range(3, 5), rules, notation, box, secrets=True)
    game.facts = with_defaults(None, DefaultFacts)
    return game


def test_a_game_without_facts_tells_moves_and_outcomes_as_they_are_written(
    plain_basari: Game,
) -> None:
    pos = plain_basari.start(3)
    assert [facts_of(pos, seat, f"ARCH {seat}") for seat in range(3)] == [
        [Moved(seat, f"arch {seat}")] for seat in range(3)
    ]
    assert facts_of(pos, None, " 4") == [CameUp("4")]


def test_a_game_without_facts_tells_no_move_while_it_is_secret(plain_basari: Game) -> None:
    for action in ("dice", "points", "gems"):
        pos = plain_basari.from_json(at(3))
        assert facts_of(pos, 1, action) == [Chose(1)]
        assert facts_of(pos, 0, action) == [Chose(0)]
        assert facts_of(pos, 2, "gems") == [Moved(2, "gems")]


def test_a_game_without_facts_tells_its_end_and_has_one_source(plain_basari: Game) -> None:
    pos = plain_basari.from_json(
        at(3, walked=[28, 0, 0], scorings=2, choices=["dice", "dice", None])
    )
    facts = facts_of(pos, 2, "dice")
    assert facts == [Moved(2, "dice"), Ended(pos.scores, [0])]
    assert plain_basari.facts.sources(pos, facts) == [{"points": score} for score in pos.scores]
