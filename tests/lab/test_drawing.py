"""Drawings of positions: well-formed, complete, and without secrets."""

import math
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import souk
from souk.core.facts import Fact
from souk.core.seat_view import SeatView
from souk.drawing.drawing import SheetDrawing
from souk.drawing.notebook import SharedShapes
from souk.drawing.svg_document import WIDTH, tag
from souk.drawing.table_svg import happening, player_names
from souk.games import game as find_game
from souk.games import names as game_names
from souk.games.basari.svg import HOUSE
from souk.games.basari_common.notation import GEM_NAMES
from souk.games.suleika.facts import Laid
from souk.games.suleika.svg import middle
from souk.lab import images as pictures
from souk.lab.images import picture
from tests.support.random_games import VARIANTS, random_game, variant_name, whole_random_game

SVG = "{http://www.w3.org/2000/svg}"
# draw every nth position, and the last
EVERY = 7


@cache
def positions(
    name: str, players: int, options: tuple[tuple[str, Any], ...] = ()
) -> list[souk.Position]:
    """All positions of one random game."""
    return [record.position for record in random_game(name, players, dict(options), seed=5)]


def some(name: str, players: int) -> Iterator[souk.Position]:
    found = positions(name, players)
    yield from [*found[::EVERY], found[-1]]


def drawing(name: str) -> SheetDrawing:
    found = find_game(name).drawing
    assert isinstance(found, SheetDrawing)
    return found


def draw(pos: souk.Position, seat: int = -1) -> str:
    return drawing(pos.game.name).draw(SeatView.of(pos, seat))


def drawn(pos: souk.Position, seat: int = -1) -> ElementTree.Element:
    return ElementTree.fromstring(draw(pos, seat))


def table(root: ElementTree.Element) -> list[ElementTree.Element]:
    """The drawing without its symbol definitions."""
    defs = root.find(f"{SVG}defs")
    assert defs is not None
    inside = set(defs.iter())
    return [element for element in root.iter() if element not in inside]


def with_data(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in table(root) if f"data-{name}" in element.attrib]


def used(element: ElementTree.Element, picture: str) -> int:
    """How often a symbol is used in an element."""
    return sum(use.attrib["href"].endswith(f"-{picture}") for use in element.iter(f"{SVG}use"))


# ---------------------------------------------------------------- every drawing


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_every_position_is_drawn_as_a_file_of_its_own(
    variant: tuple[str, int, dict[str, Any]],
) -> None:
    name, players, options = variant
    for k, pos in enumerate(positions(name, players, tuple(options.items()))):
        if k % EVERY and not pos.over:
            continue
        root = drawn(pos)
        ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        assert len(ids) == len(set(ids))
        text = ElementTree.tostring(root, encoding="unicode")
        asked = set(re.findall(r"url\(#([^)]*)\)", text)) | set(
            re.findall(r'href="#([^"]*)"', text)
        )
        assert asked <= set(ids)
        assert not re.search(r"nan|None|\bhttps?://(?!www\.w3\.org/2000/svg)|<script|style=", text)


@pytest.mark.parametrize("name", game_names())
def test_a_drawing_says_in_words_what_it_shows(name: str) -> None:
    pos = positions(name, find_game(name).players[-1])[20]
    root = drawn(pos)
    assert root.attrib["role"] == "img"
    assert root.findtext(f"{SVG}title") == pos.game.title
    about = root.findtext(f"{SVG}desc") or ""
    view = SeatView.of(pos, -1)
    assert happening(view, player_names(view, ())) in about
    assert about.endswith(
        ", ".join(f"Seat {seat} {score}" for seat, score in enumerate(pos.scores)) + "."
    )


@pytest.mark.parametrize("name", game_names())
def test_drawings_of_two_positions_share_no_id(name: str) -> None:
    one, other = (
        set(re.findall(r'id="([^"]*)"', pos._repr_svg_() or ""))
        for pos in positions(name, 3)[20:22]
    )
    assert one
    assert other
    assert not one & other


def test_a_name_is_a_text_and_nothing_else() -> None:
    record = souk.Record("suleika", 3, names=['<b>"A"&', "Ben", "Cem"])
    svg = drawing("suleika").draw(SeatView.of(record.position, -1), record.names)
    assert '<b>"A"&' in "".join(ElementTree.fromstring(svg).itertext())
    assert "<b>" not in svg
    assert "<b>" not in (record._repr_html_() or "")


