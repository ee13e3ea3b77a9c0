"""Every program of bench/ runs, with settings as small as can be; those that take a GPU, a cluster or minutes at least read their settings."""

import importlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.forked import run_python
from tests.random_games import whole_random_game

ROOT = Path(__file__).parent.parent
BENCH = ROOT / "bench"
PROGRAMS = sorted(file.name for file in BENCH.glob("*.py") if '__name__ == "__main__"' in file.read_text())
STRENGTH = "levels --minutes 0 --processes 1 --folder strength --journals matches"
# What each writes in the end where it is told to measure next to nothing.
RUN = {
    "chaos.py clocks --size 1": "| clocks | 1 |",
    "all.py --list": "solve: python bench/solve.py",
    "choices.py --games 1 --bots apprentice trader --processes 1": "where they notice",
    "endings.py --games 1 --seconds 0.02 --processes 1": "4 players: ",
    "findings.py puzzle lessons --share 0.01 --minds suleika --processes 1 --folder .": "suleika, 4 players: 4 games asked about",
    "minds_gpu.py 20 suleika --target cpu": "the same bytes interpreted",
    "moves.py --moves 10 --rounds 1 --tables 2": "µs of the loop a move with two watchers",
    "openspiel_match.py --games 2 --seconds 0.01 --processes 1 suleika": "of 2 games",
    "pages.py --check": "",
    "patience.py suleika --playouts 8 --games 2 --processes 1": "playouts=8 against playouts=10000",
    "study.py sum depth --games bazaar --share 0.005 --playouts 16 --processes 1 --folder study --journals games": "'decisions': ",
    f"strength.py {STRENGTH}": "vizier beats merchant",
    "without_luck.py suleika 2 playouts=8 playouts=8,mind=none --games 2 --processes 1": "without luck: ",
}
# Those that keep their figures where they are told to.
KEEPING = {
    "agree.py 1": "1 games the same",
    "batch.py cpu 0.01 suleika": "million steps/s",
    "environments.py 0.01": "bazaar: ",
    "load.py --tables 2 --every 0.1 --seconds 0.5": '"lost": 0',
    "minds.py 0.01 suleika": "All minds load in ",
    "peers.py 0.02": "Souk, bazaar",
    "solve.py 1": "45 puzzles in ",
    "cluster.py --rounds 1 --tables 1 --healed 60": "moves acknowledged, 0 lost",
    "news.py --processes 2 --rate 20 --seconds 0.3": '"processes": 2',
    "several.py --processes 2 --tables 4 --rate 20 --seconds 1 --rounds 1": "'times_one'",
    "stores.py --tables 2 --seconds 0.2 --rounds 1": '"store": "postgresql"',
    "speed.py 0.02": "record 116 bytes",
    "year.py --tables 20 --games 1 --asked 2": "postgresql, 20 tables",
    "thinkers.py --tables 2 --seconds 1 --rounds 3": "an apprentice answers",
}
KEPT_AS = {"batch.py": "batch-cpu", "minds.py": "minds-cost"}  # where that is not the program's name
ASKED_FOR_HELP = ["billion.py", "boardgame.py", "containers.py", "curve.py", "first_load.py", "gpu.py", "install.py"]
ASKED_FOR_HELP += ["network_cut.py", "on_ray.py", "secret.py", "starting.py", "thinking.py", "turns.py", "wires.py"]


TRIED_APART = ["former.py", "former_bot.py"]  # the first runs the second


def test_every_program_is_tried() -> None:
    tried = [*ASKED_FOR_HELP, *TRIED_APART, *(command.split()[0] for command in RUN | KEEPING)]
    assert sorted(tried) == PROGRAMS


