"""Bazaar as text: parsing and refusals, positions as JSON, and the log."""

import random
from typing import Any

import pytest

import souk
from souk.kernel import default_ops as defaults
from tests.support.bazaar_positions import (
    BAZAAR,
    TOPS,
    at,
    buying,
    chips,
    double,
    hand,
    phase,
    position,
)
from tests.support.play import happens, play_out, refused

# ---------------------------------------------------------------- texts


def test_input_is_forgiving():
    pos = BAZAAR.start(players=2, double_purchase=True)
    for outcome in (" RATE 1", "rate2", "r r w w w", "YGGBB", "ybgww", " wwwww\n", "First 0"):
        pos.resolve(outcome)
    pos.play(0, " Roll ")
    pos.resolve("  Red ")
    pos.play(1, "ROLL")
    pos.resolve("CHOICE")
    pos.play(1, "take r")
    pos.play(0, "trade r > w w")
    pos.play(1, "TRADE R>gYbw")
    assert (chips(pos, 0), chips(pos, 1)) == (hand("WW"), hand("WBGY"))
    pos = position("RY", "")
    pos.play(0, "tradeyr>ggw")
    assert chips(pos) == hand("WGG")
    for text in ("buy 1 3", "buy 13", "Buy1  3", "BUY13"):
        pos = double("WWWRRWWBGY")
        pos.play(0, text)
        assert pos.to_json()["bought"] == [2, 0]
    pos = buying("WWWRR")
    pos.play(0, " Done")
    pos = position("RRRRRYYYYYB", "", phase="return")
    pos.play(1, "returnb")
    assert chips(pos) == hand("RRRRRYYYYY")


UNREADABLE = """trade / trade R / trade R> / trade >R / trade R=WW / trade R>WW>R / trade X>WW
/ trade 1R>2W / take / take WW / take X / take white / take 0 / buy / buy x / buy 123 / buy -1
/ buy 1,2 / done now / roll 3 / return / return WW / pass / buy ² / rate 3"""


@pytest.mark.parametrize("text", ["", *UNREADABLE.split("/")])
def test_what_cannot_be_read_names_no_clause(text: str):
    for pos in (position("R", ""), buying("WWWRR")):
        error = refused(pos, 0, text)
        assert error.clause is None
        assert "is not understood here" in str(error)


def test_moves_of_another_phase_say_what_is_to_do():
    act = position("R", "")
    assert refused(act, 0, "take R").clause == "Z10"
    assert refused(act, 0, "buy 1 2").clause == "Z12"
    assert refused(act, 0, "return R").clause == "Z15"
    for nowhere in ("buy 5", "buy 0", "buy 05", "buy 1 7"):
        assert refused(act, 0, nowhere).clause == "Z5"
    choice = position("R", "", phase="choice")
    assert refused(choice, 0, "done").clause == "Z10"
    buy = buying("WWWRR")
    assert refused(buy, 0, "take R").clause == "Z10"
    assert refused(buy, 0, "return R").clause == "Z15"
    back = position("RRRRRYYYYYB", "", phase="return")
    for move in ("trade R>WW", "take R", "buy 1", "done"):
        assert refused(back, 1, move).clause == "Z15"
    alone = position("RRRRRYYYYYB", phase="return")
    assert refused(alone, 0, "roll").clause == "Z42"
    assert refused(position("R"), 0, "return R").clause == "Z42"


def test_whose_turn_it_is_not_is_told_so():
    assert "seat 0 to move" in str(refused(position("R", ""), 1, "roll"))
    assert refused(position("R", ""), 1, "roll").clause is None
    pos = position("RRRRRYYYYYB", "", phase="return")
    assert "seat 1 to move" in str(refused(pos, 0, "return R"))
    assert "the die of seat 0 is due first" in str(
        refused(position("R", "", phase="die"), 0, "roll")
    )
    assert "the roll for who begins is due first" in str(
        refused(position("", "", phase="first"), 0, "roll")
    )
    assert "a rate card is due first" in str(refused(BAZAAR.start(players=2), 0, "roll"))
    assert "a card for stall 1 is due" in str(
        refused(BAZAAR.start(players=2, rates=(1, 2)), 0, "roll")
    )
    assert "the game is over" in str(refused(position("", "", phase="over"), 0, "roll"))


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({"phase": "die"}, ["", "purple", "w", "white blue", "rate 3", "WWWRR", "1"]),
        (
            {"phase": "rates", "rates": [3]},
            ["", "3", "rate", "rate 3", "rate 0", "rate 11", "rate 04", "rate x", "first 1"],
        ),
        ({"phase": "first"}, ["", "1", "first", "first 2", "first -1", "first 01", "rate 1"]),
        (
            {"phase": "reveal", "left": [5, 5, 5, 5]},
            ["", "WWWRR", "WWW", "WWWRRR", "WWBBB", "red", "RRRRR*"],
        ),
    ],
)
def test_what_is_not_due_is_refused(fields: dict[str, Any], texts: list[str]):
    json = at("", "", **fields)
    if fields["phase"] == "reveal":
        json["stalls"][0]["top"] = None
    pos = BAZAAR.from_json(json)
    before = pos.to_json()
    for text in texts:
        with pytest.raises(souk.IllegalMove) as error:
            pos.resolve(text)
        assert error.value.clause is None
        assert pos.to_json() == before


