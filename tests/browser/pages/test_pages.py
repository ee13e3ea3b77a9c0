"""Every page in every language at both sizes: no missing or overflowing text, no accessibility
faults.
"""

import random
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, Response, WebSocketRoute, expect

from souk.core.messages import Message, languages
from souk.games import names
from tests.browser.conftest import SIZES, Open
from tests.browser.support.layout import (
    overflowing_anywhere,
    resize,
    seen,
    speak_in_another_tab,
    told,
)
from tests.browser.support.player import (
    MOVES,
    STEPS,
    choose,
    come_to_the_end,
    new_table,
    press_once,
)
from tests.server.support.clients import Server

AXE = Axe()
GRAVE = ("serious", "critical")
HOW = {"resultTypes": ["violations"], "preload": False}

# A missing key is shown as it is, e.g. "lobby.play_now".
MISSING = """() => [...document.querySelectorAll('body *')]
    .flatMap((each) => [...each.childNodes]
        .filter((node) => node.nodeType === 3).map((node) => node.textContent.trim())
        .concat(['aria-label', 'title', 'placeholder', 'alt']
            .map((name) => each.getAttribute(name) ?? '')))
    .filter((text) => /^[a-z][a-z-]*(\\.[a-z0-9_-]+)+$/.test(text)
        || /[{}]|undefined|\\bNaN\\b|\\[object/.test(text))"""

# Text that is wider than the page, or cut off by its own box.
TOO_WIDE = """() => {
    const found = [];
    const page = document.documentElement.clientWidth;
    // All is transparent here (`UNSEEN`); what counts is what else is.
    const faded = (each) => each !== document.documentElement
        && (getComputedStyle(each).opacity === '0' || faded(each.parentElement));
    const { scrollWidth } = document.scrollingElement;
    if (scrollWidth > page + 1) found.push(`the page is ${scrollWidth} wide`);
    for (const each of document.querySelectorAll('body *')) {
        const text = [...each.childNodes].some((node) => node.nodeType === 3
            && node.textContent.trim());
        if (!text || !(each instanceof HTMLElement)
            || !each.checkVisibility({visibilityProperty: true}) || faded(each)) continue;
        const box = each.getBoundingClientRect();
        const style = getComputedStyle(each);
        if (box.width <= 1 || style.clipPath !== 'none') continue;  // for screen readers only
        const cut = style.overflowX !== 'visible' && style.textOverflow !== 'ellipsis'
            && each.scrollWidth > each.clientWidth + 1;
        const start = each.textContent.trim().slice(0, 60);
        if (box.right > page + 1 || box.left < -1 || cut)
            found.push(`${each.tagName} ${each.className}: ${start}`);
    }
    return found;
}"""

ONE_EACH = {"suleika": 4, "basari": 4, "basari-cards": 5, "bazaar": 4}


def check(page: Page, what: str) -> None:
    """No missing or overflowing text, no serious axe violations (checked in one language: they are
    the same in all).
    """
    assert page.evaluate(MISSING) == [], what
    assert page.evaluate(TOO_WIDE) == [], what
    if page.evaluate("document.documentElement.lang") == "en":
        grave = [each for each in violations(page) if each["impact"] in GRAVE]
        assert not grave, f"{what}:\n" + "\n".join(map(_told, grave))


def violations(page: Page) -> list[dict[str, Any]]:
    """Violations found by axe. It is injected once per page, since that takes as long as running
    it.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)
    with seen(page):
        found: list[dict[str, Any]] = page.evaluate(
            "async (how) => (await axe.run(document, how)).violations", HOW
        )
    return found


def _told(violation: dict[str, Any]) -> str:
    places = [node["html"][:200] for node in violation["nodes"][:4]]
    return "\n  ".join([f"{violation['id']}: {violation['help']}", *places])


def start(page: Page, game: str, moves: int) -> None:
    """A table with the most players, some moves into the game."""
    rng = random.Random(game)
    new_table(page, game, ["me"] + ["bot"] * (ONE_EACH[game] - 1))
    for _ in range(moves):
        press_once(page, rng)
    page.locator(f"{MOVES}, {STEPS}").first.wait_for()


def check_in_every_language(page: Page, what: str) -> None:
    """Like `check`, with the page's own language last."""
    own = page.evaluate("document.documentElement.lang")
    for language in [*(each for each in languages() if each != own), own]:
        speak_in_another_tab(page, language)
        check(page, f"{what}, {language}")


# The smallest screen in every language, and the largest in one.
@pytest.mark.parametrize(
    ("size", "checked"),
    [("phone", check_in_every_language), ("desktop", check)],
    ids=["phone", "desktop"],
)
def test_lobby_and_new_table(person: Open, size: str, checked: Callable[[Page, str], None]) -> None:
    page = person(size)
    page.locator("[data-do=play-now]").first.wait_for()
    checked(page, "lobby")
    page.locator("[data-do=settings]").click()
    checked(page, "settings")
    for game in names():
        page.goto(f"/new?game={game}")
        page.locator("[data-do=make-table]").wait_for()
        checked(page, f"new table, {game}")
    page.goto("/t/nowhere")
    page.locator("main").wait_for()
    checked(page, "no such table")


@pytest.mark.parametrize("language", languages())
def test_a_browser_is_spoken_to_in_its_language(person: Open, language: str) -> None:
    page = person(language=language)
    page.locator("[data-do=play-now]").first.wait_for()
    assert page.evaluate("document.documentElement.lang") == language


