"""Log lines about one's own table: in the second person, with the reason, in every language."""

from collections.abc import Iterable

import pytest

from souk.core.facts import Fact
from souk.core.messages import Message, Words
from souk.core.position import Position
from souk.games import game
from souk.games.basari_common.facts import HaggleCalled, Lost, MajorityScored
from souk.games.suleika.facts import OmarTurned, Paid

NAMES = ["Ana", "Hamid", "Soraya", "Faruk"]
GENDER = ["", "he", "she", "he"]
LOOKER_ON = None


def line_for(name: str, fact: Fact, language: str, you: int | None) -> str:
    return Words(language, NAMES, you=you, gender=GENDER).say(*game(name).describe([fact]))


@pytest.mark.parametrize(
    ("language", "you", "line"),
    [
        ("en", 0, "Three wanted gems, you among them: nobody gets them."),
        ("en", 2, "Three wanted gems: nobody gets them."),
        ("en", LOOKER_ON, "Three wanted gems: nobody gets them."),
        ("de", 0, "Drei wollten Edelsteine, auch du: Niemand bekommt sie."),
        ("de", LOOKER_ON, "Drei wollten Edelsteine: Niemand bekommt sie."),
        ("nl", 0, "Drie wilden edelstenen, jij ook: niemand krijgt ze."),
        ("nl", LOOKER_ON, "Drie wilden edelstenen: niemand krijgt ze."),
    ],
)
@pytest.mark.parametrize(("name", "action"), [("basari", "gems"), ("basari-cards", "C")])
def test_three_who_want_gems_get_nothing(
    name: str, action: str, language: str, you: int | None, line: str
) -> None:
    assert line_for(name, Lost(action, [0, 1, 3]), language, you) == line


@pytest.mark.parametrize(
    ("language", "payer", "owner", "looker_on"),
    [
        (
            "en",
            "You pay Soraya 4: her carpet has 4 squares.",
            "Ana pays you 4: your carpet has 4 squares.",
            "Ana pays Soraya 4: her carpet has 4 squares.",
        ),
        (
            "de",
            "Du zahlst Soraya 4: Ihr Teppich hat 4 Felder.",
            "Ana zahlt dir 4: Dein Teppich hat 4 Felder.",
            "Ana zahlt Soraya 4: Ihr Teppich hat 4 Felder.",
        ),
        (
            "nl",
            "Je betaalt Soraya 4: haar tapijt heeft 4 velden.",
            "Ana betaalt jou 4: jouw tapijt heeft 4 velden.",
            "Ana betaalt Soraya 4: haar tapijt heeft 4 velden.",
        ),
    ],
)
def test_a_payment_says_why(language: str, payer: str, owner: str, looker_on: str) -> None:
    paid = Paid(0, 2, 4, 4, ["c3", "c4", "d3", "d4"])
    assert [line_for("suleika", paid, language, you) for you in (0, 2, LOOKER_ON)] == [
        payer,
        owner,
        looker_on,
    ]


def test_of_somebody_unknown_nothing_is_guessed() -> None:
    assert (
        line_for("suleika", Paid(1, 0, 1, 1, ["c3"]), "en", 1)
        == "You pay Ana 1: their carpet has 1 square."
    )


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "You and Hamid both want points: Hamid has more points and offers first."),
        (
            "de",
            "Du und Hamid wollt beide Punkte: Hamid hat mehr Punkte und bietet zuerst.",
        ),
        (
            "nl",
            "Jij en Hamid willen allebei punten: Hamid heeft meer punten en biedt eerst.",
        ),
    ],
)
def test_two_who_want_the_same_hear_who_opens_and_why(language: str, line: str) -> None:
    assert line_for("basari", HaggleCalled("points", [1, 0], 1), language, 0) == line


def test_a_majority_tells_what_goes_back() -> None:
    shared = MajorityScored(2, [0, 3], 5, [2, 2])
    assert (
        line_for("basari", shared, "en", 0)
        == "You and Faruk tie for the most green gems: 5 points each, and 4 gems go back."
    )
    assert (
        line_for("basari", shared, "en", 1)
        == "Ana and Faruk tie for the most green gems: 5 points each, and 4 gems go back."
    )


def test_a_way_is_told_by_the_compass_as_its_arrow_shows_it() -> None:
    assert line_for("suleika", OmarTurned(0, "left", "e"), "en", 0) == "You point Omar east."
    assert (
        line_for("suleika", OmarTurned(1, "straight", "s"), "de", 0)
        == "Hamid lässt Omar weiter nach Süden gehen."
    )


# ---------------------------------------------------------------- places


def test_a_line_names_its_places() -> None:
    [message] = game("suleika").describe([Paid(0, 2, 2, 2, ["c3", "c4"])])
    assert message.to_json()[2] == ["field c3", "field c4"]
    assert Message("told.core.over").to_json() == ["told.core.over", {}]


# ---------------------------------------------------------------- prompts


def prompt_of(pos: Position, seat: int, language: str = "en") -> str:
    message = pos.game.messages.prompt(pos.state, seat, pos.move_codes(seat, 64))
    assert message is not None
    return Words(language).say(message)


def test_a_haggle_asks_for_what_its_case_allows() -> None:
    pos = game("basari").start(players=3)
    for arch in range(3):
        pos.play(pos.actors[0], f"arch {arch}")
    for roll in "123":
        pos.resolve(roll)
    assert prompts_of(pos, pos.actors) == ["pick an action in secret"] * 3
    for seat, choice in enumerate(("points", "points", "gems")):
        pos.play(seat, choice)
    pos.resolve("opens 1")
    assert prompts_of(pos, pos.actors) == ["make an offer, or pass"]
    pos.play(1, "offer 1b")
    assert prompts_of(pos, pos.actors) == ["accept or raise"]
    pos.play(0, "offer 3r3y3g3b")
    assert prompts_of(pos, pos.actors) == ["you can't raise, so accept"]


def prompts_of(pos: Position, seats: Iterable[int]) -> list[str]:
    return [prompt_of(pos, seat) for seat in seats]


def test_bazaar_asks_for_what_can_be_done() -> None:
    pos = game("bazaar").start(players=2, rates=(1, 2), first=0)
    while not pos.actors:
        pos.resolve(next(iter(pos.chances())))
    assert prompt_of(pos, 0) == "roll for your first chip"
    assert prompt_of(pos, 0, "de") == "würfle um deine erste Spielmarke"
