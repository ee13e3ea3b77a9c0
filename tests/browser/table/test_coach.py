"""The coach in a real browser: hints by key and finger, warnings before a move, playing on from a
position.
"""

import random
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

import souk
from tests.browser.conftest import Open
from tests.browser.support.player import choose, come_to_the_end, new_table
from tests.server.support.clients import Server

RECORD = "async (id) => (await fetch(`/api/tables/${id}/record`)).text()"
PRESSED = """(place) => { const box = place.getBoundingClientRect();
    document.querySelector("[data-do=press-board]").dispatchEvent(new MouseEvent("click", {
        bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 })); }"""
POSTED = """async (wish) => (await (await fetch("/api/tables", {
    method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify(wish) })).json()).table"""


@pytest.fixture(scope="module")
def awake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose coach is compiled, or will be."""
    with Server(tmp_path_factory.mktemp("awake"), games="suleika", levels="apprentice") as server:
        yield server
        assert server.stop() == 0
        assert not server.troubles


def until(page: Page, holds: Callable[[], bool], seconds: float = 30) -> None:
    """Poll. (`wait_for_function` would take a promise for its result.)"""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"not within {seconds} s"
        page.wait_for_timeout(50)


def play_from(page: Page, position: dict[str, Any]) -> str:
    """A table starting at a position, with me on seat 0."""
    page.locator("main .games").wait_for()
    wish = {"game": position["game"], "seats": [], "from": {"position": position}}
    table: str = page.evaluate(POSTED, wish)
    page.goto(f"/t/{table}")
    return table


def in_the_middle(game: str, players: int, steps: int, phase: str = "") -> dict[str, Any]:
    """A position with seat 0 to move and no pending secret choices."""
    dice, pos = random.Random(3), souk.game(game).start(players=players)
    while (
        steps > 0 or 0 not in pos.actors or pos.has_secrets or phase not in pos.to_json()["phase"]
    ):
        pos.play(
            pos.actors[0], dice.choice(pos.moves(pos.actors[0])[:9])
        ) if pos.actors else pos.draw(dice)
        steps -= 1
    return pos.to_json()


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_hint_is_on_the_board_and_can_be_played(person: Open, size: str) -> None:
    page = person(size)
    table = play_from(page, in_the_middle("suleika", 3, 40))
    button = page.locator("[data-do=hint]:not([disabled])")
    button.wait_for()
    box = button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    button.click() if size == "phone" else page.keyboard.press("h")
    page.locator("[data-coach=hint] [data-voice]").wait_for()
    moves = page.locator("[data-advised]")
    expect(moves).to_have_count(2)
    expect(moves.first).to_be_hidden()
    best = moves.first.get_attribute("data-advised")
    page.locator("[data-numbers] summary").click()
    expect(moves.first).to_be_visible()
    assert "% to win" in moves.first.inner_text()
    assert moves.first.locator("li").count() >= 1
    assert page.locator("[data-hinted]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-do=play-hint]").first.click()
    page.locator("[data-coach]").wait_for(state="detached")
    until(page, lambda: "coached: 1" in page.evaluate(RECORD, table))
    record = page.evaluate(RECORD, table)
    assert f"1 seat 0 {best}" in record


def only_east_is_free() -> dict[str, Any]:
    """Yellow's carpet lies ahead of Omar and to his left."""
    position = onto_the_carpet()
    position["board"][3][:3] = ["y13", "y13", "y14"]
    position["left"] = [2, 1, 2]
    return position


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_hint_is_drawn_on_the_squares_it_speaks_of(
    awake: Server, chromium: Browser, size: str
) -> None:
    """The rug or way of the better move, and the carpet that the one sentence is about."""
    width, height = {"desktop": (1280, 800), "phone": (390, 664)}[size]
    context = chromium.new_context(
        base_url=f"http://{awake.address}",
        reduced_motion="reduce",
        locale="en",
        viewport={"width": width, "height": height},
    )
    context.add_init_script("localStorage.souk ??= JSON.stringify({ pace: 'instant' })")
    page = context.new_page()
    page.goto("/")
    play_from(page, only_east_is_free())
    ask_until_compiled(page)
    sentence = page.locator("[data-sentence]").inner_text()
    assert sentence == "Nothing to pay going east; north could cost you 24."
    expect(page.locator("[data-voice] h3")).to_have_text("East")
    expect(page.locator("[data-numbers] [data-advised]").first).to_be_hidden()
    assert page.locator("[data-spoken]").get_attribute("data-spoken") == "right"
    stops = page.locator("[data-stop]")
    assert [stop.get_attribute("data-stop") for stop in stops.all()] == ["e4", "f4", "g4", "g3"]
    for stop in stops.all():
        drawn = box_of(stop)
        x, y = drawn["x"] + drawn["width"] / 2, drawn["y"] + drawn["height"] / 2
        assert lies_in(x, y, box_of(field(page, stop.get_attribute("data-stop") or "")))
    edge, corner, opposite = (
        box_of(page.locator("[data-about]")),
        box_of(field(page, "a7")),
        box_of(field(page, "g5")),
    )
    assert lies_in(edge["x"], edge["y"], corner)
    assert lies_in(edge["x"] + edge["width"], opposite["y"] + 1, opposite)
    context.close()


