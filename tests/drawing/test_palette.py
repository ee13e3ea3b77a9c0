"""Colours are defined once, in palette.css, and referenced by name everywhere else."""

import re
from pathlib import Path

from souk.drawing import palette

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web" / "src"
COLOUR = re.compile(
    r"#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![\w-])|rgba?\((?!0 0 0 |255 255 255 )[\d ,]+",
    re.IGNORECASE,
)
NEUTRAL = {"#000", "#fff"}
PAGES = [path for kind in ("*.svelte", "*.css", "*.ts") for path in WEB.rglob(kind)]
SOURCES = [*(ROOT / "souk").rglob("*.py"), *(ROOT / "souk" / "lab").rglob("*.css")]


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_no_colour_is_written_anywhere_else() -> None:
    written = {
        path.relative_to(ROOT).as_posix(): set(COLOUR.findall(read(path))) - NEUTRAL
        for path in [*PAGES, *SOURCES]
    }
    assert {path: colours for path, colours in written.items() if colours} == {}


def test_every_colour_that_is_called_for_is_there() -> None:
    pages = "".join(map(read, PAGES))
    own = set(re.findall(r"--([\w-]+)(?=:|=)", pages))  # variables set by components themselves
    called = set(re.findall(r"var\(--([\w-]+)(?=[,)])", pages))
    assert called - own <= palette.BY_NIGHT.keys()


def test_every_colour_is_used() -> None:
    texts = [
        *map(read, PAGES),
        *map(read, SOURCES),
        *map(read, (ROOT / "souk" / "drawing" / "grounds").iterdir()),
        *map(read, (ROOT / "souk" / "drawing" / "places").iterdir()),
    ]
    everything = "".join(texts)
    unused = {
        name for name in palette.BY_NIGHT if not re.search(rf"[-\"']{name}(?![\w-])", everything)
    }
    by_name = re.compile(r"(seat|source|cloth|rug|thread|gem|chip|person)-")
    assert {name for name in unused if not by_name.match(name)} == set()


def test_colours_are_whole_and_by_day_are_those_of_the_night() -> None:
    style = read(ROOT / "souk" / "drawing" / "palette.css")
    assert palette.BY_DAY.keys() == palette.BY_NIGHT.keys()
    assert len(re.findall(r"--[\w-]+:", style)) == len(
        re.findall(r"--[\w-]+: #(?:[0-9a-f]{6}|[0-9a-f]{8});", style)
    )
    assert palette.BY_DAY != palette.BY_NIGHT


def test_the_frame_of_the_page_is_the_night() -> None:
    assert f'name="theme-color" content="{palette.NIGHT}"' in read(ROOT / "web" / "index.html")


def test_a_page_of_its_own_has_both_themes() -> None:
    style = palette.style(["seat-0", "ground"])
    day, night = style.split("@media (prefers-color-scheme:dark)")
    assert f"--seat-0:{palette.BY_DAY['seat-0']};--ground:{palette.BY_DAY['ground']};" in day
    assert f"--seat-0:{palette.SEATS[0]};--ground:{palette.NIGHT};" in night
