"""Plays by clicking whatever the page offers, without knowing any rules."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from urllib.parse import urlsplit

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page, expect

from tests.server.support.clients import Person

MOVES = "[data-move]:not([disabled]):not([aria-disabled=true])"
# A curtain; a rug without a place; a gem to exchange.
STEPS = (
    "[data-do=unveil], [data-do=next-place], "
    "[data-do^=pick-]:not([disabled]):not([aria-disabled=true])"
)
OVER = "[data-do=rematch]"
MOST = 900  # clicks per game
PATIENCE = 60  # seconds

# One of the offers, at fraction `part` of their list; null when the game is over.
PICKING = """async ([moves, steps, over, part, seconds]) => {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end;
        await new Promise((done) => setTimeout(done, 5))) {
        if (document.querySelector(over)) return null;
        const offers = [moves, steps]
            .map((wanted) => [...document.querySelectorAll(wanted)]).find((found) => found.length);
        if (offers) return offers[Math.floor(part * offers.length)];
    }
    throw new Error("nothing is offered");
}"""

# Click offers from within the page until the game is over.
HURRYING = """async ([moves, steps, over, seed, seconds]) => {
    const below = (n) => Math.floor((seed = (Math.imul(seed,
        1664525) + 1013904223) >>> 0) / 2 ** 32 * n);
    for (const end = Date.now() + 1000 * seconds; Date.now() < end;
        await new Promise((done) => setTimeout(done, 5))) {
        if (document.querySelector(over)) return true;
        const offers = [moves, steps]
            .map((wanted) => [...document.querySelectorAll(wanted)])
            .find((found) => found.length) ?? [];
        offers[below(offers.length)]?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    }
    return false;
}"""


def choose(control: Locator, checked: bool = True) -> None:
    """Toggle a checkbox or radio button by its label, as people do.

    Playwright waits until it has stopped moving; a forced click might miss.
    """
    control.locator("xpath=ancestor::label[1]").click()
    expect(control).to_be_checked(checked=checked)


def new_table(
    page: Page, game: str, seats: list[str], level: str = "apprentice", **numbers: int
) -> str:
    """Make a table through the page; returns its address.

    Seats (me first, then "here", "link" or "bot") in order, numeric options, and I begin.
    """
    assert seats[0] == "me"
    page.goto(f"/new?game={game}")
    page.locator("main form").wait_for()
    choose(page.get_by_role("radio", name=str(len(seats)), exact=True))
    for number, who in enumerate(seats[1:]):
        page.locator("[data-do=who]").nth(number).select_option(who)
    for field in page.locator("[data-do=bot-level]").all():
        field.select_option(level)
    page.locator("[data-option=shuffle]").press("Space")
    for begins in page.locator("[data-option=first]").all():
        begins.select_option(index=1)
    for option, number in numbers.items():
        page.locator(f"[data-option={option}]").fill(str(number))
    page.locator("[data-do=make-table]").click()
    page.wait_for_url("**/t/*")
    return page.url


def offered(page: Page) -> Locator | None:
    """Something to click once there is; None when the game is over."""
    page.locator(f"{OVER}, {MOVES}, {STEPS}").first.wait_for()
    return None if page.locator(OVER).count() else page.locator(f"{MOVES}, {STEPS}")


def press_once(page: Page, rng: random.Random) -> bool:
    """Click one of the offers; False when the game is over."""
    chosen = page.evaluate_handle(
        PICKING, [MOVES, STEPS, OVER, rng.random(), PATIENCE]
    ).as_element()
    if chosen is None:
        return False
    with suppress(PlaywrightError):  # it disappeared meanwhile: the turn has passed
        chosen.click(timeout=2000)
    return True


def play_to_the_end(page: Page, rng: random.Random) -> int:
    """Click until the result page is there; returns the number of clicks."""
    for presses in range(MOST):
        if not press_once(page, rng):
            return presses
    raise AssertionError(f"the game is not over after {MOST} presses")


def hurry_to_the_end(page: Page, seed: int) -> None:
    """Play to the result page by script, in a tenth of the time."""
    assert page.evaluate(HURRYING, [MOVES, STEPS, OVER, seed, PATIENCE])


def come_to_the_end(page: Page, seed: int) -> None:
    """Reach the result page the fastest way."""
    _play_unseen(page, random.Random(seed))
    page.locator(OVER).wait_for()


def come_some_way(page: Page, rng: random.Random, moves: int) -> None:
    """Make this many moves the fastest way."""
    _play_unseen(page, rng, moves)
    page.locator(f"{MOVES}, {STEPS}").first.wait_for()


def _play_unseen(page: Page, rng: random.Random, moves: int | None = None) -> None:
    """Play on through the API with the page's cookie, then reload the page."""
    address = urlsplit(page.url)
    cookie = next(each["value"] for each in page.context.cookies() if each["name"] == "souk")

    async def play() -> None:
        async with (
            Person(address.netloc, cookie) as person,
            person.page(address.path.split("/")[2]) as socket,
        ):
            await socket.until_begun()
            await socket.play(socket.now["mine"][0], rng, moves=moves)

    # The game has begun, with this browser's share in the dice. (The first offer may be covered.)
    page.locator(f"{OVER}, {MOVES}, {STEPS}").first.wait_for(state="attached")
    page.goto("/offline")
    with ThreadPoolExecutor(1) as beside:  # Playwright occupies this thread's event loop
        beside.submit(asyncio.run, play()).result()
    page.goto(address.geturl())


def begin_to_hurry(page: Page, seed: int) -> None:
    """Like `hurry_to_the_end`, without waiting: others play too."""
    page.evaluate(f"(how) => void ({HURRYING})(how)", [MOVES, STEPS, OVER, seed, PATIENCE])
