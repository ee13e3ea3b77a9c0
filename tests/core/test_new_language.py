"""A language is added by files alone: docs/languages.md, followed in a copy of the house with some texts in Polish, which tells apart
four kinds of number."""

import os
import shutil
from pathlib import Path

import httpx
import pytest

from tests.fifth_game import copy_package
from tests.forked import run_python
from tests.table.clients import Server

ROOT = Path(__file__).parent.parent
POLISH = ROOT / "tests" / "polish"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("house")
    copy_package(home)
    shutil.copy(POLISH / "house.toml", home / "souk" / "languages" / "pl.toml")
    shutil.copy(POLISH / "suleika.toml", home / "souk" / "games" / "suleika" / "texts" / "pl.toml")
    return home


def run(house: Path, *arguments: str, typed: str = "", **variables: str) -> str:
    environment = dict(os.environ, PYTHONPATH=str(house), **variables)
    done = run_python(arguments, environment, typed, house)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_python_speaks_it(house: Path) -> None:
    code = """
import souk
from souk.core.message import Message, Seat, languages
def paid(n):
    return Message("suleika.told.pays", who=Seat(0), owner=Seat(1), n=n, area=n).text(["Ewa", "Jan"], "pl")
print(languages(), Message("ui.points", n=1.5).text(language="pl"), Message("told.core.over").text(language="pl"))
print(paid(1), paid(3), paid(12), sep="\\n")
"""
    assert run(house, "-c", code).splitlines() == [
        "['de', 'en', 'nl', 'pl'] 1,5 punktu The game is over.",
        "Ewa płaci Jan 1 piastr: obszar ma 1 pole.",
        "Ewa płaci Jan 3 piastry: obszar ma 3 pola.",
        "Ewa płaci Jan 12 piastrów: obszar ma 12 pól.",
    ]


def test_the_terminal_speaks_it(house: Path) -> None:
    play = ("-m", "souk.cli", "play", "suleika", "-p", "3", "--against", "random")
    for out in (
        run(house, *play, "--language", "pl", typed="1\nq\n"),
        run(house, *play, typed="1\nq\n", LC_ALL="pl_PL.UTF-8"),
    ):
        for words in ("rozłóż dywany", "You turn Omar to the south.", "piastry", "Twój ruch", "Do zobaczenia."):
            assert words in out


def test_the_server_offers_it(house: Path, tmp_path: Path) -> None:
    with Server(tmp_path, house) as server:
        cards = httpx.get(f"http://{server.address}/languages.json").json()["languages"]
        texts = httpx.get(f"http://{server.address}/languages/pl.json").json()
        rules = httpx.get(f"http://{server.address}/languages/pl/rules.json").json()
    assert {"code": "pl", "name": "Polski"}.items() <= cards[-1].items()
    assert texts["suleika"]["word"]["rug"] == texts["suleika"]["word"]["rug"] | {"red": "czerwony dywan"}
    assert texts["suleika"]["word"]["rug"]["blue"] == "blue rug"
    assert rules["bazaar"][0]["title"] == "What it is about"
