"""Analysis of finished games on the server: refusals, streaming, storage, limits, crashes."""

import asyncio
import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from souk.analysis.events import analysis_tasks
from souk.analysis.incremental import IncrementalAnalysis
from souk.core.record import Record
from souk.games import names
from souk.server.analysis.scheduler import STAGES, AnalysisJob, AnalysisScheduler
from souk.server.common.config import ServerConfig
from souk.server.compute.analysis_handle import LocalAnalysisWorker
from souk.server.compute.analysis_summary import AnalysisSummary
from souk.server.compute.analysis_worker import AnalysisProgress
from souk.server.protocol.analysis import AnalysisStatus
from souk.server.storage.maintenance import delete_table, execute_in_transaction
from souk.server.storage.sqlite_schema import connect
from tests.server.support.clients import PATIENCE, Person, Server, checked_server


def random_game(name: str, players: int, seed: int = 1) -> Record:
    """A whole game of random moves."""
    record, rng = (
        Record(name, players, names=[f"Player {seat}" for seat in range(players)]),
        random.Random(seed),
    )
    while not record.position.over:
        now = record.position
        if not now.actors:
            record.draw(rng)
            continue
        seat = rng.choice(now.actors)
        moves = now.moves(seat)[:20]
        record.play(seat, rng.choice([move for move in moves if move.startswith("buy")] or moves))
    return record


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(
        tmp_path_factory.mktemp("studies"), study_workers=1, study_rate=1000, study_burst=1000
    ) as server:
        yield server
        assert server.stop() == 0
        assert not [line for line in server.troubles if "analysis worker crashed" not in line]


async def upload(person: Person, record: Record) -> str:
    answer = await person.http.post("/api/studies", json={"record": str(record)})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


async def study(person: Person, name: str, known: str = "") -> AnalysisStatus:
    answer = await person.http.get(f"/api/tables/{name}/study?known={known}")
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=AnalysisStatus)


async def all_of(person: Person, name: str) -> AnalysisStatus:
    """Poll until the analysis is complete."""
    end, known = time.monotonic() + 5 * PATIENCE, ""  # analysis runs at low priority
    last = None
    while time.monotonic() < end:
        found = await study(person, name, known)
        last, known = found.study or last, found.version
        if found.of and found.done == found.of:
            found.study = last
            return found
        await asyncio.sleep(0.1)
    raise AssertionError("the analysis never finished")


async def refused(person: Person, path: str) -> tuple[int, str]:
    answer = await person.http.get(path)
    return answer.status_code, answer.json()["reason"][0].removeprefix("table.refused.")


async def finished_table(person: Person) -> str:
    """Play a short game to its end at a table."""
    async with person.page_at_new_table("bazaar", "me") as page:
        await page.play(0, random.Random(3))
        return page.table


# ---------------------------------------------------------------- refusals


def test_nothing_of_a_running_game_can_be_studied(at: Server) -> None:
    async def ask() -> None:
        async with Person(at) as person:
            table, _ = await person.new_table("suleika", "me", "bot")
            for path in ("study", "replay?from=0&to=9", "instead?step=0&move=left"):
                assert await refused(person, f"/api/tables/{table}/{path}") == (
                    409,
                    "study_running",
                )
            lesson = (await person.http.post("/api/lessons", json={"game": "suleika"})).json()[
                "table"
            ]
            assert await refused(person, f"/api/tables/{lesson}/study") == (409, "study_lesson")
            assert await refused(person, "/api/tables/AAAAAAAAAAAAAAAA/study") == (
                404,
                "table_unknown",
            )
            assert await refused(person, "/api/tables/file-none/replay") == (404, "file_gone")

    asyncio.run(ask())


def test_a_damaged_file_is_refused_with_its_line(at: Server) -> None:
    text = str(random_game("suleika", 2))
    lines = text.splitlines()
    event = next(k for k, line in enumerate(lines) if line.startswith("5 "))
    changed = "\n".join(
        [*lines[:event], lines[event].replace("5 ", "5  x", 1), *lines[event + 1 :]]
    )
    path = text.replace("\nname 0", '\noption board: "/etc/x.toml"   #0000\nname 0', 1)
    unfinished = Record("suleika", 2)
    wrong = {
        changed: (event + 1, "bad_record"),
        "chess": (1, "bad_record"),
        str(unfinished): (0, "study_unfinished"),
    }
    wrong[path] = (path.splitlines().index('option board: "/etc/x.toml"   #0000') + 1, "bad_record")

    async def ask() -> None:
        async with Person(at) as person:
            for record, (line, key) in wrong.items():
                answer = await person.http.post("/api/studies", json={"record": record})
                [said, values] = answer.json()["fault"][:2]
                assert "id" not in answer.json()
                assert (said, values.get("line", 0)) == (f"table.refused.{key}", line)
            large = await person.http.post("/api/studies", json={"record": "x" * 210_000})
            assert large.status_code == 413

    asyncio.run(ask())


