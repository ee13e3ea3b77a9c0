"""The command line, run in a subprocess."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from souk.games import game as find_game
from souk.games import names
from tests.support.forked import run_souk
from tests.support.random_games import whole_random_game

PLAIN = {"COLUMNS": "110", "NO_COLOR": "1"}


def souk(*arguments: str, typed: str = "", code: int = 0) -> str:
    """The output of `souk ARGUMENTS`, stdout and stderr."""
    status, out, err = run_souk(list(arguments), os.environ | PLAIN, typed)
    written = out + err
    assert status == code, written
    assert "Traceback" not in written
    return written


@pytest.mark.parametrize(
    "command",
    [
        "",
        "games",
        "rules",
        "play",
        "bots",
        "replay",
        "analyse",
        "simulate",
        "tournament",
        "train",
        "report",
        "export",
        "bench",
        "serve",
        "verify",
        "host",
        "host tables",
        "host backup",
    ],
)
def test_help_everywhere(command: str) -> None:
    assert "Usage:" in souk(*command.split(), "--help")


def test_a_fresh_python_gives_the_same_output() -> None:
    """All other tests fork a process with loaded modules."""
    for arguments in (["rules", "suleika"], ["host", "tables", "--data", "nowhere"]):
        fresh = [sys.executable, "-m", "souk.cli", *arguments]
        done = subprocess.run(
            fresh, env=os.environ | PLAIN, capture_output=True, text=True, check=False
        )
        assert run_souk(arguments, os.environ | PLAIN) == (
            done.returncode,
            done.stdout,
            done.stderr,
        )


def test_games() -> None:
    out = souk("games")
    for name in names():
        assert name in out
    assert out.count("A reconstruction") == 3


def test_rules() -> None:
    out = souk("rules", "suleika")
    assert "S13" in out
    assert "S40" in out
    one = souk("rules", "basari", "b23")
    assert "B23" in one
    assert "B22" not in one
    assert "A reconstruction" in souk("rules", "bazaar")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["rule"], "rules"),
        (["rules", "suleka"], 'Did you mean "suleika"?'),
        (["rules", "suleika", "S99"], "no 'S99'"),
        (["simulate", "bazar"], 'Did you mean "bazaar"?'),
        (["play", "suleika", "-p", "2", "--against", "vizir"], 'Did you mean "vizier"?'),
        (["tournament", "suleika", "vizier", "vizir"], 'Did you mean "vizier"?'),
        (["simulate", "suleika", "--players", "9"], "players: Suleika is for 2 to 4"),
        (["simulate", "suleika", "--games", "0"], "games: "),
        (["simulate", "suleika", "-o", "turn"], "NAME=VALUE"),
        (["simulate", "suleika", "-o", "turn_at_ende=true"], 'Did you mean "turn_at_end"?'),
        (["simulate", "suleika", "--target", "abacus"], "target: "),
        (["replay", "nowhere.souk"], "nowhere.souk"),
        (["play", "chess"], "no game"),
    ],
)
def test_wrong_words_get_a_suggestion(arguments: list[str], hint: str) -> None:
    assert hint in souk(*arguments, code=2)


def test_bots_are_listed_with_their_settings() -> None:
    out = souk("bots")
    for word in (
        "apprentice",
        "trader",
        "merchant",
        "vizier",
        "exec:PROGRAM",
        "playouts=…",
        "quick 0.05 s",
    ):
        assert word in out


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", "how the vizier evaluates"),
        ("de", "wonach der Wesir urteilt"),
        ("nl", "waarop de vizier afgaat"),
    ],
)
def test_bots_lists_the_net_of_every_game(language: str, heading: str) -> None:
    nets = souk("bots", "--language", language).partition(heading)[2]
    assert all(find_game(name).title_in(language) in nets for name in names())
    assert "vizier:net=none" in nets


def test_simulate() -> None:
    out = souk("simulate", "suleika", "--players", "4", "--games", "20000", "--seed", "3")
    assert "Suleika, 4 players, 20,000 games" in out
    shares = [float(share) for share in re.findall(r"(\d+\.\d+)%\s+\d+\.\d+% –", out)]
    assert len(shares) == 4
    assert 99 < sum(shares) < 103
    assert "Length: 144.0" in out
    assert (
        souk(
            "simulate", "suleika", "-p", "4", "-n", "20000", "--seed", "3", "--threads", "1"
        ).split("\n")[:8]
        == out.split("\n")[:8]
    )


def test_simulate_with_options() -> None:
    out = souk(
        "simulate", "bazaar", "-p", "1", "-n", "500", "-o", "rates=[1,2]", "-o", "ware=WWWRR"
    )
    assert "Bazaar, alone, 500 games" in out


def test_replay(tmp_path: Path) -> None:
    path, record = tmp_path / "game.souk", whole_random_game("basari", 3, {}, 4)
    record.save(path)
    out = souk("replay", str(path))
    assert "Basari" in out
    arch = record.events[0][1].removeprefix("arch ")
    assert re.search(rf"^ +1 Seat 0 starts on space {arch}\.$", out, re.MULTILINE)
    assert re.search(rf"^ *{len(record.events)} ", out, re.MULTILINE)
    [winner] = record.position.winners
    assert f"Seat {winner} wins" in out
    for seat, score in enumerate(record.position.scores):
        assert re.search(rf"│ .* Seat {seat}  {score} +│", out)
    start = souk("replay", str(path), "--at", "0")
    assert "scorings 0 of 3" in start
    assert "wins" not in start
    assert record.events[0][1] not in start.replace("arch 0 to arch 27", "")
    assert "at: this game has" in souk("replay", str(path), "--at", "99999", code=2)
    path.write_text(
        path.read_text(encoding="utf-8").replace("seat 1", "seat 2", 1), encoding="utf-8"
    )
    assert "line " in souk("replay", str(path), code=2)


def test_bench_measures_at_once() -> None:
    out = souk("bench", "suleika", "--seconds", "0.05")
    assert re.search(r"suleika\s+4\s+[\d,]+\s+[\d.]+ M", out)


def test_play_a_few_moves_and_leave() -> None:
    out = souk(
        "play", "suleika", "--players", "3", "--seed", "1", typed="1\nnonsense\nrug a1 a2\n1\nq\n"
    )
    assert "Traveller" in out
    assert "You can't do that" in out
    assert "Until next time." in out


def test_play_asks_for_what_was_not_said() -> None:
    out = souk("play", typed="chess\n4\n9\n3\nq\n")
    assert "no game" in out
    assert "Suleika is for 2 to 4 players" in out
