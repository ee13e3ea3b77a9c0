"""Lessons in a real browser: completed on desktop and phone by mouse, finger and keys; resumed,
repeated.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.support.lesson_player import begin, check_place, click, do, steps, tap

GAMES = ["suleika", "basari", "basari-cards", "bazaar"]


def bubble(page: Page, number: int | str) -> None:
    expect(page.locator(f"[data-lesson='{number}']")).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("size", "language"), [("desktop", "en"), ("phone", "de")])
def test_it_is_gone_through_to_its_end(person: Open, game: str, size: str, language: str) -> None:
    """Every step is next to its subject and covers none of it; at the end a real game is one click
    away.
    """
    page = person(size, language)
    press = tap if size == "phone" else click
    begin(page, game, press)
    for number, move in steps(page):
        if number == "end":
            break
        check_place(page, move)
        do(page, move, press)
    table = page.url
    press(page.locator("[data-do=play-now]"))
    page.wait_for_url(lambda url: "/t/" in url and url != table)
    page.locator("[data-board]").wait_for()
    expect(page.locator("[data-lesson]")).to_have_count(0)


def test_by_keys_alone(person: Open) -> None:
    """Focus is always on the next action, so that Enter is enough."""
    page = person(language="nl")
    page.locator("[data-do=learn][data-game=basari-cards]").focus()
    page.keyboard.press("Enter")
    for number, move in steps(page):
        if number == "end":
            break
        wanted = f"[data-move='{move}']" if move else "[data-do=go-on]"
        expect(page.locator(f"{wanted}:focus")).to_be_visible()
        page.keyboard.press("Enter")
    expect(page.locator("[data-do=play-now]")).to_be_focused()


def test_a_wrong_move_is_explained_and_the_lesson_resumed(person: Open) -> None:
    page = person()
    begin(page, "suleika")
    do(page, "")
    page.locator(".tray [data-move=left]").click()
    expect(page.locator(".lesson [role=alert]")).to_contain_text("choose north this time")
    expect(page.locator(".lesson [role=status]")).to_contain_text("It's your turn")
    expect(page.locator("[data-log]").first).to_contain_text("Nothing has happened yet")
    do(page, "straight")
    bubble(page, 3)
    page.reload()
    bubble(page, 3)
    page.locator("[data-do=leave_table]").click()
    learn = page.locator("[data-do=learn][data-game=suleika]")
    expect(learn).to_contain_text("Continue lesson")
    expect(page.locator("main section")).to_have_count(0)  # not listed among my games
    learn.click()
    bubble(page, 3)
    page.locator("[data-do=again]").click()
    bubble(page, 1)


def test_known_dice_are_not_called_fair(person: Open) -> None:
    page = person()
    begin(page, "suleika")
    page.locator("[data-do=settings]").click()
    page.locator("[data-do=fair]").click()
    expect(page.locator("dialog[open]")).to_contain_text("are scripted")


def test_learn_comes_first_for_whoever_has_never_played(person: Open) -> None:
    page = person("phone")
    card = page.locator("article", has=page.locator("[data-game=bazaar]"))
    first = card.locator(".buttons .button").first
    expect(first).to_have_attribute("data-do", "learn")
    page.locator("[data-do=play-now][data-game=bazaar]").tap()
    page.locator("[data-board=bazaar]").wait_for()
    page.goto("/")
    expect(first).to_have_attribute("data-do", "play-now")
    expect(card.locator(".primary")).to_have_attribute("data-do", "play-now")
    other = page.locator("article", has=page.locator("[data-game=suleika]"))
    expect(other.locator(".primary")).to_have_attribute("data-do", "learn")