# ---------------------------------------------------------------- positions


def test_the_json_of_a_start():
    assert BAZAAR.start(players=2).to_json() == {
        "game": "bazaar",
        "players": 2,
        "options": {"rates": None, "first": None, "double_purchase": False},
        "phase": "rates",
        "turn": None,
        "chips": [[0] * 5, [0] * 5],
        "bank": [20] * 5,
        "points": [0, 0],
        "bought": [0, 0],
        "rates": [],
        "stalls": [{"top": None, "left": 5}] * 4,
        "seen": [],
        "turns_without_purchase": 0,
    }


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (1, {}),
        (1, {"ware": "WWWRR", "rates": (1, 2)}),
        (2, {"double_purchase": True}),
        (4, {"first": 3}),
        (6, {"rates": [9, 4]}),
    ],
)
def test_every_position_of_a_game_can_be_written_and_read(players: int, options: dict[str, Any]):
    for seed in range(3):
        for pos in play_out(BAZAAR.start(players=players, **options), seed):
            again = BAZAAR.from_json(pos.to_json())
            assert again == pos
            assert again.to_json() == pos.to_json()
            assert BAZAAR.notation.pieces(pos.state)["wares"] == (20 if players > 1 else 1)


@pytest.mark.parametrize("players", [1, 2, 5])
def test_random_choices_are_those_of_the_lists(players: int):
    rng = random.Random(players)
    for pos in play_out(BAZAAR.start(players=players), players):
        x, out, weights = rng.getrandbits(64), [0] * 64, [0] * 64
        if pos.actors:
            seat = pos.actors[0]
            listed = defaults.random_move(pos.state, seat, x, out)
            assert BAZAAR.rules.random_move(pos.state, seat, x, [0] * 64) == listed
            legal = [code for code in range(-1, 64) if BAZAAR.rules.legal(pos.state, seat, code)]
            assert legal == out[: len(pos.moves(seat))]
        elif not pos.over:
            listed = defaults.random_outcome(pos.state, x, out, weights)
            assert BAZAAR.rules.random_outcome(pos.state, x, [0] * 64, [0] * 64) == listed


def test_options_may_be_missing_and_rates_are_then_as_drawn():
    pos = position("R", "")
    assert pos.to_json()["options"] == {"rates": None, "first": None, "double_purchase": False}
    assert (
        BAZAAR.from_json(at("R", "", options={"double_purchase": True})).options["double_purchase"]
        is True
    )


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("phase", {"phase": "haggle"}),
    ("phase", {"phase": None}),
    ("phase", {"phase": "buy"}),
    ("turn", {"turn": 2}),
    ("turn", {"turn": None}),
    ("turn", {"turn": True}),
    ("turn", {"turn": 0, "phase": "over"}),
    ("turn", {"turn": 0, "phase": "first"}),
    ("rates", {"rates": []}),
    ("rates", {"rates": [1]}),
    ("rates", {"rates": [1, 1]}),
    ("rates", {"rates": [1, 11]}),
    ("rates", {"rates": [0, 1]}),
    ("rates", {"rates": None}),
    ("rates", {"rates": [1, 2], "phase": "rates"}),
    ("chips", {"chips": [[0] * 5]}),
    ("chips", {"chips": [[0] * 4, [0] * 5]}),
    ("chips", {"chips": [[0, 0, 0, 0, -1], [0] * 5]}),
    ("chips", {"chips": [[11, 0, 0, 0, 0], [0] * 5], "bank": [9, 20, 20, 20, 20]}),
    ("chips", {"chips": [[0] * 5, [11, 0, 0, 0, 0]], "bank": [9, 20, 20, 20, 20]}),
    ("chips", {"phase": "return"}),
    ("bank", {"bank": [19, 20, 20, 20, 20]}),
    ("bank", {"bank": [20, 20, 20, 20]}),
    ("bank", {"bank": [20, 20, 20, 20, 21]}),
    ("bank", {"bank": [20, 20, 20, 20, 20.0]}),
    ("points", {"points": [0]}),
    ("points", {"points": [0, -1]}),
    ("points", {"points": [0, False]}),
    ("bought", {"bought": [0, 21]}),
    ("bought", {"bought": 0}),
    ("stalls", {"stalls": []}),
    ("stalls", {"left": [0, 0, 5, 5]}),
    ("stalls", {"phase": "stalls"}),
    ("stalls", {"phase": "reveal"}),
    ("stalls.1", {"stalls": ["WWWRR", None, None, None]}),
    ("stalls.2.left", {"left": [5, 6, 5, 5]}),
    ("stalls.3.top", {"tops": ["WWWRR", "BBGGY", "WWXXY", "WWWWW"], "seen": TOPS}),
    ("stalls.3.top", {"tops": ["WWWRR", "BBGGY", "YGBWW", "WWWWW"], "seen": TOPS}),
    ("stalls.3.top", {"tops": ["WWWRR", "BBGGY", "WWWRR", "WWWWW"], "seen": TOPS}),
    ("stalls.3.top", {"tops": ["WWWRR", "BBGGY", 3, "WWWWW"], "seen": TOPS}),
    ("stalls.4.top", {"seen": TOPS[:3]}),
    ("seen", {"seen": [*TOPS, "WWWWW"]}),
    ("seen", {"seen": [*TOPS, "wwwwb"]}),
    ("seen", {"seen": [*TOPS, None]}),
    ("seen", {"seen": "WWWRR"}),
    ("turns_without_purchase", {"turns_without_purchase": -1}),
    ("turns_without_purchase", {"turns_without_purchase": 100}),
    ("turns_without_purchase", {"turns_without_purchase": 101, "phase": "over"}),
    ("actions", {"actions": 3}),
    ("wares", {"wares": []}),
    ("options", {"options": []}),
    ("options.first", {"options": {"first": 2}}),
    ("options.ware", {"options": {"ware": "WWWRR"}}),
]


