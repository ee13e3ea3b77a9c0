"""Worker processes: order, read-ahead, errors, and cancellation."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from souk.core.errors import IllegalMove
from souk.core.messages import Message
from souk.lab.workers import Cancelled, Processes, make_workers, open_workers, raise_if_cancelled


def doubled(n: int) -> int:
    return 2 * n


def slow_at_first(n: int) -> int:
    time.sleep(1.5 if n == 0 else 0.0)
    return n


def refused(n: int) -> int:
    raise IllegalMove(Message("there is no {n}", n=n), "X1")


def strange(_: int) -> int:
    class Strange(Exception):
        """Cannot be unpickled by another process."""

    raise Strange("out of this world")


def deadly(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def patient(path: str) -> None:
    """Works until cancelled, then cleans up."""
    Path(path).touch()
    try:
        for _ in range(3000):
            time.sleep(0.01)
            raise_if_cancelled()
    except Cancelled:
        Path(path + ".closed").touch()
        raise


def noted(path: str) -> None:
    with Path(path).open("a") as file:
        file.write("prepared\n")


def count_lines(path: str) -> int:
    return len(Path(path).read_text().splitlines())


@pytest.fixture(scope="module")
def two() -> Iterator[Processes]:
    with Processes(2) as found:
        yield found


@pytest.mark.parametrize("processes", [1, 2])
def test_every_part_gets_its_answer(processes: int) -> None:
    with Processes(processes) as workers:
        assert sorted(workers.as_completed(doubled, range(20))) == [(n, 2 * n) for n in range(20)]
        # the same processes
        assert list(workers.in_order(doubled, range(20))) == [2 * n for n in range(20)]
        assert list(workers.as_completed(doubled, [])) == []


def test_answers_come_as_they_are_ready_or_in_order(two: Processes) -> None:
    """The first item takes longest; meanwhile only a few others are processed."""
    assert [n for n, _ in two.as_completed(slow_at_first, range(4))][-1] == 0
    taken = []

    def parts() -> Iterator[int]:
        for n in range(100):
            taken.append(n)
            yield n

    answers = two.in_order(slow_at_first, parts())
    assert next(answers) == 0
    assert len(taken) <= 10
    assert list(answers) == list(range(1, 100))


def test_no_part_is_taken_before_somebody_can_work_on_it(two: Processes) -> None:
    taken = []
    numbers = (taken.append(n) or n for n in range(100))  # type: ignore[func-returns-value]
    answers = two.as_completed(doubled, numbers)
    next(answers)
    # two submitted at first, then one for the finished one
    assert len(taken) == 3
    answers.close()


def test_preparing_comes_before_the_work(two: Processes, tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in "abc"]
    assert list(two.in_order(count_lines, paths, prepare=noted)) == [1, 1, 1]


def test_errors_are_raised_as_they_were(two: Processes) -> None:
    with pytest.raises(IllegalMove, match="there is no 3") as caught:
        list(two.as_completed(refused, [3]))
    assert caught.value.clause == "X1"
    assert "in refused" in "".join(caught.value.__notes__)
    with pytest.raises(RuntimeError, match="Strange: out of this world"):
        list(two.as_completed(strange, [1]))
    assert list(two.in_order(doubled, [4])) == [8]


def test_a_process_that_dies_is_told_of() -> None:
    with Processes(2) as workers:
        with pytest.raises(RuntimeError, match=r"a worker process died \(exit code -9\)"):
            list(workers.as_completed(deadly, [1]))
        assert list(workers.in_order(doubled, [4])) == [8]


def test_breaking_off_stops_what_is_under_way(tmp_path: Path) -> None:
    """A function that polls is cancelled at once, and can clean up."""
    path = tmp_path / "begun"
    workers = Processes(2)

    def parts() -> Iterator[str]:
        yield str(path)
        while not path.exists():
            time.sleep(0.01)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(workers.as_completed(patient, parts()))
    assert Path(f"{path}.closed").exists()


def test_alone_nobody_says_stop() -> None:
    raise_if_cancelled()


def test_workers_as_they_are_or_hired_for_once(two: Processes) -> None:
    with open_workers(two) as workers:
        assert workers is two
    # not closed
    assert list(two.in_order(doubled, [1])) == [2]
    with open_workers(1) as workers:
        assert workers.parallelism == 1
    with open_workers(None) as workers:
        assert workers.parallelism == os.cpu_count()


def test_numbers_that_make_no_sense() -> None:
    for wrong in (0, 1025, 1.5, True):
        with pytest.raises(ValueError, match="^processes: must be a whole number from 1 to 1024"):
            Processes(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='^on: must be "here" or "ray"'):
        make_workers(1, "mars")
    with pytest.raises(ValueError, match="^address: is for Ray clusters"):
        make_workers(1, "here", "127.0.0.1:6379")
