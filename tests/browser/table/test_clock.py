"""Clocks in two browsers: both see the time left, agree on a pause, and a bot replaces a sleeping
phone.
"""

import random
import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.support.player import MOVES, press_once

RUNS = re.compile(r"\bruns\b")
STOOD_IN = "Zeit um; "


def clock(page: Page, seat: int) -> str:
    return page.locator(f"[data-clock='{seat}']").first.inner_text()


def sit(guest: Page, name: str) -> None:
    guest.get_by_role("textbox").fill(name)
    guest.locator("[data-do=sit]").click()


def test_a_clock_is_chosen_seen_by_both_and_stands_still_in_a_pause(person: Open) -> None:
    host = person(language="de")
    host.goto("/new?game=suleika&players=2")
    host.locator("main form").wait_for()
    host.locator("[data-do=who]").select_option("link")
    host.locator("[data-option=shuffle]").press("Space")
    host.locator("[data-option=first]").select_option(index=1)
    host.get_by_role("radio", name="Pro Partie").press("Space")
    host.locator("[data-option=clock-seconds]").select_option("300")
    host.locator("[data-option=clock-increment]").select_option("5")
    host.locator("[data-option=clock-flag]").select_option("lose")
    host.locator("[data-do=make-table]").click()
    expect(host.locator("[data-terms]")).to_have_text(
        "Bedenkzeit · Pro Partie: 5 Minuten + 5 Sekunden"
    )
    guest = person("phone", "de", path=host.locator("[data-invitation]").first.input_value())
    sit(guest, "Ben")
    for page in (host, guest):
        expect(page.locator("[data-clock='0']").first).to_have_class(RUNS)
        assert clock(page, 1) == "5:00"
        expect(page.locator("[data-clock='0']").first).to_have_text(
            "4:58"
        )  # it counts down by itself
    expect(host.get_by_role("timer", name="Du hast noch 4 Minuten")).to_be_visible()

    guest.locator("[data-do=together]").press("Enter")
    guest.get_by_role("button", name="Pause").press("Enter")
    expect(host.get_by_text("Ben möchte eine Pause machen.")).to_be_visible()
    expect(guest.locator("[data-do=agree]")).to_have_count(0)  # nobody agrees on behalf of another
    host.get_by_role("button", name="Einverstanden").press("Enter")
    expect(guest.locator("[data-do=resume]")).to_be_visible()
    assert not host.locator(MOVES).count()
    stood = clock(host, 0)
    host.wait_for_timeout(1200)
    assert clock(host, 0) == stood
    guest.locator("[data-do=resume]").click()
    host.locator(MOVES).first.wait_for()

    host.locator("[data-do=together]").click()
    host.locator("[data-do=propose-end]").click()
    guest.locator("[data-do=agree]").click()
    for page in (host, guest):
        expect(
            page.get_by_text("Vorzeitig beendet: Alle waren mit dem Punktestand einverstanden.")
        ).to_be_visible()
        assert not page.locator("[data-do=look-back]").count()


def test_a_phone_asleep_under_a_clock(person: Open) -> None:
    """Its page is frozen; once awake it shows what has happened, and its owner plays on."""
    rng, host = random.Random(4), person(language="de")
    wish = {
        "game": "suleika",
        "seats": [{"who": "me", "name": "Ana"}, {"who": "link"}],
        "options": {"first": 0},
    }
    made = host.request.post(
        "/api/tables", data=wish | {"clock": {"kind": "move", "seconds": 5.0}}
    ).json()
    guest = person("phone", "de", path=f"/t/{made['table']}#sit={made['invitations']['1']}")
    sit(guest, "Ben")
    host.goto(f"/t/{made['table']}")
    seat = host.locator("[data-seat='1']").first
    while not host.locator("[data-clock='1'].runs").count():
        if host.locator(f"{MOVES}, [data-do=next-place]").count():
            press_once(host, rng)
        host.wait_for_timeout(30)
    phone = guest.context.new_cdp_session(guest)
    phone.send("Page.setWebLifecycleState", {"state": "frozen"})
    expect(seat).to_contain_text(STOOD_IN, timeout=60_000)
    phone.send("Page.setWebLifecycleState", {"state": "active"})
    expect(guest.get_by_text("Deine Zeit war um: Ein Bot spielt für dich.")).to_be_visible()
    guest.locator("[data-do=come-back]").click()
    expect(seat).not_to_contain_text(STOOD_IN)
