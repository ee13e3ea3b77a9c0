"""A server and a Chromium per test process."""

import json
import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

from tests.browser.support.chromium import ARGUMENTS, find_chromium
from tests.browser.support.layout import UNSEEN
from tests.server.support.clients import Server

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
SIZES = {"desktop": DESKTOP, "phone": PHONE}
expect.set_options(timeout=60_000)  # generous: many tests share few cores


@pytest.fixture(scope="session")
def table_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("browser-tables"), levels="apprentice,trader")
    yield server
    server.stop()
    assert not server.troubles


Launch = Callable[[str], Browser]


@pytest.fixture(
    scope="package"
)  # while Playwright is running, no test in this process can run an event loop
def launch() -> Iterator[Launch]:
    """Start a browser, or return the running one."""
    with sync_playwright() as playwright:
        started: dict[str, Browser] = {}

        def launched(path: str) -> Browser:
            if path not in started:
                started[path] = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
            return started[path]

        yield launched
        for browser in started.values():
            browser.close()


@pytest.fixture(scope="module")
def chromium(launch: Launch, request: pytest.FixtureRequest) -> Browser:
    path = find_chromium(whole=getattr(request.module, "WHOLE_CHROMIUM", False))
    if path is None:
        reason = "there is no Chromium here (Debian and Ubuntu: apt install chromium)"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    return launch(path)


Open = Callable[..., Page]


@pytest.fixture
def person(table_server: Server, chromium: Browser) -> Iterator[Open]:
    """Open a page with a fresh profile: `person(size="phone", language="de")`. Errors on the page's
    console fail the test.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(
        size: str = "desktop",
        language: str = "en",
        theme: str = "dark",
        motion: bool = False,
        path: str = "/",
        sound: str = "off",
    ) -> Page:
        context = chromium.new_context(
            viewport=SIZES[size],
            base_url=f"http://{table_server.address}",
            locale=language,
            color_scheme=theme,  # type: ignore[arg-type]
            reduced_motion="no-preference" if motion else "reduce",
            has_touch=size == "phone",
        )
        contexts.append(context)
        context.add_init_script(UNSEEN)
        if not motion:  # no waiting, no events either
            chosen = json.dumps({"pace": "instant", "sound": sound})
            context.add_init_script(f"localStorage.souk ??= {chosen!r}")
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda said: (
                complaints.append(said.text) if said.type in ("error", "warning") else None
            ),
        )
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints
