"""Friends joining by one link, a seat for a bot, resigning, coming too late, leaving and
cancelling.
"""

import random
import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.pages.test_pages import check
from tests.browser.support.player import MOVES, OVER, STEPS, begin_to_hurry, choose, press_once

SEATS = "[data-place^='seat ']"


def with_friends(page: Page, game: str, players: int) -> str:
    """Open a table for friends through the page; returns its link."""
    page.goto(f"/new?game={game}&with=friends")
    choose(page.get_by_role("radio", name=str(players), exact=True))
    page.locator("[data-do=make-table]").click()
    return page.locator("[data-address]").input_value()


def sit(page: Page, name: str) -> None:
    page.get_by_role("textbox").fill(name)
    page.locator("[data-do=sit]").click()


def test_friends_come_by_one_address_and_a_bot_takes_the_last_seat(person: Open) -> None:
    rng = random.Random(4)
    host = person("phone", "de")
    address = with_friends(host, "suleika", 4)
    host.locator("[data-do=qr]").click()
    expect(host.locator("[data-qr]")).to_have_attribute("data-qr", address)
    check(host, "host, waiting")
    friend, other = person("phone", "de", path=address), person("desktop", path=address)
    check(friend, "invited, phone")
    check(other, "invited, desktop")
    sit(friend, "Bernd")
    sit(other, "Cleo")
    expect(host.get_by_text("Cleo hat Platz genommen.")).to_be_visible()
    host.locator("[data-do=start_game]").click()
    for page in (host, friend, other):
        expect(page.locator(SEATS)).to_have_count(4)
        page.locator("[data-phase]").wait_for()
    late = person("phone", "de", path=address)
    expect(late.get_by_text("Alle Plätze sind vergeben, du schaust zu.")).to_be_visible()
    moved = 0
    while moved < 4:
        for page in (host, friend, other):
            if page.locator(f"{MOVES}, {STEPS}").count():
                press_once(page, rng)
                moved += 1
        host.wait_for_timeout(30)
    assert not late.locator(MOVES).count()
    other.locator("[data-do=resign]").click()
    expect(other.locator("[data-do=keep]")).to_be_focused()
    check(other, "resigning")
    other.locator("[data-do=confirm]").click()
    expect(other.locator("[data-do=resign]")).to_have_count(0)
    expect(friend.get_by_role("button", name=re.compile("^Cleo hat aufgegeben"))).to_be_visible()
    other.goto("/")
    other.locator("[data-do=remove]").click()
    other.locator("[data-do=confirm]").click()
    expect(other.locator("[data-do=remove]")).to_have_count(0)


def test_four_phones_play_a_whole_game_by_one_address(person: Open) -> None:
    seed = 16
    phones = [person("phone", "de")]
    address = with_friends(phones[0], "suleika", 4)
    for name in ("Bernd", "Cleo", "Dora"):
        phones.append(person("phone", "de", path=address))
        sit(phones[-1], name)
    for number, page in enumerate(phones):
        page.locator("[data-phase]").wait_for()
        expect(page.locator(SEATS)).to_have_count(4)
        begin_to_hurry(page, seed + number)
    for page in phones:
        page.locator(OVER).wait_for(timeout=60_000)
    scores = [page.locator("[data-rank] .score").all_inner_texts() for page in phones]
    assert len(scores[0]) == 4
    assert all(each == scores[0] for each in scores)  # all see the same result
    expect(phones[0].locator("[data-rank]").filter(has_text="Dora")).to_have_count(1)


def test_leaving_and_cancelling_with_the_keyboard(person: Open) -> None:
    host = person("phone")
    address = with_friends(host, "basari", 3)
    friend = person("phone", "nl", path=address)
    sit(friend, "Bart")
    friend.locator("[data-do=leave_table]").press("Enter")
    expect(friend.locator("[data-do=sit]")).to_be_visible()
    expect(host.get_by_text("Bart has left the table.")).to_be_visible()
    host.locator("[data-do=cancel_table]").press("Enter")
    check(host, "cancelling")
    host.keyboard.press("Shift+Tab")
    host.keyboard.press("Enter")
    host.wait_for_url(re.compile("/$"))
    expect(friend.get_by_text("De gastheer heeft deze tafel afgezegd.")).to_be_visible()
    check(friend, "cancelled")


def test_a_link_that_was_used_says_so_at_once(person: Open) -> None:
    host = person()
    host.goto("/new?game=suleika")
    choose(host.get_by_role("radio", name="2", exact=True))
    host.locator("[data-do=who]").select_option("link")
    host.locator("[data-do=make-table]").click()
    link = host.locator("[data-invitation]").input_value()
    sit(person("phone", path=link), "Ben")
    late = person("phone", "de", path=link)
    expect(late.get_by_text("Auf diesem Platz sitzt schon jemand anderes.")).to_be_visible()
    check(late, "a used link")
    late.locator("[data-do=only-watch]").click()
    expect(late.locator(SEATS)).to_have_count(2)


def test_all_my_tables(person: Open) -> None:
    page = person("phone", "de")
    page.locator("[data-do=play-now]").first.wait_for()  # the cookie exists from here on
    asked = {"game": "suleika", "seats": [{"who": "me"}, {"who": "bot", "level": "apprentice"}]}
    for _ in range(61):
        assert page.request.post("/api/tables", data=asked).ok
    page.reload()
    page.locator("[data-do=archive]").first.click()
    expect(page.locator("main li")).to_have_count(30)
    page.locator("[data-do=more]").click()
    expect(page.locator("main li")).to_have_count(60)
    check(page, "all my tables")
