"""Where Chromium is on this machine, and how it is started for tests."""

import os
import shutil

# What Playwright turns off itself (Chromium hears only the last who says so), and two pages for the address bar that Chromium would make
# behind each of ours, though nobody sees an address bar: opening a page takes half the time without them.
_TURNED_OFF_BY_PLAYWRIGHT = [
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "TcpPortRandomizationWin",
    "ThirdPartyStoragePartitioning",
]
_TURNED_OFF = [*_TURNED_OFF_BY_PLAYWRIGHT, "WebUIOmniboxAimPopup", "WebUIOmniboxPopup"]

ARGUMENTS = [
    f"--disable-features={','.join(_TURNED_OFF)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


WITHOUT_WINDOW = "chromium-headless-shell"  # the same pages in a seventh less of the processor's time; but nothing outside a page, such as notifications
WHOLE = ("chromium", "chromium-browser", "google-chrome")


def find_chromium(whole: bool = False) -> str | None:
    """The lightest there is; or one that has all that a person's browser has."""
    programs = WHOLE if whole else (WITHOUT_WINDOW, *WHOLE)
    return os.environ.get("SOUK_CHROMIUM") or next(filter(None, map(shutil.which, programs)), None)
