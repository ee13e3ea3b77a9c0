"""A custom box for the fifth game of docs/program/new-game.md, without texts or pictures of its
own.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.pages.test_pages import check
from tests.browser.support.player import MOVES
from tests.server.support.clients import Server
from tests.support.fifth_game import build

# The game's sounds.
PIG = """
from pathlib import Path
from souk.core.box_data import BoxData, BoxPart
from souk.core.messages import Message

CRIES = BoxPart("cries", 3, "Oink!")

def _read(file):
    for index, text in file.entries(CRIES):
        if not text.endswith("!"):
            file.wrong("cries", index, Message("{text} is no cry", text=text))

def extra():
    return {"cries": "souk"}

DATA = BoxData("cries", Path(__file__).parent, (CRIES,), _read)
"""


@pytest.fixture(scope="module")
def table_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    room = build(tmp_path_factory.mktemp("house"), least=True) / "souk" / "games" / "pig"
    with (room / "box.py").open("a", encoding="utf-8") as end:
        end.write(PIG)
    (room / "souk.toml").write_text('about = "ours"\ncries = ["Oink!", "Grunt!", "Squeal!"]\n')
    server = Server(tmp_path_factory.mktemp("box-tables"), room.parents[2], levels="apprentice")
    yield server
    server.stop()
    assert not server.troubles


def test_a_fifth_game_has_a_page_too(person: Open) -> None:
    page = person("phone", path="/box?game=pig")
    page.locator("[data-do=copy-box]").click()
    page.locator("[data-verdict=complete]").wait_for()
    page.locator("[data-entry='1']").click()
    page.locator("[data-do=entry-text]").fill("Grunt")
    expect(page.locator("[data-verdict]")).to_contain_text("Number 2: Grunt is no cry")
    check(page, "pig, own box")
    page.locator("[data-do=entry-text]").fill("Snort!")
    page.locator("[data-verdict=complete]").wait_for()
    page.locator("[data-do=play-box]").click()
    page.locator("[data-do=make-table]").click()
    page.wait_for_url("**/t/*")
    page.locator(MOVES).first.wait_for()
    page.keyboard.press("r")
    expect(page.locator("dialog[open] [data-rules=printed]")).to_contain_text(
        "Played with My cards."
    )
