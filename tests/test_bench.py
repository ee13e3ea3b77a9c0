"""Every program of bench/ runs, with settings as small as can be; those that take a GPU, a cluster or minutes at least read their settings."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BENCH = ROOT / "bench"
PROGRAMS = sorted(file.name for file in BENCH.glob("*.py") if '__name__ == "__main__"' in file.read_text())
STRENGTH = "levels --minutes 0 --processes 1 --folder strength --journals matches --page strength.md"
# What each writes in the end where it is told to measure next to nothing.
RUN = {
    "agree.py 1": "1 games the same",
    "batch.py cpu 0.01 suleika": "million steps/s",
    "endings.py --games 1 --seconds 0.02": "4 players: ",
    "environments.py 0.01": "bazaar: ",
    "load.py --tables 2 --every 0.1 --seconds 0.5": '"lost": 0',
    "openspiel_match.py --games 2 --seconds 0.01 --processes 1 suleika": "of 2 games",
    "peers.py 0.02": "Souk, bazaar",
    "solve.py 1": "45 puzzles in ",
    "speed.py 0.02": "record 116 bytes",
    f"strength.py {STRENGTH}": "vizier beats merchant",
}
ASKED_FOR_HELP = ["billion.py", "boardgame.py", "gpu.py", "on_ray.py", "secret.py", "thinking.py", "wires.py"]


def test_every_program_is_tried() -> None:
    assert sorted(["findings.py", *ASKED_FOR_HELP, *(command.split()[0] for command in RUN)]) == PROGRAMS


def run(command: str, folder: Path) -> str:
    program, *arguments = command.split()
    full = [sys.executable, str(BENCH / program), *arguments]
    done = subprocess.run(full, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("command", RUN, ids=[command.split()[0] for command in RUN])
def test_it_runs(command: str, tmp_path: Path) -> None:
    assert RUN[command] in run(command, tmp_path)


@pytest.mark.parametrize("program", ASKED_FOR_HELP)
def test_it_reads_its_settings(program: str, tmp_path: Path) -> None:
    assert f"usage: {program}" in run(f"{program} --help", tmp_path)


def test_the_findings_are_what_their_program_writes(tmp_path: Path) -> None:
    run(f"findings.py write --folder {ROOT}/docs/findings --page findings.md", tmp_path)
    assert (tmp_path / "findings.md").read_text() == (ROOT / "docs" / "findings.md").read_text()
