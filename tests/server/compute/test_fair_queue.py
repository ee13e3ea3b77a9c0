"""Fair queue: job order and time limits, with a simulated clock."""

import random
from collections import Counter
from collections.abc import Iterator
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from souk.server.compute.fair_queue import CHEAP, MIN_SECONDS, FairQueue, Job, water_level

WAIT = 1.0


class Simulation:
    """Workers with a simulated clock that advances to the end of the next job."""

    def __init__(self, workers: int = 1) -> None:
        self.now = 0.0
        self.queue = FairQueue[Job](workers, WAIT, lambda: self.now)
        self.workers, self.running = workers, dict[Job, float]()
        self.requested = dict[Job, float]()
        # Seconds from request to answer.
        self.waits: dict[Job, float] = {}
        # Seconds of work by address.
        self.work: Counter[str] = Counter()

    def ask(self, address: str, table: str, cost: float = 1.0) -> Job:
        job = Job(address, table, cost)
        self.requested[job] = self.now
        self.queue.add(job)
        self._begin()
        return job

    def _begin(self) -> None:
        while job := self.queue.next():
            self.running[job] = self.now + min(job.allowed, job.cost)

    def answer(self) -> Job | None:
        """Advance the clock to the next answer and return its job."""
        if not self.running:
            return None
        job = min(self.running, key=lambda job: self.running[job])
        self.now = self.running.pop(job)
        self.waits[job] = self.now - self.requested[job]
        seconds = min(job.allowed, job.cost)
        self.work[job.address] += seconds
        self.queue.end(job)
        self._begin()
        return job


def play(simulation: Simulation, tables: list[tuple[str, str, float]], turns: int) -> Iterator[Job]:
    """Every table requests a move, and another as soon as it is answered."""
    for table in tables:
        simulation.ask(*table)
    for _ in range(turns):
        job = simulation.answer()
        assert job is not None
        yield job
        simulation.ask(job.address, job.table, job.cost)


def test_alone_a_bot_has_all_its_time() -> None:
    simulation = Simulation()
    for job in play(simulation, [("a", "1", 6.0)], 3):
        assert job.allowed == 6.0
        assert not job.hurried


def test_fifty_tables_have_their_answers_in_the_time_that_is_set() -> None:
    """Only in the first round do they also wait for the job that began alone."""
    simulation = Simulation()
    for number, job in enumerate(
        play(simulation, [("a", str(table), 1.0) for table in range(50)], 400)
    ):
        assert simulation.waits[job] <= WAIT + 0.1 + (number < 100) * 1.0
    assert job.hurried
    assert simulation.now < 1.0 + 400 / 50 * (WAIT + 0.2)


def test_one_who_had_much_before_does_not_wait_until_all_have_had_as_much() -> None:
    """A table that was alone and used a second is one of fifty a moment later."""
    simulation = Simulation()
    first = simulation.ask("a", "0", 1.0)
    assert simulation.answer() is first
    for number, job in enumerate(
        play(simulation, [("a", str(table), 1.0) for table in range(50)], 400)
    ):
        assert simulation.waits[job] <= WAIT + 0.1 + (number < 100) * 1.0


def test_each_address_has_the_same_share() -> None:
    """A client with 29 tables gets no more than half of the time when another has one table."""
    simulation = Simulation()
    tables = [("crowd", str(table), 6.0) for table in range(29)] + [("one", "mine", 1.0)]
    mine = list[Job]()
    for number, job in enumerate(play(simulation, tables, 900)):
        mine += [job] * (job.address == "one")
        # Until then one address may have had all the time.
        if number == 60:
            simulation.work.clear()
    assert simulation.work["one"] == pytest.approx(simulation.work["crowd"], rel=0.15)
    assert max(simulation.waits[job] for job in mine[2:]) <= 2 * WAIT + 0.1
    assert min(job.allowed for job in mine[3:]) >= 0.5


def test_each_table_of_an_address_has_the_same_share() -> None:
    simulation, answered = Simulation(), Counter[str]()
    for job in play(
        simulation, [("a", str(table), 1.0 if table else 6.0) for table in range(10)], 500
    ):
        answered[job.table] += 1
    assert max(answered.values()) - min(answered.values()) <= 2


def test_several_bots_of_a_table_share_what_it_has() -> None:
    """Three bots choosing at once at a table take no longer together than one elsewhere."""
    simulation = Simulation()
    simulation.ask("b", "one", 1.0)
    three = [simulation.ask("a", "three", 1.0) for _ in range(3)]
    simulation.ask("b", "one", 1.0)
    while simulation.answer():
        pass
    assert sum(job.allowed for job in three) <= 2 * WAIT


