"""Who is thought for next, and for how long: the scheduler alone, with a clock of its own."""

import random
from collections import Counter
from collections.abc import Iterator
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from souk.table.waiting import CHEAP, LEAST, WaitingRoom, Wish, level

WAIT = 1.0


class Hall:
    """Places to think in, and a clock that goes on when somebody has thought."""

    def __init__(self, places: int = 1) -> None:
        self.now = 0.0
        self.room = WaitingRoom[Wish](places, WAIT, lambda: self.now)
        self.places, self.running = places, dict[Wish, float]()
        self.asked = dict[Wish, float]()
        self.waits: dict[Wish, float] = {}  # from asking to the answer
        self.had: Counter[str] = Counter()  # seconds by address

    def ask(self, address: str, table: str, cost: float = 1.0) -> Wish:
        wish = Wish(address, table, cost)
        self.asked[wish] = self.now
        self.room.add(wish)
        self._begin()
        return wish

    def _begin(self) -> None:
        while wish := self.room.next():
            self.running[wish] = self.now + min(wish.allowed, wish.cost)

    def answer(self) -> Wish | None:
        """The next to be answered; the clock goes on until then."""
        if not self.running:
            return None
        wish = min(self.running, key=lambda each: self.running[each])
        self.now = self.running.pop(wish)
        self.waits[wish] = self.now - self.asked[wish]
        seconds = min(wish.allowed, wish.cost)
        self.had[wish.address] += seconds
        self.room.end(wish)
        self._begin()
        return wish


def play(hall: Hall, tables: list[tuple[str, str, float]], turns: int) -> Iterator[Wish]:
    """All tables ask, and ask again as soon as they are answered."""
    for table in tables:
        hall.ask(*table)
    for _ in range(turns):
        wish = hall.answer()
        assert wish is not None
        yield wish
        hall.ask(wish.address, wish.table, wish.cost)


def test_alone_a_bot_has_all_its_time() -> None:
    hall = Hall()
    for wish in play(hall, [("a", "1", 6.0)], 3):
        assert wish.allowed == 6.0
        assert not wish.hurried


def test_fifty_tables_have_their_answers_in_the_time_that_is_set() -> None:
    """Only in the first round somebody waits besides for the one that began when nobody else was there."""
    hall = Hall()
    for number, wish in enumerate(play(hall, [("a", str(table), 1.0) for table in range(50)], 400)):
        assert hall.waits[wish] <= WAIT + 0.1 + (number < 100) * 1.0
    assert wish.hurried
    assert hall.now < 1.0 + 400 / 50 * (WAIT + 0.2)


def test_one_who_had_much_before_does_not_wait_until_all_have_had_as_much() -> None:
    """The table that was alone, and thought for a second, is one of fifty a moment later."""
    hall = Hall()
    first = hall.ask("a", "0", 1.0)
    assert hall.answer() is first
    for number, wish in enumerate(play(hall, [("a", str(table), 1.0) for table in range(50)], 400)):
        assert hall.waits[wish] <= WAIT + 0.1 + (number < 100) * 1.0


def test_each_address_has_the_same_share() -> None:
    """One visitor with 29 tables takes no more than half of the time from somebody with a single one."""
    hall = Hall()
    tables = [("crowd", str(table), 6.0) for table in range(29)] + [("one", "mine", 1.0)]
    mine = list[Wish]()
    for number, wish in enumerate(play(hall, tables, 900)):
        mine += [wish] * (wish.address == "one")
        if number == 60:  # until then somebody may have had all there was
            hall.had.clear()
    assert hall.had["one"] == pytest.approx(hall.had["crowd"], rel=0.15)
    assert max(hall.waits[wish] for wish in mine[2:]) <= 2 * WAIT + 0.1
    assert min(wish.allowed for wish in mine[3:]) >= 0.5


def test_each_table_of_an_address_has_the_same_share() -> None:
    hall, answered = Hall(), Counter[str]()
    for wish in play(hall, [("a", str(table), 1.0 if table else 6.0) for table in range(10)], 500):
        answered[wish.table] += 1
    assert max(answered.values()) - min(answered.values()) <= 2


def test_several_bots_of_a_table_share_what_it_has() -> None:
    """Three that choose at once at one table take no longer together than one at another."""
    hall = Hall()
    hall.ask("b", "one", 1.0)
    three = [hall.ask("a", "three", 1.0) for _ in range(3)]
    hall.ask("b", "one", 1.0)
    while hall.answer():
        pass
    assert sum(wish.allowed for wish in three) <= 2 * WAIT


