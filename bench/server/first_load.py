"""Measures the bytes sent from an empty browser to the first move, as compressed on the wire.

    python -m bench.server.first_load [--json FILE]

Needs Chromium, Playwright and built pages. Phone screen, all languages: lobby, *Play now*, the
first legal move.
"""

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Response, sync_playwright

from bench.server.load import Server
from bench.support.provenance import figures_parser, write_figures
from souk.core.messages import languages
from tests.browser.conftest import PHONE
from tests.browser.support.chromium import ARGUMENTS, find_chromium
from tests.browser.support.player import MOVES


def bytes_to_first_move(chromium: Browser, address: str, language: str) -> int:
    context = chromium.new_context(viewport=PHONE, base_url=f"http://{address}", locale=language)
    page = context.new_page()
    responses: list[Response] = []
    # A lambda, because Playwright sets attributes on handlers.
    page.on("response", lambda response: responses.append(response))
    page.goto("/")
    page.locator("[data-do=play-now]").first.click()
    page.locator(MOVES).first.wait_for()
    sizes = {reply.url: reply.request.sizes()["responseBodySize"] for reply in responses}
    context.close()
    return sum(sizes.values())


def main() -> None:
    args = figures_parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), levels="apprentice", public_lobby=False)
        try:
            chromium = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
            sizes = {
                code: bytes_to_first_move(chromium, server.address, code) for code in languages()
            }
            chromium.close()
        finally:
            server.stop()
    for code, size in sizes.items():
        print(f"{code}: {size / 1000:.1f} kB from an empty browser to the first move")
    if args.json:
        write_figures(args.json, {"bytes": sizes}, n=len(sizes), of="first loads")


if __name__ == "__main__":
    main()
