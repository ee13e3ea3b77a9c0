"""Ratings in real browsers: a rated game and its effects, the leaderboard, profiles, and the
ladder.
"""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, closing
from urllib.parse import urlsplit

from playwright.sync_api import Page, ViewportSize, expect

from souk.core.messages import Message, languages
from souk.server.common.tokens import digest
from souk.server.ratings.ratings import RATED, CountedGame, CountedSeat, store_result
from souk.server.storage import maintenance
from souk.server.storage.rows import TransactionStep
from souk.server.storage.sqlite_schema import connect
from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.browser.lobby.test_one_link import sit
from tests.browser.pages.test_pages import TOO_WIDE, check, check_in_every_language
from tests.browser.support.layout import resize, speak_in_another_tab
from tests.browser.support.player import choose
from tests.server.ratings.test_ratings import ENOUGH, play_on
from tests.server.support.clients import Person, Server

SMALL: ViewportSize = {"width": 390, "height": 664}


def look_over(page: Page, what: str) -> None:
    """Nothing overflows: every language on a phone, one on a desktop and on a short phone."""
    resize(page, PHONE)
    check_in_every_language(page, what)
    resize(page, SMALL)
    assert page.evaluate(TOO_WIDE) == [], what
    resize(page, DESKTOP)
    assert page.evaluate(TOO_WIDE) == [], what


def strangers(server: Server, mine: str, games: int) -> None:
    """Insert results of others, and of mine against them: two pages of leaderboard, and a settled
    rating.
    """
    with closing(connect(server.data / "tables.sqlite")) as file:
        for number in range(games):
            sitting = [(digest(mine), "Ben", 1), (bytes([number]) * 32, f"Person {number}", 2)]
            seats = [
                CountedSeat(k, who, name, place, 0, place == 1)
                for k, (who, name, place) in enumerate(sitting)
            ]
            game = CountedGame(
                f"stranger-{number:07}", "suleika", 2, RATED, "", 1.7e9 + 86_400 * number, seats
            )
            maintenance.execute_in_transaction(
                file,
                [TransactionStep(lambda connection, game=game: store_result(connection, game))],
            )


def play_a_while(*pages: Page) -> None:
    """Long enough for the game to count in full, using the pages' cookies."""
    address = urlsplit(pages[0].url)
    cookies = [
        each["value"] for page in pages for each in page.context.cookies() if each["name"] == "souk"
    ]

    async def play() -> None:
        async with AsyncExitStack() as stack:
            people = [
                await stack.enter_async_context(Person(address.netloc, cookie))
                for cookie in cookies
            ]
            table = address.path.split("/")[2]
            await play_on(
                [await stack.enter_async_context(each.page(table)) for each in people], ENOUGH
            )

    with ThreadPoolExecutor(1) as beside:  # Playwright occupies this thread's event loop
        beside.submit(asyncio.run, play()).result()


def resign(page: Page) -> None:
    page.locator("[data-do=settings]").click()
    page.locator("[data-do=resign-menu]").click()
    page.locator("[data-do=confirm]").click()


def test_a_rated_game_that_is_left_at_once(person: Open) -> None:
    host = person("phone", path="/leaders?game=suleika")
    host.get_by_role("link", name="Rated game").press("Enter")
    choose(host.get_by_role("radio", name="2", exact=True))
    host.locator("[data-option=rated]").press("Space")
    host.locator("[data-do=make-table]").click()
    guest = person("desktop", path=host.locator("[data-address]").input_value())
    sit(guest, "Ben")
    guest.locator("[data-phase]").wait_for()
    host.locator("[data-phase]").wait_for()
    resign(host)
    for page in (guest, host):
        expect(page.locator("[data-limited=short]")).to_contain_text(
            Message("measure.short").text()
        )
        expect(page.locator("[data-rating]")).to_have_count(1)
        expect(page.locator("[data-rating]")).to_contain_text(re.compile(r"[−-]\d+"))
    check_in_every_language(guest, "result of a rated game that was too short")


