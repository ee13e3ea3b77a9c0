"""One sentence for hint, warning, analysis and puzzle, each with its own start."""

import random
from typing import Any

import pytest

import souk
from souk.analysis import voice
from souk.analysis.advice import advise
from souk.bots.bot import Bot
from souk.bots.judgement import Spoken
from souk.core.messages import Words, languages
from tests.analysis.test_choose_reason import toll_ahead
from tests.core.test_messages import from_json

CLEAR, EQUAL = voice.Lead(0.1, 0.01), voice.Lead(0.01, 0.01)
WHY = "Nothing to pay going east; north could cost you 3."
MARKS = ["field d5", "field d6", "field d7"]


def text(spoken: Spoken, language: str = "en") -> str:
    assert spoken.sentence is not None
    return Words(language, ["Amina", "Karim", "Bilal", "Dunya"], you=1).say(
        from_json(spoken.sentence)
    )


def marks(spoken: Spoken) -> Any:
    return spoken.sentence[2] if spoken.sentence and len(spoken.sentence) > 2 else []


def test_a_hint_is_the_reason_alone() -> None:
    pos, seat = toll_ahead()
    spoken = voice.hint(pos, seat, "right", "straight", CLEAR)
    assert (text(spoken), marks(spoken), spoken.equal) == (WHY, MARKS, False)


def test_equal_moves_are_called_equal_everywhere() -> None:
    pos, seat = toll_ahead()
    spoken = voice.hint(pos, seat, "right", "straight", EQUAL)
    assert text(spoken) == "East or north: both are equally good."
    assert (spoken.equal, spoken.key) == (True, "")


def test_a_hint_without_a_reason_says_nothing() -> None:
    pos = souk.game("suleika").start(4)
    assert voice.hint(pos, 0, "left", "right", CLEAR).sentence is None


@pytest.mark.parametrize(
    ("spoken", "start"),
    [
        (voice.warning(*toll_ahead(), "right", "straight", CLEAR), "Wait: better east."),
        (voice.better_move(*toll_ahead(), "right", "straight", CLEAR), "Better: east."),
        (voice.verdict(*toll_ahead(), "right", "straight", CLEAR, "right"), "Yes."),
        (
            voice.verdict(*toll_ahead(), "right", "straight", CLEAR, "straight"),
            "Not quite: better east.",
        ),
        (voice.verdict(*toll_ahead(), "right", "straight", CLEAR, ""), "Best: east."),
    ],
)
def test_each_place_has_its_start_and_the_same_reason(spoken: Spoken, start: str) -> None:
    assert text(spoken) == f"{start} {WHY}"
    assert marks(spoken) == MARKS
    for language in languages():
        assert "{" not in text(spoken, language)


def test_a_warning_without_a_reason_names_the_better_move() -> None:
    pos = souk.game("suleika").start(4)
    spoken = voice.warning(pos, 0, "left", "right", CLEAR)
    assert text(spoken) == "Wait: better west. Clearly better, but only further ahead."


# ---------------------------------------------------------------- secret choices


def choosing() -> souk.Position:
    pos, dice = souk.game("basari").start(players=4), random.Random(1)
    while pos.to_json()["phase"] != "choose":
        pos.play(pos.actors[0], pos.moves(pos.actors[0])[0]) if pos.actors else pos.draw(dice)
    return pos


@pytest.mark.parametrize(
    ("shares", "start", "equal"),
    [
        ({"dice": 0.7, "gems": 0.3}, "lead_in.mostly", False),
        ({"dice": 0.55, "gems": 0.3, "points": 0.15}, "lead_in.more_often", False),
        ({"dice": 0.5, "gems": 0.45, "points": 0.05}, "lead_in.evenly", True),
        ({"dice": 1.0}, "lead_in.mostly_alone", False),
    ],
)
def test_secret_choices_are_habits(shares: dict[str, float], start: str, *, equal: bool) -> None:
    likely = {seat: {"dice": 0.4, "points": 0.3, "gems": 0.3} for seat in (1, 2, 3)}
    spoken = voice.habit(choosing(), 0, shares, likely)
    assert spoken.sentence is not None
    assert str(spoken.sentence[0]).removesuffix("_alone") == start.removesuffix("_alone")
    assert spoken.equal == equal
    assert "{" not in text(spoken)


# ---------------------------------------------------------------- advice


def test_advice_speaks_of_the_move_asked_about() -> None:
    pos, seat = toll_ahead()
    bots = iter(range(100))

    def new_bot() -> Bot:
        return souk.bot(f"search:playouts=300,seed={next(bots)}")

    judgement = advise(pos, seat, "straight", new_bot)
    assert judgement.spoken is not None
    assert judgement.spoken.sentence is not None
    assert str(judgement.spoken.sentence[0]).startswith("lead_in.")
    assert judgement.moves[0].name[0] in ("suleika.heading.e", "suleika.heading.w")


def test_advice_on_a_secret_choice_asks_for_the_habits_of_others() -> None:
    bots = iter(range(100))

    def new_bot() -> Bot:
        return souk.bot(f"search:playouts=200,seed={next(bots)}")

    judgement = advise(choosing(), 0, "", new_bot)
    assert judgement.mixed
    assert judgement.spoken is not None
    assert judgement.spoken.sentence is not None
