"""Bazaar's start options, and cards from data files."""

import random
from pathlib import Path
from typing import Any

import pytest

from tests.support.bazaar_positions import (
    BAZAAR,
    FOLDER,
    at,
    buying,
    chips,
    hand,
    position,
    shipped,
)
from tests.support.marks import clause

# ---------------------------------------------------------------- options


@pytest.mark.parametrize("players", [0, 7, None, True, "3", 2.0])
def test_one_to_six_play(players: Any):
    with pytest.raises(ValueError, match=r"^players: "):
        BAZAAR.start(players=players)


def test_the_options_and_their_defaults():
    assert BAZAAR.options(1) == {"rates": None, "ware": None}
    for players in range(2, 7):
        assert BAZAAR.options(players) == {"rates": None, "first": None, "double_purchase": False}


@clause("Z3")
@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize(
    "rates",
    [(1,), (1, 2, 3), (1, 1), (0, 1), (1, 11), (1, "2"), (1, True), (1, 2.0), "12", 12, {1, 2}],
)
def test_rates_are_two_different_cards(players: int, rates: object):
    with pytest.raises(ValueError, match=r"^rates: must be two different numbers from 1 to 10"):
        BAZAAR.start(players=players, rates=rates)


@clause("Z3")
def test_rates_are_a_pair_in_any_form_and_in_their_order():
    for rates in ((7, 3), [7, 3]):
        pos = BAZAAR.start(players=2, rates=rates)
        assert pos.options["rates"] == (7, 3)
        assert pos.to_json()["options"]["rates"] == [7, 3]
        assert pos.to_json()["rates"] == [7, 3]
        assert BAZAAR.from_json(pos.to_json()) == pos


@clause("Z6")
@pytest.mark.parametrize("first", [-1, 3, "0", True, 1.0])
def test_first_must_be_a_seat(first: object):
    with pytest.raises(ValueError, match=r"^first: must be a seat from 0 to 2"):
        BAZAAR.start(players=3, first=first)


@clause("Z40")
@pytest.mark.parametrize("value", [1, None, "yes"])
def test_double_purchase_is_true_or_false(value: object):
    with pytest.raises(ValueError, match=r"^double_purchase: must be true or false"):
        BAZAAR.start(players=2, double_purchase=value)


@clause("Z42")
@pytest.mark.parametrize("ware", ["", "WWW", "WWWRRR", "WWBBB", "WWWRX", "wares", 3, ["WWWRR"]])
def test_alone_the_ware_must_be_one_of_the_cards(ware: object):
    with pytest.raises(ValueError, match=r"^ware: must be one of the ware cards"):
        BAZAAR.start(players=1, ware=ware)


@clause("Z42")
@pytest.mark.parametrize("ware", ["WWWRR", "rwrww", " w w w r r "])
def test_alone_the_ware_is_read_forgivingly(ware: str):
    assert BAZAAR.start(players=1, ware=ware).options["ware"] == "WWWRR"


def test_options_of_the_other_number_of_players_are_refused():
    for name, value in (("first", 0), ("double_purchase", True)):
        with pytest.raises(ValueError, match=f"^{name}: "):
            BAZAAR.start(players=1, **{name: value})
    with pytest.raises(ValueError, match=r"^ware: "):
        BAZAAR.start(players=2, ware="WWWRR")
    with pytest.raises(ValueError, match=r'^card: Bazaar has no such option. Did you mean "cards"'):
        BAZAAR.start(players=2, card="souk")


def test_the_box_says_that_its_cards_are_a_reconstruction():
    assert "reconstruction" in BAZAAR.about_box(BAZAAR.options(2))


# ---------------------------------------------------------------- data files

OURS = (FOLDER / "souk.toml").read_text(encoding="utf-8")


def changed(folder: Path, *changes: str) -> str:
    """Path of the shipped data file with changes such as "R=WW -> R=BB"."""
    text = OURS
    for change in changes:
        old, new = change.split(" -> ")
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def line_of(text: str) -> int:
    return OURS[: OURS.index(text)].count("\n") + 1


@clause("Z3", "Z4")
def test_other_cards_can_be_played_with(tmp_path: Path):
    path = changed(tmp_path, '"R=WW" -> "bb = R"', '"WWWRR" -> "WWWRR*"', '"WWWWW*" -> "WWWWW"')
    cards = BAZAAR.start(2, cards=path).options["cards"]
    assert (
        BAZAAR.from_json(at("BB", "", options={"cards": path}), files=True).options["cards"]
        == cards
    )
    pos = BAZAAR.from_json(at("BB", "", options={"cards": cards}))
    pos.play(0, "trade BB>R")
    assert chips(pos) == hand("R")
    bought = buying("WWWRR", options={"cards": cards})
    bought.play(0, "buy 1")
    assert bought.scores[0] == 8
    again = BAZAAR.from_json(bought.to_json())
    assert again == bought
    assert position("BB", "") != pos