def run(command: str, folder: Path) -> str:
    program, *arguments = command.split()
    environment = os.environ | {"SOUK_COMMIT": "0123abc"}
    done = run_python([str(BENCH / program), *arguments], environment, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("command", RUN, ids=[command.split()[0] for command in RUN])
def test_it_runs(command: str, tmp_path: Path) -> None:
    assert RUN[command] in run(command, tmp_path)


def _names(figures: dict[str, Any]) -> set[str]:
    """What figures are called, down to those of a part. (An option may be left out.)"""
    parts = {f"{name}.{inner}" for name, part in figures.items() if isinstance(part, dict) for inner in part}
    return {name for name in set(figures) | parts if name.partition(".")[0] not in ("ramp", "studied", "lobby")}


@pytest.mark.parametrize("command", KEEPING, ids=[command.split()[0] for command in KEEPING])
def test_it_keeps_its_figures(command: str, tmp_path: Path) -> None:
    assert KEEPING[command] in run(f"{command} --json figures.json", tmp_path)
    figures = json.loads((tmp_path / "figures.json").read_text())
    kept = figures["pedigree"]
    assert (kept["commit"], kept["command"]) == ("0123abc", f"python bench/{command}")
    program = command.split()[0]
    shown = json.loads((ROOT / "docs" / "figures" / f"{KEPT_AS.get(program, Path(program).stem)}.json").read_text())
    assert _names(figures) == _names(shown)  # the pages are written from these


def test_matches_go_on_and_what_is_not_played_stays_as_it_was(tmp_path: Path) -> None:
    where = "--processes 1 --folder . --journals matches"

    def rows() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads((tmp_path / "minds.json").read_text())["rows"]
        return found

    run(f"strength.py minds --games suleika --minutes 0.05 --share 0.005 {where}", tmp_path)
    first = rows()[0]
    assert (first["players"], first["better"], first["other"]) == (2, "vizier", "vizier:mind=none")
    again = run(f"strength.py minds uct --games suleika --bots vizier --minutes 0 {where}", tmp_path)
    assert f"suleika, 2 players, {first['games']} games: vizier beats vizier:mind=none" in again
    assert rows()[0] == first
    run(f"strength.py minds --games bazaar --minutes 0.05 --share 0.005 {where}", tmp_path)
    kept = rows()[0]
    assert kept.pop("pedigree")["command"].startswith("python bench/strength.py minds uct --games suleika")
    assert kept == first
    assert rows()[-1]["game"] == "bazaar"


def test_luck_is_taken_out_of_games_by_the_clock_too(tmp_path: Path) -> None:
    run("without_luck.py suleika 2 greedy random --seconds 0.05 --games 4 --processes 1 --json luckless.json", tmp_path)
    [row] = json.loads((tmp_path / "luckless.json").read_text())["rows"]
    assert (row["better"], row["other"], row["seconds"], row["games"]) == ("greedy", "random", 0.05, 4)
    assert row["with_luck"][0] == 1.0  # whatever the dice, one who looks a little beats one who does not
    assert row["without_luck"][0] != row["with_luck"][0]


def test_a_match_goes_on_where_its_journal_ends(tmp_path: Path) -> None:
    def noted(games: int) -> list[str]:
        command = f"without_luck.py suleika 2 greedy random --seconds 0.05 --games {games} --processes 1 --journals ."
        assert f"of {games} games" in run(command, tmp_path)
        [journal] = tmp_path.glob("*.jsonl")
        return journal.read_text().splitlines()

    before, after = noted(2), noted(4)
    assert after[:2] == before
    assert [json.loads(line)["game"] for line in after] == [0, 1, 2, 3]


def test_bots_of_former_sources_play_those_of_today(tmp_path: Path) -> None:
    how = "--seconds 0.02 --games 2 --processes 1 --json former.json"
    assert "of 2 games" in run(f"former.py suleika 2 0123abc --sources {ROOT} {how}", tmp_path)
    [row] = json.loads((tmp_path / "former.json").read_text())["rows"]
    assert (row["better"], row["other"], row["games"]) == ("vizier", "vizier of 0123abc", 2)


def test_luck_of_all_seats_together_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    luck_in = importlib.import_module("fair_games").luck_in
    luck = luck_in(whole_random_game("suleika", 3, {}, 1))
    assert len(luck) == 3
    assert abs(sum(luck)) < 1e-9  # what one gains by it, the others lose
    assert max(luck) > 0.01
    assert luck_in(whole_random_game("suleika", 3, {}, 1)) == luck


def test_studies_go_on_where_they_were(tmp_path: Path) -> None:
    small = "--games bazaar --share 0.005 --playouts 16 --bot apprentice --processes 1 --folder . --journals games"
    run(f"study.py fair {small}", tmp_path)
    first = (tmp_path / "fair.json").read_text()
    lines = (tmp_path / "games" / "0123abc" / "fair.jsonl").read_text().splitlines()
    run(f"study.py fair {small}", tmp_path)
    assert (tmp_path / "fair.json").read_text() == first
    assert (tmp_path / "games" / "0123abc" / "fair.jsonl").read_text().splitlines() == lines
    [row] = json.loads(first)["rows"]
    assert (row["game"], row["players"], row["games"], len(row["luck"])) == ("bazaar", 4, 2, 4)
    assert len(lines) == 2


def test_all_figures_go_where_they_are_wanted(tmp_path: Path) -> None:
    run("all.py --only agree --scale 0.0003 --processes 1 --out out", tmp_path)
    kept = json.loads((tmp_path / "out" / "figures" / "agree.json").read_text())
    assert kept["pedigree"]["command"] == "python bench/agree.py 1 --processes 1"
    assert kept["different"] == 0


def test_all_figures_of_the_docs_are_measured(tmp_path: Path) -> None:
    listed = run("all.py cpu gpu elsewhere --list", tmp_path).splitlines()
    assert sorted(line.split(":")[0] for line in listed) == sorted(file.stem for file in ROOT.glob("docs/*/*.json"))


@pytest.mark.parametrize("program", ASKED_FOR_HELP)
def test_it_reads_its_settings(program: str, tmp_path: Path) -> None:
    assert f"usage: {program}" in run(f"{program} --help", tmp_path)
