"""Suleika, clause by clause, from positions built with from_json that show all a test
depends on.
"""

import re
from typing import Any

import pytest

import souk
from souk.core.rule_clauses import page
from souk.games.suleika import rules
from souk.games.suleika.box import rugs_of_each
from tests.support.marks import clause
from tests.support.play import refused

GAME = souk.game("suleika")


def position(
    players: int = 4, board: dict[str, str] | None = None, **changes: Any
) -> souk.Position:
    """A start position with rugs already laid and other fields changed."""
    json = (
        GAME.start(players=players).to_json()
        | {"left": left_beside(players, board or {})}
        | changes
    )
    for field, half in (board or {}).items():
        json["board"][7 - int(field[1])]["abcdefg".index(field[0])] = half
    return GAME.from_json(json)


def left_beside(players: int, board: dict[str, str]) -> list[Any]:
    """The most rugs that can remain given those visible; hidden ones are of the least
    visible colours.
    """
    rugs = set(board.values())
    left = [
        rugs_of_each(players) - sum(rug[0] == colour for rug in rugs)
        for colour in "rybg"[: players if players > 2 else 4]
    ]
    for _ in range(max((int(rug[1:]) for rug in rugs), default=0) - len(rugs)):
        left[left.index(max(left))] -= 1
    return [left[:2], left[2:]] if players == 2 else left


def at(field: str, facing: str = "n") -> dict[str, str]:
    return {"at": field, "facing": facing}


def forbidden(pos: souk.Position, seat: int, move: str) -> str | None:
    """The clause that forbids a move."""
    return refused(pos, seat, move).clause


def half_at(pos: souk.Position, field: str) -> str:
    return str(pos.to_json()["board"][7 - int(field[1])]["abcdefg".index(field[0])])


# ---------------------------------------------------------------- the market


@clause("S1")
def test_omar_starts_in_the_middle_of_seven_by_seven_fields() -> None:
    json = GAME.start(players=4).to_json()
    assert json["omar"] == {"at": "d4", "facing": "n"}
    assert [len(row) for row in json["board"]] == [7] * 7
    assert {half for row in json["board"] for half in row} == {""}


@clause("S2")
@pytest.mark.parametrize("move", ["rug d5 e6", "rug d5 d7", "rug d5 d5"])
def test_a_rug_covers_two_fields_that_share_an_edge(move: str) -> None:
    assert forbidden(position(phase="rug"), 0, move) == "S2"


@clause("S3", "S4")
@pytest.mark.parametrize(
    ("players", "left"), [(2, [[12, 12], [12, 12]]), (3, [15, 15, 15]), (4, [12, 12, 12, 12])]
)
def test_rugs_by_number_of_players(players: int, left: list[Any]) -> None:
    assert GAME.start(players=players).to_json()["left"] == left


@clause("S3")
def test_green_is_not_used_with_three_players() -> None:
    with pytest.raises(ValueError, match=r"^board: "):
        position(3, {"a1": "g1"})


@clause("S4")
def test_two_players_the_top_rug_comes_up_at_the_start_of_the_turn() -> None:
    pos = GAME.start(players=2)
    assert pos.to_json()["phase"] == "card"
    assert pos.actors == ()
    assert pos.chances() == {"red": 0.5, "yellow": 0.5}
    pos.resolve("yellow")
    assert pos.to_json()["rug"] == "y"
    pos.play(0, "straight")
    pos.resolve("1")
    pos.play(0, "rug d6 d7")
    assert half_at(pos, "d6") == half_at(pos, "d7") == "y1"
    json = pos.to_json()
    assert json["left"] == [[12, 11], [12, 12]]
    assert (json["phase"], json["turn"], json["rug"]) == ("card", 1, None)
    assert pos.chances() == {"blue": 0.5, "green": 0.5}


@clause("S4")
def test_the_top_rug_comes_up_by_the_number_left() -> None:
    pos = position(2, left=[[3, 1], [2, 2]], phase="card")
    assert pos.chances() == {"red": 0.75, "yellow": 0.25}
    assert position(2, left=[[0, 4], [2, 2]], phase="card").chances() == {"yellow": 1.0}


@clause("S5")
@pytest.mark.parametrize(("players", "money"), [(2, 60), (3, 40), (4, 30)])
def test_the_money_is_shared_equally(players: int, money: int) -> None:
    pos = GAME.start(players=players)
    assert pos.to_json()["money"] == pos.scores == [money] * players


