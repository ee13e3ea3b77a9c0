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


def find_chromium() -> str | None:
    named = os.environ.get("SOUK_CHROMIUM")
    return named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
