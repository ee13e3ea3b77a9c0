"""A local Ray cluster: the same games as without it, killed workers, and error messages."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import souk
from souk.cli.simulate import show_summary
from souk.core.game import Game
from souk.lab import ray_cluster as module
from souk.lab.play_game import GameResult
from souk.lab.ray_cluster import Cluster
from souk.lab.report import check_table, measure
from souk.lab.report.export import export
from souk.lab.simulate.job import Chunk, check_simulation, chunks, prepare
from souk.lab.simulate.simulate import Simulation
from souk.lab.simulate.summary import census
from souk.lab.tournament import Tournament, check_tournament, play_tournament
from souk.lab.workers import make_workers
from tests.lab.support.commands import environment, interrupted, souk_command

# of the cluster and of the commands that connect to it
os.environ["RAY_AUTH_MODE"] = "disabled"

ROOT = Path(__file__).parents[2]
THINKERS = ["search:playouts=24", "search:playouts=12"]
BOARD = ROOT / "souk" / "games" / "basari" / "souk.toml"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Two workers for all tests here; starting them takes ten seconds."""
    with Cluster(workers=2) as found:
        yield found


def same(one: Simulation, other: Simulation) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("scores", "winners", "lengths")
    )


def untimed(tournament: Tournament) -> list[GameResult]:
    return [replace(played, seconds=[], longest=[]) for played in tournament.games]


def worker_processes(cluster: Cluster) -> set[int]:
    def own_process(_: int) -> int:
        # gives each worker one
        time.sleep(0.3)
        return os.getpid()

    return {process for _, process in cluster.as_completed(own_process, range(1, 5))}


class Killer:
    """On the first finished item, kills every worker in the middle of its next one."""

    def __init__(self, cluster: Cluster) -> None:
        self.victims = worker_processes(cluster)
        self.finished = 0

    def __call__(self, *_: object) -> None:
        self.finished += 1
        if self.finished == 1:
            for process in self.victims:
                os.kill(process, signal.SIGKILL)


# ---------------------------------------------------------------- the same results


@pytest.mark.parametrize(
    ("game", "players", "options"), [("suleika", 2, {"turn_at_end": True}), ("basari-cards", 3, {})]
)
def test_the_same_arrays_as_here(
    cluster: Cluster, game: str, players: int, options: dict[str, Any]
) -> None:
    progress: list[int] = []
    there = souk.simulate(game, players, 10_001, 7, on=cluster, report=progress.append, **options)
    assert same(there, souk.simulate(game, players, 10_001, 7, **options))
    assert sum(progress) == 10_001
    assert len(progress) == 8
    assert there.seconds > 0


def test_the_same_census_as_here(cluster: Cluster) -> None:
    progress: list[int] = []
    there = census("bazaar", 4, 3_000, 7, on=cluster, report=progress.append)
    here = census("bazaar", 4, 3_000, 7)
    assert np.array_equal(there.scores, here.scores)
    assert np.array_equal(there.winners, here.winners)
    assert np.array_equal(there.lengths, here.lengths)
    assert (there.games, there.events, there.longest) == (here.games, here.events, here.longest)
    assert sum(progress) == 3_000


@pytest.fixture(scope="module")
def played_here() -> Tournament:
    return play_tournament("suleika", THINKERS, players=2, games=12, seed=5, processes=1)


def test_the_same_tournament_as_here(
    cluster: Cluster, played_here: Tournament, tmp_path: Path
) -> None:
    """With records; Ray is already initialised and stays open."""
    with Cluster(workers=2) as workers:
        there = play_tournament(
            "suleika",
            THINKERS,
            players=2,
            games=12,
            seed=5,
            processes=workers,
            folder=tmp_path,
            keep=True,
        )
    assert untimed(there) == untimed(played_here)
    assert souk.load(tmp_path / "games" / "000011.souk").position.scores == there.games[11].scores
    assert cluster.parallelism == 2
    assert worker_processes(cluster)


def test_the_same_report_and_export_as_here(cluster: Cluster, tmp_path: Path) -> None:
    table = check_table("basari", 3, "search:playouts=8", seed=2)
    assert (
        measure(table, 3, processes=cluster).to_json() == measure(table, 3, processes=1).to_json()
    )
    for name, processes in (("there", cluster), ("here", 1)):
        export(check_table("suleika", 2, seed=2), 12, tmp_path / name, processes=processes)
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()


# ---------------------------------------------------------------- killed workers


