"""The fifth game of docs/program/new-game.md in a real browser: board, log, result, rules,
languages.
"""

import random
import re
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from souk.core.messages import languages
from tests.browser.conftest import SIZES, Open
from tests.browser.pages.test_pages import check, check_in_every_language, speak
from tests.browser.support.layout import speak_in_another_tab
from tests.browser.support.lesson_player import begin, check_place, do, steps
from tests.browser.support.player import MOVES, new_table, play_to_the_end
from tests.server.support.clients import Server
from tests.support.fifth_game import ROOT, build

GOAL = 30  # points, for a short game


@pytest.fixture(scope="module", params=["least", "all"])
def table_server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server with a copy of the package and a fifth game, both minimal and with every extra.

    A sixth game, without any texts, offers 49 moves at once.
    """
    home = build(tmp_path_factory.mktemp("house"), least=request.param == "least")
    shutil.copytree(
        ROOT / "bench" / "server" / "boardgameio_games" / "fields",
        home / "souk" / "games" / "fields",
    )
    server = Server(tmp_path_factory.mktemp("fifth-tables"), home, levels="apprentice", games="pig")
    yield server
    server.stop()
    assert not server.troubles


@pytest.fixture
def told(table_server: Server, request: pytest.FixtureRequest) -> bool:
    """Whether the game has log texts of its own."""
    return request.node.callspec.params["table_server"] == "all"


@pytest.mark.parametrize("size", SIZES)
def test_a_game_to_the_end(person: Open, told: bool, size: str) -> None:
    """Click through a game against bots; log, result and points by source are shown."""
    page = person(size)
    new_table(page, "pig", ["me", "bot", "bot"], goal=GOAL)
    expect(page.locator("[data-board=any]")).to_contain_text(re.compile(rf"Points to win\s*{GOAL}"))
    expect(page.locator(MOVES)).to_have_text(["Roll the die"])  # nothing to bank yet
    expect(page.locator(".banner .turn").first).to_have_text("Your turn: roll, or bank the pot")
    bots = page.locator("[data-seat]:not([data-seat='0']) .about")
    expect(bots).to_have_text(
        ["Apprentice"] * 2, timeout=60_000
    )  # bots are compiled now, and play themselves
    assert play_to_the_end(page, random.Random(size)) > 0  # luck may end it early
    result = page.locator("section.result")
    result.locator("[data-do=more]").click()
    expect(result.locator("ol.ranking li")).to_have_count(3)
    expect(result.locator("tbody th")).to_have_text(
        ["Turns of less than 20", "Turns of 20 and more"] if told else ["Points"]
    )
    sums = [int(cell) for cell in result.locator("tfoot td").all_inner_texts()]
    points = [
        [int(cell) for cell in row.locator("td").all_inner_texts()]
        for row in result.locator("tbody tr").all()
    ]
    assert sums == [sum(column) for column in zip(*points, strict=True)]
    assert max(sums) >= GOAL
    if size == "phone":
        page.locator("[data-do=log]").click()
    log = page.locator("[data-log]").locator("visible=true")
    expect(log).to_contain_text(
        re.compile(r"banks? \d+ points and ha(s|ve) \d+") if told else ": stop."
    )
    expect(log).to_contain_text("You roll." if told else "You: roll.")
    expect(log).to_contain_text("The game is over.")


# The smallest screen in every language, and the largest in one.
@pytest.mark.parametrize(
    ("size", "checked"), [("phone", check_in_every_language), ("desktop", check)]
)
def test_every_page_in_every_language(
    person: Open, told: bool, size: str, checked: Callable[[Page, str], None]
) -> None:
    """Nothing is missing, overflows, or fails accessibility checks; German if the game has it."""
    page = person(size)
    page.locator("[data-do=play-now][data-game=pig]").wait_for()
    checked(page, "lobby")
    new_table(page, "pig", ["me", "bot", "bot"])
    page.locator(MOVES).first.click()
    page.locator(MOVES).first.wait_for()
    checked(page, "table")
    for language, label in {
        "de": "Würfeln" if told else "Roll the die",
        "en": "Roll the die",
    }.items():
        speak_in_another_tab(page, language)
        expect(page.locator("[data-move=roll]")).to_have_text(label)
    page.locator("[data-do=rules]").click()
    panel = page.locator("dialog[open]")
    expect(panel.locator("[data-clauses]")).to_have_count(2 if told else 0)
    if told:
        expect(panel).to_contain_text("A roll of 1 loses the pot and ends the turn.")
        expect(panel.locator("[data-clauses='P5']")).to_contain_text("The end")
    checked(page, "rules")


def test_it_is_learned(person: Open, told: bool) -> None:
    """If the game has a lesson; on the generic board with plain buttons."""
    page = person("phone")
    page.locator("[data-do=play-now][data-game=pig]").wait_for()
    expect(page.locator("[data-do=learn][data-game=pig]")).to_have_count(int(told))
    if told:
        begin(page, "pig")
        for number, move in steps(page):
            if number != "end":
                check_place(page, move)
                do(page, move)


def test_the_result_in_every_language(person: Open) -> None:
    page = person("phone")
    new_table(page, "pig", ["me", "bot"], goal=GOAL)
    play_to_the_end(page, random.Random(1))
    for language in languages():
        speak(page, language)
        check(page, f"result, {language}")


def test_a_move_that_is_not_among_the_first_can_be_typed(person: Open) -> None:
    page = person()
    new_table(page, "fields", ["me", "bot"])
    expect(page.locator(MOVES)).to_have_count(12)
    typed = page.get_by_label("Another move")
    typed.fill("field of fields")
    typed.press("Enter")
    expect(page.locator(".toast")).to_contain_text("a field is a plain number")
    typed.fill("48")
    typed.press("Enter")
    expect(page.locator("[data-log]")).to_contain_text("You: 48.")
    expect(typed).to_have_value("")