@clause("S6")
def test_the_die_shows_slippers() -> None:
    assert position(phase="die").chances() == {"1": 1 / 6, "2": 1 / 3, "3": 1 / 3, "4": 1 / 6}


@clause("S7")
def test_the_first_turn_is_open_in_all_four_directions() -> None:
    pos = GAME.start(players=4)
    assert pos.moves(0) == ["back", "left", "right", "straight"]
    pos.play(0, "back")
    assert pos.to_json()["omar"]["facing"] == "s"


@clause("S7")
def test_turns_go_round_clockwise_from_the_first_seat() -> None:
    pos = GAME.start(players=3, first=1)
    turns = []
    for _ in range(4):
        turns.append(pos.actors[0])
        pos.play(pos.actors[0], "straight")
        pos.resolve("1")
        pos.play(pos.actors[0], pos.moves(pos.actors[0])[0])
    assert turns == [1, 2, 0, 1]


# ---------------------------------------------------------------- a turn


@clause("S10")
def test_once_a_rug_is_laid_omar_never_turns_back() -> None:
    pos = position(board={"a1": "r1", "a2": "r1"})
    assert pos.moves(0) == ["left", "right", "straight"]
    assert forbidden(pos, 0, "back") == "S10"


@clause("S10")
@pytest.mark.parametrize(("move", "facing"), [("left", "n"), ("right", "s"), ("straight", "e")])
def test_directions_are_omars(move: str, facing: str) -> None:
    pos = position(omar=at("d4", "e"))
    pos.play(0, move)
    assert pos.to_json()["omar"]["facing"] == facing


@clause("S10", "S11")
def test_the_direction_comes_before_the_die() -> None:
    pos = GAME.start(players=4)
    with pytest.raises(souk.IllegalMove):
        pos.resolve("3")
    pos.play(0, "straight")
    assert pos.to_json()["phase"] == "die"
    assert forbidden(pos, 0, "left") is None


@clause("S11")
@pytest.mark.parametrize("die", ["1", "2", "3"])
def test_omar_walks_exactly_what_the_die_shows(die: str) -> None:
    pos = position(omar=at("d4", "w"), phase="die")
    pos.resolve(die)
    assert pos.to_json()["omar"] == at("dcba"[int(die)] + "4", "w")


BALCONIES = {
    "n": {
        "a7": "b7s",
        "b7": "a7s",
        "c7": "d7s",
        "d7": "c7s",
        "e7": "f7s",
        "f7": "e7s",
        "g7": "g7w",
    },
    "e": {
        "g6": "g5w",
        "g5": "g6w",
        "g4": "g3w",
        "g3": "g4w",
        "g2": "g1w",
        "g1": "g2w",
        "g7": "g7s",
    },
    "s": {
        "b1": "c1n",
        "c1": "b1n",
        "d1": "e1n",
        "e1": "d1n",
        "f1": "g1n",
        "g1": "f1n",
        "a1": "a1e",
    },
    "w": {
        "a7": "a6e",
        "a6": "a7e",
        "a5": "a4e",
        "a4": "a5e",
        "a3": "a2e",
        "a2": "a3e",
        "a1": "a1n",
    },
}


@clause("S12")
@pytest.mark.parametrize(
    ("facing", "field"), [(facing, field) for facing, ways in BALCONIES.items() for field in ways]
)
def test_one_step_out_of_the_market_leads_round_the_balcony(facing: str, field: str) -> None:
    pos = position(omar=at(field, facing), phase="die")
    pos.resolve("1")
    arrival = BALCONIES[facing][field]
    assert pos.to_json()["omar"] == at(arrival[:2], arrival[2])


@clause("S12")
def test_the_rules_page_lists_the_balconies_the_rules_have() -> None:
    """Rows such as "north from row 7 | a ↔ b, …, heading south | g7: back onto g7, heading
    west".
    """
    rows = re.findall(
        r"\| (north|east|south|west) from (?:row|column) (\w) \| (.+), heading (\w+) "
        r"\| (\w\d): back onto \5, heading (\w+) \|",
        page("suleika"),
    )
    listed = []
    for leaving, line, joined, heading, corner, turning in rows:
        ends = [pair.split(" ↔ ") for pair in joined.split(", ")]
        fields = [[end + line if line.isdigit() else line + end for end in pair] for pair in ends]
        listed += [(leaving, " ".join("-".join(pair) for pair in fields), heading)]
        listed += [(leaving, f"{corner}-{corner}", turning)]
    names = ("north", "east", "south", "west")
    assert listed == [
        (names[leaving], joined, names[heading]) for leaving, joined, heading in rules.BALCONIES
    ]