def ask_until_compiled(page: Page) -> None:
    """Ask for a hint until it is no longer by a weaker bot."""
    page.locator("[data-do=hint]:not([disabled])").click()
    page.locator("[data-coach=hint] [data-voice]").wait_for()
    while "first impression" in page.locator("[data-coach]").inner_text():
        page.locator("[data-do=close-coach]").click()
        page.wait_for_timeout(500)
        page.locator("[data-do=hint]:not([disabled])").click()
        page.locator("[data-coach=hint] [data-voice]").wait_for()


def field(page: Page, name: str) -> Locator:
    return page.locator(f"[data-place='field {name}']").first


def box_of(place: Locator) -> FloatRect:
    box = place.bounding_box()
    assert box is not None
    return box


def lies_in(x: float, y: float, box: FloatRect) -> bool:
    return box["x"] <= x <= box["x"] + box["width"] and box["y"] <= y <= box["y"] + box["height"]


def test_a_mix_for_a_secret_choice_in_german(person: Open) -> None:
    page = person("phone", language="de")
    play_from(page, in_the_middle("basari", 3, 20, "choose"))
    page.locator("[data-do=hint]:not([disabled])").click()
    page.locator("[data-coach=hint]").wait_for()
    sentence = page.locator("[data-sentence]").inner_text()
    assert "%" not in sentence
    assert re.match(r"(Meist|Öfter) |.* etwa gleich oft\.", sentence)
    page.locator("[data-numbers] summary").click()
    said = page.locator("[data-coach]").inner_text()
    assert "Ungefähr so oft" in said
    assert "%" in said
    page.keyboard.press("Escape")
    page.locator("[data-coach]").wait_for(state="detached")


def test_where_several_play_all_must_agree(person: Open) -> None:
    page = person()
    new_table(page, "suleika", ["me", "here"])
    page.locator("[data-do=hint]:not([disabled])").click()
    page.locator("[data-coach=closed]").wait_for()
    agree = page.locator("[data-do=agree]")
    expect(agree).to_have_count(2)
    agree.first.check()
    expect(page.locator("[data-coach]")).to_contain_text("Still missing")
    agree.last.click()
    page.locator("[data-option=warn-me]").wait_for()
    page.locator("[data-do=close-coach]").click()
    page.keyboard.press("h")
    page.locator("[data-coach=hint]").wait_for()


