"""The command `souk analyse`."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import souk
from souk.cli.analyse import AnalysisRequest, analyse_with_progress
from tests.support.analysed_games import first_events
from tests.support.forked import run_python


def analyse(*words: str, columns: int = 120, language: str = "en", code: int = 0) -> str:
    """The output of `souk analyse WORDS`."""
    environment = dict(os.environ, COLUMNS=str(columns), NO_COLOR="1", LC_ALL=f"{language}.UTF-8")
    done = run_python(["-m", "souk.cli", "analyse", *words], environment)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    record = first_events("basari", 3, 24)
    record.names = ["Aziza", "Bilal", "Chadi"]
    file = tmp_path_factory.mktemp("games") / "game.souk"
    record.save(file)
    return file


def test_a_table_and_two_files_by_several_processes(game: Path, tmp_path: Path) -> None:
    page, data = tmp_path / "game.html", tmp_path / "game.json"
    few = ("--playouts", "32", "--seed", "4", "--unfinished", "--processes", "2")
    out = analyse(str(game), *few, "--html", str(page), "--json", str(data))
    for told in (
        "Analysis: Basari",
        "Turning points",
        "What happened",
        "Luck and skill",
        "Own mistakes",
        "Accuracy",
    ):
        assert told in out
    kept = souk.Study.from_json(json.loads(data.read_text(encoding="utf-8")))
    assert kept == souk.analyse(souk.load(game), playouts=32, seed=4, unfinished=True)
    row = next(line for line in out.splitlines() if line.startswith("Aziza") and "·" in line)
    assert f" {round(100 * (kept.accuracy[0] or 0))}% " in row
    assert "Analysis: Basari" in page.read_text(encoding="utf-8")
    assert f"Written: {page}" in out


def test_in_a_narrow_terminal_and_in_german(game: Path) -> None:
    words = (str(game), "--playouts", "16", "--unfinished", "--processes", "1")
    out = analyse(*words, columns=44, language="de_DE")
    assert max(map(len, out.splitlines())) <= 44
    for told in ("Wendepunkte", "Glück und Können", "Eigene Fehler", "Genauigkeit", "Schritt "):
        assert told in out


def test_a_puzzle_alone(tmp_path: Path) -> None:
    record = souk.Record("bazaar", 1, rates=(1, 2), ware="WWWRR")
    par = souk.solve(rates=(1, 2), ware="WWWRR")
    while not (pos := record.position).over:
        record.play(0, par.best(pos)) if pos.actors else record.resolve(next(iter(pos.chances())))
    record.save(tmp_path / "game.souk")
    out = analyse(str(tmp_path / "game.souk"))
    assert "Every move is compared with the exact solution." in out
    assert "Opponents' mistakes" not in out
    assert " 100% " in next(line for line in out.splitlines() if "0 · 0 · 0" in line)  # accuracy


def damaged(text: str) -> str:
    """A record with a changed third event."""
    lines = text.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("3 "))
    lines[at] = (
        lines[at].replace("arch", "Arch", 1) if "arch" in lines[at] else "3 seat 0 nonsense  #0000"
    )
    return "\n".join(lines)


def test_bad_files_are_told_in_a_line(game: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.souk"
    text = game.read_text(encoding="utf-8")
    bad.write_text(damaged(text), encoding="utf-8")
    line = 1 + next(k for k, each in enumerate(text.splitlines()) if each.startswith("3 "))
    told = analyse(str(bad), code=2)
    assert f"bad.souk, line {line}: " in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    ("wished", "told"),
    [
        ({"unfinished": False}, "this game is not over; pass"),
        ({"playouts": 0}, "playouts: must be a whole number from 1 "),
        ({"playouts": 5, "seconds": 1.0}, "playouts, seconds: give one of them, not both"),
        ({"html": Path("game.txt")}, r"html: the name must end in .html, not 'game.txt'"),
        ({"json": Path("nowhere/game.json")}, "out: there is no folder"),
        ({"processes": 0}, "processes: must be a whole number from 1 to 1024, not 0"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_done(
    game: Path, wished: dict[str, Any], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=told):
        analyse_with_progress(Console(), replace(AnalysisRequest(game, unfinished=True), **wished))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("raw", [b"\xff\xfe not a record", b"", b"souk record 1\n"])
def test_what_is_no_record_is_named(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "bad.souk").write_bytes(raw)
    with pytest.raises(ValueError, match=r"bad\.souk, line \d: "):
        analyse_with_progress(Console(), AnalysisRequest(tmp_path / "bad.souk"))
