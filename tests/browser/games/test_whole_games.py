"""All four games from the lobby to the result page.

By clicks until every kind of move has occurred, then through the API; two entirely by clicks on a
phone, and one by keyboard alone.
"""

import random
import re

import pytest
from playwright.sync_api import Page, expect

import souk
from souk.core.record import Record
from souk.games import names
from tests.browser.conftest import SIZES, Open
from tests.browser.support.player import (
    MOVES,
    OVER,
    STEPS,
    come_to_the_end,
    offered,
    play_to_the_end,
    press_once,
)

TO_THE_END = ("suleika", "basari-cards")
# clicks: by then every kind of move has occurred, and something was scored or bought
FIRST = 16


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", names())
def test_from_the_lobby_to_the_result_by_clicks(person: Open, game: str, size: str) -> None:
    rng = random.Random(f"{game} {size}")
    page = person(size)
    page.locator(f"[data-do=play-now][data-game={game}]").click()
    page.wait_for_url(re.compile("/t/"))
    if size == "phone" and game in TO_THE_END:
        assert play_to_the_end(page, rng) > 10
    else:
        for _ in range(FIRST):
            press_once(page, rng)
        come_to_the_end(page, 7)
    record = Record.parse(
        page.request.get(page.locator("[data-do=record]").get_attribute("href") or "").text()
    )
    final = record.position
    assert final.over
    for score in final.scores:
        expect(page.locator("main")).to_contain_text(str(score))
    page.locator("[data-do=rematch]").click()
    page.locator(f"{MOVES}, {STEPS}").first.wait_for()
    page.goto("/")
    expect(page.locator("[data-do=play-now]")).to_have_count(len(names()))


def test_the_puzzle_from_lobby_to_result(person: Open) -> None:
    """Played optimally with the solver: random play would take two hundred actions."""
    page = person("phone")
    page.locator("article", has=page.locator("[data-do=puzzle]")).locator(
        "[data-do=change]"
    ).click()
    page.locator("[data-do=puzzle]").click()
    page.wait_for_url("**/t/*")
    while (offers := offered(page)) is not None:
        told = page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}/record").text()
        position = Record.parse(told).position
        facts = position.to_json()
        best = souk.solve(tuple(facts["rates"]), facts["stalls"][0]["top"]).best(position)
        move = page.locator(f"{MOVES}[data-move='{best}']").first
        (move if move.count() else offers.first).click()


def test_a_puzzle_of_ones_own_choice(person: Open) -> None:
    """Chosen rate cards are shown, and chips that lead to no ware are disabled."""
    page = person("phone", path="/new?game=bazaar&players=1")
    page.locator("select").filter(has=page.locator("option[value='10']")).first.select_option("4")
    expect(page.locator("[data-rate-card='4']")).to_be_visible()
    chips = page.locator(".ware button.round")
    for white in range(5):
        chips.nth(0).click()
        assert chips.nth(1).is_disabled() == (
            white == 4
        )  # WWWWB exists; WWWWW has no room for more
    page.locator("[data-do=make-table]").click()
    page.wait_for_url("**/t/*")
    offered(page)
    facts = Record.parse(
        page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}/record").text()
    ).position.to_json()
    assert facts["rates"][0] == 4
    assert facts["stalls"][0]["top"] == "WWWWW"


FOCUS = (
    "() => { const at = document.activeElement; "
    "return at && at.matches(%r) && !at.matches('[disabled], [aria-disabled=true]') }"
)


def tab_to(page: Page, wanted: str, most: int = 120) -> bool:
    """Press Tab until an element has focus; False if it never does."""
    for _ in range(most):
        if page.evaluate(FOCUS % wanted):
            return True
        page.keyboard.press("Tab")
    return False


def play_by_keys(page: Page, game: str, presses: int) -> None:
    """From the lobby on, with Tab and Enter only."""
    rng = random.Random(game)
    page.locator("[data-do=play-now]").first.wait_for()
    assert tab_to(page, f"[data-do=play-now][data-game={game}]")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/t/"))
    for _ in range(presses):
        page.locator(f"{OVER}, {MOVES}, {STEPS}").first.wait_for()
        if page.locator(OVER).count():
            break
        wanted = (
            "[data-move]"
            if page.locator(MOVES).count()
            else "[data-do=next-place], [data-do=unveil]"
        )
        for _ in range(rng.randrange(1, 4)):
            page.keyboard.press("Tab")
        if tab_to(page, wanted):
            page.keyboard.press("Enter")


def test_a_whole_game_by_keyboard(person: Open) -> None:
    page = person()
    play_by_keys(page, "suleika", 600)
    expect(page.locator(OVER)).to_be_visible()


@pytest.mark.parametrize("game", ["basari", "basari-cards", "bazaar"])
def test_longer_games_begun_by_keyboard(person: Open, game: str) -> None:
    page = person()
    play_by_keys(page, game, 10)
    expect(page.locator("[data-log] li[data-seat='0']")).not_to_have_count(0)