def test_play_on_and_go_back(person: Open) -> None:
    """A branch of a finished game is labelled, links back, and so does its result."""
    page = person()
    address = new_table(page, "suleika", ["me", "bot"])
    come_to_the_end(page, 7)
    old = address.rpartition("/")[2]
    table = page.evaluate(
        POSTED, {"game": "suleika", "seats": [], "from": {"table": old, "step": 160, "seat": 0}}
    )
    page.goto(f"/t/{table}")
    expect(page.locator("[data-branch]")).to_contain_text("from step 160")
    come_to_the_end(page, 8)
    assert page.locator("[data-do=other-level]").count() == 0
    expect(page.locator(".result")).to_contain_text("verified from here on")
    page.locator("[data-do=leave-branch]").click()
    page.wait_for_url(f"**/look/{old}/160")
    page.goto("/")
    expect(page.get_by_text("side game")).to_have_count(1)


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_position_of_ones_own(person: Open, size: str) -> None:
    """Edited by field, refused by name, corrected, analysed, shared by link, played on from."""
    page = person(size, path="/position/suleika")
    page.locator("[data-good]").wait_for()
    money = page.locator("[data-field=money] input").first
    money.fill("31")
    expect(page.locator("[data-fault]")).to_contain_text("money: ")
    assert page.locator("[data-do=play-from]").is_disabled()
    page.locator("[data-field=money] input").nth(1).fill("29")
    page.locator("[data-good]").wait_for()
    choose(page.get_by_role("radio", name="yellow rug"))
    page.locator("[data-place='field b2']").first.evaluate(PRESSED)
    expect(page.locator("[data-do=json]")).to_have_value(re.compile('"y1".*"left":\\[12,11'))
    page.locator("[data-good]").wait_for()
    page.locator("[data-do=best-moves]").click()
    page.locator("[data-best] [data-numbers] summary").click()
    page.locator("[data-best] [data-advised]").first.wait_for()
    page.wait_for_function("location.hash.length > 20")
    shared = page.url
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto("/")
    page.goto(shared)
    page.locator("[data-good]").wait_for()
    expect(page.locator("[data-field=money] input").first).to_have_value("31")
    page.locator("[data-do=json]").fill("{ nonsense")
    expect(page.locator("[data-fault]")).to_contain_text("valid JSON")
    page.goto("/")
    page.goto(shared)
    page.locator("[data-good]").wait_for()
    page.locator("[data-do=play-from]").click()
    page.wait_for_url("**/t/*")
    page.locator("[data-do=hint]:not([disabled])").wait_for()


def onto_the_carpet() -> dict[str, Any]:
    """Yellow's carpet covers the three rows ahead of Omar: going straight is expensive, right is
    free.
    """
    board = [
        [f"y{4 * row + column // 2 + 1}" for column in range(7)] if row < 3 else [""] * 7
        for row in range(7)
    ]
    omar = {"at": "d4", "facing": "n"}
    own = {
        "board": board,
        "omar": omar,
        "money": [80, 20, 20],
        "left": [2, 2, 2],
        "turn": 0,
        "phase": "turn",
    }
    return souk.game("suleika").start(players=3).to_json() | own


def test_a_warning_before_a_bad_move(awake: Server, chromium: Browser) -> None:
    """With a compiled bot: the move is held back, and both the better and the bad one are a click
    away.
    """
    context = chromium.new_context(
        base_url=f"http://{awake.address}", reduced_motion="reduce", locale="en"
    )
    context.add_init_script("localStorage.souk ??= JSON.stringify({ pace: 'instant' })")
    page = context.new_page()
    for press, played in (("play-better", "right"), ("play-anyway", "straight")):
        table = warned_before_the_carpet(page)
        expect(page.locator("[data-coach]")).to_contain_text("costs you")
        page.locator(f"[data-do={press}]").click()
        page.locator("[data-coach]").wait_for(state="detached")
        until(page, partial(is_played, page, table, played))
    context.close()


def is_played(page: Page, table: str, move: str) -> bool:
    """Whether the first move was played."""
    return f"1 seat 0 {move}" in page.evaluate(RECORD, table)


def warned_before_the_carpet(page: Page, tries: int = 10) -> str:
    """A table where a warning is shown. On a busy machine the coach may be unsure and stay silent,
    and the move is played: then try again.
    """
    for _ in range(tries):
        page.goto("/")
        table = play_from(page, onto_the_carpet())
        wish_to_be_warned(page)
        page.locator("button[data-move=straight]").click()
        if is_warned(page, table):
            return table
    raise AssertionError(f"no warning in {tries} tries")


def wish_to_be_warned(page: Page) -> None:
    """Turn warnings on."""
    page.locator("[data-do=hint]:not([disabled])").click()
    choose(page.locator("[data-option=warn-me]"))
    while "first impression" in page.locator("[data-coach]").inner_text():
        page.locator("[data-do=close-coach]").click()
        page.wait_for_timeout(500)
        page.keyboard.press("h")
        page.locator("[data-coach=hint]").wait_for()
    page.locator("[data-do=close-coach]").click()


def is_warned(page: Page, table: str) -> bool:
    """Whether the move is held back; otherwise it is played."""
    warning = page.locator("[data-coach=warning]")
    until(page, lambda: warning.is_visible() or is_played(page, table, "straight"))
    return warning.is_visible()