@pytest.mark.parametrize(("field", "fields"), WRONG)
def test_nonsense_is_refused_by_its_field(field: str, fields: dict[str, Any]):
    with pytest.raises(ValueError, match=rf"^{field}[:.]"):
        BAZAAR.from_json(at("", "", **fields))


WRONG_ALONE: list[tuple[str, dict[str, Any]]] = [
    ("phase", {"phase": "first"}),
    ("phase", {"phase": "reveal"}),
    ("points", {"points": [1]}),
    ("bought", {"bought": [1]}),
    ("stalls", {"left": [0]}),
    ("stalls.1.left", {"left": [2]}),
    ("actions", {"actions": 200}),
    ("actions", {"actions": 201, "phase": "die"}),
    ("actions", {"actions": None}),
    ("turns_without_purchase", {"turns_without_purchase": 10_000}),
]


@pytest.mark.parametrize(("field", "fields"), WRONG_ALONE)
def test_nonsense_alone_is_refused_by_its_field(field: str, fields: dict[str, Any]):
    with pytest.raises(ValueError, match=rf"^{field}: "):
        BAZAAR.from_json(at("", **fields))


def test_missing_fields_and_other_shapes_are_refused():
    for name in at("", ""):
        json = at("", "")
        del json[name]
        with pytest.raises(ValueError, match=f"^{name}: "):
            BAZAAR.from_json(json)
    json = at("", "")
    del json["stalls"][1]["left"]
    with pytest.raises(ValueError, match=r"^stalls\.2\.left: missing"):
        BAZAAR.from_json(json)
    json = at("", "")
    json["stalls"][1] = {"top": None, "left": 3}
    with pytest.raises(ValueError, match=r"^stalls: the top card of stall 2 must be seen"):
        BAZAAR.from_json(json)
    json["stalls"][1] = {"top": "BBGGY", "left": 0}
    with pytest.raises(ValueError, match=r"^stalls\.2\.left: "):
        BAZAAR.from_json(json)


def test_no_more_wares_than_there_are():
    wares = list(BAZAAR.start(players=2, rates=(1, 2)).chances())
    seen = [*TOPS, *[ware for ware in wares if ware not in TOPS]]
    assert phase(position("", "", seen=seen[:29])) == "act"
    with pytest.raises(ValueError, match=r"^seen: 16 more wares lie in the stalls"):
        position("", "", seen=seen[:30])
    assert position("", "", seen=seen, phase="over").over


def test_who_must_buy_holds_up_to_13():
    assert buying("WWWRRRRRRRRRR").moves(0) == ["buy 1"]
    with pytest.raises(ValueError, match=r"^chips: seat 0 holds 14, and may hold 13 at most"):
        buying("WWWRRRRRRRRRRR")
    with pytest.raises(ValueError, match=r"^chips: seat 1 holds 11, and may hold 10 at most"):
        position("WWWRR", "YYYYYYYYYYY", phase="buy")
    with pytest.raises(ValueError, match=r"^chips: seat 0 must hold 11, one too many, not 12"):
        position("RRRRRRRRRRRR", "", phase="return")