# ---------------------------------------------------------------- results


@pytest.mark.parametrize("name", names())
def test_a_file_of_every_game_is_looked_back_at(at: Server, name: str) -> None:
    record = random_game(name, 2 if name in ("suleika", "bazaar") else 3)

    async def ask() -> None:
        async with Person(at) as person:
            file = await upload(person, record)
            found = await all_of(person, file)
            assert found.study is not None
            assert [step.seat for step in found.study.steps] == [seat for seat, _ in record.events]
            for balance in found.study.seats:
                assert (
                    abs(
                        balance.start + balance.luck + balance.own + balance.others - balance.result
                    )
                    < 1e-3
                )
            assert [share is not None and 0 <= share <= 1 for share in found.study.accuracy] == [
                True
            ] * len(found.study.seats)
            assert not any(step.unseen for step in found.study.steps)
            known = await study(person, file, found.version)
            # an unchanged result is not sent again
            assert (known.version, known.study) == (found.version, None)
            moves = [step for step in found.study.steps if step.considered]
            assert moves
            assert all(
                len(step.considered) <= 6 and all(each.told for each in step.considered)
                for step in moves
            )

    asyncio.run(ask())


class HalfwayWorker:
    """A worker that reports one event of three, then the rest."""

    def __init__(self) -> None:
        self.found = [
            AnalysisProgress(1, 1, 3, b'{"half":1}'),
            AnalysisProgress(2, 3, 3, b'{"whole":1}'),
        ]

    async def continue_analysis(self, *_: Any) -> AnalysisProgress:
        return self.found.pop(0)


def test_what_has_been_found_so_far_is_told() -> None:
    nothing: Any = None
    studies = AnalysisScheduler(ServerConfig(), nothing, nothing)
    worker = cast("LocalAnalysisWorker", HalfwayWorker())
    job = AnalysisJob("file", "bazaar", "", 3, "192.0.2.7", is_stored=False)

    def told(known: str) -> tuple[int, int, Any]:
        shown = job.status(known, compile_seconds=0, jobs_before=0)
        return shown.done, shown.of, shown.study

    async def look() -> None:
        assert told("") == (0, 0, None)
        await studies._run_slice(worker, job)
        half = job.version
        assert not job.is_done
        assert told("") == (1, 3, msgspec.Raw(b'{"half":1}'))
        assert told(half) == (1, 3, None)
        await studies._run_slice(worker, job)
        assert job.is_done
        assert told(half) == (3, 3, msgspec.Raw(b'{"whole":1}'))

    asyncio.run(look())


def test_what_is_streamed_is_right_from_the_end_on() -> None:
    inquiry = IncrementalAnalysis(random_game("bazaar", 2))
    whole = IncrementalAnalysis(inquiry.record)
    whole.go_on(16, 1000.0)
    inquiry.go_on(16, 0.0)
    assert inquiry.done(16) == 1
    inquiry.go_on(16, 0.0)
    unseen = inquiry.unseen()
    assert unseen == set(range(len(inquiry.record.events) - 2))
    assert inquiry.study().steps[-2:] == whole.study().steps[-2:]
    assert (
        AnalysisSummary(inquiry).view().accuracy == []
    )  # two events say nothing about accuracy over the game
    assert AnalysisSummary(whole).view().accuracy == pytest.approx(whole.study().accuracy, abs=1e-4)


def test_deeper_looks_take_the_place_of_quick_ones(at: Server) -> None:
    record = random_game("bazaar", 2)

    async def ask() -> None:
        async with Person(at) as person:
            file = await upload(person, record)
            first = await all_of(person, file)
            assert (first.playouts, first.deeper) == (STAGES[0], STAGES[1])
            answer = await person.http.post(
                f"/api/tables/{file}/study", json={"playouts": first.deeper}
            )
            assert answer.status_code == 200
            deeper = await all_of(person, file)
            assert (deeper.playouts, deeper.deeper) == (STAGES[1], STAGES[2])
            assert deeper.version != first.version

    asyncio.run(ask())


