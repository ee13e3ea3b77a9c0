"""Analysing a game from a file and from its table: desktop, phone, keyboard, and playing on from a
step.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from souk.core.record import Record
from tests.browser.conftest import Open
from tests.browser.pages.test_pages import check
from tests.browser.support.player import come_to_the_end, new_table
from tests.server.analysis.test_analysis import random_game

DONE = '[data-standing="done"]'
DROP = """([text, name]) => {
    const files = new DataTransfer();
    files.items.add(new File([text], name));
    for (const kind of ['dragover', 'drop'])
        window.dispatchEvent(new DragEvent(kind, { dataTransfer: files, bubbles: true,
            cancelable: true }));
}"""


def opened(page: Page, record: Record, folder: Path) -> None:
    """Open a game from its file and wait for the complete analysis."""
    file = folder / "game.souk"
    record.save(file)
    page.locator("[data-do=look-file]").set_input_files(file)
    page.wait_for_url("**/look/file-*")
    page.locator(DONE).wait_for(timeout=60_000)


def at_step(page: Page, step: int) -> None:
    expect(page.locator("[data-look-step]")).to_have_attribute("data-look-step", str(step))


@pytest.mark.parametrize(
    ("name", "players", "size", "language"),
    [
        ("suleika", 2, "phone", "en"),
        ("basari", 3, "desktop", "de"),
        ("basari-cards", 3, "phone", "nl"),
        ("bazaar", 2, "desktop", "en"),
    ],
)
def test_a_game_of_each_is_looked_back_at(
    person: Open, tmp_path: Path, name: str, players: int, size: str, language: str
) -> None:
    record = random_game(name, players)
    page, of = person(size=size, language=language), len(record.events)
    opened(page, record, tmp_path)
    expect(page.locator("[data-mistake]")).to_have_attribute("data-mistake", "1")
    first = page.locator("[data-turning]").first.get_attribute("data-turning")
    at_step(page, int(first or "0"))
    page.keyboard.press("End")
    at_step(page, of)
    expect(page.locator("[data-area]")).to_have_count(players)
    expect(page.locator("[data-unseen]")).to_have_count(0)
    expect(page.locator("[data-balance]")).to_have_count(players)
    expect(page.locator("[data-accuracy]")).to_have_text([re.compile(r"^\d+\s?%$")] * players)
    check(page, f"look back, {name}")
    assert "Player 0" in (page.locator("[data-graph]").get_attribute("aria-label") or "")
    page.keyboard.press("Home")
    at_step(page, 0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    at_step(page, 2)
    page.keyboard.press("ArrowLeft")
    at_step(page, 1)
    page.keyboard.press(" ")  # by itself
    page.wait_for_function(
        "() => Number(document.querySelector('[data-look-step]').dataset.lookStep) > 2"
    )
    page.keyboard.press(" ")
    turning = page.locator("[data-turning]").first
    step = int(turning.get_attribute("data-turning") or "0")
    turning.click()
    at_step(page, step)
    page.wait_for_url(re.compile(rf"/look/file-[\w-]+/{step}$"))
    page.reload()
    at_step(page, step)
    graph = page.locator("[data-graph]").bounding_box()
    assert graph
    page.mouse.click(graph["x"] + graph["width"] / 2, graph["y"] + graph["height"] - 8)
    at_step(page, round(of / 2))


def test_a_better_move_is_shown_on_the_board(person: Open, tmp_path: Path) -> None:
    page = person()
    opened(page, random_game("suleika", 2), tmp_path)
    page.locator("[data-turning]", has_text="Better:").first.click()
    where = "() => document.querySelector('[data-board=suleika], .suleika').innerHTML"
    other = page.locator("[data-instead]:not(.played)").first
    other.wait_for()
    played = page.evaluate(where)
    other.click()
    page.locator("[data-instead-shown]").wait_for()
    assert page.evaluate(where) != played
    page.locator("[data-do=as-played]").click()
    page.locator("[data-instead-shown]").wait_for(state="detached")


def test_it_opens_at_my_first_mistake_and_steps_through_mine(person: Open) -> None:
    page = person()
    table = new_table(page, "basari-cards", ["me", "bot", "bot"])
    come_to_the_end(page, 3)
    address = table.replace("/t/", "/look/")
    page.goto(address)
    page.locator(DONE).wait_for(timeout=60_000)
    where, mistake = page.locator("[data-look-step]"), page.locator("[data-mistake]")
    expect(mistake).to_have_attribute("data-mistake", "1")
    expect(page.locator("[data-better]")).to_contain_text("Better: ")
    steps = [
        int(each.get_attribute("data-turning") or "0")
        for each in page.locator("[data-turning]").all()
    ]
    assert len(steps) > 1
    assert steps == sorted(steps)
    at_step(page, steps[0])
    page.locator("[data-do=next-mistake]").click()
    at_step(page, steps[1])
    expect(mistake).to_have_attribute("data-mistake", "2")
    page.locator("[data-do=previous-mistake]").click()
    at_step(page, steps[0])
    expect(page.locator("[data-do=previous-mistake]")).to_be_disabled()
    numbers, dots = page.locator("[data-flag]"), page.locator("[data-mark]:not([data-flag])")
    mine = numbers.count()
    assert mine > 1
    expect(dots).to_have_count(0)
    page.locator("[data-option=everybody]").press("Space")
    expect(dots).not_to_have_count(0)  # opponents' mistakes and luck
    expect(numbers).to_have_count(mine)
    page.goto(f"{address}/0")  # a link to a step stays there
    page.locator(DONE).wait_for()
    expect(where).to_have_attribute("data-look-step", "0")


def test_a_damaged_file_that_is_dropped_is_refused_in_words(person: Open) -> None:
    lines = str(random_game("bazaar", 2)).splitlines()
    event = next(k for k, line in enumerate(lines) if line.startswith("3 "))
    lines[event] = lines[event].replace("3 ", "3 un", 1)
    page = person(language="de")
    page.locator("[data-do=look-file]").wait_for(state="attached")
    page.evaluate(DROP, ["\n".join(lines), "broken.souk"])
    expect(page.locator("[data-file-fault]")).to_contain_text(f"Zeile {event + 1} dieser Datei")
    page.keyboard.press("Escape")
    assert page.url.endswith("/")


def test_from_the_result_to_a_step_and_on_from_there(person: Open) -> None:
    """Solitaire: from the result to its analysis, play on from a step, and come back."""
    page = person()
    page.goto("/new?game=bazaar&players=1")
    page.locator("[data-do=make-table]").click()
    page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    come_to_the_end(page, 3)
    page.locator("[data-do=look-back]").click()
    page.wait_for_url(f"**/look/{table}*")
    page.locator(DONE).wait_for(timeout=60_000)
    expect(page.locator("[data-graph]")).to_have_attribute("aria-label", re.compile("moves"))
    expect(page.locator("[data-area]")).to_have_count(0)
    expect(page.locator("[data-accuracy]")).to_have_text(re.compile(r"^\d+%$"))
    page.keyboard.press("Home")
    at_step(page, 0)
    page.locator("[data-do=play-on]").click()
    page.wait_for_url(lambda url: "/t/" in url and table not in url)
    page.locator("[data-do=leave-branch]").click()
    page.wait_for_url(f"**/look/{table}/0")
    page.goto("/")
    page.locator(f"a[href='/look/{table}']").click()
    page.locator(DONE).wait_for()  # stored with the table