# ---------------------------------------------------------------- secrets


@pytest.mark.parametrize("name", ["basari", "basari-cards"])
def test_what_others_have_chosen_is_not_in_a_drawing(name: str) -> None:
    seen = 0
    for pos in positions(name, 4):
        json = pos.to_json()
        if json["phase"] != "choose" or not json["ready"][0] or seen == 12:
            continue
        seen += 1
        other = pos.game.from_json(json | {"choices": [_another(json), *json["choices"][1:]]})
        assert draw(pos, 0) != draw(other, 0)
        assert draw(pos, 1) == draw(other, 1)
        assert draw(pos) == pos._repr_svg_() == draw(other)
        assert used(drawn(pos), "card-back") == used(drawn(pos, 0), "card-back") + 1
    assert seen > 5


def _another(json: dict[str, Any]) -> str:
    kinds = ["A", "B"] if json["game"] == "basari-cards" else ["dice", "points"]
    return next(kind for kind in kinds if kind != json["choices"][0])


def test_a_seat_that_is_not_there_is_refused() -> None:
    for name in game_names():
        with pytest.raises(ValueError, match="7"):
            draw(find_game(name).start(3), 7)


# ---------------------------------------------------------------- contents


@pytest.mark.parametrize("players", [2, 3, 4])
def test_omar_and_the_rugs_lie_where_they_are(players: int) -> None:
    for pos in some("suleika", players):
        json, root = pos.to_json(), drawn(pos)
        [omar] = with_data(root, "omar")
        x, y = middle(json["omar"]["at"])
        assert omar.attrib["transform"] == f"translate({x:g} {y:g})"
        turn = omar.find(f"{SVG}g")
        assert turn is not None
        assert turn.attrib["transform"] == f"rotate({90 * 'nesw'.index(json['omar']['facing'])})"
        showing = {half for row in json["board"] for half in row if half}
        rugs = with_data(root, "rug")
        assert {int(half[1:]) for half in showing} == {int(rug.attrib["data-rug"]) for rug in rugs}
        for initial, colour in zip("rybg", ("red", "yellow", "blue", "green"), strict=True):
            assert sum(used(rug, f"rug-{colour}") for rug in rugs) == sum(
                half[0] == initial for half in showing
            )


def test_a_rug_lies_over_its_two_fields() -> None:
    pos = find_game("suleika").start(3)
    pos.play(0, "straight")
    pos.resolve("2")
    at = pos.to_json()["omar"]["at"]
    pos.play(0, pos.moves(0)[0])
    [rug] = with_data(drawn(pos), "rug")
    found = re.match(r"translate\(([\d.]+) ([\d.]+)\)", rug.attrib["transform"])
    assert found
    fields = [
        ("abcdefg"[k] + str(7 - row))
        for row, line in enumerate(pos.to_json()["board"])
        for k, half in enumerate(line)
        if half
    ]
    centre = np.mean([middle(field) for field in fields], axis=0)
    assert len(fields) == 2
    assert at not in fields
    assert tuple(map(float, found.groups())) == tuple(centre)


def _half_rugs(svg: str) -> dict[str, float]:
    """The drawn direction of half-visible rugs, by number."""
    rugs = with_data(ElementTree.fromstring(svg), "rug")
    halves = [
        rug
        for rug in rugs
        if (inner := rug.find(f"{SVG}svg")) is not None and inner.attrib["width"] != "196"
    ]
    return {
        rug.attrib["data-rug"]: float(rug.attrib["transform"].partition("rotate(")[2][:-1])
        for rug in halves
    }


def _numbers(board: list[list[str]]) -> dict[str, int]:
    """The number of the visible rug by field, or 0."""
    return {
        "abcdefg"[k] + str(7 - row): int(half[1:] or 0)
        for row, line in enumerate(board)
        for k, half in enumerate(line)
    }


def _beside(field: str, heading: str) -> str:
    across, up = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}[heading]
    return chr(ord(field[0]) + across) + str(int(field[1]) + up)


