"""Every program of bench/ runs with minimal settings; slow or special ones at least show help."""

import importlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.forked import run_python
from tests.support.random_games import whole_random_game

ROOT = Path(__file__).parents[2]
BENCH = ROOT / "bench"
PROGRAMS = sorted(
    ".".join(file.relative_to(BENCH).with_suffix("").parts)
    for file in BENCH.rglob("*.py")
    if '__name__ == "__main__"' in file.read_text()
)
SMALL = "--processes 1 --folder figures --journals journals"
# Expected in the output.
RUN = {
    "server.stress clocks --size 1": "| clocks | 1 |",
    "all --list": "solitaire: python -m bench.speed.solitaire",
    "findings.findings puzzle net-questions --share 0.01 --nets suleika --processes 1 --folder .": (
        "suleika, 4 players: 4 games"
    ),
    "findings.reasons bazaar --players 2 --pairs 3 --playouts 60 --seed 1": "better  worse",
    "server.move_cost --moves 10 --rounds 1 --tables 2": "µs of the event loop per move",
    "tables.write_all --check": "",
    "strength.thinking_time suleika --playouts 8 --games 2 --processes 1": (
        "playouts=8 against playouts=10000"
    ),
    f"findings.analysis sum depth --games bazaar --share 0.005 --playouts 16 {SMALL}": (
        "'decisions': "
    ),
    f"strength.strength levels --minutes 0 {SMALL}": "vizier beats merchant",
    f"strength.strength secret-choices endgames --games suleika --share 0.001 {SMALL}": (
        "4 players: "
    ),
    f"strength.strength openspiel --games suleika --share 0.01 {SMALL}": "of 2 games",
    "strength.without_luck suleika 2 playouts=8 playouts=8,net=none --games 2 --processes 1": (
        "without luck: "
    ),
}
# The same with `--json FILE`; files are compared with those in docs/figures.
RUN_WITH_JSON = {
    "speed.cpu_vs_interpreter 1": "1 games the same",
    "speed.batch cpu 0.01 suleika": "million steps/s",
    "speed.environments 0.01": "bazaar: ",
    "server.load --tables 2 --every 0.1 --seconds 0.5": '"lost": 0',
    "strength.net_cost 0.01 suleika": "All nets load in ",
    "speed.openspiel 0.02": "Souk, bazaar",
    "speed.solitaire 1": "45 puzzles in ",
    "server.cluster --rounds 1 --tables 1 --healed 60": "moves acknowledged, 0 lost",
    "server.bus --processes 2 --rate 20 --seconds 0.3": '"processes": 2',
    "server.processes --processes 2 --tables 4 --rate 20 --seconds 1 --rounds 1": "'times_one'",
    "server.stores --tables 2 --seconds 0.2 --rounds 1": '"store": "postgresql"',
    "speed.speed 0.02": "position of 116 bytes",
    "server.year --tables 20 --games 1 --asked 2": "postgresql, 20 tables",
    "server.bot_wait --tables 2 --seconds 1 --rounds 3": "an apprentice answers",
}
FILES = {"speed.batch": "batch-cpu", "speed.openspiel": "openspiel-nodes"}
SHOW_HELP = [
    "speed.billion",
    "speed.gpu",
    "speed.ray",
    "server.boardgameio",
    "server.containers",
    "server.first_load",
    "server.install",
    "server.network_cut",
    "server.start_time",
    "server.websocket",
    "strength.training_curve",
]
# Tested below; the first runs the second.
OLD_VERSION = ["strength.against_old_version", "strength.old_version_bot"]


def test_every_program_is_tried() -> None:
    commands = [*RUN, *RUN_WITH_JSON]
    tried = [*SHOW_HELP, *OLD_VERSION, *(command.split()[0] for command in commands)]
    assert sorted(set(tried)) == PROGRAMS


