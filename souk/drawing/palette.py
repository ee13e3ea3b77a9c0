"""The night market's colours for whatever draws outside a browser: those of `palette.css`, which is the browser's own style sheet."""

import re
from collections.abc import Collection, Iterable
from pathlib import Path

Theme = dict[str, str]  # by name: a colour as #rrggbb, or #rrggbbaa where it lets something through


def _themes() -> tuple[Theme, Theme]:
    """All colours by night, and by day."""
    style = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
    night, day = (dict(re.findall(r"--([\w-]+):\s*(#\w+);", block)) for block in re.findall(r"{([^}]*)}", style))
    return night, night | day


BY_NIGHT, BY_DAY = _themes()


def _named(kind: str, names: Iterable[object]) -> tuple[str, ...]:
    return tuple(BY_NIGHT[f"{kind}-{name}"] for name in names)


NIGHT, DUSK, LAMP, BRASS, SAND, CREAM, INK = (
    BY_NIGHT[name] for name in ("night", "dusk", "lamp", "brass", "sand", "cream", "ink")
)
PANEL, PANEL_LIT, LINE, TEXT, FAINT, HEADING = (
    BY_NIGHT[name] for name in ("panel", "panel-2", "line", "text", "text-2", "heading")
)
GOOD, BAD = BY_NIGHT["good"], BY_NIGHT["bad"]
RED, YELLOW, BLUE, GREEN, WHITE = (BY_NIGHT[name] for name in ("red", "yellow", "blue", "green", "white"))
SEATS = _named("seat", range(6))  # the players

# Pieces by their colours, in the order in which each game has them.
RUGS, THREADS = (_named(kind, ("red", "yellow", "blue", "green")) for kind in ("rug", "thread"))
GEMS = _named("gem", ("red", "yellow", "green", "blue"))
CHIPS = _named("chip", ("white", "blue", "green", "red", "yellow"))
TILES = BY_NIGHT["market-tile"], BY_NIGHT["market-tile-dark"]  # of Suleika's market
INLAY = BY_NIGHT["market-tile-dark-low"]
ARCH, ARCH_LIT = BY_NIGHT["arch"], BY_NIGHT["arch-lit"]


def style(names: Collection[str]) -> str:
    """Colours as the variables of a style sheet for a page of its own: by day, and by night where the reader's screen is dark."""
    day, night = ("".join(f"--{name}:{theme[name]};" for name in names) for theme in (BY_DAY, BY_NIGHT))
    return f":root{{color-scheme:light dark;{day}}}\n@media (prefers-color-scheme:dark){{:root{{{night}}}}}\n"