def test_other_cards_alone(tmp_path: Path):
    cards = changed(tmp_path, '"WWWRR" -> "WWWWG"')
    pos = BAZAAR.start(players=1, cards=cards, ware="GWWWW")
    assert pos.to_json()["options"]["ware"] == "WWWWG"
    assert '"WWWWG"' in pos.to_json()["options"]["cards"]
    with pytest.raises(ValueError, match=r"^ware: "):
        BAZAAR.start(players=1, cards=cards, ware="WWWRR")


def test_our_cards_are_not_listed_as_an_option():
    pos = BAZAAR.start(players=2, cards="souk")
    assert pos.to_json()["options"] == {"rates": None, "first": None, "double_purchase": False}
    assert pos == BAZAAR.start(players=2)
    alone = BAZAAR.start(players=1, cards="souk")
    assert alone.options == {"rates": None, "ware": None}


@pytest.mark.parametrize("cards", ["", "nowhere.toml", "other", 3, None, "\0", "../bazaar"])
def test_cards_must_be_a_data_file(cards: object):
    with pytest.raises(ValueError, match=r"^cards: "):
        BAZAAR.start(players=2, cards=cards)


BAD_RATES = [
    ('"GY=BB" -> "GY"', "not an equation"),
    ('"GY=BB" -> "GY=B=R"', "not an equation"),
    ('"GY=BB" -> "GY="', "not an equation"),
    ('"GY=BB" -> "GY=BBBBB"', "not an equation"),
    ('"GY=BB" -> "GX=BB"', "not an equation"),
    ('"GY=BB" -> "GY=BG"', "has G on both sides"),
    ('"GY=BB" -> "WW=R"', "the equation WW=R is there twice"),
    ('"GY=BB" -> "R=WW"', "the equation R=WW is there twice"),
    (
        '["R=WW", "R=WBGY", "Y=RRW", "BG=WWY", "GY=BB"] -> ["R=WW", "R=WBGY", "Y=RRW", "BG=WWY"]',
        "number 1 must be a list of 5",
    ),
    ('["R=WW", "R=WBGY", "Y=RRW", "BG=WWY", "GY=BB"] -> "R=WW"', "number 1 must be a list of 5"),
]
BAD_WARES = [
    ('"WWBGY" -> "WWBG"', "not a ware"),
    ('"WWBGY" -> "WWBGYY"', "not a ware"),
    ('"WWBGY" -> "WWBGX"', "not a ware"),
    ('"WWBGY" -> "*WWBGY"', "not a ware"),
    ('"WWBGY" -> "WWBGY**"', "not a ware"),
    ('"WWBGY" -> ""', "not a ware"),
    ('"WWBGY" -> "RRWWW"', "the ware WWWRR is there twice"),
]


@clause("Z3", "Z4")
@pytest.mark.parametrize(
    ("card", "change", "problem"),
    [*(("GY=BB", *bad) for bad in BAD_RATES), *(("WWBGY", *bad) for bad in BAD_WARES)],
)
def test_a_bad_card_is_named_by_its_line(tmp_path: Path, card: str, change: str, problem: str):
    with pytest.raises(ValueError, match=rf"^cards: mine\.toml, line {line_of(card)}: .*{problem}"):
        BAZAAR.start(players=2, cards=changed(tmp_path, change))


@clause("Z4")
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ('"WWBGY" -> "WWBGY*"', "15 wares must be starred, not 16"),
        ('"WWBGY",  -> ', "must have 45 entries, not 44"),
        ('"WWBGY" -> 5', "must have only texts"),
    ],
)
def test_the_wares_as_a_whole_are_named_by_the_line_they_begin_on(
    tmp_path: Path, change: str, problem: str
):
    with pytest.raises(
        ValueError, match=rf"^cards: mine\.toml, line {line_of('wares = [')}: {problem}"
    ):
        BAZAAR.start(players=2, cards=changed(tmp_path, change))


@clause("Z3")
def test_the_rate_cards_as_a_whole(tmp_path: Path):
    tenth = '    ["Y=GG", "Y=RRWG", "W=RGY", "BB=RR", "BG=RWY"],\n'
    with pytest.raises(ValueError, match=r"line \d+: must be a list of 10 lists"):
        BAZAAR.start(players=2, cards=changed(tmp_path, tenth + " -> "))
    with pytest.raises(ValueError, match=r"line \d+: number 10 must be a list of 5, not \[\]"):
        BAZAAR.start(players=2, cards=changed(tmp_path, tenth + " -> []\n"))
    with pytest.raises(ValueError, match=r"line \d+: unknown key 'prices'"):
        BAZAAR.start(players=2, cards=changed(tmp_path, "wares = [ -> prices = []\nwares = ["))


@clause("Z3", "Z4")
def test_our_cards_are_drawn_as_they_are_in_the_file():
    pos = BAZAAR.start(players=2)
    assert pos.draw(random.Random(1)) in {f"rate {card}" for card in range(1, 11)}
    stalls = BAZAAR.start(players=2, rates=(1, 2))
    assert list(stalls.chances()) == [ware.strip("*") for ware in shipped()["wares"]]