def run(command: str, folder: Path) -> str:
    program, *arguments = command.split()
    environment = os.environ | {"SOUK_COMMIT": "0123abc", "PYTHONPATH": str(ROOT)}
    done = run_python(["-m", f"bench.{program}", *arguments], environment, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("command", RUN)
def test_it_runs(command: str, tmp_path: Path) -> None:
    assert RUN[command] in run(command, tmp_path)


def _names(figures: dict[str, Any]) -> set[str]:
    """Names of figures, nested once, without those of optional parts."""
    parts = {
        f"{name}.{inner}"
        for name, part in figures.items()
        if isinstance(part, dict)
        for inner in part
    }
    return {
        name for name in set(figures) | parts if name.partition(".")[0] not in ("ramp", "lobby")
    }


@pytest.mark.parametrize("command", RUN_WITH_JSON)
def test_it_keeps_its_figures(command: str, tmp_path: Path) -> None:
    assert RUN_WITH_JSON[command] in run(f"{command} --json figures.json", tmp_path)
    figures = json.loads((tmp_path / "figures.json").read_text())
    kept = figures["pedigree"]
    assert (kept["commit"], kept["command"]) == ("0123abc", f"python -m bench.{command}")
    program = command.split()[0]
    name = FILES.get(program, program.partition(".")[2].replace("_", "-"))
    shown = json.loads((ROOT / "docs" / "figures" / f"{name}.json").read_text())
    assert _names(figures) == _names(shown)


def test_matches_continue_and_other_rows_are_kept(tmp_path: Path) -> None:
    where = "--processes 1 --folder . --journals matches"

    def rows() -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads((tmp_path / "nets.json").read_text())["rows"]
        return rows

    run(f"strength.strength nets --games suleika --minutes 0.05 --share 0.005 {where}", tmp_path)
    first = rows()[0]
    assert (first["players"], first["better"], first["other"]) == (2, "vizier", "vizier:net=none")
    again = run(
        f"strength.strength nets uct --games suleika --bots vizier --minutes 0 {where}", tmp_path
    )
    assert f"suleika, 2 players, {first['games']} games: vizier beats vizier:net=none" in again
    assert rows()[0] == first
    run(f"strength.strength nets --games bazaar --minutes 0.05 --share 0.005 {where}", tmp_path)
    kept = rows()[0]
    assert kept.pop("pedigree")["command"].startswith(
        "python -m bench.strength.strength nets uct --games suleika"
    )
    assert kept == first
    assert rows()[-1]["game"] == "bazaar"


def test_luck_is_removed_from_games_by_the_clock(tmp_path: Path) -> None:
    run(
        "strength.without_luck suleika 2 greedy random --seconds 0.05 --games 4 --processes 1"
        " --json without-luck.json",
        tmp_path,
    )
    [row] = json.loads((tmp_path / "without-luck.json").read_text())["rows"]
    assert (row["better"], row["other"], row["seconds"], row["games"]) == (
        "greedy",
        "random",
        0.05,
        4,
    )
    assert row["with_luck"][0] == 1.0  # greedy beats random whatever the dice
    assert row["without_luck"][0] != row["with_luck"][0]


def test_a_match_continues_its_journal(tmp_path: Path) -> None:
    def noted(games: int) -> list[str]:
        command = "strength.without_luck suleika 2 greedy random --seconds 0.05 --processes 1"
        command += f" --games {games} --journals ."
        assert f"of {games} games" in run(command, tmp_path)
        [journal] = tmp_path.glob("*.jsonl")
        return journal.read_text().splitlines()

    before, after = noted(2), noted(4)
    assert after[:2] == before
    assert [json.loads(line)["game"] for line in after] == [0, 1, 2, 3]


def test_bots_of_an_old_version_play_present_ones(tmp_path: Path) -> None:
    options = "--seconds 0.02 --games 2 --processes 1 --json old.json"
    assert "of 2 games" in run(
        f"strength.against_old_version suleika 2 0123abc --sources {ROOT} {options}", tmp_path
    )
    [row] = json.loads((tmp_path / "old.json").read_text())["rows"]
    assert (row["better"], row["other"], row["games"]) == ("vizier", "vizier of 0123abc", 2)


def test_luck_of_all_seats_sums_to_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    luck_in = importlib.import_module("bench.support.luck").luck_in
    luck = luck_in(whole_random_game("suleika", 3, {}, 1))
    assert len(luck) == 3
    assert abs(sum(luck)) < 1e-9
    assert max(luck) > 0.01
    assert luck_in(whole_random_game("suleika", 3, {}, 1)) == luck


def test_analysis_continues_its_journal(tmp_path: Path) -> None:
    small = "--games bazaar --share 0.005 --playouts 16 --bot apprentice --processes 1"
    small += " --folder . --journals games"
    run(f"findings.analysis fair {small}", tmp_path)
    first = (tmp_path / "fair.json").read_text()
    lines = (tmp_path / "games" / "0123abc" / "fair.jsonl").read_text().splitlines()
    run(f"findings.analysis fair {small}", tmp_path)
    assert (tmp_path / "fair.json").read_text() == first
    assert (tmp_path / "games" / "0123abc" / "fair.jsonl").read_text().splitlines() == lines
    [row] = json.loads(first)["rows"]
    assert (row["game"], row["players"], row["games"], len(row["luck"])) == ("bazaar", 4, 2, 4)
    assert len(lines) == 2


def test_all_writes_into_a_folder(tmp_path: Path) -> None:
    run("all --only cpu-vs-interpreter --scale 0.0003 --processes 1 --out out", tmp_path)
    kept = json.loads((tmp_path / "out" / "figures" / "cpu-vs-interpreter.json").read_text())
    assert kept["pedigree"]["command"] == "python -m bench.speed.cpu_vs_interpreter 1 --processes 1"
    assert kept["different"] == 0


def test_all_measures_every_file_of_the_docs(tmp_path: Path) -> None:
    listed = run("all cpu gpu elsewhere --list", tmp_path).splitlines()
    assert sorted(line.split(":")[0] for line in listed) == sorted(
        file.stem for file in ROOT.glob("docs/*/*.json")
    )


@pytest.mark.parametrize("program", SHOW_HELP)
def test_it_shows_help(program: str, tmp_path: Path) -> None:
    assert f"usage: python -m bench.{program} " in run(f"{program} --help", tmp_path)
