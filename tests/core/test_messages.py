"""Messages: formatting keys with values, identically in Python and in the browser."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import souk
from souk.core.messages import Message, Seat, Words, sentence, texts

SHARED = json.loads((Path(__file__).parents[1] / "messages.json").read_text(encoding="utf-8"))


def from_json(data: Any) -> Any:
    """A message as sent to the browser."""
    if isinstance(data, list):
        key, values, *about = data
        return Message(key, **{name: from_json(value) for name, value in values.items()}).at(
            *about[0] if about else ()
        )
    if isinstance(data, dict):
        return Seat(data["seat"]) if "seat" in data else [from_json(item) for item in data["all"]]
    return data


@pytest.mark.parametrize(
    "example", SHARED["examples"], ids=lambda each: f"{each['language']}-{each['said']}"
)
def test_what_the_browser_says_too(example: dict[str, Any]) -> None:
    language = example["language"]
    known, you = SHARED["languages"][language], example.get("you")
    words = Words(language, SHARED["names"], known, you=you, gender=SHARED["gender"])
    assert words.say(from_json(example["message"])) == example["said"]


@pytest.mark.parametrize(
    ("n", "words"), [(0, "0 pieces"), (1, "1 piece"), (2, "2 pieces"), (-2, "−2 pieces")]
)
def test_one_or_more(n: int, words: str) -> None:
    assert str(Message("{n} {n:piece|pieces}", n=n)) == words


@pytest.mark.parametrize(("n", "words"), [(3, "+3"), (0, "+0"), (-3, "−3")])
def test_a_number_with_its_sign(n: int, words: str) -> None:
    assert str(Message("{n:+}", n=n)) == words


def test_numbers_of_numpy_are_numbers() -> None:
    assert str(Message("{n:.1} {n}", n=np.float64(2.25))) == "2.3 2.25"


def test_babel_is_loaded_by_the_first_number_that_needs_it() -> None:
    code = """
import sys, souk
pos = souk.game("bazaar").start(players=2)
pos.is_legal(0, "hello"), pos.to_json(), str(souk.core.messages.Message("{n} {who}", n=12, who="x"))
assert "babel" not in sys.modules
assert str(souk.core.messages.Message("{n:piece|pieces}", n=12)) == "pieces"
assert "babel" in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_seats_are_called_by_their_names() -> None:
    message = Message("{who} pays {owner}.", who=Seat(1), owner=Seat(0))
    assert str(message) == "seat 1 pays seat 0."
    assert message.text(["Aziza", "Bilal"]) == "Bilal pays Aziza."
    assert message.text(language="de") == "Platz 1 pays Platz 0."
    assert (
        message.text(["{owner}", "{n:+}"]) == "{n:+} pays {owner}."
    )  # a name is never read as a text


@pytest.mark.parametrize(
    ("values", "words", "german"),
    [
        ([], "", ""),
        ([1], "1", "1"),
        ([1, 2], "1 and 2", "1 und 2"),
        (("a", Seat(0), Message("{n}", n=3)), "a, seat 0 and 3", "a, Platz 0 und 3"),
    ],
)
def test_lists(values: Any, words: str, german: str) -> None:
    message = Message("{all}", all=values)
    assert str(message) == words
    assert message.text(language="de") == german


def test_a_message_within_a_message_is_in_the_same_language() -> None:
    message = Message("suleika.told.comes_up", who=Seat(0), rug=Message("suleika.word.rug.red"))
    assert message.text(["Aziza"]) == "Aziza draws a red rug."
    assert "roter Teppich" in message.text(["Aziza"], "de")
    assert "rood tapijt" in message.text(["Aziza"], "nl")


def test_a_key_that_no_language_knows_is_the_text_itself() -> None:
    message = Message("{who} rolls {n}, {what}.", who=Seat(0), n=4)
    for language in ("en", "de", "nl"):
        assert message.text(["Aziza"], language) == "Aziza rolls 4, {what}."


def test_several_messages_make_a_line() -> None:
    messages = [Message("The die shows {n}.", n=2), Message("told.core.over")]
    assert sentence(messages) == "The die shows 2. The game is over."
    assert sentence(messages, language="de").endswith(". Die Partie ist zu Ende.")
    assert sentence([]) == ""


def test_json_carries_all_that_is_said() -> None:
    gems = [
        Message("basari-common.gems_given.red", n=1),
        Message("basari-common.gems_given.blue", n=2),
    ]
    message = Message("basari-common.told.offers", who=Seat(1), gems=gems)
    data = json.loads(json.dumps(message.to_json()))
    assert data == [
        "basari-common.told.offers",
        {
            "who": {"seat": 1},
            "gems": {
                "all": [
                    ["basari-common.gems_given.red", {"n": 1}],
                    ["basari-common.gems_given.blue", {"n": 2}],
                ]
            },
        },
    ]
    assert from_json(data) == message
    assert from_json(data).text(["A", "B"], "de") == "B bietet 1 roten und 2 blaue."


def test_equal_messages() -> None:
    one, other = Message("x {n}", n=1), Message("x {n}", n=1)
    assert one == other
    assert hash(one) == hash(other)
    assert one != Message("x {n}", n=2)
    assert one != "x 1"
    assert pickle.loads(pickle.dumps(one)) == one
    assert repr(one) == "Message('x {n}', {'n': 1})"


# ---------------------------------------------------------------- refusals


def test_a_refusal_has_a_message() -> None:
    position = souk.game("suleika").start(players=3)
    with pytest.raises(souk.IllegalMove) as caught:
        position.play(1, "left")
    error = caught.value
    assert error.message == Message("reason.core.not_on_turn", who=Seat(1), actors=[Seat(0)])
    assert str(error) == "it is not seat 1's turn: seat 0 to move"
    assert (
        error.message.text(["Aziza", "Bilal"], "de")
        == "Bilal ist jetzt nicht am Zug, sondern Aziza"
    )
    assert error.clause is None


def test_a_refusal_may_be_plain_text() -> None:
    error = souk.IllegalMove("there is nothing to bank yet", "PG1")
    assert str(error) == "there is nothing to bank yet"
    assert error.message.text(language="nl") == "there is nothing to bank yet"
    assert error.clause == "PG1"


def test_a_refusal_can_be_sent_to_another_process() -> None:
    error = pickle.loads(pickle.dumps(souk.IllegalMove(Message("reason.core.over"), "S30")))
    assert (str(error), error.clause) == ("the game is over", "S30")


def test_asking_whether_a_move_is_legal_puts_nothing_into_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(message: Message) -> str:
        raise AssertionError(message.key)

    monkeypatch.setattr(Message, "__str__", never)
    monkeypatch.setattr(Message, "text", never)
    for name in ("suleika", "basari", "basari-cards", "bazaar"):
        assert not souk.game(name).start(players=3).is_legal(0, "hello")


def test_texts_are_read_once() -> None:
    assert texts("en") is texts("en")
