"""What can be reached and read without scrolling, measured in Chromium."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import NamedTuple

from playwright.sync_api import Page, ViewportSize

from souk.core.messages import languages
from tests.browser.support.player import MOVES, STEPS

PHONES: list[ViewportSize] = [
    {"width": 390, "height": 664},
    {"width": 360, "height": 640},
    {"width": 844, "height": 390},
]
LARGER: list[ViewportSize] = [
    {"width": 820, "height": 1180},
    {"width": 1920, "height": 1080},
    {"width": 2560, "height": 1440},
]
LETTERS = 11.9  # px, minimum font size: 12, minus rounding
FINGER = 43.5  # px, minimum size of a touch target: 44, minus rounding

# Elements that are off screen, covered, or too small for a finger.
HIDDEN = """(asked) => asked.map(([wanted, finger, within]) =>
    [...document.querySelectorAll(wanted)].map((each) => {
    const { left, top, right, bottom, width, height } = each.getBoundingClientRect();
    const name = each.outerHTML.slice(0, 120);
    if (!width || !height) return `not drawn: ${name}`;
    if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
        return `outside, at ${[left, top, right, bottom].map(Math.round)}: ${name}`;
    if (finger && Math.min(width, height) < finger) return `only ${width} x ${height}: ${name}`;
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const shown = above && (each.contains(above) || above.contains(each) || within
        && above.closest(within));
    return shown ? '' : `under ${above && above.outerHTML.slice(0, 80)}: ${name}`;
}))"""

# Words leaving their box (anything with a border or clipping), and words too small to read.
OVERFLOWING = """([meant, smallest]) => {
    const boxed = (style) => style.overflowX !== 'visible' || style.borderLeftWidth !== '0px'
        && style.borderLeftStyle !== 'none';
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = words.nextNode(); node; node = words.nextNode()) {
        const own = node.parentElement;
        if (!node.textContent.trim()
            || own.closest(`svg, script, style, option, .visually-hidden,
                [aria-hidden=true] .short, ${meant}`)) continue;
        if (!own.checkVisibility({ visibilityProperty: true })
            || getComputedStyle(own).clipPath !== 'none') continue;
        const { fontSize } = getComputedStyle(own);
        if (parseFloat(fontSize) < smallest)
            found.push(`"${node.textContent.trim()}" is ${fontSize} high`);
        let box = own;
        while (box !== document.body && !boxed(getComputedStyle(box))) box = box.parentElement;
        const range = document.createRange();
        range.selectNodeContents(node);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        const edge = box.getBoundingClientRect();
        const style = getComputedStyle(box);
        const scrolls = ['auto', 'scroll'].includes(style.overflowY);
        const cut = left < edge.left - 1 || right > edge.right + 1
            || !scrolls && (top < edge.top - 2 || bottom > edge.bottom + 2);
        const text = [left, right, top, bottom].map(Math.round);
        const around = [edge.left, edge.right, edge.top, edge.bottom].map(Math.round);
        const tag = `<${box.tagName.toLowerCase()} class="${box.getAttribute('class')}">`;
        if (cut) found.push(`"${node.textContent.trim()}" ${text} in ${tag} ${around}`);
    }
    return found;
}"""

# Texts that may be cut: names, which are arbitrarily long, and news, which the log shows in full.
MEANT_TO_BE_CUT = "[data-seat] strong, .name, .note, .who, .people, .news, .title, .open .text"


class Fault(NamedTuple):
    """Something that cannot be pressed, seen or read."""

    where: str
    what: str


def out_of_reach(page: Page, seen: list[str], where: str) -> list[Fault]:
    """Allowed moves that cannot be pressed, and decisive elements that cannot be seen."""
    pressed = [[f"{MOVES}, {STEPS}", FINGER, ""], ["[data-rug-place]", 0, "[data-field]"]]
    presses, touches, *looks = page.evaluate(
        HIDDEN, [*pressed, *([wanted, 0, ""] for wanted in seen)]
    )
    missing = [
        f"nothing is {wanted}" for wanted, found in zip(seen, looks, strict=True) if not found
    ]
    return [Fault(where, each) for each in (*presses, *touches, *chain(*looks), *missing) if each]


def overflowing(page: Page, where: str) -> list[Fault]:
    """Texts that leave their boxes or cannot be read."""
    return [Fault(where, each) for each in page.evaluate(OVERFLOWING, [MEANT_TO_BE_CUT, LETTERS])]


def overflowing_anywhere(page: Page, where: str) -> Iterator[Fault]:
    """The same at every size, in every language."""
    for shown in every_way(page, [*PHONES, *LARGER]):
        yield from overflowing(page, f"{where}, {shown}")


def every_way(page: Page, sizes: list[ViewportSize]) -> Iterator[str]:
    """The page at every size in every language; then as before. (Languages innermost: layout is
    slower.)
    """
    before = page.evaluate("document.documentElement.lang")
    for size in sizes:
        shown = resize(page, size)
        for language in languages():
            speak_in_another_tab(page, language)
            yield f"{shown}, {language}"
    speak_in_another_tab(page, before)
    resize(page, PHONES[0])


def told(faults: list[Fault]) -> str:
    return "\n".join(f"{where}: {what}" for where, what in faults)


def resize(page: Page, size: ViewportSize) -> str:
    """Resize the window and wait for the page to follow. Returns the size in words."""
    page.set_viewport_size(size)
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    return f"{size['width']}x{size['height']}"


# Keep layout and hit targets but draw nothing: saves a third of Chromium's time.
UNSEEN = """(() => {
    window.unseen = new CSSStyleSheet();
    unseen.replaceSync("html { opacity: 0 }");
    document.adoptedStyleSheets.push(unseen);
})()"""

# some pages are always drawn
HIDE = "(hidden) => { if (window.unseen) unseen.disabled = !hidden; }"


@contextmanager
def seen(page: Page) -> Iterator[None]:
    """Draw the page while tests look at pixels, colours or opacity."""
    page.evaluate(HIDE, False)
    yield
    page.evaluate(HIDE, True)


ANOTHER_TAB = """async (language) => {
    localStorage.souk = JSON.stringify({ ...JSON.parse(localStorage.souk), language });
    dispatchEvent(new StorageEvent("storage", { key: "souk" }));
    while (document.documentElement.lang !== language)
        await new Promise((done) => setTimeout(done, 5));
}"""


def speak_in_another_tab(page: Page, language: str) -> None:
    """Choose a language in another tab, which this one follows: faster than through its own
    settings.
    """
    page.evaluate(ANOTHER_TAB, language)
