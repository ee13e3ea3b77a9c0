"""Several people at one table: two browsers, a lost connection, a shared device, a spectator."""

import random

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.support.player import MOVES, new_table, offered, press_once
from tests.browser.support.relay import Relay
from tests.server.support.clients import Server

LOG = "[data-log] li"

# Whether the curtain covers the whole screen.
COVERED = """() => {
    const curtain = document.querySelector('[data-do=unveil]')
        .closest('dialog, [role=dialog], .curtain');
    const corners = [[5, 5], [innerWidth - 5, 5], [5, innerHeight - 5],
        [innerWidth - 5, innerHeight - 5], [innerWidth / 2, innerHeight / 2]];
    return corners.every(([x, y]) => curtain.contains(document.elementFromPoint(x, y)));
}"""


def log_of(page: Page) -> list[str]:
    return page.locator(LOG).all_inner_texts()


def about(page: Page) -> list[list[str | None]]:
    """Seat and subject of every log line."""
    lines = (
        "lines => lines.map(line => "
        "[line.dataset.seat, line.querySelector('[data-about]')?.dataset.about])"
    )
    found: list[list[str | None]] = page.locator(LOG).evaluate_all(lines)
    return found


def invite(page: Page) -> str:
    """The invitation link as the page shows it."""
    return page.locator("[data-invitation]").first.input_value()


def test_two_browsers_and_a_line_that_breaks_in_the_middle_of_a_move(
    person: Open, table_server: Server
) -> None:
    rng = random.Random(1)
    host = person()
    new_table(host, "suleika", ["me", "link"])
    link = invite(host)
    with Relay(table_server.address) as relay:
        guest = person("phone", path=link.replace(table_server.address, relay.address))
        guest.get_by_role("textbox").fill("Guest")
        guest.locator("[data-do=sit]").click()
        moved = 0
        while moved < 12:
            for page in (host, guest):
                if page.locator(MOVES).count() or page.locator("[data-do=next-place]").count():
                    press_once(page, rng)
                    moved += 1
            if moved in (6, 7):
                relay.cut()
                if guest.locator(MOVES).count():
                    guest.locator(MOVES).first.click(
                        force=True
                    )  # lost for now; it must arrive exactly once, or be refused visibly
                expect(guest.locator("[data-connection=lost]")).to_be_visible()
                relay.mend()
                expect(guest.locator("[data-connection=lost]")).to_have_count(0, timeout=60_000)
                moved += 1
            host.wait_for_timeout(50)
        expect(guest.locator(LOG)).to_have_count(host.locator(LOG).count())
        assert about(guest) == about(host)
        heard = log_of(guest)  # each addressed personally; the same after reloading
        guest.reload()
        expect(guest.locator(LOG)).to_have_count(len(heard))
        assert log_of(guest) == heard
        guest.close()  # before the relay: reconnecting to a closed one is an error on its console


def test_two_people_at_one_device_choose_behind_a_curtain(person: Open) -> None:
    rng = random.Random(2)
    page = person("phone")
    new_table(page, "basari", ["me", "here", "bot"])
    curtains = 0
    for _ in range(60):
        if offered(page) is None:
            break
        if page.locator("[data-do=unveil]").count():
            curtains += 1
            assert page.evaluate(COVERED)
            page.locator("[data-do=unveil]").click()
        elif page.locator(MOVES).count():
            press_once(page, rng)
        page.wait_for_timeout(30)
        if curtains >= 6:
            break
    assert curtains >= 6


def test_who_looks_on_can_do_nothing(person: Open) -> None:
    host = person()
    address = new_table(host, "bazaar", ["me", "bot"])
    guest = person(path=address)
    guest.locator("main").wait_for()
    host.locator(MOVES).first.wait_for()
    assert not guest.locator(MOVES).count()