def test_half_a_rug_lies_as_it_was_laid_where_that_is_known() -> None:
    """The direction is exact in records; for a single position it is a guess."""
    record = whole_random_game("suleika", 4, {}, 2)
    past: list[Fact] = []
    laid: dict[str, tuple[str, str]] = {}
    guessed_otherwise = 0
    for pos, facts in zip(islice(record.positions(), 1, None), record.facts(), strict=True):
        past += facts
        for fact in facts:
            if isinstance(fact, Laid):
                laid |= {fact.fields[0]: fact.fields, fact.fields[1]: fact.fields[::-1]}
        view = SeatView.of(pos, -1)
        known = _half_rugs(drawing("suleika").sheet(view, (), past).svg())
        guessed = _half_rugs(draw(pos))
        at = {
            half[1:]: "abcdefg"[k] + str(7 - row)
            for row, line in enumerate(view.position.board)
            for k, half in enumerate(line)
        }
        assert (
            set(known)
            == set(guessed)
            == {number for number, field in at.items() if field in view.scene.covered}
        )
        for number, turn in known.items():
            (x, y), (to_x, to_y) = map(middle, laid[at[number]])
            assert turn == math.degrees(math.atan2(to_y - y, to_x - x))
            towards = view.scene.covered[at[number]]
            assert guessed[number] == 90 * "nesw".index(towards) - 90
            assert _numbers(view.position.board)[_beside(at[number], towards)] > int(number)
            guessed_otherwise += turn != guessed[number]
    assert guessed_otherwise


@pytest.mark.parametrize("players", [3, 4])
def test_figures_and_discs_of_basari(players: int) -> None:
    for pos in some("basari", players):
        json, root = pos.to_json(), drawn(pos)
        figures = with_data(root, "figure")
        assert len(figures) == sum(arch is not None for arch in json["figures"])
        for figure in figures:
            assert used(figure, f"figure-{figure.attrib['data-figure']}") == 1
            place = re.match(r"translate\(([\d.]+) ([\d.]+)\)", figure.attrib["transform"])
            assert place is not None
            bay = HOUSE.bays[json["figures"][int(figure.attrib["data-figure"])]]
            assert bay.x < float(place[1]) < bay.x + bay.width
            assert bay.y < float(place[2]) < bay.y + bay.height
        for seat in range(players):
            assert used(root, f"disc-{seat}") == (json["discs"][seat] is not None)
        shown = [choice.attrib["data-choice"] for choice in with_data(root, "choice")]
        assert shown == [
            choice for choice in json["choices"] if choice and json["phase"] != "choose"
        ]


@pytest.mark.parametrize("players", [3, 5])
def test_cards_of_the_card_game(players: int) -> None:
    for pos in some("basari-cards", players):
        json, root = pos.to_json(), drawn(pos)
        cards = with_data(root, "card")
        assert [card.attrib["data-card"] for card in cards] == [
            card for card in json["cards"] if card
        ]
        for card in cards:
            workers, points, letters = card.attrib["data-card"].split("/")
            assert used(card, "worker") == int(workers)
            assert card.findtext(f"{SVG}text") == points
            assert sum(used(card, f"gem-{colour}") for colour in GEM_NAMES) == len(letters)


@pytest.mark.parametrize(
    ("name", "players"), [("basari", 3), ("basari", 4), ("basari-cards", 3), ("basari-cards", 5)]
)
def test_the_gems_of_an_offer_lie_on_the_counter(name: str, players: int) -> None:
    offers = 0
    for pos in some(name, players):
        haggle, lying = pos.to_json()["haggle"], with_data(drawn(pos), "offer")
        offer = haggle and haggle["offer"]
        assert len(lying) == bool(offer)
        for n, colour in zip(offer or (), GEM_NAMES, strict=False):
            assert used(lying[0], f"gem-{colour}") == n
        offers += bool(offer)
    assert offers


@pytest.mark.parametrize("players", [1, 2, 6])
def test_wares_and_chips_of_bazaar(players: int) -> None:
    for pos in some("bazaar", players):
        json, root = pos.to_json(), drawn(pos)
        stalls = with_data(root, "stall")
        assert len(stalls) == len(json["stalls"])
        for stall, fact in zip(stalls, json["stalls"], strict=True):
            chips = {letter: used(stall, f"chip-{name}") for letter, name in CHIPS.items()}
            assert chips == {letter: (fact["top"] or "").count(letter) for letter in CHIPS}
        texts = [element.text for element in table(root) if element.tag == f"{SVG}text"]
        for n in json["bank"]:
            assert str(n) in texts
        for rate in json["rates"]:
            assert used(root, f"rate-{rate}") == 1


