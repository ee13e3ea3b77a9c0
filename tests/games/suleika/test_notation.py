"""Suleika's log and refusals in three languages."""

import souk
from tests.games.suleika.test_rules import position
from tests.support.play import happens, refused

GAME = souk.game("suleika")
AREA = {"d5": "y1", "d6": "y1", "e6": "y2", "e7": "y2"}  # of seat 1, in front of Omar


def test_the_log_tells_what_happened() -> None:
    pos = GAME.start(players=3)
    assert happens(pos.copy(), 0, "straight") == "{0} keeps Omar going north."
    assert happens(pos.copy(), 0, "back") == "{0} points Omar south."
    assert happens(pos.copy(), 0, "right") == "{0} points Omar east."
    assert happens(pos, 0, "left") == "{0} points Omar west."
    assert happens(pos, None, "2") == "The die shows 2: Omar walks to b4."
    assert happens(pos, 0, "rug b5 b6") == "{0} places a rug on b5 and b6."


def test_the_log_tells_who_pays_whom() -> None:
    pos = GAME.start(players=3)
    for move in ("straight", "1", "rug d6 d7", "straight"):
        happens(pos, pos.actors[0] if pos.actors else None, move)
    walk = "The die shows 1: Omar walks to d6."
    assert (
        happens(pos.copy(), None, "1") == f"{walk} {{1}} pays {{0}} 2: their carpet has 2 squares."
    )
    pos = GAME.from_json(pos.to_json() | {"money": [119, 1, 0]})
    assert (
        happens(pos, None, "1")
        == f"{walk} {{1}} owes {{0}} 2 for a carpet of 2 squares, but has only 1 left."
    )
    lone = position(board={"d5": "y1"}, phase="die")
    assert happens(lone, None, "1").endswith("{0} pays {1} 1: their carpet has 1 square.")


def test_the_log_tells_what_an_empty_purse_owes() -> None:
    poor = position(board=AREA, money=[0, 60, 30, 30], phase="die")
    assert happens(poor, None, "1").endswith(
        "{0} owes {1} 4 for a carpet of 4 squares, but has nothing left."
    )
    poor = position(board={"d5": "y1"}, money=[0, 60, 30, 30], phase="die")
    assert happens(poor, None, "1").endswith(
        "{0} owes {1} 1 for a carpet of 1 square, but has nothing left."
    )


def test_the_log_tells_of_a_rug_of_ones_own() -> None:
    pos = position(board={"d5": "r1"}, phase="die")
    assert happens(pos, None, "1") == "The die shows 1: Omar walks to d5, onto {0}'s own rug."


def test_the_log_tells_what_comes_up() -> None:
    assert happens(GAME.start(players=2), None, "yellow") == "{0} draws a yellow rug."


def test_the_log_in_other_languages() -> None:
    rich, poor = (
        position(board=AREA, money=[purse, 60 - purse, 30, 30], phase="die") for purse in (9, 1)
    )
    walk = "Der Würfel zeigt 1: Omar geht nach d5."
    assert (
        happens(rich.copy(), None, "1", "de")
        == f"{walk} {{0}} zahlt {{1}} 4: Der Teppich hat 4 Felder."
    )
    assert happens(poor.copy(), None, "1", "de") == (
        f"{walk} {{0}} schuldet {{1}} 4 für einen Teppich aus 4 Feldern, hat aber nur noch 1."
    )
    walk = "De dobbelsteen toont 1: Omar loopt naar d5."
    assert (
        happens(rich, None, "1", "nl")
        == f"{walk} {{0}} betaalt {{1}} 4: het tapijt heeft 4 velden."
    )
    assert happens(poor, None, "1", "nl") == (
        f"{walk} {{0}} is {{1}} 4 schuldig voor een tapijt van 4 velden, maar heeft nog maar 1."
    )


def test_refusals_say_why() -> None:
    pos = GAME.start(players=3)
    assert "direction" in str(refused(pos, 0, "rug d5 d6"))
    pos.play(0, "straight")
    assert str(refused(pos, 0, "left")) == "the die is due first"
    pos.resolve("1")
    assert "now place a rug" in str(refused(pos, 0, "left"))
    error = refused(pos, 0, "rug a1 a2")
    assert str(error) == "one half has to be next to Omar, who stands on d5"
    assert (
        error.message.text(language="de") == "eine Hälfte muss neben Omar liegen, der auf d5 steht"
    )
    assert '"rug c3 c4"' in str(refused(pos, 0, "rug"))
