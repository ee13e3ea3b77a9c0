"""The page, the files beside it, and the command interrupted and resumed."""

import csv
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from souk.lab.formatting import duration
from souk.lab.tournament import Tournament, check_tournament
from souk.lab.tournament.html import command, page
from tests.lab.support.commands import environment, interrupted, souk_command
from tests.lab.support.nine_games import PAIR


def test_durations() -> None:
    assert [duration(seconds) for seconds in (0.00042, 0.0071, 0.05, 1.4, 61)] == [
        "420 µs",
        "7.1 ms",
        "50 ms",
        "1.4 s",
        "61 s",
    ]


def test_the_page_needs_nothing_else(played: Tournament) -> None:
    text = page(played)
    assert not re.search(r"https?:|<script|<link|<img|@import|url\(|src=", text)
    assert text.count("<svg") == text.count("</svg>")
    for heading in (
        "Standings",
        "Share of wins",
        "Head to head",
        "Rating",
        "Scores",
        "by seat",
        "Time per move",
    ):
        assert heading in text
    assert "nan" not in re.sub(r"<style>.*</style>", "", text, flags=re.DOTALL)
    assert command(played.table, 9) in text


def test_names_are_no_markup_on_the_page(played: Tournament) -> None:
    table = replace(played.table, bots=("exec:<b>&", "random"))
    begun = Tournament(table)
    begun._played = {game.game: game for game in played.games[:1]}
    text = page(begun)
    assert "<b>&" not in text
    assert "exec:&lt;b&gt;&amp;" in text


def test_the_command_says_what_is_not_usual() -> None:
    table = check_tournament(
        "bazaar",
        ["random", f"exec:{sys.executable} -V"],
        options={"double_purchase": True, "rates": [1, 2]},
        seconds=0.5,
    )
    assert command(table, 10) == (
        f"souk tournament bazaar random 'exec:seconds=0.5:{sys.executable} -V' "
        "--players 2 --games 10 --seed 0 --seconds 0.5 "
        "--option 'rates=[1, 2]' --option double_purchase=true"
    )


def test_command_line_from_interrupt_to_end(tmp_path: Path) -> None:
    """Ctrl-C keeps finished games and tells how to resume; the same command then finishes."""
    arguments = [
        "basari-cards",
        *PAIR,
        "--players",
        "3",
        "--games",
        "149",
        "--seed",
        "5",
        "--processes",
        "2",
    ]
    full = souk_command("tournament", *arguments, "--out", str(tmp_path / "out"))
    journal = tmp_path / "out" / "games.jsonl"
    output = interrupted(full, journal)
    assert "150 games instead of 149" in output
    assert re.search(
        r"Stopped after \d+ of 150 games.*\n\s+souk tournament basari-cards random", output
    ), output
    finished = len(journal.read_text().splitlines())
    assert 0 < finished < 150
    done = subprocess.run(full, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Already played: {finished} games" in done.stdout
    assert re.search(
        r"1 +random.* 150 +[\d.]+ % +[\d.]+ % – [\d.]+ % [▲▼·] +50.0 %", done.stdout
    ), done.stdout
    assert sorted(json.loads(line)["game"] for line in journal.read_text().splitlines()) == list(
        range(150)
    )
    with (tmp_path / "out" / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 450
    assert sum(float(row["win"]) for row in rows) == pytest.approx(150)
