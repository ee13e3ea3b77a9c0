"""Finds Chromium on this machine and starts it for tests."""

import os
import shutil

# What Playwright disables itself (Chromium obeys only the last such flag), and two hidden pages for
# an address bar behind each of ours: without them opening a page takes half the time.
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


# renders the same pages with a seventh less processor time, but has no notifications
WITHOUT_WINDOW = "chromium-headless-shell"
WHOLE = ("chromium", "chromium-browser", "google-chrome")


def find_chromium(whole: bool = False) -> str | None:
    """The lightest one, or one with everything a person's browser has."""
    programs = WHOLE if whole else (WITHOUT_WINDOW, *WHOLE)
    return os.environ.get("SOUK_CHROMIUM") or next(filter(None, map(shutil.which, programs)), None)
