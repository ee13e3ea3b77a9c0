"""Basari's start options, and boards from data files."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.basari_positions import BASARI, at, choose, gems, shipped_arches
from tests.support.marks import clause


@pytest.mark.parametrize("first", [-1, 3, "0", None, True, 1.0])
def test_who_places_first_must_be_a_seat(first: object):
    with pytest.raises(ValueError, match=r"^first: must be a seat from 0 to 2"):
        BASARI.start(players=3, first=first)


@pytest.mark.parametrize("players", [2, 5, None, True, "3"])
def test_three_or_four_play(players: Any):
    with pytest.raises(ValueError, match=r"^players: "):
        BASARI.start(players=players)


@pytest.mark.parametrize(
    "board", ["", "nowhere", 7, None, "souk\0", "no/such/file.toml", "../basari/souk"]
)
def test_a_board_that_is_not_there(board: object):
    with pytest.raises(ValueError, match=r"^board: "):
        BASARI.start(players=3, board=board)
    with pytest.raises(ValueError, match=r"^options\.board: "):
        BASARI.from_json(at() | {"options": {"board": board}})


def test_an_unknown_option():
    with pytest.raises(ValueError, match=r"^frist: .*first"):
        BASARI.start(players=3, frist=1)


def test_the_board_says_it_is_a_reconstruction():
    assert "reconstruction" in BASARI.about_box({"first": 0, "board": "souk"})


def board_file(folder: Path, arches: list[str], about: str = 'about = "mine"') -> str:
    path = folder / "mine.toml"
    path.write_text("\n".join([about, "arches = [", *(f"  {arch}," for arch in arches), "]", ""]))
    return str(path)


def quoted() -> list[str]:
    return [f'"{arch}"' for arch in shipped_arches()]


@clause("B1")
def test_another_board_can_be_played_on(tmp_path: Path):
    arches = quoted()
    arches[0], arches[1] = '"7:RRRR"', '"4:BY"'
    board = board_file(tmp_path, arches)
    pos = BASARI.start(players=3, board=board)
    assert BASARI.about_box(pos.options) == "mine"
    json = at(3, figures=[0, 1, 2]) | {"options": {"board": board}}
    assert BASARI.from_json(json, files=True).options == pos.options
    json["options"] = pos.options
    pos = choose(BASARI.from_json(json), "points", "gems", "dice")
    pos.resolve("6")
    assert pos.scores == [7, 0, 0]
    assert gems(pos, 1) == [3, 4, 3, 4]
    assert BASARI.from_json(pos.to_json()) == pos


@pytest.mark.parametrize(
    "arch",
    [
        "3:RR",
        "8:RR",
        "5:R",
        "5:RRRRR",
        "5:RW",
        "5RR",
        "5:rr",
        "5:",
        ":RR",
        "RR:5",
        " 5:RR",
        "5:RR\\n",
        "55:RR",
    ],
)
def test_an_arch_that_is_none_is_named_by_its_line(tmp_path: Path, arch: str):
    arches = quoted()
    arches[10] = f'"{arch}"'
    with pytest.raises(ValueError, match=r"^board: mine\.toml, line 13: .* is not an arch"):
        BASARI.start(players=3, board=board_file(tmp_path, arches))


def test_no_arch_twice(tmp_path: Path):
    arches = quoted()
    arches[20] = '"5:YRR"'  # the first one, in another order
    with pytest.raises(
        ValueError, match=r"^board: mine\.toml, line 23: the arch 5:RRY appears twice"
    ):
        BASARI.start(players=3, board=board_file(tmp_path, arches))


@pytest.mark.parametrize("arches", [quoted()[:27], [*quoted(), '"4:BB"'], ["5"] * 28, []])
def test_exactly_28_arches_of_text(tmp_path: Path, arches: list[str]):
    with pytest.raises(ValueError, match=r"^board: mine\.toml, line 2: must have"):
        BASARI.start(players=4, board=board_file(tmp_path, arches))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('about = "mine"\n', 2),
        ('about = "mine"\narches = 5\n', 2),
        ("about = 5\narches = []\n", 1),
        ('about = "mine"\narches = [\n', 3),
        ('about = "mine"\nspeed = 1\narches = []\n', 2),
    ],
)
def test_a_file_that_is_no_board(tmp_path: Path, text: str, line: int):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"^board: mine\.toml, line {line}: "):
        BASARI.start(players=4, board=str(path))
