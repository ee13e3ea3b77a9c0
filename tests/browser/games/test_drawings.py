"""Pages and printed drawings agree: colours, positions of pieces, and backgrounds."""

import base64
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from souk.core.record import Record
from souk.core.seat_view import SeatView
from souk.drawing.palette import BY_DAY, BY_NIGHT
from souk.drawing.svg_document import Sheet, named, tag
from souk.drawing.table_svg import EDGE, TOP
from souk.games.basari import svg as basari
from souk.games.basari.house import MEASURES, Bay, House
from souk.games.basari_cards import svg as basari_cards
from souk.games.basari_common.svg import carpet
from souk.games.suleika import svg as suleika
from tests.browser.conftest import Open
from tests.browser.support.layout import seen
from tests.browser.support.player import come_some_way, new_table

COARSE = 4  # edge length of compared blocks of pixels: exact edges do not matter
DIFFERENT, FEW = (
    24,
    0.01,
)  # tolerated difference of a colour channel, and share of pixels that may exceed it
NEAR = 0.6  # tolerated distance, in board units

# Elements of a board with an attribute: position in board units, rotation, and the pictures and
# words inside.
THINGS = """([board, attribute]) => {
    const root = document.querySelector(board);
    const home = root.getScreenCTM().inverse();
    return [...root.querySelectorAll(`[${attribute}]`)].map((each) => {
        const way = home.multiply(each.getScreenCTM());
        const { x, y, width, height } = each.getBBox();
        const corners = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]]
            .map(([x, y]) => new DOMPoint(x, y).matrixTransform(way));
        const [across, down] = [corners.map((corner) => corner.x),
            corners.map((corner) => corner.y)];
        const box = [Math.min(...across), Math.min(...down), Math.max(...across),
            Math.max(...down)];
        const turned = (Math.round(Math.atan2(way.b, way.a) * 180 / Math.PI) + 360) % 360;
        return [each.getAttribute(attribute), [way.e, way.f], box, turned, PICTURES(each)];
    });
}"""
PICTURES = """(each) => [...each.querySelectorAll('use, text')].map((part) =>
    part.tagName === 'use' ? part.getAttribute('href').replace(/^#((art|souk-[0-9a-f]+)-)?/, '')
        : part.textContent)"""

# Pixels as red, green, blue and opacity, averaged over blocks.
SHRUNK = """async ([pictures, coarse]) => Promise.all(pictures.map(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data),
        (letter) => letter.charCodeAt(0))]));
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [Math.floor(image.width / coarse),
        Math.floor(image.height / coarse)];
    const pen = canvas.getContext('2d');
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return [canvas.width, ...pen.getImageData(0, 0, canvas.width, canvas.height).data];
}))"""

Looked = Callable[[float, float], bool]


class Table(NamedTuple):
    """A table where a person is to move and waits: a spectator's page, and its view."""

    page: Page
    view: SeatView[Any, Any, Any]
    svg: str

    def things(self, attribute: str) -> list["Thing"]:
        return things(self.page, f"[data-board={self.view.game.name}]", attribute)


class Thing(NamedTuple):
    name: str
    origin: list[float]  # its own
    box: list[float]  # left, top, right, bottom
    turned: int  # degrees
    shows: list[str]


def things(page: Page, board: str, attribute: str) -> list[Thing]:
    found = page.evaluate(THINGS.replace("PICTURES", f"({PICTURES})"), [board, attribute])
    return sorted(Thing(*each) for each in found)


