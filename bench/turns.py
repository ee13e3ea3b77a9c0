"""How long a person waits: from *Play now* to the first move, and from one turn to the next, in the browser with its motion.

    python bench/turns.py [GAME …] [--turns N] [--paces normal fast] [--address HOST:PORT] [--json FILE]

Needs Chromium and Playwright, as the tests in the browser do, and the pages (`python web/build.py`). Against apprentices, as many as is usual; the
person plays at random as soon as they may. With --address a server that runs already is measured, of this version or of another.
"""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from load import Server
from pedigree import ROOT, settings, write_figures
from playwright.sync_api import Browser, Page, sync_playwright

from souk.games import names

sys.path.insert(0, str(ROOT))
from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.browser.playing import MOVES, STEPS, offered, press_once

# Notes every while in which I could do nothing and others were to move, in seconds.
NOTING = """moves => {
  window.waits = [];
  let begin = 0, others = false, noted = false;
  const look = () => {
    const mine = document.querySelector(moves);
    if (!mine) begin ||= performance.now();
    others = !mine && (others || !!document.querySelector("li[data-seat][aria-current=true]:not(.me)"));
    if (mine && begin) {
      if (noted) window.waits.push((performance.now() - begin) / 1000);
      begin = 0;
    }
    noted = others;
    requestAnimationFrame(look);
  };
  look();
}"""


@contextmanager
def served(address: str) -> Iterator[str]:
    if address:
        yield address
        return
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), levels="apprentice")
        try:
            yield server.address
        finally:
            server.stop()


def sit_down(chromium: Browser, address: str, game: str, pace: str) -> tuple[Page, float]:
    """A page at a new table, and the seconds from the press to the first move."""
    page = chromium.new_context(viewport={"width": 1280, "height": 800}, base_url=f"http://{address}").new_page()
    page.goto("/")
    page.evaluate(
        "pace => localStorage.setItem('souk', JSON.stringify({ pace, motion: 'on', level: 'apprentice' }))", pace
    )
    page.reload()
    button = page.locator(f"[data-do=play-now][data-game={game}]")
    button.wait_for()
    begin = time.perf_counter()
    button.click()
    assert offered(page)
    return page, time.perf_counter() - begin


def waits(page: Page, turns: int, rng: random.Random) -> list[float]:
    """Seconds from the end of a turn of mine to the next, as long as the game goes on."""
    page.evaluate(NOTING, f"{MOVES}, {STEPS}")
    found: list[float] = []
    while len(found) < turns and press_once(page, rng):
        found = page.evaluate("window.waits")
    return found


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", default=names())
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument(
        "--paces", nargs="+", choices=["relaxed", "normal", "fast", "instant"], default=["normal", "fast"]
    )
    parser.add_argument("--address", default="")
    given = parser.parse_args()
    rows = []
    with served(given.address) as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        for game in given.games:
            for pace in given.paces:
                page, first = sit_down(chromium, address, game, pace)
                found = waits(page, given.turns, random.Random(1))
                page.context.close()
                middle, longest = statistics.median(found), max(found)
                rows.append(
                    {"game": game, "pace": pace, "first": first, "turns": len(found)}
                    | {"middle": middle, "longest": longest}
                )
                print(
                    f"{game}, {pace}: first move after {first:.1f} s; between turns {middle:.1f} s, at most {longest:.1f} s ({len(found)} turns)"
                )
        chromium.close()
    if given.json:
        write_figures(given.json, {"rows": rows}, n=given.turns, of="turns a game and pace")


if __name__ == "__main__":
    main()
