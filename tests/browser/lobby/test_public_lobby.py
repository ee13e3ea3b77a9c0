"""A public server: two phones are matched, people watch, join, and decline an invitation."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.pages.test_pages import check, check_in_every_language
from tests.browser.support.layout import PHONES
from tests.browser.support.player import choose
from tests.server.support.clients import Server


@pytest.fixture(scope="module")
def table_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(
        tmp_path_factory.mktemp("public-tables"), levels="apprentice,trader", public_lobby=None
    )
    yield server
    server.stop()
    assert not server.troubles


def called(page: Page, name: str) -> Page:
    page.get_by_role("textbox").first.fill(name)
    page.locator("[data-meeting]").wait_for()
    return page


def test_people_meet(person: Open) -> None:
    anna, ben = called(person("phone", "en"), "Anna"), called(person("phone", "nl"), "Ben")
    expect(anna.locator("[data-here='2']")).to_be_visible()
    check_in_every_language(anna, "the public lobby")

    # Two phones are matched, by keyboard and by finger.
    anna.locator("[data-do=find_players][data-game=suleika]").press("Enter")
    choose(anna.locator("dialog[open]").get_by_role("radio", name="2", exact=True))
    check(anna, "looking for players")
    anna.set_viewport_size(PHONES[0])
    check(anna, "looking for players, small")
    anna.locator("[data-do=find-now]").press("Enter")
    expect(anna.locator("[data-looking=suleika]")).to_be_visible()
    check(anna, "players are looked for")
    expect(ben.locator("[data-do=find_players][data-game=suleika]")).to_contain_text(
        "1 persoon wacht"
    )
    ben.locator("[data-do=find_players][data-game=suleika]").tap()
    choose(ben.locator("dialog[open]").get_by_role("radio", name="2", exact=True))
    ben.locator("[data-do=find-now]").tap()
    for page in (anna, ben):
        page.locator("[data-phase]").wait_for()
    expect(anna.get_by_text("Ben").first).to_be_visible()

    # Watching from the lobby.
    looker = called(person("desktop", "en"), "Cleo")
    looker.locator("[data-list=watch] [data-do=watch]").click()
    looker.locator("[data-phase]").wait_for()
    expect(looker.locator("[data-public-table]")).to_be_visible()
    looker.goto("/")

    # Joining a public table with a click.
    host = person("desktop", "de", path="/new?game=suleika&with=friends")
    choose(host.get_by_role("radio", name="2", exact=True))
    host.locator("[data-option=free-talk]").wait_for(state="attached")
    choose(host.locator("[data-option=public]"))
    expect(host.locator("[data-option=free-talk]")).to_have_count(0)
    host.locator("[data-do=make-table]").click()
    expect(host.locator("[data-public-table]")).to_be_visible()
    check(host, "a public table")
    looker.locator("[data-list=open] [data-do=join]").click()
    for page in (looker, host):
        page.locator("[data-phase]").wait_for()

    # Inviting a past player, who declines.
    ben.goto("/")
    ben.locator("[data-meeting]").wait_for()
    anna.goto("/new?game=suleika&with=friends")
    anna.locator("[data-do=make-table]").click()
    expect(anna.locator("[data-fellows]")).to_contain_text("Ben")
    anna.locator("[data-do=invite]").click()
    expect(ben.locator("[data-invitation]")).to_contain_text("Anna nodigt je uit aan tafel")
    check_in_every_language(ben, "invited")
    ben.locator("[data-do=decline]").tap()
    expect(anna.locator("[data-state=declined]")).to_have_text("declined")
    check(anna, "declined")
    expect(ben.locator("[data-invitation]")).to_have_count(0)