def test_a_replay_shows_what_a_spectator_saw(at: Server) -> None:
    record = random_game("basari", 3)
    secret = next(piece for piece in analysis_tasks(record) if piece.secret)

    async def ask() -> None:
        async with Person(at) as person:
            file = await upload(person, record)
            answer = (
                await person.http.get(
                    f"/api/tables/{file}/replay?from={secret.first}&to={secret.first + 3}"
                )
            ).json()
            hidden, _, revealed = answer["events"]
            assert hidden.get("move") is None
            assert [fact["is"] for fact in hidden["facts"]] == ["chose"]
            assert hidden["view"]["secret"]
            assert not revealed["view"].get("secret")
            first = await person.http.get(f"/api/tables/{file}/replay?from=0&to=1000")
            begun = first.json()
            assert begun["start"]["position"] == record.start.to_json()
            assert (begun["of"], len(begun["events"])) == (len(record.events), 60)
            for step, key in (
                (secret.first, "step_secret"),
                (0, "step_no_move"),
                (10**5, "step_no_move"),
            ):
                if step != 0 or record.events[0][0] is None:
                    assert (
                        await refused(person, f"/api/tables/{file}/instead?step={step}&move=gems")
                    )[1] == key

    asyncio.run(ask())


def test_another_move_is_shown_in_the_place_of_the_one_that_was_made(at: Server) -> None:
    record = random_game("suleika", 2)
    positions = list(record.positions())
    step = next(
        k
        for k, (seat, text) in enumerate(record.events)
        if seat is not None and len(positions[k].moves(seat)) > 1
    )
    seat, played = record.events[step]
    other = next(move for move in positions[step].moves(seat) if move != played)

    async def ask() -> None:
        async with Person(at) as person:
            file = await upload(person, record)
            found = (
                await person.http.get(f"/api/tables/{file}/instead?step={step}&move={other}")
            ).json()
            after = positions[step].copy()
            after.play(seat, other)
            assert found["move"] == other
            assert found["view"]["position"] == after.to_json()
            assert (
                await person.http.get(f"/api/tables/{file}/instead?step={step}&move=fly")
            ).status_code == 409

    asyncio.run(ask())


# ---------------------------------------------------------------- storage


def test_the_second_visit_finds_all_of_it_at_once_and_it_goes_with_the_table(
    tmp_path: Path,
) -> None:
    async def first(server: Server) -> tuple[str, AnalysisStatus]:
        async with Person(server) as person, Person(server) as stranger:
            table = await finished_table(person)
            found = await all_of(stranger, table)  # spectators may analyse too
            return table, found

    async def second(server: Server, table: str, found: AnalysisStatus) -> None:
        async with Person(server) as person:
            again = await study(person, table)
            assert (again.done, again.of, again.version) == (found.of, found.of, found.version)
            assert again.study == found.study
            assert again.study is not None
            assert again.study.accuracy
        connection = connect(server.data / "tables.sqlite")
        assert connection.execute("SELECT count(*) FROM analyses").fetchone() == (1,)
        execute_in_transaction(connection, delete_table(table))
        assert connection.execute("SELECT count(*) FROM analyses").fetchone() == (0,)
        connection.close()
        async with Person(server) as person:
            assert await refused(person, f"/api/tables/{table}/study") == (404, "table_unknown")

    found: Any = None
    with Server(tmp_path) as server:
        found = asyncio.run(first(server))
        assert server.stop() == 0
    with checked_server(tmp_path) as server:
        asyncio.run(second(server, *found))


# ---------------------------------------------------------------- limits and failures


def analysis_processes(server: Server) -> list[int]:
    """Process ids of a server's analysis workers."""
    pids = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                command = (folder / "cmdline").read_bytes()
                parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if b"souk.server.compute.analysis_worker" in command and int(parent) == server.pid:
                pids.append(int(folder.name))
    return pids


def test_work_is_taken_up_again_where_its_process_is_lost(at: Server) -> None:
    record = random_game("basari-cards", 3, seed=5)

    async def ask() -> None:
        async with Person(at) as person:
            file = await upload(person, record)
            while not (await study(person, file)).done:
                await asyncio.sleep(0.05)
            [process] = analysis_processes(at)
            assert os.getpriority(os.PRIO_PROCESS, process) >= 15  # low priority
            os.kill(process, signal.SIGKILL)
            found = await all_of(person, file)
            assert found.done == found.of
            assert analysis_processes(at) != [process]

    asyncio.run(ask())


def test_one_address_may_not_begin_too_many(tmp_path: Path) -> None:
    record = random_game("bazaar", 2)
    with Server(tmp_path, study_rate=0, study_burst=2) as server:

        async def ask() -> None:
            async with Person(server) as person:
                files = [await upload(person, record) for _ in range(3)]
                await study(person, files[0])
                await study(person, files[1])
                assert await refused(person, f"/api/tables/{files[2]}/study") == (
                    429,
                    "too_many_studies",
                )
                await study(person, files[0])  # already started

        asyncio.run(ask())
        assert server.stop() == 0
