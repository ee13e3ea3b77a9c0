"""Basari as text: parsing and refusals, positions as JSON, and the log."""

import random
import re
from typing import Any

import pytest

import souk
from souk.kernel import default_ops as defaults
from tests.support.basari_positions import (
    BASARI,
    HANDS,
    SETTLING,
    at,
    choose,
    haggle,
    offered,
    position,
)
from tests.support.play import happens, play_out, refused

# ---------------------------------------------------------------- texts


def test_input_is_forgiving():
    pos = BASARI.start(players=3)
    pos.play(0, "  ARCH   12 ")
    pos.play(1, "arch5")
    pos.play(2, "Arch 6\n")
    for roll in (" 1 ", "2", "3\t"):
        pos.resolve(roll)
    choose(pos, " Dice", "DICE", "gems ")
    pos.resolve(" Opens  1 ")
    pos.play(1, "offer 2B 1r")
    assert pos.to_json()["haggle"]["offer"] == [1, 0, 0, 2]
    pos.play(0, "OFFER 1G1R 1b")
    assert pos.to_json()["haggle"]["offer"] == [1, 0, 1, 1]
    pos.play(1, " Accept ")
    assert pos.to_json()["turn"] == 0


UNREADABLE = """offer / offer 0r / offer 1r0b / offer 01r / offer 1r1r / offer 1r 2R / offer r
/ offer 1x / offer 1 / offer -1r / offer 1r,2b / offer ²r / 1r2b / accept it / pass 1r / bid 1r
/ arch / arch 03 / arch -1 / arch two / dice dice"""


@pytest.mark.parametrize("text", ["", *UNREADABLE.split("/")])
def test_what_cannot_be_read_names_no_clause(text: str):
    assert refused(BASARI.from_json(haggle()), 0, text).clause is None


def test_moves_of_another_phase_say_what_is_to_do():
    pos = position()
    assert refused(pos, 0, "arch 3").clause == "B11"
    assert refused(pos, 0, "accept").clause == "B11"
    assert refused(pos, 0, "offer 1r").clause == "B11"
    assert "Dice, Points or Gems" in str(refused(pos, 0, "pass"))
    pos = BASARI.from_json(haggle())
    assert refused(pos, 0, "dice").clause == "B15"
    assert refused(pos, 0, "arch 3").clause == "B15"
    assert "die of seat 0" in str(refused(position(phase="walk", turn=0), 0, "dice"))
    assert "die of seat 0" in str(refused(position(phase="walk", turn=0), 1, "dice"))


def test_unreadable_moves_say_what_could_be_read():
    assert '"arch 0" to "arch 27"' in str(refused(BASARI.start(players=3), 0, "hello"))
    assert '"dice", "points" or "gems"' in str(refused(position(), 0, "hello"))
    assert '"pass"' in str(refused(BASARI.from_json(haggle()), 0, "hello"))
    assert '"accept"' in str(refused(offered([1, 0, 0, 0]), 1, "hello"))


@pytest.mark.parametrize("text", ["0", "7", "01", "", "opens 1", "one", "1.0", "-1", "12"])
def test_a_die_shows_one_to_six(text: str):
    for pos in (position(phase="walk", turn=0), choose(position(3), "dice", "points", "gems")):
        before = pos.to_json()
        with pytest.raises(souk.IllegalMove) as error:
            pos.resolve(text)
        assert error.value.clause is None
        assert pos.to_json() == before


@pytest.mark.parametrize(
    "text", ["opens 2", "opens 3", "opens", "opens 01", "1", "open 1", "opens 9", "opens -1"]
)
def test_only_the_two_can_open(text: str):
    pos = choose(position(), "dice", "dice", "points", "gems")
    with pytest.raises(souk.IllegalMove):
        pos.resolve(text)
    assert pos.to_json()["phase"] == "opener"


def test_nothing_is_drawn_while_somebody_is_to_move():
    for pos in (position(), BASARI.start(players=3), BASARI.from_json(haggle())):
        assert pos.chances() == {}
        with pytest.raises(souk.IllegalMove):
            pos.resolve("1")


# ---------------------------------------------------------------- positions as JSON