def test_a_rated_game_and_what_it_does(person: Open, table_server: Server) -> None:
    host = person("phone", path="/leaders?game=suleika")
    expect(host.locator("main")).to_contain_text("No established ratings in Suleika yet.")
    host.get_by_role("link", name="Rated game").press("Enter")
    choose(host.get_by_role("radio", name="2", exact=True))
    host.locator("[data-option=rated]").press("Space")
    check(host, "new rated table")
    host.locator("[data-do=make-table]").click()
    address = host.locator("[data-address]").input_value()
    expect(host.locator("[data-rated]")).to_contain_text("Rated game")
    expect(host.locator("[data-do=start_game]")).to_have_count(0)
    guest = person("desktop", path=address)
    expect(guest.locator("[data-rated]")).to_contain_text("Rated game")
    sit(guest, "Ben")
    guest.locator("[data-phase]").wait_for()
    expect(guest.locator("[data-strength]")).to_have_text(["1500 ± 500"] * 2)
    expect(guest.locator("[data-do=take-back], [data-do=hint]")).to_have_count(0)
    play_a_while(host, guest)
    resign(host)
    changed = guest.locator("[data-rating]")
    expect(changed).to_have_count(2)
    expect(changed.first).to_contain_text("Ben")
    expect(changed.first).to_contain_text(re.compile(r"\+\d+"))
    check_in_every_language(guest, "result of a rated game")
    changed.first.get_by_role("link").press("Enter")
    card = guest.locator("[data-strength-in=suleika]")
    expect(card).to_contain_text("provisional")
    expect(card.locator("[data-rating-line]")).to_have_attribute("data-rating-line", "1")
    assert re.fullmatch(r".*/people/[0-9a-f]{16}", guest.url)
    [cookie] = [each["value"] for each in guest.context.cookies() if each["name"] == "souk"]
    strangers(table_server, cookie, 60)
    guest.reload()
    expect(card.locator("[data-rating-line]")).to_have_attribute("data-rating-line", "61")
    expect(guest.locator("[data-recent] [data-do=look-back]")).to_have_count(
        0
    )  # the newest twenty tables belong to others
    look_over(guest, "profile")
    card.get_by_role("link").press("Enter")
    expect(guest.locator("[data-my-place]")).to_have_attribute("data-my-place", "1")
    look_over(guest, "leaderboard")
    choose(guest.get_by_role("radio", name="Provisional"))
    expect(guest.locator("[data-leader]")).to_have_count(50)
    guest.locator("[data-do=page-after]").press("Enter")
    expect(guest.locator("[data-leader]").first).to_have_attribute("data-leader", "51")
    stay_unseen(host, guest.url)


def stay_unseen(page: Page, leaders: str) -> None:
    """People who hide from leaderboards are on none."""
    page.goto("/people/me")
    page.locator("[data-option=listed]").press("Space")
    expect(page.locator("[data-strength-in=suleika]")).not_to_contain_text("number")
    page.goto(leaders)
    expect(page.locator("main")).to_contain_text(Message("measure.leaders.unlisted").text())


def test_the_ladder_at_my_numbers_and_after_a_game(person: Open) -> None:
    page = person("phone", path="/me")
    row = page.locator("[data-ladder='suleika 2']")
    expect(row.locator("[data-stairs]")).to_have_attribute("data-stairs", "0")
    look_over(page, "ladders")
    row.locator("[data-do=climb]").press("Enter")
    page.wait_for_url("**/t/*")
    page.locator("[data-phase]").wait_for()
    page.locator("[data-do=resign]").click()
    page.locator("[data-do=confirm]").click()
    page.locator("[data-do=more]").click()
    page.locator("[data-on-ladder='0']").wait_for()
    for language in sorted(languages(), key="en".__eq__):  # English last
        speak_in_another_tab(page, language)
        expect(page.locator("[data-on-ladder]")).to_contain_text(
            Message("measure.ladder.title").text(language=language)
        )
        check(page, f"after a game on the ladder, {language}")
