"""Chat across languages, turn sound and badge, notifications and offline page of the service
worker, installation.
"""

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, Open
from tests.browser.pages.test_pages import check
from tests.browser.support.player import MOVES, STEPS, press_once
from tests.browser.support.relay import Relay
from tests.server.support.clients import Server

MAKE = """async (wish) => (await (await fetch('/api/tables', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(wish),
})).json())"""
SIT = """async ([table, wish]) => (await fetch(`/api/tables/${table}/sit`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(wish),
})).status"""
WHOLE_CHROMIUM = True  # notifications
BUBBLE = "[data-bubble='1']"

# Count calls of device APIs, and let a test set whether the page is hidden.
LISTENING = """
    window.asked = { contexts: 0, sounds: 0, trembling: [] };
    const Real = window.AudioContext;
    window.AudioContext = class extends Real { constructor() { super(); asked.contexts += 1; } };
    const start = AudioScheduledSourceNode.prototype.start;
    AudioScheduledSourceNode.prototype.start = function (...when) { asked.sounds += 1;
        return start.apply(this, when); };
    Navigator.prototype.vibrate = (pattern) => { asked.trembling.push(pattern); return true; };
    Object.defineProperty(document, 'hidden', { get: () => !!window.away });
    window.leave = (away) => { window.away = away;
        document.dispatchEvent(new Event('visibilitychange')); };
"""


def sit_together(host: Page, guest: Page, **more: Any) -> str:
    """A table of Suleika with both seated; the host begins."""
    seats = [{"who": "me", "name": "Anna"}, {"who": "link"}]
    made = host.evaluate(MAKE, {"game": "suleika", "seats": seats, "options": {"first": 0}} | more)
    assert (
        guest.evaluate(SIT, [made["table"], {"secret": made["invitations"]["1"], "name": "Bernd"}])
        == 200
    )
    for page in (host, guest):
        page.goto(f"/t/{made['table']}")
        page.locator("[data-log]").first.wait_for(state="attached")
    table: str = made["table"]
    return table


def speak(page: Page, phrase: str) -> None:
    page.locator("[data-do=talk]:visible").click()
    page.locator(f"[data-phrase='{phrase}']").click()


def test_what_is_said_in_german_is_read_in_english_until_somebody_is_muted(person: Open) -> None:
    host, guest = person(), person("phone", "de")
    sit_together(host, guest, free_talk=True)
    guest.locator("[data-do=talk]:visible").click()
    expect(guest.locator("[data-phrase]")).to_have_count(12)
    check(guest, "the drawer on a phone, in German")
    guest.get_by_role("button", name="Das war teuer!").click()
    expect(host.locator(BUBBLE)).to_have_text("That was expensive!")
    expect(host.locator("[data-spoken]")).to_have_text("Bernd: That was expensive!")
    expect(guest.locator("[data-spoken]")).to_have_text("Du: Das war teuer!")
    expect(host.get_by_role("button", name="Chat: new message")).to_be_visible()
    expect(
        guest.get_by_role("button", name="Chat", exact=True)
    ).to_be_visible()  # own messages are not announced

    guest.locator("[data-do=talk]:visible").click()
    guest.locator("[data-do=write]").fill("<b>Ja?</b>")
    guest.locator("[data-do=say]").click()
    host.locator("[data-do=talk]:visible").click()
    expect(host.get_by_role("button", name="Chat: new message")).to_have_count(0)
    expect(host.locator("[data-said] li").last).to_contain_text("<b>Ja?</b>")
    check(host, "the drawer")
    host.locator("[data-do=report_chat]").last.click()
    expect(host.get_by_text("Reported to the host.")).to_be_visible()
    host.locator("[data-mute='1']").click()
    expect(host.locator("[data-said] li")).to_have_count(1)  # no message is shown
    host.keyboard.press("Escape")
    guest.keyboard.press("Escape")
    speak(guest, "talk.face.laugh")
    speak(host, "suleika.phrases.visit")
    expect(guest.locator("[data-bubble='0']")).to_have_text("Danke für den Besuch!")
    expect(host.locator("[data-spoken]")).to_have_text("You: Thank you for your visit!")
    assert not host.get_by_text("laughs").count()
    host.reload()
    host.locator("[data-do=talk]:visible").click()
    expect(host.locator("[data-said] li")).to_have_count(1)
    host.locator("[data-mute='1']").click()
    expect(host.locator("[data-said] li")).to_have_count(4)