@pytest.mark.parametrize("game", names())
def test_table_and_rules(person: Open, game: str) -> None:
    page = person("phone", theme="light")
    start(page, game, 6)
    look_round(page, game, check_in_every_language)
    page.emulate_media(color_scheme="dark")
    resize(page, SIZES["desktop"])
    look_round(page, game, check)


def look_round(page: Page, game: str, checked: Callable[[Page, str], None]) -> None:
    """A table, its rules and its dice."""
    checked(page, f"{game}, table")
    page.locator("[data-do=rules]").click()
    page.locator("dialog[open]").wait_for()
    checked(page, f"{game}, rules")
    page.keyboard.press("Escape")
    page.locator("[data-do=settings]").click()
    page.locator("[data-do=fair]").click()
    checked(page, f"{game}, fair dice")
    page.keyboard.press("Escape")


def speak(page: Page, language: str) -> None:
    """Choose another language in the settings."""
    page.locator("[data-do=settings]").click()
    choose(page.locator(f"input[type=radio][value={language}]"))
    page.keyboard.press("Escape")
    page.wait_for_function("language => document.documentElement.lang === language", arg=language)


def test_the_result_in_every_language(person: Open) -> None:
    page = person("phone")
    new_table(page, "suleika", ["me", "bot"])
    come_to_the_end(page, 3)
    for language in languages():
        speak(page, language)
        check(page, f"result, {language}")
    faults = list(overflowing_anywhere(page, "result"))
    assert not faults, told(faults)


def test_invitation_curtain_and_seat(person: Open) -> None:
    page = person("phone")
    new_table(page, "basari", ["me", "here", "link"])
    page.locator("[data-invitation]").first.wait_for()
    check_in_every_language(page, "invitation")
    guest = person("phone", path=page.locator("[data-invitation]").first.input_value())
    guest.locator("[data-do=sit]").wait_for()
    check_in_every_language(guest, "sitting down")
    guest.locator("[data-do=sit]").click()
    everybody: list[Callable[[], bool]] = [
        lambda p=each: press_once(p, random.Random(1)) for each in (page, guest)
    ]  # type: ignore[misc]
    while not page.locator("[data-do=unveil]").count():
        for press in everybody:
            if page.locator("[data-do=unveil]").count():
                break
            if (page if press is everybody[0] else guest).locator(MOVES).count():
                press()
        page.wait_for_timeout(30)
    check_in_every_language(page, "curtain")


def test_the_first_load_is_light_and_asks_nobody_else(person: Open, table_server: Server) -> None:
    """From an empty browser to the first move: at most 150 kB, all from this server."""
    page = person("phone", "de")
    responses: list[Response] = []
    page.on(
        "response", lambda each: responses.append(each)
    )  # not the method itself: Playwright marks what it calls
    page.context.clear_cookies()
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send(
        "Network.setCacheDisabled", {"cacheDisabled": True}
    )  # the page has been loaded before
    page.reload()
    page.locator("[data-do=play-now]").first.click()
    page.locator(MOVES).first.wait_for()
    assert {urlsplit(each.url).netloc for each in responses} == {table_server.address}
    sizes = {
        each.url: each.request.sizes()["responseBodySize"] for each in responses
    }  # each once, as with a cache
    assert 100_000 < sum(sizes.values()) < 150_000


def with_a_bot(page: Page, also: str) -> Locator:
    """Sit down with a bot whose seat message contains these fields; returns what the page shows at
    its seat.
    """

    def add(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        level = '"level":"apprentice"'
        server.on_message(lambda text: route.send(str(text).replace(level, f"{level},{also}")))

    page.route_web_socket(re.compile("/socket"), add)
    new_table(page, "suleika", ["me", "bot"])
    return page.locator("[data-seat='1'] .about")


@pytest.mark.parametrize("size", SIZES)
def test_a_bot_that_thinks_for_a_shorter_time_is_said_to(person: Open, size: str) -> None:
    """A hint next to its level; the full sentence on request."""
    page = person(size=size)
    about = with_a_bot(page, '"hurried":true')
    about.wait_for()
    for language in languages():
        speak_in_another_tab(page, language)
        level = Message("level.apprentice.name").text(language=language)
        expect(about).to_have_attribute(
            "title", Message("seat.hurried_about").text(language=language)
        )
        expect(about).to_have_text(Message("seat.hurried", level=level).text(language=language))
        check(page, "a bot in a hurry")


def test_a_bot_that_wakes_says_when(person: Open) -> None:
    """The seconds are counted down, then it is "any moment"."""
    page = person(size="phone")
    about = with_a_bot(page, '"waking":3')
    for language, word in (
        (language, word) for word in ("waking", "waking_soon") for language in languages()
    ):
        speak_in_another_tab(page, language)
        level = Message("level.apprentice.name").text(language=language)
        said = [
            Message(f"seat.{word}", level=level, n=n).text(language=language) for n in (3, 2, 1)
        ]
        expect(about).to_contain_text(re.compile("|".join(map(re.escape, said))))
    for language in languages():
        speak_in_another_tab(page, language)
        short = Message("seat.waking_soon_short").text(language=language)
        expect(about.locator(".short")).to_have_text(short)
        check(page, "a bot that wakes")
