"""Suleika: what the log and the refusals say, in three languages."""

import souk
from souk.core.message import sentence
from tests.play import happens, refused

GAME = souk.game("suleika")
NAMES = ["Aziza", "Bilal", "Chadi", "Dunya"]


def test_the_log_tells_what_happened() -> None:
    pos = GAME.start(players=3)
    assert happens(pos.copy(), 0, "straight") == "{0} sends Omar straight on."
    assert happens(pos.copy(), 0, "back") == "{0} turns Omar back."
    assert happens(pos.copy(), 0, "right") == "{0} turns Omar right."
    assert happens(pos, 0, "left") == "{0} turns Omar left."
    assert happens(pos, None, "2") == "The die shows 2: Omar walks to b4."
    assert happens(pos, 0, "rug b5 b6") == "{0} lays a rug on b5 and b6."


def test_the_log_tells_who_pays_whom() -> None:
    pos = GAME.start(players=3)
    for move in ("straight", "1", "rug d6 d7", "straight"):
        happens(pos, pos.actors[0] if pos.actors else None, move)
    assert happens(pos.copy(), None, "1") == "The die shows 1: Omar walks to d6. {1} pays {0} 2 piastres."
    pos = GAME.from_json(pos.to_json() | {"money": [119, 1, 0]})
    assert happens(pos, None, "1") == "The die shows 1: Omar walks to d6. {1} pays {0} 1 piastre."


def test_the_log_tells_what_comes_up() -> None:
    assert happens(GAME.start(players=2), None, "yellow") == "A yellow rug comes up for {0}."


def test_the_log_in_other_languages() -> None:
    before = GAME.start(players=3)
    for move in ("straight", "1", "rug d6 d7", "straight"):
        happens(before, before.actors[0] if before.actors else None, move)
    after = before.copy()
    after.resolve("1")
    told = GAME.words.tell(before.state, after.state, None, "1")
    assert sentence(told, NAMES, "de") == "Der Würfel zeigt 1: Omar geht nach d6. Bilal zahlt 2 Piaster an Aziza."
    assert (
        sentence(told, NAMES, "nl") == "De dobbelsteen toont 1: Omar loopt naar d6. Bilal betaalt 2 piasters aan Aziza."
    )


def test_refusals_say_why() -> None:
    pos = GAME.start(players=3)
    assert "direction" in str(refused(pos, 0, "rug d5 d6"))
    pos.play(0, "straight")
    assert str(refused(pos, 0, "left")) == "the die is due first"
    pos.resolve("1")
    assert "now a rug must be laid" in str(refused(pos, 0, "left"))
    error = refused(pos, 0, "rug a1 a2")
    assert str(error) == "one half must lie next to Omar, who stands on d5"
    assert error.message.text(language="de") == "eine Hälfte muss neben Omar liegen, der auf d5 steht"
    assert '"rug c3 c4"' in str(refused(pos, 0, "rug"))