@clause("S12")
def test_the_walk_goes_on_after_a_balcony() -> None:
    pos = position(omar=at("a6", "n"), phase="die")
    pos.resolve("4")
    assert pos.to_json()["omar"] == at("b5", "s")


AREA = {
    "d5": "y1",
    "d6": "y1",
    "e6": "y2",
    "e7": "y2",
    "f5": "y3",
    "g5": "y3",
    "c7": "b4",
    "d7": "b4",
}


@clause("S13")
def test_the_connected_area_is_paid_to_its_owner() -> None:
    pos = position(board=AREA, phase="die")
    pos.resolve("1")
    assert pos.to_json()["money"] == [
        26,
        34,
        30,
        30,
    ]  # d5, d6, e6, e7; f5 and g5 touch only at a corner


@clause("S14")
def test_an_empty_field_and_a_rug_of_ones_own_cost_nothing() -> None:
    pos = position(board=AREA, phase="die", omar=at("d4", "s"))
    pos.resolve("2")
    assert pos.to_json()["money"] == [30] * 4
    pos = position(board=AREA, phase="die", turn=1)
    pos.resolve("1")
    assert pos.to_json()["money"] == [30] * 4


@clause("S14", "S15")
def test_two_players_own_two_colours_that_do_not_join() -> None:
    board = {"d5": "b1", "e5": "b1", "c5": "g2", "c6": "g2"}
    pos = position(2, board, phase="die", turn=1, rug="g")
    pos.resolve("1")
    assert pos.to_json()["money"] == [60, 60]
    pos = position(2, board, phase="die", turn=0, rug="r")
    pos.resolve("1")
    assert pos.to_json()["money"] == [58, 62]


@clause("S16")
def test_who_cannot_pay_pays_what_there_is_and_plays_on() -> None:
    pos = position(board=AREA, phase="die", money=[3, 57, 30, 30])
    pos.resolve("1")
    assert pos.to_json()["money"] == [0, 60, 30, 30]
    assert pos.actors == (0,)
    pos = position(board=AREA, phase="die", money=[0, 60, 30, 30])
    pos.resolve("1")
    assert pos.to_json()["money"] == [0, 60, 30, 30]


@clause("S17")
def test_every_place_beside_omar_and_no_other() -> None:
    pos = position(phase="rug")
    places = pos.moves(0)
    assert len(places) == 12
    for move in places:
        near, far = move.split()[1:]
        assert abs(ord(near[0]) - ord("d")) + abs(int(near[1]) - 4) == 1
        assert far != "d4"
    corner = position(phase="rug", omar=at("a1")).moves(0)
    assert corner == ["rug a2 a3", "rug a2 b2", "rug b1 b2", "rug b1 c1"]


@clause("S17")
@pytest.mark.parametrize(
    "move", ["rug d4 d5", "rug d5 d4", "rug a1 a2", "rug e5 e6", "rug d8 d7", "rug h4 g4"]
)
def test_places_that_are_not_beside_omar_or_not_on_the_market(move: str) -> None:
    assert forbidden(position(phase="rug"), 0, move) == "S17"


@clause("S18")
@pytest.mark.parametrize("move", ["rug d5 d6", "rug d5 e5", "rug d3 d2", "rug c4 b4", "rug e4 f4"])
def test_a_rug_may_lie_on_empty_fields_and_on_halves_of_different_rugs(move: str) -> None:
    board = {
        "d5": "y1",
        "c5": "y1",
        "d6": "b2",
        "d7": "b2",
        "d3": "r3",
        "e3": "r3",
        "c4": "r4",
        "c3": "r4",
        "b4": "r5",
        "b5": "r5",
    }
    pos = position(board=board, phase="rug")
    assert move in pos.moves(0)
    pos.play(0, move)
    for field in move.split()[1:]:
        assert half_at(pos, field) == "r6"


