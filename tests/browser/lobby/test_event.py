"""An event of sixteen bots and four people in browsers, with phones, a projector and a killed
server.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE
from tests.browser.pages.test_pages import check, check_in_every_language
from tests.browser.support.layout import UNSEEN, resize
from tests.browser.support.player import MOVES, STEPS, choose
from tests.server.support.clients import Server

PROJECTOR = {"width": 1920, "height": 1080}
LONG = 180_000  # milliseconds: whole games, on a busy machine

# Follow the page and click the first offer until the event is over.
PLAYING = """([moves, steps]) => void (async () => {
    const click = () => new MouseEvent('click', { bubbles: true, cancelable: true });
    const press = (wanted) => [...document.querySelectorAll(wanted)].at(0)?.dispatchEvent(click());
    for (;; await new Promise((done) => setTimeout(done, 15))) {
        if (document.querySelector('main [data-state=over]')) return;
        for (const wanted of ['[data-do=to-event]', '[data-do=to-my-table]', moves, steps])
            if (document.querySelector(wanted)) { press(wanted); break; }
    }
})()"""


class Hall:
    """A server that can be killed and restarted on the same port."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port = folder, 0
        self.server = self._started()
        self._port = int(self.server.address.rpartition(":")[2])

    def _started(self) -> Server:
        return Server(self._folder, levels="apprentice", port=self._port, event_wait=30)

    def kill_and_start(self) -> None:
        self.server.kill()
        self.server = self._started()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    found = Hall(tmp_path_factory.mktemp("hall"))
    yield found
    assert found.server.stop() == 0
    assert not found.server.troubles


def visitor(chromium: Browser, hall: Hall, path: str) -> Page:
    context = chromium.new_context(
        viewport=PHONE,
        base_url=f"http://{hall.server.address}",
        locale="en",
        reduced_motion="reduce",
        has_touch=True,
    )
    context.add_init_script(UNSEEN)
    context.add_init_script("""localStorage.souk ??= '{"pace": "instant", "sound": "off"}'""")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(path)
    return page


def open_event(page: Page) -> None:
    """Fill in the form: Swiss, two rounds advanced by the host, sixteen bots."""
    page.locator("[data-do=open-event]").wait_for()
    check_in_every_language(page, "opening an event")
    page.locator("[data-option=name]").fill("Market night")
    choose(page.locator("[data-game=basari-cards]"))
    choose(page.locator("[data-game=suleika]"), False)
    page.locator("[data-option=rounds]").select_option("2")
    page.locator("[data-option=pause]").select_option("-1")
    page.locator("[data-option=bots]").fill("16")
    page.locator("[data-do=open-event]").press("Enter")
    page.locator("[data-do=start-event]").wait_for()


def join(page: Page, name: str) -> None:
    """By keyboard only."""
    page.get_by_label("Your name").fill(name)
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"You're in as {name}.")).to_be_visible()


def check_projector(page: Page, what: str) -> None:
    """Everything is visible at once, in light and dark mode, and nothing is clickable."""
    check_in_every_language(page, f"projector, {what}")
    page.emulate_media(color_scheme="light")
    check(page, f"projector by day, {what}")
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight"), what
    assert not page.locator("main :is(button, a, input)").count()


def test_sixteen_bots_and_four_people_and_a_server_that_is_killed(
    chromium: Browser, hall: Hall
) -> None:
    host = visitor(chromium, hall, "/events/new")
    open_event(host)
    address = host.url
    people = [host, *(visitor(chromium, hall, address) for _ in range(3))]
    for page, name in zip(people, ("Hanna", "Ben", "Cleo", "Dirk"), strict=True):
        join(page, name)
    expect(host.locator("#people")).to_have_text("20 players")
    host.locator("[data-do=qr]").click()
    expect(host.locator("[data-qr]")).to_have_attribute("data-qr", address)
    check_in_every_language(host, "an event that is open, host")
    screen = visitor(chromium, hall, f"{address}/projector")
    resize(screen, PROJECTOR)
    expect(screen.locator("[data-qr]")).to_have_attribute("data-qr", address)
    check_projector(screen, "before the start")

    host.locator("[data-do=start-event]").press("Enter")
    for page in people:
        page.wait_for_url("**/t/*")  # taken there at once
        page.evaluate(PLAYING, [MOVES, STEPS])
    screen.locator("[data-state=playing]").wait_for()
    screen.locator("tbody tr .points", has_text="1.00").first.wait_for(
        timeout=LONG
    )  # some tables are finished, some are not
    hall.kill_and_start()
    host.locator("[data-do=next-round]").wait_for(timeout=LONG)
    check_in_every_language(host, "between two rounds, host")
    check_projector(screen, "between two rounds")
    host.locator("[data-do=next-round]").press("Enter")
    for page in people:
        page.locator("main [data-state=over]").wait_for(timeout=LONG)
    expect(screen.locator("h1")).to_have_text(re.compile("(wins|share first place)$"))
    winner = screen.locator("h1").inner_text()
    for page in people:
        expect(page.locator("[data-state=over]")).to_have_text(winner)
        expect(page.locator("table [data-entrant]")).to_have_count(20)
    host.locator("[data-past='1'] summary").click()
    expect(host.locator("[data-past='1'] [data-table]")).to_have_count(5)
    check(host, "an event that is over")