def test_where_the_machine_is_slow_bots_think_for_a_shorter_time_still() -> None:
    """Every answer takes a hundredth of a second longer than it should, and yet nobody waits longer than is set."""
    hall, late = Hall(), 0.01
    for number, wish in enumerate(play(hall, [("a", str(table), 1.0) for table in range(40)], 800)):
        for each in hall.running:
            hall.running[each] = max(hall.running[each], hall.now + each.allowed + late)
        assert hall.waits[wish] <= WAIT + 0.1 + (number < 200) * 1.0


def test_whoever_comes_later_has_saved_nothing_up() -> None:
    hall = Hall()
    list(play(hall, [("a", str(table), 1.0) for table in range(4)], 100))
    late = [("b", "b", 1.0)]
    hall.had.clear()
    list(play(hall, late, 100))
    assert hall.had["b"] <= 1.3 * hall.had["a"]


@pytest.mark.parametrize("places", [1, 2, 3])
def test_cheap_ones_never_wait_behind_dear_ones(places: int) -> None:
    hall = Hall(places)
    for table in range(20):
        hall.ask("a", str(table), 6.0)
    assert len(hall.running) == places
    cheap = [hall.ask("b", "b", CHEAP), hall.ask("a", "a", 0.0)]
    assert all(wish in hall.running for wish in cheap)
    assert not any(wish.hurried for wish in cheap)


def test_where_something_cheap_is_asked_for_nothing_dear_is_given() -> None:
    room = WaitingRoom[Wish](1, WAIT)
    dear, first, second = Wish("a", "dear", 6.0), Wish("a", "one", 0.0), Wish("b", "another", CHEAP)
    for wish in (dear, first, second):
        room.add(wish)
    assert [room.next_cheap() for _ in range(3)] == [first, second, None]
    assert room.next() is dear


def test_the_queue_is_bounded_and_the_greediest_is_turned_away() -> None:
    room = WaitingRoom[Wish](1, WAIT, lambda: 0.0)
    assert room.add(Wish("one", "mine", 1.0)) is None
    turned_away = [room.add(Wish("crowd", str(table), 1.0)) for table in range(3 * room.most)]
    assert room.waiting == room.most
    assert {wish.address for wish in turned_away if wish} == {"crowd"}
    assert sum(wish is not None for wish in turned_away) == 2 * room.most + 1
    latecomer = Wish("other", "theirs", 1.0)
    pushed_out = room.add(latecomer)
    assert pushed_out is not None
    assert pushed_out.address == "crowd"


def test_what_is_dropped_takes_no_place_and_counts_for_nothing() -> None:
    hall = Hall()
    running = hall.ask("a", "0", 6.0)
    waiting = [hall.ask("a", str(table), 6.0) for table in range(1, 30)]
    for wish in waiting:
        hall.room.end(wish)
    hall.running.clear()
    hall.room.end(running)
    assert not hall.room.busy
    other = hall.ask("b", "b", 1.0)
    assert other in hall.running


def test_nothing_is_remembered_of_whoever_is_gone() -> None:
    hall, rng = Hall(), random.Random(1)
    for number in range(3000):
        hall.ask(f"address {number}", f"table {number}", rng.choice([0.0, 1.0]))
        if number % 3:
            hall.answer()
    while hall.answer():
        pass
    hall.now += 10
    hall.ask("last", "last")
    hall.answer()
    lanes = (hall.room._cheap, hall.room._dear)
    assert all(not lane._addresses._accounts and not lane._tables._accounts for lane in lanes)
    assert len(hall.room._asked) <= 2


@given(
    tables=st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from([0.2, 1.0, 6.0])), min_size=2, max_size=40),
    places=st.integers(1, 3),
)
def test_nobody_starves_whoever_asks(tables: list[tuple[str, float]], places: int) -> None:
    """Every table is answered again and again; once all have asked, nobody waits much longer than is set and than their own bot thinks."""
    hall, rounds = Hall(places), 8
    crowd = [(address, f"{address}{number}", cost) for number, (address, cost) in enumerate(tables)]
    answered = Counter[str]()
    for number, wish in enumerate(play(hall, crowd, rounds * len(crowd))):
        answered[wish.table] += 1
        if number > 4 * len(crowd):
            assert hall.waits[wish] <= 2 * WAIT + 2 * LEAST * len(crowd) + wish.allowed
    assert set(answered) == {table for _, table, _ in crowd}


@given(room=st.floats(0.1, 100), wanted=st.lists(st.floats(0.01, 10), min_size=1, max_size=20))
def test_nobody_has_more_than_others_while_somebody_has_too_little(room: float, wanted: list[float]) -> None:
    most = level(room, wanted)
    given_out = [min(want, most) for want in wanted]
    assert sum(given_out) <= room * (1 + 1e-9) or most == inf
    assert most == inf or sum(given_out) == pytest.approx(room)