@clause("S19")
@pytest.mark.parametrize("colour", ["r", "y"])
def test_no_rug_is_hidden_by_a_single_one(colour: str) -> None:
    pos = position(board={"d5": f"{colour}1", "d6": f"{colour}1"}, phase="rug")
    assert "rug d5 d6" not in pos.moves(0)
    assert forbidden(pos, 0, "rug d5 d6") == forbidden(pos, 0, "rug d6 d5") == "S19"
    assert "rug d5 e5" in pos.moves(0)


@clause("S19")
def test_a_half_that_is_left_may_be_hidden() -> None:
    pos = position(board={"d5": "y1", "d6": "b2", "e6": "b2"}, phase="rug")
    pos.play(0, "rug d5 d6")
    assert half_at(pos, "d5") == half_at(pos, "d6") == "r3"
    assert half_at(pos, "e6") == "b2"


@clause("S20")
def test_laying_is_compulsory() -> None:
    pos = position(phase="rug")
    assert forbidden(pos, 0, "straight") == "S20"
    assert all(move.startswith("rug") for move in pos.moves(0))


@clause("S20")
def test_there_is_always_a_place() -> None:
    """Every field next to a cornered Omar is half of a whole rug pointing away from him."""
    pos = position(
        board={"a2": "y1", "a3": "y1", "b1": "b2", "c1": "b2"}, phase="rug", omar=at("a1")
    )
    assert pos.moves(0) == ["rug a2 b2", "rug b1 b2"]


# ---------------------------------------------------------------- the end


@clause("S30")
def test_the_last_rug_ends_the_game() -> None:
    pos = position(left=[0, 0, 0, 1], phase="rug", turn=3)
    pos.play(3, "rug d5 d6")
    assert pos.over
    assert pos.actors == ()
    assert pos.chances() == {}
    assert pos.to_json()["turn"] is None


@clause("S30")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everyone_has_the_same_number_of_turns(players: int) -> None:
    pos = GAME.start(players=players)
    laid = [0] * players
    while not pos.over:
        if not pos.actors:
            pos.resolve(next(iter(pos.chances())))
            continue
        seat = pos.actors[0]
        move = pos.moves(seat)[-1]
        laid[seat] += move.startswith("rug")
        pos.play(seat, move)
    assert laid == [{2: 24, 3: 15, 4: 12}[players]] * players


END = {"phase": "over", "turn": None}


@clause("S31")
def test_halves_and_piastres_are_points() -> None:
    pos = position(board=AREA, money=[30, 24, 33, 33], **END)
    assert pos.scores == [30, 30, 35, 33]
    assert pos.winners == (2,)


@clause("S32")
def test_more_halves_win_a_tie() -> None:
    pos = position(board={"a1": "r1", "a2": "r1", "c1": "y2"}, money=[29, 30, 31, 30], **END)
    assert pos.scores == [31, 31, 31, 30]
    assert pos.winners == (0,)


@clause("S32")
def test_still_tied_they_share_the_win() -> None:
    pos = position(
        board={"a1": "r1", "a2": "r1", "c1": "y2", "c2": "y2"}, money=[30, 30, 31, 29], **END
    )
    assert pos.winners == (0, 1)
    assert GAME.start(players=4).winners == ()


@clause("S40")
def test_with_turn_at_end_omar_is_turned_for_the_next_player() -> None:
    pos = GAME.start(players=2, turn_at_end=True)
    pos.resolve("red")
    assert pos.moves(0) == ["back", "left", "right", "straight"]  # the first direction is free
    pos.play(0, "left")
    pos.resolve("1")
    pos.play(0, "rug b4 a4")
    json = pos.to_json()
    assert (json["phase"], json["turn"], json["rug"]) == ("turn", 0, None)
    assert pos.moves(0) == ["left", "right", "straight"]
    pos.play(0, "straight")
    assert (pos.to_json()["phase"], pos.to_json()["turn"]) == ("card", 1)
    pos.resolve("blue")
    assert pos.to_json()["phase"] == "die"
    pos.resolve("1")
    assert pos.to_json()["money"] == [62, 58]  # the walker pays
    assert pos.actors == (1,)


@clause("S40")
def test_nobody_turns_omar_after_the_last_rug() -> None:
    options = {"first": 0, "turn_at_end": True}
    pos = position(
        2, {"a1": "r1"}, left=[[0, 0], [0, 1]], phase="rug", turn=1, rug="g", options=options
    )
    pos.play(1, "rug d5 d6")
    assert pos.over


# ---------------------------------------------------------------- texts, options, JSON