def test_a_simulation_survives_its_workers(
    cluster: Cluster, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing is printed about it."""
    killer = Killer(cluster)
    there = souk.simulate("suleika", 4, 100_000, 3, on=cluster, report=killer)
    assert killer.finished == 8
    assert not killer.victims & worker_processes(cluster)
    assert same(there, souk.simulate("suleika", 4, 100_000, 3))
    assert capfd.readouterr() == ("", "")


def test_a_tournament_survives_its_workers(cluster: Cluster, played_here: Tournament) -> None:
    killer = Killer(cluster)
    with Cluster() as workers:
        there = Tournament(played_here.table).play(range(6), workers, killer)
    assert killer.finished == 12
    assert not killer.victims & worker_processes(cluster)
    assert untimed(there) == untimed(played_here)


def test_work_that_kills_every_worker_is_given_up(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deadly(_: int) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(module, "_RETRIES", 1)
    with pytest.raises(RuntimeError, match="a worker of the Ray cluster died, and so did"):
        list(cluster.as_completed(deadly, [1]))


# ---------------------------------------------------------------- from the command line


def address_of(_: Cluster) -> str:
    import ray

    return str(ray.get_runtime_context().gcs_address)


def test_simulate_on_a_cluster_elsewhere(cluster: Cluster) -> None:
    """Only the times differ from the output without a cluster, and Ray prints nothing."""
    here = Console(file=StringIO(), width=120, highlight=False)
    show_summary(here, census("suleika", 4, 2_000, 4))
    arguments = souk_command("simulate", "suleika", "--games", "2000", "--seed", "4", "--on", "ray")
    there = subprocess.run(
        [*arguments, "--address", address_of(cluster)],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stderr.strip() == ""
    written = [
        re.sub(r" in [\d.]+ s: .*", "", text) for text in (there.stdout, here.file.getvalue())
    ]  # type: ignore[attr-defined]
    assert "2,000 games" in written[0]
    assert written[0] == written[1]


def test_an_interrupted_tournament_goes_on(cluster: Cluster, tmp_path: Path) -> None:
    """Ctrl-C on Ray, then the rest on this machine."""
    entrants = ["search:playouts=60", "search:playouts=50"]
    arguments = souk_command(
        "tournament", "suleika", *entrants, "-p", "2", "-n", "40", "--out", str(tmp_path / "out")
    )
    journal = tmp_path / "out" / "games.jsonl"
    output = interrupted([*arguments, "--on", "ray"], journal, RAY_ADDRESS=address_of(cluster))
    assert re.search(r"Stopped after \d+ of 40 games.*\n\s+souk tournament suleika", output), output
    resumed = Tournament(check_tournament("suleika", entrants, players=2), tmp_path / "out")
    assert 0 < len(resumed) < 40
    first = len(resumed)
    resumed.play(range((first + 3) // 2), 1)
    alone = play_tournament("suleika", entrants, players=2, games=first + 2, processes=1)
    assert untimed(resumed) == untimed(alone)


# ---------------------------------------------------------------- refusals


def first_part(start: souk.Position) -> Chunk:
    order = check_simulation(start.game.name, start.players, 10, 1, None, on="ray", **start.options)
    return next(chunks(order, 10))


def found_there(part: Chunk) -> Game:
    return part.table.local_game()


def test_another_version_on_a_machine_is_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one sentence, whatever the work."""
    monkeypatch.setattr(module, "source_digest", lambda: "another")
    with pytest.raises(RuntimeError, match="another version of Souk"):
        list(cluster.as_completed(prepare, [first_part(souk.game("suleika").start(3))]))


def test_another_data_file_on_a_machine_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    board = tmp_path / "board.toml"
    copyfile(BOARD, board)
    part = first_part(souk.game("basari").start(3, board=str(board)))
    assert [found.name for _, found in cluster.as_completed(found_there, [part])] == ["basari"]
    other = replace(part, table=replace(part.table, opening="another"))
    with pytest.raises(RuntimeError, match="another data file"):
        list(cluster.as_completed(prepare, [other]))
    # the digest is sent with the item
    board.unlink()
    assert [found.name for _, found in cluster.as_completed(found_there, [part])] == ["basari"]


def test_a_game_that_cannot_be_played_is_told_of(cluster: Cluster) -> None:
    broken = replace(
        check_tournament("suleika", THINKERS, players=2), bots=("random", "random:sorcery")
    )
    with (
        Cluster() as workers,
        pytest.raises(RuntimeError, match=r"game \d could not be played(.|\n)*sorcery"),
    ):
        Tournament(broken).play(range(1), workers)


def test_no_gpu_in_the_cluster(cluster: Cluster) -> None:
    with pytest.raises(ValueError, match="target: no machine of the Ray cluster has a GPU"):
        souk.simulate("suleika", 4, 10, on=cluster, target="cuda")


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match='on: must be "here" or "ray"'):
        souk.simulate("suleika", 4, 10, on="mars")
    with pytest.raises(ValueError, match='on: must be "here" or "ray"'):
        make_workers(1, "mars")
    with pytest.raises(ValueError, match="address: is for Ray clusters"):
        souk.simulate("suleika", 4, 10, address="127.0.0.1:6379")
    with pytest.raises(ValueError, match="workers: "):
        Cluster(workers=0)
    with pytest.raises(ValueError, match="processes: "):
        make_workers(0, "ray")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", "address: nobody answers at 127.0.0.1:1"),
        ("127.0.0.1:99999999", "address: nobody answers"),
        ("mars", "address: must be that of a Ray cluster"),
    ],
)
def test_a_cluster_that_is_not_there(address: str, message: str) -> None:
    with pytest.raises((RuntimeError, ValueError), match=message):
        Cluster(address)


def test_nothing_is_begun_without_its_cluster(tmp_path: Path) -> None:
    arguments = souk_command(
        "tournament", "suleika", "random", "greedy", "--on", "ray", "--address", "127.0.0.1:1"
    )
    done = subprocess.run(
        arguments, env=environment(), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("souk: address: nobody answers")
    assert done.stdout == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command", [["simulate", "suleika"], ["tournament", "suleika", "random", "greedy"]]
)
def test_without_ray_one_sentence_says_what_to_install(command: list[str], tmp_path: Path) -> None:
    code = "import sys; sys.modules['ray'] = None; from souk.cli.main import main; main()"
    arguments = [sys.executable, "-c", code, *command, "--on", "ray"]
    done = subprocess.run(
        arguments, env=environment(), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "souk: Ray is not installed: pip install 'souk-games[ray]'\n"
    assert not list(tmp_path.iterdir())


def test_ray_is_not_loaded_before_it_is_asked_for() -> None:
    modules = (
        "souk.cli.main, souk.lab.simulate.summary, souk.lab.ray_cluster, "
        "souk.lab.tournament, souk.lab.report"
    )
    code = f"import sys, {modules}; assert not {{'ray', 'filelock', 'numba'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