CHIPS = {"W": "white", "B": "blue", "G": "green", "R": "red", "Y": "yellow"}


@pytest.mark.parametrize("name", game_names())
def test_every_player_fits_beside_the_board(name: str) -> None:
    """With the most players, the panels end above the lower edge."""
    pos = find_game(name).start(find_game(name).players[-1])
    root = drawn(pos)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    panels = [
        rect for rect in table(root) if rect.tag == f"{SVG}rect" and rect.get("width") == "316"
    ]
    assert len(panels) == pos.players
    for rect in panels:
        assert float(rect.attrib["y"]) + float(rect.attrib["height"]) < height
        assert float(rect.attrib["x"]) + 316 < width


# ---------------------------------------------------------------- records


@pytest.mark.parametrize(
    ("name", "players"), [("suleika", 4), ("basari", 3), ("basari-cards", 3), ("bazaar", 1)]
)
def test_a_record_steps_through_its_positions(name: str, players: int) -> None:
    record = whole_random_game(name, players, {}, 1)
    html = record._repr_html_()
    assert html
    steps = len(record.events) + 1
    assert (
        html.count("<section>") == html.count('type="radio"') == html.count("</section>") == steps
    )
    assert html.count(" checked>") == 1
    assert html.count("<title>") == steps
    assert "<script" not in html
    ids = re.findall(r'id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="#|url\(#)([^")]*)', html)) <= set(ids)
    assert len(html) < 2_000_000


def test_a_record_tells_what_happened_by_the_players_names() -> None:
    record = souk.Record("suleika", 3, names=["Ada", "Ben", "Cem"])
    record.play(0, "left")
    html = record._repr_html_() or ""
    assert "<span>Ada points Omar west.</span>" in html
    assert ">Ben</text>" in html


def test_a_record_shown_twice_has_other_ids() -> None:
    record = souk.Record("basari", 3)
    one, other = (set(re.findall(r'id="([^"]*)"', record._repr_html_() or "")) for _ in range(2))
    assert one
    assert not one & other


@pytest.mark.parametrize("name", game_names())
def test_a_step_is_the_drawing_of_its_position(name: str) -> None:
    """Expanding the shared symbols gives the same drawing."""
    sheets = [drawing(name).sheet(SeatView.of(pos, -1)) for pos in positions(name, 3)[20:40]]
    shared = SharedShapes(sheets)
    assert len(shared.ids) > 3
    for sheet in sheets:
        step = shared.drawn(sheet)
        for piece, name in shared.ids.items():
            step = step.replace(tag("use", href=f"#{name}"), piece)
        assert step == sheet.framed(WIDTH, sheet.body)


# ---------------------------------------------------------------- pictures


@pytest.mark.parametrize("name", game_names())
def test_a_picture_has_the_size_and_the_colours_of_the_drawing(name: str) -> None:
    pos = positions(name, 3)[30]
    found = picture(pos, width=220)
    _, _, width, height = map(float, drawn(pos).attrib["viewBox"].split())
    assert found.dtype == np.uint8
    assert found.flags.c_contiguous
    assert found.shape == (pytest.approx(220 * height / width, abs=1), 220, 3)
    # background
    assert tuple(found[0, 0]) == (0x14, 0x12, 0x2B)
    assert len(np.unique(found.reshape(-1, 3), axis=0)) > 1000
    assert not np.array_equal(found, picture(positions(name, 3)[31], width=220))


def test_without_a_font_numbers_are_lines() -> None:
    pos = positions("suleika", 3)[30]
    svg = pictures._in_strokes(pos._repr_svg_() or "")
    left = [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert left
    assert not any(text.isdigit() for text in left)
    assert svg.count("M0 0H4") > 3


def test_a_width_that_makes_no_sense_is_refused() -> None:
    for width in (15, 4001, 2.5, "wide"):
        with pytest.raises(ValueError, match="width: must be a number of pixels from 16 to 4000"):
            picture(find_game("suleika").start(3), width=width)  # type: ignore[arg-type]


def test_without_resvg_one_sentence_says_what_to_install() -> None:
    code = """
import sys
sys.modules["resvg_py"] = None
import souk, souk.lab.images
try:
    souk.lab.images.picture(souk.game("suleika").start(3))
except ModuleNotFoundError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Pictures need resvg and Pillow: pip install 'souk-games[lab]'\n"
