"""Accounts in real browsers: profile, second device, signing out elsewhere, passkeys.

Every page on the way is checked in every language, on a phone and on a desktop.
"""

import random
import re
import zipfile

from playwright.sync_api import Page, expect

from souk.core.messages import Message
from tests.browser.conftest import DESKTOP, SIZES, Open
from tests.browser.pages.test_pages import check, check_in_every_language
from tests.browser.support.layout import PHONES, overflowing, resize, told
from tests.browser.support.player import MOVES, new_table, press_once
from tests.server.support.clients import Server


def told_by(page: Page, key: str, **values: object) -> None:
    """Wait until the page shows a text anywhere."""
    expect(page.locator("body")).to_contain_text(Message(key, **values).text())


def looked_at(page: Page, what: str) -> None:
    """Check every language on the smallest screen, and one on the largest."""
    resize(page, PHONES[1])
    check_in_every_language(page, what)
    faults = overflowing(page, what)
    assert not faults, told(faults)
    resize(page, DESKTOP)
    check(page, f"{what} on a desk")
    resize(page, SIZES["phone"])


def choose_a_face(page: Page) -> None:
    """From the lobby by click, then by keyboard alone."""
    page.locator("[data-do=go-you]").press("Enter")
    page.wait_for_url("**/me")
    name = page.locator("[data-me] input[autocomplete=nickname]")
    name.fill("Annabel")
    with page.expect_response(
        lambda answer: answer.url.endswith("/api/person") and answer.request.method == "POST"
    ):
        name.press("Tab")
    page.keyboard.press("ArrowRight")  # the first figure: a camel
    expect(page.locator("[data-choose='figure camel']")).to_be_checked()
    expect(page.locator("header [data-figure=camel]")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(page.locator("header [data-colour=rose]")).to_be_visible()


def test_a_seat_moves_to_a_second_device_by_a_link(person: Open) -> None:
    laptop = person("phone")  # the size at which everything is checked
    choose_a_face(laptop)
    expect(laptop.locator("[data-missing]")).to_have_attribute("data-missing", "number")
    address = new_table(laptop, "suleika", ["me", "here"])
    expect(laptop.locator("[data-seat='0'] [data-figure=camel][data-colour=rose]")).to_be_visible()
    laptop.goto("/me")
    laptop.locator("[data-do=new-link]").press("Enter")
    laptop.locator("[data-qr]").wait_for()
    looked_at(laptop, "who I am")
    link = laptop.locator("[data-device-link]").input_value()
    laptop.goto(address)

    phone = person("phone", path=link)
    phone.locator("[data-do=link-device-yes]").wait_for()
    assert "#" not in phone.url  # the used code has disappeared
    told_by(phone, "who.link_device_as", name="Annabel")
    looked_at(phone, "a link for a second device")
    phone.locator("[data-do=link-device-yes]").press("Enter")
    told_by(phone, "who.welcome", name="Annabel")
    phone.locator(f"a[href='{address[address.index('/t/') :]}']").first.click()
    for page in (phone, laptop):
        page.locator(MOVES).first.wait_for()
    before = laptop.locator("main").text_content() or ""
    press_once(phone, random.Random(3))
    expect(laptop.locator("main")).not_to_have_text(before)  # shows what the phone has done

    late = person("phone", path=link)
    told_by(late, "who.link_device_over")
    check(late, "a link that was used")

    phone.goto("/me")
    expect(phone.locator("[data-device]")).to_have_count(2)
    phone.locator("[data-do=sign-out-others]").click()
    phone.locator("[data-do=sign-out-yes]").click()
    expect(phone.locator("[data-device]")).to_have_count(1)
    told_by(laptop, "table.refused.signed_out")
    expect(laptop.locator(MOVES)).to_have_count(0)  # watches, as anybody may
    phone.locator("[data-do=sign-out-here]").click()
    told_by(phone, "who.sure_last")
    phone.locator("[data-do=sign-out-no]").click()
    with phone.expect_download() as file:
        phone.locator("[data-do=all]").click()
    with zipfile.ZipFile(file.value.path()) as found:
        assert "Annabel" in found.read("souk.json").decode()


def test_a_passkey_brings_everything_back(person: Open, table_server: Server) -> None:
    """Uses Chromium's virtual authenticator."""
    home = f"http://localhost:{table_server.address.rpartition(':')[2]}"
    page = person("phone", path=f"{home}/")
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
    }
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    line.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    choose_a_face(page)
    page.locator("[data-do=passkey-add]").press("Enter")
    told_by(page, "who.passkey_added")
    expect(page.locator("[data-passkey]")).to_have_count(1)
    check_in_every_language(page, "who I am, with a passkey")
    page.context.clear_cookies()
    page.evaluate("localStorage.removeItem('souk')")
    page.goto(f"{home}/me")
    page.locator("[data-me]").wait_for()
    expect(page.locator("[data-passkey]")).to_have_count(0)
    page.locator("[data-do=passkey-enter]").press("Enter")
    told_by(page, "who.welcome", name="Annabel")
    expect(page.locator("[data-passkey]")).to_have_count(1)
    expect(page.locator("[data-me] input[autocomplete=nickname]")).to_have_value("Annabel")
    expect(page.locator("header [data-figure=camel]")).to_be_visible()
    assert re.search(r"Chrome", page.locator("[data-device]").first.text_content() or "")
