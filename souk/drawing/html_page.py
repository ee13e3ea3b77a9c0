"""Self-contained HTML pages (no script, light and dark) for tournaments, reports and analyses."""

import re
from html import escape
from pathlib import Path

from souk.drawing import palette
from souk.drawing.plots import marks


def whole_page(
    title: str, head: str, body: str, foot: str, language: str = "en", shapes: str = ""
) -> str:
    """A complete HTML page.

    `title` and `foot` are plain text; `head` (below the title) and `body` are HTML; `shapes` is
    extra CSS.
    """
    shapes = Path(__file__).with_suffix(".css").read_text(encoding="utf-8") + shapes
    style = (
        palette.style(sorted(set(re.findall(r"var\(--([\w-]+)\)", shapes)) & palette.BY_DAY.keys()))
        + shapes
    )
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
{marks()}
{_lanterns()}
<header>
<h1>{escape(title)}</h1>
{head}
</header>
<main>
{body}
</main>
<footer>{escape(foot)}</footer>
</body>
</html>
"""


def _lanterns() -> str:
    """A string of lanterns across the top."""
    parts = []
    for i in range(16):
        x = 150 * i - 600
        parts.append(f'<path d="M{x} 4Q{x + 75} 44 {x + 150} 4"/>')
        parts.append(f'<circle cx="{x + 75}" cy="42" r="26"/><path d="M{x + 75} 24V31"/>')
        parts.append(
            f'<path class="flame" d="M{x + 69} 31H{x + 81}L{x + 84} 42'
            f'Q{x + 82} 50 {x + 75} 54Q{x + 68} 50 {x + 66} 42Z"/>'
        )
    inside = "".join(parts)
    view = 'viewBox="0 0 1200 74" preserveAspectRatio="xMidYMin slice"'
    return f'<svg class="lanterns" {view} aria-hidden="true">{inside}</svg>'
