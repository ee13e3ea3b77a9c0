"""What is sent from an empty browser to the first move, in bytes, compressed as they travel.

    python bench/first_load.py [--json FILE]

Needs Chromium and Playwright, as the tests in the browser do, and the pages (`python web/build.py`). The smallest screen, every language: the lobby, *Play now*,
the first legal move.
"""

import sys
import tempfile
from pathlib import Path

from load import Server
from pedigree import ROOT, settings, write_figures
from playwright.sync_api import Browser, Response, sync_playwright

from souk.core.message import languages

sys.path.insert(0, str(ROOT))
from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.browser.conftest import PHONE
from tests.browser.playing import MOVES


def bytes_to_first_move(chromium: Browser, address: str, language: str) -> int:
    context = chromium.new_context(viewport=PHONE, base_url=f"http://{address}", locale=language)
    page = context.new_page()
    responses: list[Response] = []
    page.on("response", lambda each: responses.append(each))  # not the method itself: Playwright marks what it calls
    page.goto("/")
    page.locator("[data-do=play-now]").first.click()
    page.locator(MOVES).first.wait_for()
    sizes = {each.url: each.request.sizes()["responseBodySize"] for each in responses}
    context.close()
    return sum(sizes.values())


def main() -> None:
    given = settings(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), levels="apprentice", public_lobby=False)  # as it is unless a host says otherwise
        try:
            chromium = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
            found = {code: bytes_to_first_move(chromium, server.address, code) for code in languages()}
            chromium.close()
        finally:
            server.stop()
    for code, size in found.items():
        print(f"{code}: {size / 1000:.1f} kB from an empty browser to the first move")
    if given.json:
        write_figures(given.json, {"bytes": found}, n=len(found), of="first loads")


if __name__ == "__main__":
    main()
