"""Fair dice in the browser: it adds its share, waits for others, and verifies everything at the
end.
"""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from souk.core.messages import languages
from souk.core.record import Record
from souk.server.dice.fair_dice import digest_of, verify
from tests.browser.conftest import Open
from tests.browser.pages.test_pages import check, speak
from tests.browser.support.player import (
    MOVES,
    OVER,
    STEPS,
    begin_to_hurry,
    come_to_the_end,
    hurry_to_the_end,
    new_table,
)
from tests.browser.table.test_friends import invite

VERDICT = "[data-fair]"
WAITING = "[data-waiting]"


def record_of(page: Page) -> Record:
    return Record.parse(page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}/record").text())


def kept(page: Page, name: str) -> Any:
    return json.loads(page.evaluate("name => localStorage.getItem(name)", name))


def test_alone_against_bots_the_browsers_share_counts_and_every_roll_is_checked(
    person: Open,
) -> None:
    page = person()
    page.locator("[data-do=play-now][data-game=suleika]").click()
    page.locator(f"{MOVES}, {STEPS}").first.wait_for()
    promised = kept(page, "souk-promises")[page.url.rsplit("/", 1)[1]]
    come_to_the_end(page, 3)
    expect(page.locator(VERDICT)).to_have_attribute("data-fair", "fair")
    record = record_of(page)
    drawn = [text for seat, text in record.events if seat is None]
    expect(page.locator(VERDICT)).to_have_attribute("data-checked", str(len(drawn)))
    share = kept(page, "souk-shares")[promised["mine"]]
    assert digest_of(bytes.fromhex(share)) == promised["mine"]
    verdict = verify(record, promised["digest"], share)
    assert verdict.fair
    assert len(verdict.lines) == 1  # everything could be verified
    for language in languages():
        speak(page, language)
        if not page.locator("[data-part=more][open]").count():
            page.locator("[data-do=more]").click()
        check(page, f"fair dice, {language}")
        page.locator(f"{VERDICT} summary").click()
        check(page, f"fair dice in detail, {language}")
    page.reload()
    expect(page.locator(VERDICT)).to_have_attribute("data-fair", "fair")


class Tampering:
    """Proxies a page's messages and changes the result on the way."""

    change: Any = None

    def __init__(self, page: Page) -> None:
        page.route_web_socket("**/socket", self._between)

    def _between(self, line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if message["is"] == "result":
                self.change(message)
            line.send(json.dumps(message))

        server.on_message(pass_on)


def another_roll(result: dict[str, Any]) -> None:
    draw = result["draws"][-1]
    draw["low"], draw["high"] = (0, draw["low"]) if draw["low"] else (draw["high"], draw["of"])


def another_server(result: dict[str, Any]) -> None:
    result["dice"]["share"] = "5e" * 32


def without_me(result: dict[str, Any]) -> None:
    result["dice"]["shares"] = []


def test_a_result_that_was_tampered_with_is_said_loudly(person: Open) -> None:
    """For every manipulation; the result is sent again on reload."""
    page = person()
    tampering = Tampering(page)
    tampering.change = another_roll
    new_table(page, "suleika", ["me", "bot"])
    come_to_the_end(page, 4)
    for then in (another_server, without_me, lambda _result: None):
        expect(page.locator(VERDICT)).to_have_attribute("data-fair", "wrong")
        expect(page.get_by_role("alert")).to_contain_text("wrong")
        expect(page.locator(f"{VERDICT} .faults")).to_be_visible()
        check(page, "dice that are wrong")
        tampering.change = then
        page.reload()
    expect(page.locator(VERDICT)).to_have_attribute("data-fair", "fair")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_waiting_for_a_guest(person: Open, size: str) -> None:
    """No game is shown until the guest is there; then it begins by itself, with both shares."""
    host = person(size)
    new_table(host, "bazaar", ["me", "link"])
    host.locator(WAITING).wait_for()
    assert not host.locator("[data-board], [data-move]").count()
    for language in languages():
        speak(host, language)
        check(host, f"waiting, {language}")
    host.locator("[data-do=settings]").click()
    host.locator("[data-do=fair]").click()
    check(host, "fair dice before the game")
    host.keyboard.press("Escape")
    assert record_of(host).events == []
    guest = person("phone", path=invite(host))
    guest.get_by_role("textbox").fill("Faruk")
    guest.locator("[data-do=sit]").click()
    for page in (host, guest):
        page.locator("[data-board]").wait_for()
    shares = record_of(host).shares
    assert shares
    assert [(person.seat, person.share) for person in shares.persons] == [(0, ""), (1, "")]


def test_a_bot_for_the_free_seat_begins_the_game(person: Open) -> None:
    page = person("phone")
    new_table(page, "suleika", ["me", "link"])
    page.locator(WAITING).get_by_role("button", name="Let a bot play").click()
    page.locator(f"{MOVES}, {STEPS}").first.wait_for()


def test_both_come_to_the_rematch(person: Open) -> None:
    host = person()
    new_table(host, "suleika", ["me", "link"])
    guest = person("phone", path=invite(host))
    guest.get_by_role("textbox").fill("Faruk")
    guest.locator("[data-do=sit]").click()
    begin_to_hurry(guest, 5)
    hurry_to_the_end(host, 5)
    for page in (host, guest):
        expect(page.locator(VERDICT)).to_have_attribute("data-fair", "fair")
    guest.locator(OVER).click()
    expect(guest.locator(WAITING)).to_contain_text("Waiting for")
    check(guest, "waiting for the other")
    host.locator(OVER).click()
    for page in (host, guest):
        page.locator("[data-board]").wait_for()
    shares = record_of(host).shares
    assert shares
    assert [person.seat for person in shares.persons] == [1, 0]  # the first to ask