@pytest.fixture
def easel(chromium: Browser) -> Iterator[Page]:
    """A blank page for drawings."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1200})
    yield context.new_page()
    context.close()


def played(person: Open, game: str, players: int, moves: int) -> Table:
    """A table some moves into a game against bots."""
    mine, rng = person(), random.Random(f"{game} {moves}")
    new_table(mine, game, ["me"] + ["bot"] * (players - 1))
    come_some_way(mine, rng, moves)
    before, record = None, _record(mine)
    while before is None or len(before.events) < len(record.events):  # others may still be choosing
        mine.wait_for_timeout(500)
        before, record = record, _record(mine)
    page = person(path=mine.url)
    page.locator(f"[data-board={game}]").wait_for()
    page.locator(".toast button").click()  # the page says that all seats are taken
    page.mouse.move(1, 1)  # off the board, which lights up what is pointed at
    page.wait_for_timeout(300)  # wait for animations to end
    view = SeatView.of(record.position, -1)
    assert record.game.drawing is not None
    return Table(page, view, record.game.drawing.draw(view, record.names))


def _record(page: Page) -> Record:
    return Record.parse(page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}/record").text())


def agree(ones: list[Thing], others: list[Thing], whole: bool = True) -> None:
    """Compare position, rotation and contents; if one side has more contents, the origin."""
    assert [(one.name, one.turned, one.shows) for one in ones] == [
        (other.name, other.turned, other.shows) for other in others
    ]
    for one, other in zip(ones, others, strict=True):
        ours, theirs = (other.box, one.box) if whole else (other.origin, one.origin)
        assert ours == pytest.approx(theirs, abs=NEAR), one.name


# ---------------------------------------------------------------- to the eye

# Replace an element by an SVG, aligning the `box` given in SVG units with the element.
LAY_OVER = """(place, [svg, box]) => {
    const { left, top, width, height } = place.getBoundingClientRect();
    const cover = document.createElement('div');
    cover.innerHTML = svg;
    cover.id = 'laid-over';
    Object.assign(cover.style, { position: 'fixed', left: `${left}px`, top: `${top}px`,
        width: `${width}px`,
        height: `${height}px`, overflow: 'hidden', zIndex: 100 });
    const drawing = cover.querySelector('svg');
    drawing.setAttribute('viewBox', box);
    drawing.setAttribute('preserveAspectRatio', 'none');
    Object.assign(drawing.style, { display: 'block', width: '100%', height: '100%' });
    document.body.append(cover);
    place.style.visibility = 'hidden';
}"""
LIFT = """(place) => {
    document.getElementById('laid-over').remove();
    place.style.visibility = '';
}"""


def everywhere(_across: float, _down: float) -> bool:
    return True


def share_that_differs(place: Locator, svg: str, box: str, looked_at: Looked = everywhere) -> float:
    """Share of an element's pixels that differ from a drawing.

    `looked_at`: which places to compare, in coordinates from 0 to 1.
    """
    page, bounds, element = place.page, place.bounding_box(), place.element_handle()
    assert bounds is not None
    clip = {name: round(bounds[name]) for name in ("x", "y", "width", "height")}  # type: ignore[literal-required]
    with seen(page):
        one = page.screenshot(clip=clip, animations="disabled")  # type: ignore[arg-type]
        element.evaluate(LAY_OVER, [svg, box])
        other = page.screenshot(clip=clip, animations="disabled")  # type: ignore[arg-type]
        element.evaluate(LIFT)
    texts = [base64.b64encode(png).decode() for png in (one, other)]
    a, b = (_pixels(*found) for found in page.evaluate(SHRUNK, [texts, COARSE]))
    differs = np.abs(a - b).max(axis=2) > DIFFERENT
    down, across = ((np.arange(n) + 0.5) / n for n in differs.shape)
    return float(differs[[[looked_at(x, y) for x in across] for y in down]].mean())


def _pixels(width: int, *data: int) -> npt.NDArray[np.int64]:
    return np.array(data).reshape(-1, width, 4)[:, :, :3]


def alone(sheet: Sheet) -> str:
    """What is on a sheet, without the night around it."""
    return named(tag("svg", tag("defs", "".join(sheet.symbols.values())) + sheet.body), "alone-")


# ---------------------------------------------------------------- colours


@pytest.mark.parametrize(("theme", "colours"), [("dark", BY_NIGHT), ("light", BY_DAY)])
def test_the_page_has_the_colours_of_the_palette(
    person: Open, theme: str, colours: dict[str, str]
) -> None:
    page = person(theme=theme)
    page.locator("main").wait_for()
    found = page.evaluate(
        "names => names.map(name => "
        "getComputedStyle(document.documentElement).getPropertyValue(`--${name}`))",
        list(colours),
    )
    assert dict(zip(colours, found, strict=True)) == colours


# ---------------------------------------------------------------- boards


@pytest.mark.parametrize(("players", "moves"), [(4, 1), (4, 14), (2, 30)])
def test_suleika(person: Open, easel: Page, players: int, moves: int) -> None:
    table = played(person, "suleika", players, moves)
    market = table.page.locator("[data-board=suleika]")
    easel.set_content(table.svg)
    for attribute in ("data-rug", "data-omar", "data-facing"):
        agree(things(easel, "[data-board=suleika]", attribute), table.things(attribute))
    fields = table.things("data-field")
    assert len(fields) == 49
    for field in fields:
        left, top, right, bottom = field.box
        assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx(
            suleika.middle(field.name), abs=NEAR
        )
    assert (
        share_that_differs(market, table.svg, f"{EDGE} {TOP} {suleika.SIZE} {suleika.SIZE}") < FEW
    )


@pytest.mark.parametrize("moves", [0, 4, 9])
def test_basari(person: Open, easel: Page, moves: int) -> None:
    table = played(person, "basari", 4, moves)
    market = table.page.locator("[data-board=basari]")
    _, _, width, height = map(float, (market.get_attribute("viewBox") or "").split())
    house = House(MEASURES.wide, (width, height))
    assert (house.width, house.height) == pytest.approx((width, height), abs=NEAR)
    board = basari.board(table.view, house)
    for drawn in (board.svg(), table.svg):
        easel.set_content(drawn)
        ones = things(easel, "[data-board=basari]", "data-figure")
        assert [one.name for one in ones] == ["0", "1", "2", "3"][: len(ones)]
    easel.set_content(board.svg())
    for attribute in ("data-figure", "data-disc"):
        agree(things(easel, "[data-board=basari]", attribute), table.things(attribute))
    court = house.court  # also contains other things
    beside = (house.widths[-2] - house.widths[1]) * (house.columns - 2) / 2
    size = f"0 0 {house.width} {house.height}"
    place = table.page.locator(".house")
    assert share_that_differs(place, alone(board), size, outside(court, beside, house)) < FEW
    agree(
        things(easel, "[data-board=basari]", "data-arch"), table.things("data-arch"), whole=False
    )  # a button is larger than its arch


def outside(court: Bay, beside: float, house: House) -> Looked:
    """What lies outside the court, which is wider before us than at its far end."""
    left, right = (court.x - beside) / house.width, (court.x + court.width + beside) / house.width
    top, bottom = court.y / house.height, (court.y + court.height) / house.height
    return lambda x, y: not (left < x < right and top < y < bottom)


# ---------------------------------------------------------------- pieces


def looks_like(place: Locator, sheet: Sheet, looked_at: Looked = everywhere) -> bool:
    """Whether an element looks like a drawing; small pictures are mostly edges."""
    return (
        share_that_differs(place, alone(sheet), f"0 0 {sheet.width} {sheet.height}", looked_at)
        < 4 * FEW
    )


def test_the_card_game(person: Open, easel: Page) -> None:
    table = played(person, "basari-cards", 4, 3)
    cards = table.page.locator("[data-card]")
    assert sorted(card.get_attribute("data-card") or "" for card in cards.all()) == sorted(
        filter(None, table.view.position.cards)
    )
    easel.set_content(table.svg)
    ones = {
        each.get_attribute("data-card"): each.evaluate(PICTURES)
        for each in easel.locator("[data-card]").all()
    }
    assert ones == {
        each.get_attribute("data-card"): each.evaluate(PICTURES) for each in cards.all()
    }
    sheet = Sheet(100, 140)
    basari_cards.card(sheet, table.view.box, cards.first.get_attribute("data-card") or "")
    assert looks_like(cards.first, sheet)
    for k, colour in enumerate(table.view.box.colours):
        sheet = Sheet(128, 64)
        carpet(sheet, colour, table.view.box.majority[k])
        assert looks_like(table.page.locator(f"[data-carpet={colour}]"), sheet)


def test_bazaar(person: Open, easel: Page) -> None:
    table = played(person, "bazaar", 3, 6)
    easel.set_content(table.svg)
    for number, stall in enumerate(table.view.position.stalls, 1):
        chips = [
            [
                name
                for name in page.locator(f"[data-stall='{number}']").evaluate(PICTURES)
                if name.startswith("chip-")
            ]
            for page in (easel, table.page)
        ]
        assert chips[0] == chips[1]
        assert len(chips[0]) == len(stall.top or "")
    roofs = table.page.locator("[data-board=bazaar] .awning")
    expect(roofs).to_have_count(4)
    bare = lambda x, y: 0.1 < y < 0.66 and abs(x - 0.5) > 0.1  # noqa: E731  # the lane is seen beside the hem, the stall's number in the middle
    for stall in range(4):
        roof = Sheet(280, 76)
        roof.ground(f"awning-{stall}")
        assert looks_like(roofs.nth(stall), roof, bare)