def broken(field: str, json: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(field)}: "):
        BASARI.from_json(json)


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("phase", {"phase": "roll"}),
        ("phase", {"phase": None}),
        ("turn", {"turn": 0}),
        ("turn", {"choices": ["dice", None, "dice", "dice"], "turn": 2}),
        ("turn", {"phase": "walk", "turn": None}),
        ("turn", {"phase": "walk", "turn": 4}),
        ("turn", {"phase": "walk", "turn": True}),
        ("turn", {"phase": "over", "turn": 0}),
        ("turn", {"phase": "start", "turn": 0}),
        ("figures", {"figures": [0, 1, 2]}),
        ("figures", {"figures": [0, 1, 2, 28]}),
        ("figures", {"figures": [0, 1, 2, None]}),
        ("figures", {"figures": [0, 1, 2, True]}),
        (
            "figures",
            {"phase": "start", "turn": 3, "figures": [0, 1, 2, 3], "discs": [0, 1, 2, None]},
        ),
        (
            "figures",
            {"phase": "start", "turn": 3, "figures": [0, 1, None, None], "discs": [0, 1, 2, None]},
        ),
        ("discs", {"discs": [0, 1, 2, -1]}),
        ("discs", {"discs": None}),
        ("discs", {"discs": [None, 1, 2, 3]}),
        ("walked", {"walked": [0, 0, 0, -1]}),
        ("walked", {"walked": [0, 0, 0, 10000]}),
        ("walked", {"walked": [0, 0, 0]}),
        ("points", {"points": [0, 0, 0, 10000]}),
        ("points", {"points": [0, 0, 0, 1.0]}),
        ("points", {"points": [0, 0, -1, 0]}),
        (
            "gems",
            {"gems": [[3, 3, 3, 3], [3, 3, 3, 3], [3, 3, 3, 3], [26, 3, 3, 3]], "supply": [13] * 4},
        ),
        (
            "gems",
            {"gems": [[3, 3, 3, 3], [3, 3, 3, 3], [3, 3, 3, 3], [3, 3, 3, -1]], "supply": [13] * 4},
        ),
        ("gems", {"gems": [[3, 3, 3, 3], [3, 3, 3, 3], [3, 3, 3, 3]], "supply": [13] * 4}),
        (
            "gems",
            {"gems": [[3, 3, 3, 3], [3, 3, 3, 3], [3, 3, 3, 3], [3, 3, 3]], "supply": [13] * 4},
        ),
        ("supply", {"supply": [13, 13, 13, 12]}),
        ("supply", {"supply": [13, 13, 13]}),
        ("choices", {"choices": [None] * 3}),
        ("choices", {"choices": ["roll", None, None, None]}),
        ("choices", {"choices": ["dice", "dice", "dice", "gems"]}),
        ("choices", {"choices": [0, None, None, None]}),
        ("choices", {"phase": "walk", "turn": 0, "choices": ["dice", None, None, None]}),
        ("choices", {"phase": "over", "choices": ["dice", None, None, None]}),
        (
            "haggle",
            {
                "haggle": {
                    "action": "dice",
                    "seats": [0, 1],
                    "turn": 0,
                    "offer": None,
                    "offerer": None,
                }
            },
        ),
        ("haggle", {"haggle": False}),
        ("pending", {"pending": ["dice"]}),
        ("pending", {"pending": None}),
        ("scorings", {"scorings": 3}),
        ("scorings", {"scorings": 4, "phase": "over"}),
        ("scorings", {"scorings": -1}),
        ("colour", {"colour": "red"}),
    ],
)
def test_a_position_that_makes_no_sense_is_refused_by_field(field: str, changes: dict[str, Any]):
    broken(field, at(**changes))


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("turn", {"turn": 1}),
        ("turn", {"turn": None}),
        ("haggle.turn", {"haggle": {"turn": 1}}),
        ("haggle.turn", {"haggle": {"turn": None}}),
        ("haggle.action", {"haggle": {"action": "roll"}}),
        ("haggle.seats", {"haggle": {"action": "points"}}),
        ("haggle.seats", {"haggle": {"seats": [0, 2]}}),
        ("haggle.seats", {"haggle": {"seats": [0, 0]}}),
        ("haggle.seats", {"haggle": {"seats": [0]}}),
        ("haggle.seats", {"haggle": {"seats": [0, 4]}}),
        ("haggle.offerer", {"haggle": {"offerer": 0}}),
        ("haggle.offerer", {"haggle": {"offer": [1, 0, 0, 0], "offerer": None}}),
        ("haggle.offerer", {"haggle": {"offer": [1, 0, 0, 0], "offerer": 2}}),
        ("haggle.offer", {"haggle": {"offer": [4, 0, 0, 0], "offerer": 1}}),
        ("haggle.offer", {"haggle": {"offer": [0, 0, 0, 0], "offerer": 1}}),
        ("haggle.offer", {"haggle": {"offer": [26, 0, 0, 0], "offerer": 1}}),
        ("haggle.offer", {"haggle": {"offer": [1, 0, 0], "offerer": 1}}),
        ("haggle.turn", {"haggle": {"offer": [1, 0, 0, 0], "offerer": 0}}),
        ("haggle.words", {"haggle": {"words": "many"}}),
        ("pending", {"pending": ["dice", "gems", "points"]}),
        ("pending", {"pending": ["points", "gems"]}),
        ("choices", {"choices": ["dice", "dice", "points", None]}),
    ],
)
def test_a_haggle_that_makes_no_sense_is_refused_by_field(field: str, changes: dict[str, Any]):
    broken(field, haggle(**changes))


