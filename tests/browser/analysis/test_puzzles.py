"""Daily puzzles in a real browser: a solitaire solved and shared, a position answered wrongly and
explained.
"""

import datetime
import json

import httpx
import pytest
from playwright.sync_api import Page, expect

from souk.analysis.puzzles.daily import Attempt, position_of, solo_of
from souk.games import game as find_game
from tests.browser.conftest import Open
from tests.server.support.clients import Server

DAY, TOMORROW = "2026-11-16", "2026-11-17"


def press(page: Page, move: str) -> None:
    page.locator(f"[data-move='{move}']").first.click()


def day_of_turning() -> datetime.date:
    """A day whose puzzle is to turn Omar: one button per direction."""
    days = (datetime.date.fromisoformat(DAY) + datetime.timedelta(days=n) for n in range(366))
    return next(day for day in days if position_of("suleika", day).topic == "turn")


def errand(page: Page, way: list[str]) -> None:
    course = Attempt.of(
        solo_of("bazaar", datetime.date.fromisoformat(DAY), "easy"), find_game("bazaar")
    )
    for move in way:
        expect(page.locator(".stage[data-phase]")).to_be_visible()
        press(page, move)
        course.play_all([move])
        if not course.position.over:
            expect(
                page.locator(f".stage[data-phase={course.position.to_json()['phase']}]")
            ).to_be_visible()


def test_a_bazaar_a_day_is_solved_and_shared(person: Open, table_server: Server) -> None:
    """The shared text contains stars but no moves, and tomorrow's differs."""
    solo = solo_of("bazaar", datetime.date.fromisoformat(DAY), "easy")
    page = person(path="/")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.clock.set_fixed_time(f"{DAY}T12:00:00")
    page.reload()
    page.locator("[data-do=today]").click()
    page.locator("[data-puzzle='bazaar/easy']").click()
    page.wait_for_url(f"**/today/{DAY}/bazaar/easy")
    expect(page.locator(".coming li")).to_have_count(len(solo.coming))
    press(page, "roll")
    expect(page.locator(".coming .used")).to_have_count(1)
    page.locator("[data-do=take-back]").click()
    expect(page.locator(".coming .used")).to_have_count(0)
    errand(page, solo.way)
    result = page.locator("[data-part=result]")
    expect(result.locator(".stars .lit")).to_have_count(3)
    expect(result).to_contain_text("it can't be done in fewer")
    page.locator("[data-do=share]").click()
    text = page.evaluate("navigator.clipboard.readText()")
    assert all(word in text for word in ("★★★", DAY, "Easy"))
    assert not any(word in text for word in ("trade", "roll", "take", ">", *solo.coming))
    page.locator("[data-do=way-on]").click()
    expect(page.locator(".steps [role=status]")).to_have_text(f"Step 0 of {len(solo.way)}")
    for _ in solo.way:
        expect(page.locator("[data-do=way-on]")).to_be_enabled()
        page.locator("[data-do=way-on]").click()
    expect(page.locator(".steps [role=status]")).to_have_text(
        f"Step {len(solo.way)} of {len(solo.way)}"
    )
    page.goto(f"/today/{DAY}")
    expect(page.locator("[data-puzzle='bazaar/easy'] .lit")).to_have_count(3)
    expect(page.locator(".streak")).to_contain_text("1")
    asked = [
        httpx.post(
            f"http://{table_server.address}/api/puzzles",
            json={"date": day, "game": "bazaar", "grade": "easy"},
        )
        for day in (DAY, TOMORROW)
    ]
    shown = [
        json.dumps([each.json()["coming"], each.json()["view"]["position"]["options"]])
        for each in asked
    ]
    assert shown[0] != shown[1]
    page.goto(f"/today/{TOMORROW}/bazaar/easy")
    expect(page.locator(".coming li")).to_have_count(len(solo.coming))
    expect(page.locator("[data-part=result]")).to_have_count(0)


@pytest.mark.parametrize(("size", "language"), [("phone", "de"), ("desktop", "nl")])
def test_a_position_is_answered_wrongly_and_explained(
    person: Open, size: str, language: str
) -> None:
    """All chances are listed, best first; clicking a move shows it on the board and keeps the
    answer.
    """
    day = day_of_turning()
    puzzle = position_of("suleika", day)
    wrong = puzzle.weighed[-1].move
    page = person(size, language, path=f"/today/{day}/suleika")
    expect(page.locator("[data-part=result]")).to_have_count(0)
    button = page.locator(f"button[data-move='{wrong}']").first
    if size == "phone":  # the first tap shows the path, the second plays it
        button.tap()
        button.tap()
    else:
        button.press("Enter")
    result = page.locator("[data-part=result][data-right=false]")
    result.scroll_into_view_if_needed()
    rows = result.locator("[data-weighed]")
    expect(rows).to_have_count(len(puzzle.weighed))
    assert rows.first.get_attribute("data-weighed") == puzzle.best
    expect(rows.last).to_have_attribute("aria-pressed", "true")
    rows.first.click()
    expect(rows.first).to_have_attribute("aria-pressed", "true")
    expect(result).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(f"/today/{day}")
    expect(page.locator("[data-puzzle=suleika]:not(.primary)")).to_be_visible()
