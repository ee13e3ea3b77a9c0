"""A game over weeks on two phones, and a connection lost while a clock runs; the test sets the
time.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import PHONE
from tests.browser.support.layout import UNSEEN
from tests.browser.support.player import MOVES, STEPS, press_once
from tests.browser.support.relay import Relay
from tests.server.support.clients import Server
from tests.server.support.controlled_uptime import DAY, House

OFFERED = f"{MOVES}, {STEPS}"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[House, Server]]:
    house = House(tmp_path)
    with house.open(monkeypatch) as server:
        yield house, server
        assert not server.troubles


@pytest.fixture
def pockets(chromium: Browser) -> Iterator[list[BrowserContext]]:
    """Two phones, each with its own browser."""
    contexts = [
        chromium.new_context(viewport=PHONE, locale="en", reduced_motion="reduce") for _ in range(2)
    ]
    for context in contexts:
        context.add_init_script(UNSEEN)
        context.set_default_timeout(60_000)
        context.add_init_script("""localStorage.souk ??= '{"pace": "instant", "sound": "off"}'""")
    yield contexts
    for context in contexts:
        context.close()


def sit_together(
    pockets: list[BrowserContext], addresses: list[str], clock: dict[str, object]
) -> list[str]:
    """Both at a new table of Suleika made by the first; returns its address for each."""
    wish = {
        "game": "suleika",
        "seats": [{"who": "me", "name": "Ana"}, {"who": "link"}],
        "options": {"first": 0},
    }
    hosts, guests = pockets
    hosts.request.get(f"{addresses[0]}/api/lobby")
    made = hosts.request.post(f"{addresses[0]}/api/tables", data=wish | {"clock": clock}).json()
    found = [f"{address}/t/{made['table']}" for address in addresses]
    host, guest = hosts.new_page(), guests.new_page()
    guest.goto(f"{found[1]}#sit={made['invitations']['1']}")
    guest.get_by_role("textbox").fill("Ben")
    guest.locator("[data-do=sit]").click()
    host.goto(found[0])
    for page in (host, guest):
        page.locator("[data-phase]").wait_for()
    return found


def turn(page: Page, rng: random.Random) -> None:
    """Play until it is the other's turn."""
    page.locator(OFFERED).first.wait_for()
    seat = page.locator("[data-clock].runs").first.get_attribute("data-clock")
    while page.locator(f"[data-clock='{seat}'].runs").count():
        if page.locator(OFFERED).count():
            press_once(page, rng)
        page.wait_for_timeout(30)


def test_a_game_over_weeks_in_two_pockets(
    house: tuple[House, Server], pockets: list[BrowserContext]
) -> None:
    time, server = house
    rng = random.Random(7)
    tables = sit_together(
        pockets, [f"http://{server.address}"] * 2, {"kind": "days", "seconds": 3 * DAY}
    )
    for context in pockets:
        context.pages[0].close()
    for visit in range(6):
        time.pass_by(2.25 * DAY)
        who = visit % 2
        page = pockets[who].new_page()
        page.goto(tables[who])
        expect(page.locator(f"[data-clock='{who}'].runs").first).to_have_text(
            re.compile("1[78] hours")
        )
        turn(page, rng)
        expect(page.locator(f"[data-clock='{1 - who}'].runs").first).to_have_text(
            re.compile("[23] days")
        )
        page.close()
    time.pass_by(3.1 * DAY)  # now the first one forgets it
    other = pockets[1].new_page()
    other.goto(tables[1])
    expect(other.locator("[data-seat='0']").first).to_contain_text("; Random plays")
    back = pockets[0].new_page()
    back.goto(tables[0])
    expect(other.locator("[data-seat='0']").first).not_to_contain_text("; Random plays")


def test_a_line_that_is_lost_under_a_clock(
    house: tuple[House, Server], pockets: list[BrowserContext]
) -> None:
    """The clock runs on for all; after reconnecting the page shows it, and moves count again."""
    time, server = house
    rng = random.Random(8)
    with Relay(server.address) as relay:
        addresses = [f"http://{server.address}", f"http://{relay.address}"]
        sit_together(pockets, addresses, {"kind": "game", "seconds": 300.0})
        host, guest = (context.pages[0] for context in pockets)
        turn(host, rng)
        guest.locator(OFFERED).first.wait_for()
        relay.cut()
        time.pass_by(120)
        expect(host.locator("[data-clock='1'].runs").first).to_have_text(re.compile("^[23]:"))
        relay.mend()
        expect(guest.locator("[data-clock='1'].runs").first).to_have_text(re.compile("^[23]:"))
        turn(guest, rng)
        expect(host.locator("[data-clock='0'].runs").first).to_be_visible()
