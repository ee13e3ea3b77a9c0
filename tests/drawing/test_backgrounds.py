"""Background templates use palette colours, known placeholders, and only portable SVG."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from souk import drawing
from souk.drawing.palette import BY_NIGHT
from souk.drawing.svg_document import FONTS, Sheet
from souk.games.basari.house import MEASURES
from souk.games.suleika.svg import MARKET, middle

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {
    "svg",
    "g",
    "defs",
    "linearGradient",
    "radialGradient",
    "pattern",
    "stop",
    "path",
    "rect",
    "circle",
    "use",
    "text",
}
# Places are pictures as well: some of their colours are the same by day and by night.
PLACES = {"house"}
PLACE_SHAPES = {"symbol", "ellipse"}
LIGHTS = ["window", "lattice", "mine", "theirs", "free"]
# What the house is built from.
PIECES = "".join(
    f'<use href="#house-{piece}"/>'
    for piece in [
        *(bay for style in ("bay", "low") for bay in (style, *(f"{style}-{k}" for k in LIGHTS))),
        "fountain",
        "tree",
        "carpet",
    ]
) + "".join(
    f'<rect fill="url(#house-{light})"/>'
    for light in ["floor", "pool", "down", "right", "left", "glow"]
)
HOLES: dict[str, dict[str, Any]] = {
    "arch": {"wall": "arch", "frame": "brass", "line": 2.4, "number": 7, "gems": ""},
    **{f"awning-{stall}": {} for stall in range(4)},
    "balcony": {"way": "M0 0C1 1 2 2 3 3"},
    "card": {"workers": "", "points": "5", "gems": ""},
    "carpet": {"colour": "red", "worth": 14, "plate": 58, "left": 58},
    "hem": {},
    "house": {"content": PIECES},
    "market": {"balconies": ""},
    "rug": {"colour": "blue", "width": 196, "shown": 128},
}


def test_there_is_every_ground() -> None:
    assert drawing.grounds() == tuple(sorted(HOLES))
    with pytest.raises(ValueError, match="there is no ground 'moon'; there are arch, awning-0, "):
        drawing.ground("moon")


@pytest.mark.parametrize("name", drawing.grounds())
def test_it_is_made_of_shapes_in_the_colours_of_the_palette(name: str) -> None:
    text, place = drawing.ground(name), name in PLACES
    for element in ElementTree.fromstring(text).iter():
        assert element.tag.removeprefix(SVG) in (SHAPES | PLACE_SHAPES if place else SHAPES)
        assert not {"style", "class"} & set(element.attrib)
    assert set(re.findall(r"var\(--([\w-]+)\)", text)) <= BY_NIGHT.keys() | FONTS.keys()
    if not place:
        assert set(re.findall(r"#[0-9a-f]{3,8}\b", text)) <= {"#000", "#fff"}


@pytest.mark.parametrize("name", drawing.grounds())
def test_it_refers_to_pictures_and_to_what_is_its_own(name: str) -> None:
    filled = text = drawing.ground(name)
    for hole, value in HOLES[name].items():
        filled = filled.replace(f"{{{hole}}}", str(value))
    own = set(re.findall(r'id="([^"]*)"', text))
    assert all(each.startswith(f"{name}-") for each in own)
    used = set(re.findall(r'(?:href="#|url\(#)([^")]*)', filled))
    assert used - own <= {f"art-{picture}" for picture in drawing.names()}
    assert own <= used


@pytest.mark.parametrize("name", drawing.grounds())
def test_all_its_holes_are_filled(name: str) -> None:
    assert {hole for hole, _ in re.findall(r"{(\w+)(-[\d.]+)?}", drawing.ground(name))} == HOLES[
        name
    ].keys()
    sheet = Sheet(100, 100)
    sheet.ground(name, **HOLES[name])
    svg = sheet.svg()
    ElementTree.fromstring(svg)
    assert not re.search(r"[{}]|var\(", svg)


def test_the_measures_are_those_of_the_grounds() -> None:
    """Fields and arches are where the measurements say."""
    market = ElementTree.fromstring(drawing.ground("market"))
    [rows] = [
        [
            use.attrib["y"]
            for use in market.findall(f"{SVG}use")
            if use.attrib["href"].startswith("#market-")
        ]
    ]
    columns = [use.attrib["x"] for use in market.findall(f".//{SVG}g[@id='market-odd']/{SVG}use")]
    fields = [(float(x), float(y)) for y in rows for x in columns]
    assert fields == [middle(column + row) for row in "7654321" for column in "abcdefg"]
    tile = market.find(f".//{SVG}g[@id='market-light']/{SVG}rect")
    assert tile is not None
    assert float(tile.attrib["width"]) < MARKET.field
    house = ElementTree.fromstring(drawing.ground("house"))
    for style in (MEASURES.high, MEASURES.low):
        bay = house.find(f".//{SVG}symbol[@id='{style.bay}']")
        assert bay is not None
        _, _, width, height = map(float, bay.attrib["viewBox"].split())
        window, stones = bay.findall(f"{SVG}path")[:2]
        assert bottom(window) == pytest.approx(style.window * height, abs=0.1)
        left, top, _, high = style.arch
        assert corner(stones) == pytest.approx((left * width, (top + high) * height), abs=0.6)


def bottom(path: ElementTree.Element) -> float:
    """Where a path ends."""
    return float(re.findall(r"V([\d.]+)z", path.attrib["d"])[0])


def corner(path: ElementTree.Element) -> tuple[float, float]:
    """Where a path begins."""
    found = re.match(r"M([\d.]+) ([\d.]+)", path.attrib["d"])
    assert found
    return float(found[1]), float(found[2])