def test_a_haggle_with_a_field_missing_is_refused():
    json = haggle()
    del json["haggle"]["offerer"]
    broken("haggle.offerer", json)
    broken("haggle", haggle() | {"haggle": None})


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("haggle.seats", {"haggle": {"seats": [1, 0], "turn": None}}),
        ("haggle.turn", {}),
        ("haggle.offer", {"haggle": {"turn": None, "offer": [1, 0, 0, 0], "offerer": 0}}),
        ("turn", {"haggle": {"turn": None}, "turn": 0}),
    ],
)
def test_before_it_is_known_who_opens(field: str, changes: dict[str, Any]):
    broken(field, haggle(**({"phase": "opener", "turn": None} | changes)))
    assert BASARI.from_json(haggle(phase="opener", turn=None, haggle={"turn": None})).chances()


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("turn", {"turn": 2}),
        ("turn", {"turn": None}),
        ("choices", {"choices": ["dice", "dice", "dice", "gems"], "pending": ["gems"]}),
        ("choices", {"choices": ["points", "points", "points", "gems"], "pending": ["gems"]}),
        ("haggle", {"haggle": haggle()["haggle"]}),
        ("pending", {"pending": []}),
    ],
)
def test_a_roll_that_makes_no_sense_is_refused_by_field(field: str, changes: dict[str, Any]):
    fields = {"phase": "dice", "turn": 1, "choices": ["dice", "dice", "points", "gems"]}
    fields |= {"pending": ["dice", "points", "gems"]}
    assert position(**fields).chances()
    broken(field, at(**(fields | changes)))


@pytest.mark.parametrize("field", sorted(set(at()) - {"game", "players"}))
def test_a_missing_field_is_named(field: str):
    json = at()
    del json[field]
    broken(field, json)


def test_ready_is_ignored_and_options_may_be_partial():
    plain = position()
    assert BASARI.from_json(at() | {"ready": "nonsense", "options": {"first": 0}}) == plain
    other = BASARI.from_json(at() | {"options": {"first": 3}})
    assert other.to_json()["options"] == {"first": 3, "board": "souk"}
    assert other != plain


def test_made_up_positions_are_not_asked_how_they_came_about():
    assert position(figures=[3, 3, 3, 3], discs=[5, 5, 5, 5], walked=[993, 0, 1, 2]).actors == (
        0,
        1,
        2,
        3,
    )
    assert position(phase="over", scorings=1).over
    assert position(choices=["dice", None, "dice", "dice"], turn=1).to_json()["turn"] == 1
    pos = position(
        phase="start", turn=2, figures=[4, None, None, None], discs=[4, None, None, None]
    )
    for seat in (2, 3, 1):  # on from seat 2, past seat 0, which has placed its disc
        assert pos.actors == (seat,)
        pos.play(seat, f"arch {seat}")
    assert pos.to_json()["phase"] == "walk"


@pytest.mark.parametrize(("players", "seed"), [(3, 1), (3, 2), (4, 1), (4, 2)])
def test_random_games_end_and_every_position_can_be_written_and_read(players: int, seed: int):
    path = play_out(BASARI.start(players=players, first=seed), seed)
    assert path[-1].over
    assert path[-1].winners
    assert path[-1].to_json()["scorings"] == 3
    for pos in path:
        json = pos.to_json()
        again = BASARI.from_json(json)
        assert again == pos
        assert hash(again) == hash(pos)
        assert again.to_json() == json
        assert (json["choices"] == [None] * players) or json["phase"] in ("choose", *SETTLING)
        for seat in range(players):
            listed = pos.moves(seat)
            assert len(set(listed)) == len(listed)
            assert bool(listed) is (seat in pos.actors)
            assert all(pos.is_legal(seat, move) for move in listed[:40])


def test_the_quick_draw_is_the_draw_from_the_list():
    rng = random.Random(5)
    opener = choose(position(), "gems", "dice", "points", "dice")
    for pos in (
        opener,
        position(phase="walk", turn=2),
        choose(position(3), "dice", "points", "gems"),
    ):
        for _ in range(50):
            x = rng.getrandbits(64)
            room = [0] * BASARI.widest, [0] * BASARI.widest
            assert BASARI.rules.random_outcome(pos.state, x, *room) == defaults.random_outcome(
                pos.state, x, *room
            )