def test_words_of_somebody_who_got_up_are_not_those_of_who_sits_there_now(person: Open) -> None:
    host, gone, guest = person(), person(), person()
    seats = [{"who": "me", "name": "Anna"}, {"who": "open"}, {"who": "open"}]
    table = host.evaluate(MAKE, {"game": "suleika", "seats": seats, "free_talk": True})["table"]
    assert gone.evaluate(SIT, [table, {"secret": "", "name": "Mallory"}]) == 200
    gone.goto(f"/t/{table}")
    gone.locator("[data-do=talk]:visible").click()
    gone.locator("[data-do=write]").fill("Goats!")
    gone.locator("[data-do=say]").click()
    expect(gone.locator("[data-said] li")).to_have_text("You: Goats!")
    gone.keyboard.press("Escape")
    gone.locator("[data-do=leave_table]:visible").click()
    expect(gone.get_by_text("You have left. Your seat is free again.")).to_be_visible()
    assert guest.evaluate(SIT, [table, {"secret": "", "name": "Kim"}]) == 200
    for page in (host, guest):
        page.goto(f"/t/{table}")
        page.locator("[data-do=talk]:visible").click()
        expect(page.locator("[data-said] .line")).to_have_text("Mallory: Goats!")
        expect(page.locator("[data-do=report_chat]")).to_be_visible()


def test_my_turn_is_rung_in_and_nothing_is_heard_before_a_press_nor_where_sound_is_off(
    person: Open,
) -> None:
    rng = random.Random(1)
    host, guest = person(sound="quiet"), person("phone")
    for page in (host, guest):
        page.context.add_init_script(LISTENING)
    guest.goto("/")
    with host.expect_response("**/Attention-*.js"), guest.expect_response("**/Attention-*.js"):
        sit_together(host, guest)
    assert host.evaluate("asked.contexts + asked.sounds") == 0
    guest.locator("[data-seat='0'] button").first.tap()
    guest.evaluate("leave(true)")
    while not guest.title().startswith("●"):
        if host.locator(f"{MOVES}, {STEPS}").count():
            press_once(host, rng)
        host.wait_for_timeout(30)
    expect(guest).to_have_title("● Your turn · Suleika · Souk")
    expect(guest.locator("link[rel=icon]")).to_have_attribute("href", "/souk-turn.svg")
    guest.wait_for_function("asked.trembling.length === 1")
    assert guest.evaluate("asked.contexts + asked.sounds") == 0
    assert host.evaluate("asked.contexts") == 1
    assert host.evaluate("asked.sounds") > 0
    assert host.title() == "Suleika · Souk"
    guest.evaluate("leave(false)")
    expect(guest.locator("link[rel=icon]")).to_have_attribute("href", "/souk.svg")


@pytest.fixture
def worker_page(chromium: Browser, table_server: Server) -> Any:
    """A page with its service worker behind a relay; console errors of a cut connection are
    allowed.
    """
    with Relay(table_server.address) as relay:
        context = chromium.new_context(
            viewport=DESKTOP, base_url=f"http://{relay.address}", locale="de"
        )  # type: ignore[arg-type]
        context.grant_permissions(["notifications"])
        page = context.new_page()
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        yield page, relay
        context.close()


def test_the_service_worker_shows_calls_and_an_offline_page(
    worker_page: tuple[Page, Relay],
) -> None:
    page, relay = worker_page
    table = "Abc_def-12345678"
    registrations: list[dict[str, Any]] = []
    line = page.context.new_cdp_session(page)
    line.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registrations.extend(told["registrations"]),
    )
    line.send("ServiceWorker.enable")
    while not registrations:
        page.wait_for_timeout(20)
    call = {"title": "Suleika", "body": "Du bist dran.", "table": table}
    origin, name = f"http://{relay.address}", registrations[0]["registrationId"]
    line.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": name, "data": json.dumps(call)},
    )
    shown = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
        .map(({ title, body, tag, data }) => [title, body, tag, data.table])"""
    for _ in range(300):  # `wait_for_function` takes a promise for its result
        if page.evaluate(shown):
            break
        page.wait_for_timeout(30)
    assert page.evaluate(shown) == [["Suleika", "Du bist dran.", table, table]]
    [worker] = page.context.service_workers
    pressed = """async () => {
        const asked = new Promise((done) => { clients.openWindow = async (address) => done(address);
            });
        const [notification] = await registration.getNotifications();
        self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
        return await asked;
    }"""
    assert worker.evaluate(pressed) == f"/t/{table}"

    relay.cut()
    page.goto("/new")
    expect(page.locator("h1:visible")).to_have_text("Der Markt ist nicht erreichbar")
    assert page.evaluate("document.documentElement.lang") == "de"
    relay.mend()
    page.get_by_role("button", name="Noch einmal versuchen").click()
    expect(page.locator("[data-do=make-table]")).to_be_visible()
    kept = page.evaluate(
        "caches.open('offline').then((each) => each.keys())"
        ".then((all) => all.map(({ url }) => new URL(url).pathname))"
    )
    assert sorted(kept) == ["/offline", "/offline.css", "/offline.js", "/souk.svg"]


def test_the_page_can_be_installed(person: Open) -> None:
    page = person()
    found = page.evaluate(
        "fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())"
    )
    assert (found["start_url"], found["scope"], found["display"]) == ("/", "/", "standalone")
    for icon in found["icons"]:
        answer = page.request.get(icon["src"])
        assert (answer.status, answer.headers["content-type"]) == (200, icon["type"])
    faults = page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")[
        "installabilityErrors"
    ]
    assert [each["errorId"] for each in faults] in ([], ["in-incognito"])