def test_where_the_machine_is_slow_bots_think_for_a_shorter_time_still() -> None:
    """Every answer is 10 ms late, and yet no table waits longer than the limit."""
    simulation, late = Simulation(), 0.01
    for number, job in enumerate(
        play(simulation, [("a", str(table), 1.0) for table in range(40)], 800)
    ):
        for running in simulation.running:
            simulation.running[running] = max(
                simulation.running[running], simulation.now + running.allowed + late
            )
        assert simulation.waits[job] <= WAIT + 0.1 + (number < 200) * 1.0


def test_whoever_comes_later_has_saved_nothing_up() -> None:
    simulation = Simulation()
    list(play(simulation, [("a", str(table), 1.0) for table in range(4)], 100))
    late = [("b", "b", 1.0)]
    simulation.work.clear()
    list(play(simulation, late, 100))
    assert simulation.work["b"] <= 1.3 * simulation.work["a"]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_cheap_ones_never_wait_behind_dear_ones(workers: int) -> None:
    simulation = Simulation(workers)
    for table in range(20):
        simulation.ask("a", str(table), 6.0)
    assert len(simulation.running) == workers
    cheap = [simulation.ask("b", "b", CHEAP), simulation.ask("a", "a", 0.0)]
    assert all(job in simulation.running for job in cheap)
    assert not any(job.hurried for job in cheap)


def test_where_something_cheap_is_asked_for_nothing_dear_is_given() -> None:
    queue = FairQueue[Job](1, WAIT)
    dear, first, second = Job("a", "dear", 6.0), Job("a", "one", 0.0), Job("b", "another", CHEAP)
    for job in (dear, first, second):
        queue.add(job)
    assert [queue.next_cheap() for _ in range(3)] == [first, second, None]
    assert queue.next() is dear


def test_the_queue_is_bounded_and_the_greediest_is_turned_away() -> None:
    queue = FairQueue[Job](1, WAIT, lambda: 0.0)
    assert queue.add(Job("one", "mine", 1.0)) is None
    rejected = [queue.add(Job("crowd", str(table), 1.0)) for table in range(3 * queue.capacity)]
    assert queue.waiting == queue.capacity
    assert {job.address for job in rejected if job} == {"crowd"}
    assert sum(job is not None for job in rejected) == 2 * queue.capacity + 1
    latecomer = Job("other", "theirs", 1.0)
    pushed_out = queue.add(latecomer)
    assert pushed_out is not None
    assert pushed_out.address == "crowd"


def test_what_is_dropped_takes_no_place_and_counts_for_nothing() -> None:
    simulation = Simulation()
    running = simulation.ask("a", "0", 6.0)
    waiting = [simulation.ask("a", str(table), 6.0) for table in range(1, 30)]
    for job in waiting:
        simulation.queue.end(job)
    simulation.running.clear()
    simulation.queue.end(running)
    assert not simulation.queue.busy
    other = simulation.ask("b", "b", 1.0)
    assert other in simulation.running


def test_nothing_is_remembered_of_whoever_is_gone() -> None:
    simulation, rng = Simulation(), random.Random(1)
    for number in range(3000):
        simulation.ask(f"address {number}", f"table {number}", rng.choice([0.0, 1.0]))
        if number % 3:
            simulation.answer()
    while simulation.answer():
        pass
    simulation.now += 10
    simulation.ask("last", "last")
    simulation.answer()
    lanes = (simulation.queue._cheap, simulation.queue._expensive)
    assert all(not lane._addresses._accounts and not lane._tables._accounts for lane in lanes)
    assert len(simulation.queue._recent) <= 2


@given(
    tables=st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from([0.2, 1.0, 6.0])),
        min_size=2,
        max_size=40,
    ),
    workers=st.integers(1, 3),
)
def test_nobody_starves_whoever_asks(tables: list[tuple[str, float]], workers: int) -> None:
    """Every table is served repeatedly; later waits stay near the limit plus the bot's own time."""
    simulation, rounds = Simulation(workers), 8
    crowd = [(address, f"{address}{number}", cost) for number, (address, cost) in enumerate(tables)]
    answered = Counter[str]()
    for number, job in enumerate(play(simulation, crowd, rounds * len(crowd))):
        answered[job.table] += 1
        if number > 4 * len(crowd):
            assert simulation.waits[job] <= 2 * WAIT + 2 * MIN_SECONDS * len(crowd) + job.allowed
    assert set(answered) == {table for _, table, _ in crowd}


@given(supply=st.floats(0.1, 100), demands=st.lists(st.floats(0.01, 10), min_size=1, max_size=20))
def test_nobody_has_more_than_others_while_somebody_has_too_little(
    supply: float, demands: list[float]
) -> None:
    level = water_level(supply, demands)
    shares = [min(demand, level) for demand in demands]
    assert sum(shares) <= supply * (1 + 1e-9) or level == inf
    assert level == inf or sum(shares) == pytest.approx(supply)
