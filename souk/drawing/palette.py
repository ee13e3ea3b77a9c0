"""The colour palette for drawing outside a browser, read from the browser's `palette.css`."""

import re
from collections.abc import Collection, Iterable
from pathlib import Path

# Colour name to #rrggbb, or #rrggbbaa if translucent
Theme = dict[str, str]


def _themes() -> tuple[Theme, Theme]:
    """Dark and light theme."""
    style = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
    night, day = (
        dict(re.findall(r"--([\w-]+):\s*(#\w+);", block))
        for block in re.findall(r"{([^}]*)}", style)
    )
    return night, night | day


BY_NIGHT, BY_DAY = _themes()


def _named(kind: str, names: Iterable[object]) -> tuple[str, ...]:
    return tuple(BY_NIGHT[f"{kind}-{name}"] for name in names)


NIGHT, DUSK, LAMP, BRASS, SAND, CREAM, INK = (
    BY_NIGHT[name] for name in ("night", "dusk", "lamp", "brass", "sand", "cream", "ink")
)
PANEL, LINE, TEXT, FAINT = (BY_NIGHT[name] for name in ("panel", "line", "text", "text-2"))
GOOD, BAD = BY_NIGHT["good"], BY_NIGHT["bad"]
RED, YELLOW, BLUE, GREEN = (BY_NIGHT[name] for name in ("red", "yellow", "blue", "green"))
SEATS = _named("seat", range(6))  # players

# Piece colours, in each game's own order.
RUGS, THREADS = (_named(kind, ("red", "yellow", "blue", "green")) for kind in ("rug", "thread"))
GEMS = _named("gem", ("red", "yellow", "green", "blue"))
CHIPS = _named("chip", ("white", "blue", "green", "red", "yellow"))
TILES = BY_NIGHT["market-tile"], BY_NIGHT["market-tile-dark"]  # Suleika's market
INLAY = BY_NIGHT["market-tile-dark-low"]
ARCH, ARCH_LIT = BY_NIGHT["arch"], BY_NIGHT["arch-lit"]


def style(names: Collection[str]) -> str:
    """CSS variables for a standalone page: light by default, dark if the reader prefers it."""
    day, night = (
        "".join(f"--{name}:{theme[name]};" for name in names) for theme in (BY_DAY, BY_NIGHT)
    )
    dark = f"@media (prefers-color-scheme:dark){{:root{{{night}}}}}"
    return f":root{{color-scheme:light dark;{day}}}\n{dark}\n"
