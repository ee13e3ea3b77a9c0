"""Adding a language by files alone: follows docs/program/languages.md in a copy of the package.

The sample is Polish, which has four plural forms.
"""

import os
import shutil
from pathlib import Path

import httpx
import pytest

from tests.server.support.clients import Server
from tests.support.fifth_game import copy_package
from tests.support.forked import run_python

ROOT = Path(__file__).parents[2]
POLISH = ROOT / "tests" / "polish"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("house")
    copy_package(home)
    shutil.copy(POLISH / "house.toml", home / "souk" / "languages" / "pl.toml")
    shutil.copy(POLISH / "suleika.toml", home / "souk" / "games" / "suleika" / "texts" / "pl.toml")
    return home


def run(package: Path, *arguments: str, typed: str = "", **variables: str) -> str:
    environment = dict(os.environ, PYTHONPATH=str(package), **variables)
    done = run_python(arguments, environment, typed, package)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_python_speaks_it(package: Path) -> None:
    code = """
import souk
from souk.core.messages import Message, Seat, languages
def paid(n):
    message = Message("suleika.told.pays", who=Seat(0), owner=Seat(1), n=n, area=n)
    return message.text(["Ewa", "Jan"], "pl")
over = Message("told.core.over").text(language="pl")
print(languages(), Message("ui.points", n=1.5).text(language="pl"), over)
print(paid(1), paid(3), paid(12), sep="\\n")
"""
    assert run(package, "-c", code).splitlines() == [
        "['de', 'en', 'nl', 'pl'] 1,5 punktu The game is over.",
        "Ewa płaci Jan 1 piastr: obszar ma 1 pole.",
        "Ewa płaci Jan 3 piastry: obszar ma 3 pola.",
        "Ewa płaci Jan 12 piastrów: obszar ma 12 pól.",
    ]


def test_the_terminal_speaks_it(package: Path) -> None:
    play = ("-m", "souk.cli", "play", "suleika", "-p", "3", "--against", "random")
    for out in (
        run(package, *play, "--language", "pl", typed="1\nq\n"),
        run(package, *play, typed="1\nq\n", LC_ALL="pl_PL.UTF-8"),
    ):
        for words in (
            "rozłóż dywany",
            "You point Omar south.",
            "piastry",
            "Twój ruch",
            "Do zobaczenia.",
        ):
            assert words in out


def test_the_server_offers_it(package: Path, tmp_path: Path) -> None:
    with Server(tmp_path, package) as server:
        cards = httpx.get(f"http://{server.address}/languages.json").json()["languages"]
        texts = httpx.get(f"http://{server.address}/languages/pl.json").json()
        rules = httpx.get(f"http://{server.address}/languages/pl/rules.json").json()
    assert {"code": "pl", "name": "Polski"}.items() <= cards[-1].items()
    assert texts["suleika"]["word"]["rug"] == texts["suleika"]["word"]["rug"] | {
        "red": "czerwony dywan"
    }
    assert texts["suleika"]["word"]["rug"]["blue"] == "blue rug"
    assert rules["bazaar"][0]["title"] == "What it is about"
