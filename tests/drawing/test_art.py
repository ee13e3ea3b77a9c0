"""Drawings are self-contained SVG that can share a page, render alike everywhere, and stay
small.
"""

import gzip
import re
from xml.etree import ElementTree

import pytest

from souk import drawing

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {
    "svg",
    "g",
    "defs",
    "linearGradient",
    "radialGradient",
    "stop",
    "path",
    "rect",
    "circle",
    "ellipse",
}
COLOURS, CHIPS = ("red", "yellow", "green", "blue"), ("white", "blue", "green", "red", "yellow")
SIZES = {
    "128 64": [f"rug-{colour}" for colour in COLOURS],
    "52 74": ["omar", "omar-back", "omar-side"],
    "64 64": ["souk", "die-blank", "die-choice", *(f"die-{pips}" for pips in range(1, 7))],
    "48 48": [
        *(f"gem-{colour}" for colour in COLOURS),
        *(f"chip-{colour}" for colour in CHIPS),
        *(f"disc-{seat}" for seat in range(4)),
        *("coin", "star", "worker"),
    ],
    "48 64": ["lantern", *(f"figure-{seat}" for seat in range(6))],
    "100 140": ["card-back"],
    "96 96": [f"action-{name}" for name in ("dice", "points", "gems", "a", "b", "c", "d")],
    "480 300": [f"picture-{game}" for game in ("suleika", "basari", "basari-cards", "bazaar")],
}


def parsed(name: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawing.svg(name))


def ids(name: str) -> list[str]:
    return [element.attrib["id"] for element in parsed(name).iter() if "id" in element.attrib]


def test_there_is_every_drawing() -> None:
    assert sorted(drawing.names()) == sorted(name for names in SIZES.values() for name in names)


def test_an_unknown_drawing_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no drawing 'gem-pink'; there are action-a, "):
        drawing.svg("gem-pink")


@pytest.mark.parametrize(
    ("size", "name"), [(size, name) for size, names in SIZES.items() for name in names]
)
def test_it_has_its_view_box(size: str, name: str) -> None:
    root = parsed(name)
    assert root.tag == f"{SVG}svg"
    assert root.attrib == {
        "viewBox": f"0 0 {size}"
    }  # no width and height, so that the user sets the size


@pytest.mark.parametrize("name", drawing.names())
def test_it_is_made_of_shapes_with_presentation_attributes(name: str) -> None:
    for element in parsed(name).iter():
        assert element.tag.removeprefix(SVG) in ALLOWED
        assert not (element.text or "").strip()
        assert not {"style", "class", "href"} & {
            attribute.rpartition("}")[2] for attribute in element.attrib
        }
        assert not [attribute for attribute in element.attrib if attribute.startswith("on")]


@pytest.mark.parametrize("name", drawing.names())
def test_it_refers_to_nothing_but_its_own_gradients(name: str) -> None:
    text, own = drawing.svg(name), ids(name)
    assert set(re.findall(r"url\(([^)]*)\)", text)) == {f"#{gradient}" for gradient in own}
    assert all(gradient.startswith(f"{name}-") for gradient in own)
    assert "<!" not in text  # no entity, no document type
    assert text.count("http") == 1  # the namespace


def test_no_two_drawings_share_an_id() -> None:
    everywhere = [gradient for name in drawing.names() for gradient in ids(name)]
    assert len(everywhere) == len(set(everywhere))


@pytest.mark.parametrize("name", drawing.names())
def test_it_is_small(name: str) -> None:
    assert len(drawing.svg(name).encode()) <= (14_000 if name.startswith("picture-") else 6_000)


def test_all_together_are_small() -> None:
    assert len(gzip.compress("".join(map(drawing.svg, drawing.names())).encode())) <= 40_000
