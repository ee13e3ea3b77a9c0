"""Watched rules do what unwatched ones do, and their witnesses tell it in order, each to whoever listens to that state."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from souk.core.facts import CameUp, Chose, Ended, Fact, Moved
from souk.core.furniture import PlainFacts, completed
from souk.core.game import Game
from souk.games.basari import box, notation, rules
from souk.kernel.rule import rule
from souk.kernel.watching import Watched, Witness, Witnessing
from tests.games.basari_positions import at
from tests.play import facts_of
from tests.random_games import VARIANTS, variant_name, whole_random_game

# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seed", range(2))
def test_watched_and_unwatched_rules_come_to_the_same_bytes(
    variant: tuple[str, int, dict[str, Any]], seed: int
) -> None:
    record = whole_random_game(*variant, seed)
    told, heard = record.start, list[Fact]()
    for expected, (seat, text) in zip(islice(record.positions(), 1, None), record.events, strict=True):
        before = len(heard)
        told.resolve(text, heard.append) if seat is None else told.play(seat, text, heard.append)
        assert told.array.tobytes() == expected.array.tobytes()
        assert len(heard) > before  # somebody did look on


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_a_state_that_nobody_listens_to_any_more_tells_nothing(variant: tuple[str, int, dict[str, Any]]) -> None:
    """Whoever was told of one event is not told of the next, nor of what a copy does."""
    record = whole_random_game(*variant, 2)
    pos, heard = record.start, list[Fact]()
    (seat, text), (other, following) = record.events[:2]
    pos.resolve(text, heard.append) if seat is None else pos.play(seat, text, heard.append)
    known = list(heard)
    for each in (pos.copy(), pos):
        each.resolve(following) if other is None else each.play(other, following)
    assert heard == known


# ---------------------------------------------------------------- a few rules of their own


@rule
def pay(s, amount):
    """Money leaves the purse, as far as it goes; returns how much."""
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


def paying(s: Any, amount: int) -> Witnessing:
    yield f"has {s.money}"
    paid = yield
    yield f"paid {paid}"
    yield f"has {s.money} left"


def played(witnesses: dict[Any, Witness], money: int = 5, move: int = 3) -> tuple[list[Any], Any, Any]:
    """What is heard of a move, the state after it, and what the rule returned."""
    heard: list[Any] = []
    s = state(money, heard.append)
    return heard, s, Watched(RULES, witnesses).play(s, 0, move)


def test_a_witness_sees_the_state_before_and_after_and_what_the_rule_returned() -> None:
    heard, _, _ = played({pay: paying})
    assert heard == ["has 5", "paid 3", "has 2 left", "has 2", "paid 2", "has 0 left"]


def test_facts_come_in_the_order_in_which_the_rules_do_things() -> None:
    """An outer rule's witness speaks before and after all that the inner ones have to say."""

    def whole(s: Any, amount: int) -> Witnessing:
        yield "begins"
        yield
        yield "ends"

    def part(s: Any, amount: int) -> Witnessing:
        yield "pays"
        yield

    heard, _, _ = played({pay_twice: whole, pay: part})
    assert heard == ["begins", "pays", "pays", "ends"]


def test_what_a_rule_returns_is_passed_through() -> None:
    silent, s, result = played({})
    assert (silent, s.paid, result) == ([], 23, 23)
    for witness in (paying, only_before, only_after, silent_witness):
        _, s, result = played({pay: witness, pay_twice: witness})
        assert (s.money, s.before, s.paid, result) == (0, 5, 23, 23)


def only_before(s: Any, amount: int) -> Witnessing:
    yield "before"
    yield


def only_after(s: Any, amount: int) -> Witnessing:
    yield
    yield "after"


def silent_witness(s: Any, amount: int) -> Witnessing:
    yield


def test_a_witness_may_tell_nothing_or_on_one_side_alone() -> None:
    assert played({pay: only_before})[0] == ["before", "before"]
    assert played({pay: only_after})[0] == ["after", "after"]
    assert played({pay: silent_witness})[0] == []


def test_a_witness_may_look_at_a_verb_itself() -> None:
    def resolving(s: Any, outcome: int) -> Witnessing:
        yield
        yield f"{outcome} came up, and there are {s.money}"

    heard: list[Any] = []
    s = state(1, heard.append)
    Watched(RULES, {resolve: resolving}).resolve(s, 6)
    assert (heard, s.money) == (["6 came up, and there are 7"], 7)


def test_the_rules_themselves_are_left_alone() -> None:
    """A rule called by its own name is not watched, whoever watches its twin."""
    Watched(RULES, {pay: paying})
    s = SimpleNamespace(money=5, before=0, paid=0)  # and nobody listens
    assert play(s, 0, 3) == 23


def test_two_threads_with_two_states_do_not_hear_each_other() -> None:
    """Both are inside the same watched rule at the same time, whenever a fact is told."""
    meeting = threading.Barrier(2)

    def meeting_witness(s: Any, amount: int) -> Witnessing:
        meeting.wait(10)
        yield s.name, "before"
        meeting.wait(10)
        yield
        meeting.wait(10)
        yield s.name, "after"
        meeting.wait(10)

    watched = Watched(RULES, {pay: meeting_witness})
    heard: dict[str, list[Any]] = {"one": [], "two": []}

    def run(name: str) -> None:
        s = state(5, heard[name].append)
        s.name = name
        watched.play(s, 0, 3)

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
    """Basari, had nobody written a facts.py for it."""
    game = Game("basari", range(3, 5), rules, notation, box, secrets=True)
    game.facts = completed(None, PlainFacts)
    return game


def test_a_game_without_facts_tells_moves_and_outcomes_as_they_are_written(plain_basari: Game) -> None:
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
    pos = plain_basari.from_json(at(3, walked=[28, 0, 0], scorings=2, choices=["dice", "dice", None]))
    facts = facts_of(pos, 2, "dice")
    assert facts == [Moved(2, "dice"), Ended(pos.scores, [0])]
    assert plain_basari.facts.sources(pos, facts) == [{"points": score} for score in pos.scores]