def test_what_cannot_be_reached_is_none_of_our_business():
    pos = position(
        "WW", "RR", points=[9843, 0], bought=[7, 0], left=[1, 5, 2, 5], turns_without_purchase=99
    )
    assert pos.scores == [9843, 0]
    early = position("WW", "RR", phase="rates", rates=[4])
    early.resolve("rate 5")
    assert phase(early) == "first"
    turning = at("", "", phase="reveal", turns_without_purchase=7)
    turning["stalls"][0]["top"] = None
    pos = BAZAAR.from_json(turning)
    pos.resolve("RRRRR")
    assert pos.to_json()["turns_without_purchase"] == 0


# ---------------------------------------------------------------- the log


def log_of(pos: souk.Position, event: str) -> str:
    return happens(pos, pos.actors[0] if pos.actors else None, event)


def test_the_log_tells_what_happened():
    pos = BAZAAR.start(players=2)
    assert log_of(pos, "rate 1") == "Rate card 1 is in play."
    pos.resolve("rate 2")
    assert log_of(pos, "WWWRR") == "A card comes up in stall 1: 3 white and 2 red."
    assert log_of(position("", "", phase="first"), "first 1") == "{1} goes first."
    pos = position("WWWR", "R")
    assert log_of(pos, "roll") == "{0} rolls."
    assert log_of(pos.copy(), "choice") == "The die shows Choice: {0} may take any chip."
    assert log_of(pos, "red") == "The die shows red: {0} takes a red chip."
    assert log_of(pos.copy(), "done") == "{0} buys nothing."
    assert (
        log_of(pos, "buy 1")
        == "{0} buys the card in stall 1 (3 white and 2 red) with 0 chips left over: 5 points."
    )
    pos.resolve("RRRRR")
    assert log_of(pos, "trade R>WW") == "{1} trades 1 red for 2 white."
    assert log_of(position("", "", phase="choice"), "take Y") == "{0} takes a yellow chip."
    dry = position("", "WWWWWWWWWW", "WWWWWWWWWW", phase="die")
    assert log_of(dry, "white") == "The die shows white, but the bank has no white chip for {0}."


def test_the_log_tells_of_two_wares_of_returns_and_of_the_end():
    one = "{0} buys the card in stall 1 (3 white and 2 red) with 3 chips left over: 1 point."
    other = (
        "{0} buys the card in stall 3 (2 white, 1 blue, 1 green and 1 yellow) "
        "with 3 chips left over: 1 point."
    )
    assert log_of(double("WWWRRWWBGYYYY"), "buy 1 3") == f"{one} {other}"
    closing = double("WWWRRWWBGYYYY", left=[1, 0, 5, 5], points=[3, 0])
    assert log_of(closing, "buy 1 3") == (
        "{0} buys the card in stall 1 (3 white and 2 red) with 8 chips left over: 2 points. "
        "Two stalls are empty: the bazaar closes. The game is over."
    )
    assert log_of(buying("WWWRRY"), "buy 1") == (
        "{0} buys the card in stall 1 (3 white and 2 red) with 1 chip left over: 3 points."
    )
    back = position("RRRRRYYYYYB", "", phase="return")
    assert log_of(back, "return B") == "{1} puts a blue chip of {0}'s back into the bank."
    alone = position("RRRRRYYYYYB", phase="return")
    assert log_of(alone, "return B") == "{0} puts a blue chip back into the bank."
    for actions, text in [(7, "7 actions"), (1, "1 action"), (0, "0 actions")]:
        assert log_of(position("WWWRR", phase="buy", actions=actions), "buy 1") == (
            f"{{0}} buys the card (3 white and 2 red) after {text}. "
            "The puzzle is solved. The game is over."
        )


def test_the_log_tells_why_the_bazaar_closes_without_a_sale():
    assert log_of(position("W", "", phase="die", turns_without_purchase=99), "red") == (
        "The die shows red: {0} takes a red chip. "
        "Nobody has bought anything for too long: the bazaar closes. The game is over."
    )
    assert log_of(position("W", phase="die", actions=200), "red") == (
        "The die shows red: {0} takes a red chip. "
        "That was the last action allowed: the bazaar closes. The game is over."
    )


def test_the_log_in_other_languages():
    sale = happens(buying("WWWRRY"), 0, "buy 1", "de")
    assert (
        sale == "{0} kauft die Ware aus Fach 1 (3 weiße und 2 rote) "
        "und hat 1 Spielmarke übrig: 3 Punkte."
    )
    sale = happens(buying("WWWRRY"), 0, "buy 1", "nl")
    assert sale == (
        "{0} koopt de warenkaart in kraam 1 (3 witte en 2 rode) en houdt 1 fiche over: 3 punten."
    )
