"""Draws the preview images of shared links: one per game and one for the server.

    python docs/draw_previews.py

Needs the extra `lab`. Run again after a change of the pictures in souk/drawing.
"""

import io
import re
from pathlib import Path

import resvg_py
from PIL import Image

from souk import drawing as art
from souk.core.game_registry import find_game
from souk.core.messages import Words
from souk.games import names

FOLDER = Path(__file__).resolve().parents[1] / "web" / "public" / "previews"
WIDTH, HEIGHT = 1200, 630
COLOURS = 256  # for small files
NIGHT, LAMP, BRASS, CREAM = "#14122b", "#ffcf7d", "#d9a441", "#fbf3df"
SERIF = "font-family=\"Georgia,'DejaVu Serif',serif\""


def placed(
    name: str, x: float, y: float, width: float, height: float, fit: str = "xMidYMid slice"
) -> str:
    """A drawing in a box of this size."""
    place = f'<svg x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="{fit}"'
    return re.sub(r"<svg\b", place, art.svg(name), count=1)


def framed(inside: str, title: str) -> str:
    """A picture above its title and Souk's logo."""
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    size = 72 if len(title) < 16 else 58
    return f"""<svg xmlns="http://www.w3.org/2000/svg" {box}>
    <rect width="{WIDTH}" height="{HEIGHT}" fill="{NIGHT}"/>{inside}
    <rect y="500" width="{WIDTH}" height="130" fill="{NIGHT}" fill-opacity=".93"/>
    <path d="M0 500h{WIDTH}" stroke="{BRASS}" stroke-width="4"/>
    <text x="60" y="588" font-size="{size}" font-weight="700" fill="{LAMP}" {SERIF}>{title}</text>
    {placed("souk", 945, 532, 66, 66)}
    <text x="1022" y="583" font-size="44" font-weight="700" fill="{CREAM}" {SERIF}>Souk</text>
    </svg>"""


def picture_of(game: str) -> str:
    words = Words("en")
    title = words(f"{game}.title") if f"{game}.title" in words else find_game(game).name
    return framed(placed(f"picture-{game}", 0, -60, WIDTH, 750), title)


def picture_of_all() -> str:
    """All games side by side."""
    quarters = [
        placed(f"picture-{game}", 300 * number, 0, 300, 500) for number, game in enumerate(names())
    ]
    return framed("".join(quarters), "Four bazaar games")


def write(name: str, svg: str) -> None:
    drawn = Image.open(
        io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH, height=HEIGHT)))
    )
    small = drawn.convert("RGB").quantize(
        COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE
    )
    small.save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in names():
        write(game, picture_of(game))
    write("souk", picture_of_all())
