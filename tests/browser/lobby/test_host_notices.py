"""Announcements, tables of older rules, and account deletion."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from souk.core.messages import languages
from tests.browser.conftest import SIZES, Open
from tests.browser.pages.test_pages import check
from tests.browser.support.player import new_table
from tests.cli.test_cli import souk
from tests.server.storage.test_migrations import COOKIE, OURS, TABLES, write
from tests.server.support.clients import Server

FLY = """UPDATE events SET text = 'fly away', told = X''
    WHERE kind = 'move' AND seq > 3 AND "table" = '{}'"""


@pytest.fixture(scope="module")
def old_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose tables were played by older rules; those of Bazaar cannot be read any more."""
    folder = tmp_path_factory.mktemp("old")
    write(folder, f"UPDATE tables SET rules = 0 WHERE id {OURS}", FLY.format(TABLES["bazaar"]))
    with Server(folder) as server:
        yield server


def opened(
    chromium: Browser, server: Server, path: str, language: str = "en", size: str = "desktop"
) -> Page:
    context = chromium.new_context(
        base_url=f"http://{server.address}", locale=language, viewport=SIZES[size]
    )  # type: ignore[arg-type]
    context.add_cookies([{"name": "souk", "value": COOKIE, "url": f"http://{server.address}"}])
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(path)
    return page


@pytest.mark.parametrize("language", languages())
def test_a_table_of_older_rules_says_so(
    chromium: Browser, old_server: Server, language: str
) -> None:
    page = opened(chromium, old_server, f"/t/{TABLES['suleika']}", language)
    page.locator("[data-log] li").first.wait_for()
    told = {"en": "older rules", "de": "älteren Regeln", "nl": "oudere regels"}[language]
    assert told in page.locator(".banner .turn").inner_text()
    assert page.locator("[data-move]:not([disabled]):not([aria-disabled=true])").count() == 0
    check(page, "a table of older rules")
    page.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_one_that_nobody_reads_any_longer_is_told_in_words(
    chromium: Browser, old_server: Server, size: str
) -> None:
    page = opened(chromium, old_server, f"/t/{TABLES['bazaar']}", size=size)
    page.get_by_text("fly away").first.wait_for()
    assert (
        page.get_by_role("link", name="Download the game file").get_attribute("href")
        == f"/api/tables/{TABLES['bazaar']}/record"
    )
    check(page, "a game in words")
    page.context.close()


def test_the_lobby_marks_tables_of_older_rules(chromium: Browser, old_server: Server) -> None:
    page = opened(chromium, old_server, "/")
    page.get_by_text("Older rules: view only").first.wait_for()
    assert page.get_by_text("Older rules: view only").count() == len(TABLES)
    check(page, "lobby")
    page.context.close()


def test_an_announcement_is_on_every_page_at_once(person: Open, table_server: Server) -> None:
    lobby, table = person(), person()
    new_table(table, "suleika", ["me", "here"])
    data = str(table_server.data)
    souk("host", "announce", "We close at ten.", "--data", data)
    table.locator("[data-announcement]").get_by_text("We close at ten.").wait_for()
    check(table, "a table with an announcement")
    lobby.reload()
    lobby.locator("[data-announcement]").get_by_text("We close at ten.").wait_for()
    check(lobby, "a lobby with an announcement")
    souk("host", "announce", "--clear", "--data", data)
    table.locator("[data-announcement]").wait_for(state="detached")


@pytest.mark.parametrize("language", languages())
def test_somebody_has_themselves_forgotten(
    person: Open, table_server: Server, language: str
) -> None:
    page = person(language=language)
    address = new_table(page, "suleika", ["me", "here"])
    page.goto("/")
    page.locator("main li a").first.wait_for()
    page.locator("[data-do=settings]").click()
    page.locator("[data-do=forget]").click()
    check(page, "the question")
    page.locator("[data-do=forget-yes]").click()
    page.locator("dialog[open]").wait_for(state="hidden")
    page.reload()
    page.locator("[data-do=play-now]").first.wait_for()
    assert page.locator("main li a").count() == 0
    connection = sqlite3.connect(Path(table_server.data) / "tables.sqlite")
    asked = 'SELECT name, player FROM seats WHERE "table" = ?'
    assert connection.execute(asked, (address.rpartition("/")[2],)).fetchall() == [("—", None)] * 2
    connection.close()


def test_it_is_not_done_by_one_press(person: Open) -> None:
    page = person()
    new_table(page, "suleika", ["me", "here"])
    page.goto("/")
    page.locator("[data-do=settings]").click()
    page.locator("[data-do=forget]").click()
    page.get_by_role("button", name="Cancel").click()
    page.locator("[data-do=forget]").wait_for()
    page.reload()
    page.locator("[data-do=play-now]").first.wait_for()
    assert page.locator("main li a").count() == 1
