"""Goes through a lesson by doing what it says."""

import re
from collections.abc import Callable, Iterator

from playwright.sync_api import Locator, Page, expect

Press = Callable[[Locator], None]


def click(thing: Locator) -> None:
    thing.click()


def tap(thing: Locator) -> None:
    thing.tap()


def begin(page: Page, game: str, press: Press = click) -> None:
    """Click *Learn* in the lobby."""
    press(page.locator(f"[data-do=learn][data-game={game}]"))
    expect(page.locator("[data-lesson='1']")).to_be_visible()


def steps(page: Page) -> Iterator[tuple[str, str]]:
    """Each step until the lesson is over: its number, and the move it waits for ("" if it is only
    read).
    """
    last = ""
    while last != "end":
        bubble = page.locator(f"[data-lesson]:not([data-lesson='{last}'])")
        bubble.wait_for()
        last = bubble.get_attribute("data-lesson") or ""
        yield last, bubble.get_attribute("data-right") or ""


def do(page: Page, move: str, press: Press = click) -> None:
    """Do what a step asks for. Rug squares are searched one by one; moves needing confirmation are
    pressed twice.
    """
    if not move:
        press(page.locator("[data-do=go-on]"))
        return
    control = page.locator(f'main .stage [data-move="{move}"]')
    step = page.locator("[data-lesson]").get_attribute("data-lesson")
    while move.startswith("rug") and not control.count():
        press(page.locator("[data-do=next-place]"))
    press(control.last)
    if press is tap and re.match("trade|left|right|straight", move):
        still = page.locator(f"[data-lesson='{step}']:not(:has([role=alert]))")
        if still.count() and control.count():
            press(control.last)


PLACED = """(mustBeFree) => {
    const bubble = document.querySelector(".lesson").getBoundingClientRect();
    const ring = document.querySelector("[data-about-this]")?.getBoundingClientRect();
    if (!ring || !ring.width) return false;
    const inside = bubble.left >= 0 && bubble.top >= 0 && bubble.right <= innerWidth
        && bubble.bottom <= innerHeight;
    const margin = 6;  // of the ring around what it is about
    const over = Math.min(bubble.right, ring.right - margin) > Math.max(bubble.left,
        ring.left + margin)
        && Math.min(bubble.bottom, ring.bottom - margin) > Math.max(bubble.top, ring.top + margin);
    return inside && !(mustBeFree && over);
}"""


def check_place(page: Page, move: str) -> None:
    """The text is entirely on screen, points at something, and leaves the buttons uncovered."""
    page.wait_for_function(PLACED, arg=bool(move))