def test_random_moves_are_even_where_nobody_haggles():
    rng = random.Random(6)
    start = BASARI.start(players=3)
    start.play(0, "arch 5")
    for pos, seat, expected in ((start, 1, 27), (position(), 2, 3)):
        drawn = [
            BASARI.rules.random_move(pos.state, seat, rng.getrandbits(64), [0] * 28)
            for _ in range(200 * expected)
        ]
        counts = [drawn.count(move) for move in set(drawn)]
        assert len(counts) == expected
        assert 120 < min(counts) <= max(counts) < 290


# ---------------------------------------------------------------- the log


def test_the_log_tells_what_happened():
    pos = BASARI.start(players=3)
    assert happens(pos, 0, "arch 4") == "{0} starts on space 4."
    pos = position(3, phase="walk", turn=2, figures=[0, 0, 25])
    assert happens(pos, None, "5") == "{2} rolls 5 and walks to space 2."
    assert happens(pos, 0, "gems") == "{0} has chosen."
    assert happens(pos, 2, "gems") == "{2} has chosen."
    assert happens(pos, 1, "points") == (
        "Everyone has chosen: {0} Gems, {1} Points and {2} Gems. {1} scores 5 points. "
        "{0} and {2} both want gems and are tied on points: a roll decides who offers first."
    )
    assert (
        happens(pos, None, "opens 2") == "Tied on points, so a roll decides who offers first: {2}."
    )
    assert happens(pos, 2, "offer 1r1y2b") == "{2} offers 1 red, 1 yellow and 2 blue gems."
    line = "{0} accepts 1 red, 1 yellow and 2 blue gems, so {2} gets Gems."
    assert happens(pos, 0, "accept") == f"{line} {{2}} takes 2 red, 1 green and 1 blue gem."
    assert (
        happens(BASARI.from_json(haggle()), 0, "pass") == "{0} passes, so {1} gets Dice for free."
    )


def test_the_log_tells_why_a_haggle_is_held_and_who_opens_it():
    pos = choose(position(points=[3, 8, 0, 0]), "dice", "dice", "points")
    assert happens(pos, 3, "gems") == (
        "Everyone has chosen: {0} Dice, {1} Dice, {2} Points and {3} Gems. "
        "{1} and {0} both want to roll: {1} has more points and offers first."
    )


def test_the_log_tells_of_another_roll():
    pos = choose(position(3, figures=[0, 3, 14]), "dice", "points", "points")
    assert happens(pos, None, "5") == (
        "{0} rolls 5 and walks to space 5. {0} scores 1 point. "
        "{1} and {2} both want points and are tied on points: a roll decides who offers first."
    )


def test_the_log_tells_what_the_supply_did_not_have():
    """Arch 0 shows two red and a yellow."""
    for short, line in [
        ([3, 3], "{2} takes 2 red and 1 yellow gem."),
        (
            [25, 3],
            "{2} takes only 1 yellow gem instead of 2 red and 1 yellow gem: "
            "that's all the supply has.",
        ),
        ([25, 25], "{2} may take 2 red and 1 yellow gem, but there are none left."),
    ]:
        hands = [
            [*short, 3, 3],
            [*(0 if n == 25 else 3 for n in short), 3, 3],
            [*(0 if n == 25 else 3 for n in short), 3, 3],
        ]
        pos = position(
            3, gems=hands, figures=[7, 14, 0], choices=["dice", "dice", None], points=[5, 0, 0]
        )
        happens(pos, 2, "gems")
        happens(pos, 0, "pass")
        assert happens(pos, None, "1").endswith(line)


def test_the_log_tells_of_scorings_and_the_end():
    pos = position(
        scorings=2, walked=[28, 0, 0, 0], gems=HANDS, choices=["dice", "dice", "dice", None]
    )
    line = happens(pos, 3, "dice")
    assert "Scoring 3 of 3." in line
    assert line.startswith(
        "Everyone has chosen: {0} Dice, {1} Dice, {2} Dice and {3} Dice. "
        "Four wanted to roll: nobody does."
    )
    assert "{0} has completed a lap: 10 points." in line
    assert (
        "{0}, {1}, {2} and {3} tie for the most red gems: 3 points each, and 8 gems go back."
        in line
    )
    assert "{3} has the most blue gems: 8 points, and 2 gems go back." in line
    assert line.endswith("The game is over.")