@pytest.mark.parametrize("text", ["RUG c4  B4", "rugc4b4", " rug b4 c4 ", "Rug B4C4"])
def test_input_is_forgiving(text: str) -> None:
    pos = position(phase="rug")
    assert pos.canonical_move(0, text) == "rug c4 b4"


@pytest.mark.parametrize(
    "text",
    ["", "rug", "rug c4", "rug c4 b4 a4", "lefty", "left left", "0", "rug c04 b4", "offer 1r", "№"],
)
def test_unreadable_texts_have_no_clause(text: str) -> None:
    assert forbidden(position(phase="rug"), 0, text) is None


@pytest.mark.parametrize("text", ["5", "0", "02", "", "red", "1.0", "-1", "²"])
def test_the_die_shows_nothing_else(text: str) -> None:
    pos = position(phase="die")
    before = pos.copy()
    with pytest.raises(souk.IllegalMove):
        pos.resolve(text)
    assert pos == before


def test_the_wrong_seat_and_the_wrong_moment() -> None:
    pos = GAME.start(players=4)
    assert forbidden(pos, 1, "left") is None
    assert forbidden(pos, 4, "left") is None
    assert forbidden(pos, 0, "rug d5 d6") == "S10"


@pytest.mark.parametrize(
    ("players", "options", "name"),
    [
        (1, {}, "players"),
        (5, {}, "players"),
        (None, {}, "players"),
        (True, {}, "players"),
        (4, {"first": 4}, "first"),
        (4, {"first": True}, "first"),
        (4, {"first": None}, "first"),
        (4, {"turn_at_end": True}, "turn_at_end"),
        (2, {"turn_at_end": 1}, "turn_at_end"),
        (2, {"frist": 1}, "frist"),
    ],
)
def test_options_without_sense_are_named(players: Any, options: dict[str, Any], name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name}: "):
        GAME.start(players=players, **options)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("phase", "card"),
        ("phase", "lunch"),
        ("turn", None),
        ("turn", 4),
        ("turn", True),
        ("omar", "d4"),
        ("omar.at", {"at": "h4", "facing": "n"}),
        ("omar.at", {"at": 4, "facing": "n"}),
        ("omar.facing", {"at": "d4", "facing": "up"}),
        ("omar.facing", {"at": "d4", "facing": ""}),
        ("omar.facing", {"at": "d4", "facing": "ne"}),
        ("omar.hat", {"at": "d4", "facing": "n", "hat": 1}),
        ("board", []),
        ("board", [[""] * 6] * 7),
        ("board", [["r0"] + [""] * 6] + [[""] * 7] * 6),
        ("board", [["r01"] + [""] * 6] + [[""] * 7] * 6),
        ("board", [["p1"] + [""] * 6] + [[""] * 7] * 6),
        ("board", [["r1", "", "r1", "", "", "", ""]] + [[""] * 7] * 6),
        ("board", [["r1", "r1", "r1", "", "", "", ""]] + [[""] * 7] * 6),
        ("board", [["r1", "y1", "", "", "", "", ""]] + [[""] * 7] * 6),
        ("board", [[None] * 7] * 7),
        ("money", [30, 30, 30]),
        ("money", [30, 30, 30, 31]),
        ("money", [150, -30, 0, 0]),
        ("money", [30.0, 30, 30, 30]),
        ("left", [13, 12, 12, 12]),
        ("left", [0, 12, 12, 12]),
        ("left", [[12, 12], [12, 12]]),
        ("rug", "r"),
        ("options", []),
        ("options.first", {"first": 9}),
        ("options.color", {"color": 1}),
        ("players", 7),
        ("game", "basari"),
        ("wind", 1),
    ],
)
def test_json_without_sense_is_refused_by_field(field: str, value: Any) -> None:
    json = GAME.start(players=4).to_json()
    json[field.split(".")[0]] = value
    with pytest.raises(ValueError, match=f"^{field}: "):
        GAME.from_json(json)


def test_missing_fields_are_named_and_options_may_be_missing() -> None:
    whole = GAME.start(players=4).to_json()
    for field in whole:
        rest = {name: value for name, value in whole.items() if name != field}
        if field == "options":
            assert GAME.from_json(rest) == GAME.start(players=4)
        else:
            with pytest.raises(ValueError, match=f"^{field}: "):
                GAME.from_json(rest)
