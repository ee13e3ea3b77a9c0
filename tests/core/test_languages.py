"""The language files: same keys and placeholders, complete, and without unused texts."""

import ast
import itertools
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import souk
from souk.bots.registry import KINDS
from souk.core.facts import Chose, Fact
from souk.core.messages import Message, Seat, Words, language_files, languages, sentence, texts
from souk.core.plurals import categories
from tests.core.test_messages import from_json
from tests.support.random_games import VARIANTS, random_game, variant_name

SOUK = Path(souk.__file__).parent
LANGUAGES = languages()
NAMES = ["Aziza", "Bilal", "Chadi", "Dunya", "Emir", "Farida"]
SEEDS = (11, 12)
FORM = re.compile(r"\^|\+?(\.\d)?%?")  # of a value that is not one word or another
PLACE = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
PEOPLE = {
    "who",
    "owner",
    "other",
    "both",
    "holder",
    "one",
    "name",
    "names",
    "from",
    "to",
}  # places of seats, where they have forms
KEY = re.compile(r'"((?:(?:told|reason)\.core|[a-z-]+\.(?:told|reason))\.\w+)"')

# Moves and outcomes of all games, and some invalid texts: in any position, most are illegal.
PROBES = [
    *(
        "left",
        "back",
        "rug a1 a2",
        "rug d3 d4",
        "rug d3 e4",
        "rug c4 b4",
        "rug d5 d6",
        "rug d3 c3",
        "rug a9 a8",
        "rug",
    ),
    *(
        "arch 3",
        "arch 4",
        "arch 99",
        "arch x",
        "dice",
        "points",
        "gems",
        "opens 1",
        "opens x",
        "open",
    ),
    *("offer 1r", "offer 25r", "offer 1b", "offer 1r2r", "offer 0r", "offer", "accept", "pass"),
    *(
        "A",
        "B",
        "C",
        "D",
        "give r",
        "give rr",
        "give b",
        "take y",
        "take yb",
        "take ryb",
        "2/5/RYBB",
        "1/4/RRRR",
    ),
    *(
        "roll",
        "trade R>WW",
        "trade W>R",
        "trade R>RR",
        "trade R>",
        "trade RBG>Y",
        "take W",
        "take G",
        "buy 1",
        "buy 2",
    ),
    *(
        "buy 9",
        "buy 1 1",
        "buy 1 2",
        "buy 3 4",
        "done",
        "return W",
        "return Y",
        "rate 3",
        "rate x",
        "first 2",
        "first x",
    ),
    *("hello", "", "7", "1", "0", "x", "white", "purple", "red", "choice", "WWWRR", "WWWWWWWW"),
]


def flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """All texts of a language with their keys, including the sections of rules."""
    for name, value in table.items():
        if isinstance(value, str):
            yield prefix + name, value
        elif isinstance(value, list):
            yield from flat({f"{name}.{number}": each for number, each in enumerate(value)}, prefix)
        else:
            yield from flat(value, f"{prefix}{name}.")


def own_texts(language: str) -> dict[str, str]:
    """The texts of a language's own files, including the sections of rules."""
    by_key: dict[str, str] = {}
    for room, path in language_files(language):
        if path.stem == language:
            by_key |= flat(
                tomllib.loads(path.read_text(encoding="utf-8")), f"{room}." if room else ""
            )
    return by_key


def places(text: str) -> set[str]:
    return {name for name, _ in PLACE.findall(text)}


# ---------------------------------------------------------------- the files


def test_these_languages_are_there() -> None:
    assert {"de", "en", "nl"} <= set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_have_the_same_keys_and_values_as_english(language: str) -> None:
    english, own = own_texts("en"), own_texts(language)
    assert sorted(own) == sorted(english)
    assert {key: places(text) for key, text in own.items()} == {
        key: places(text) for key, text in english.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_well_formed(language: str) -> None:
    kinds = len(categories(language))
    for key, text in own_texts(language).items():
        assert text.strip(), key
        words = [
            (name, form.split("|"))
            for name, form in PLACE.findall(text)
            if form and not FORM.fullmatch(form)
        ]
        assert all(len(forms) in (2, 4) for name, forms in words if name in PEOPLE), key
        assert all(
            min(2, kinds) <= len(forms) <= kinds for name, forms in words if name not in PEOPLE
        ), key
        assert not set("{}") & set(PLACE.sub("", text)), key


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_nothing_was_left_in_english(language: str) -> None:
    """A text identical to the English one contains no words, or words shared by both languages."""
    english, own = own_texts("en"), own_texts(language)
    same = {
        key
        for key, text in own.items()
        if text == english[key] and re.search(r"[a-z]{3}", PLACE.sub("", text))
    }
    allowed = "|".join(
        (
            r"\.title$",
            r"\.clauses$",
            r"\.picture$",
            r"^level\.\w+\.name$",
            r"^(suleika|bazaar)\.terminal\.(score|bank)$",
            r"^bazaar\.(bank|option\.ware)$",
            r"^lobby\.minutes$",
            r"^ui\.talk$",
            r"^together\.pause$",
            r"^(study\.page|look)\.mark\.blunder$",
            r"^who\.(passkeys|colours\.(olive|jade)|figures\.lamp)$",
            r"^measure\.leaders\.(name|rating|board)$",
            r"^nav\.events$",
            r"^event\.(state_between|player|form|share|knock_out)$",
        )
    )
    assert not [key for key in same if not re.search(allowed, key)]


def sources() -> dict[str, str]:
    return {
        str(file.relative_to(SOUK)): file.read_text(encoding="utf-8") for file in SOUK.rglob("*.py")
    }


def test_what_the_rules_say_is_what_the_files_hold() -> None:
    used = {key for code in sources().values() for key in KEY.findall(code)}
    assert used == {key for key in texts("en") if re.search(r"(^|\.)(told|reason)\.", key)}


def test_words_within_sentences_are_used() -> None:
    """Keys that code composes: f"suleika.word.rug.{colour}"."""
    used = {
        name
        for code in sources().values()
        for name in re.findall(r'f"((?:\w+\.)?word\.\w+)\.\{', code)
    }
    assert used == {
        key.rpartition(".")[0] for key in texts("en") if re.search(r"(^|\.)word\.\w+\.", key)
    }


def messages_in(code: str) -> Iterator[tuple[str, set[str | None]]]:
    """Messages made with a literal key, with the names of their values (None: further ones)."""
    for node in ast.walk(ast.parse(code)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "Message"
            and node.args
        ):
            key = node.args[0]
            if isinstance(key, ast.Constant) and re.fullmatch(r"[a-z-]+(\.\w[\w-]*)+", key.value):
                yield key.value, {keyword.arg for keyword in node.keywords}


def test_messages_have_the_values_that_their_texts_want() -> None:
    for file, code in sources().items():
        for key, values in messages_in(code):
            assert key in texts("en"), file
            if None not in values:
                assert values == places(texts("en")[key]), f"{file}: {key}"


def test_the_page_of_the_bots_has_their_manners() -> None:
    page = (SOUK.parent / "docs" / "program" / "bots.md").read_text(encoding="utf-8")
    manners = {
        name.partition(":")[0]: manner
        for name, manner in re.findall(r"^\| `(\S+)` \| (.+) \|$", page, re.MULTILINE)
    }
    assert manners == {name: texts("en")[f"level.{name}.manner"] for name in [*KINDS, "exec"]}


# ---------------------------------------------------------------- the games


def keys_of(message: Message) -> Iterator[str]:
    """The keys of a message and its nested messages."""
    yield message.key
    for value in message.values.values():
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, Message):
                yield from keys_of(item)


def assert_said(messages: list[Message]) -> None:
    """Check that a message formats in every language without open placeholders."""
    for language in LANGUAGES:
        unknown = [
            key for message in messages for key in keys_of(message) if key not in texts(language)
        ]
        assert not unknown, f"{language}: {unknown}"
        line = sentence(messages, NAMES, language)
        assert line, messages
        assert not re.search(
            r"[{}]|  |\b(told|reason|word)\.|\bseat \d|Platz \d|plaats \d", line
        ), line
        assert (
            sentence([from_json(message.to_json()) for message in messages], NAMES, language)
            == line
        )


def assert_said_to_each(messages: list[Message], players: int) -> None:
    """Check that readers are addressed directly, and all others by name."""
    for language in LANGUAGES:
        line = sentence(messages, NAMES, language)
        for seat in range(players):
            said = Words(language, NAMES, you=seat).say(*messages)
            assert NAMES[seat] not in said, said
            assert said != line or NAMES[seat] not in line, said


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_every_event_is_told_in_every_language(variant: tuple[str, int, dict[str, Any]]) -> None:
    for seed in SEEDS:
        print("seed", seed)
        *_, record = random_game(*variant, seed)
        for facts in record.facts():
            assert_said(record.game.describe(facts))
            assert_said_to_each(record.game.describe(facts), record.position.players)


def refusals(position: souk.Position) -> Iterator[Message]:
    """The reasons why the probes are illegal."""
    actors = position.actors
    waiting = [seat for seat in range(position.players) if seat not in actors][:1]
    for text in PROBES:
        for seat in (None, *actors, *waiting):
            trial = position.copy()
            try:
                trial.resolve(text) if seat is None else trial.play(seat, text)
            except souk.IllegalMove as error:
                yield error.message


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_every_refusal_is_told_in_every_language(variant: tuple[str, int, dict[str, Any]]) -> None:
    seed = 13
    print("seed", seed)
    met: dict[str, Message] = {}
    for record in itertools.islice(random_game(*variant, seed), 0, 400, 5):
        met |= {json.dumps(message.to_json()): message for message in refusals(record.position)}
    for message in met.values():
        assert_said([message])
    assert len({message.key for message in met.values()}) > 8


# ---------------------------------------------------------------- secrets


@pytest.mark.parametrize(
    ("name", "players"), [("basari", 3), ("basari", 4), ("basari-cards", 4), ("basari-cards", 5)]
)
def test_a_choice_is_told_only_once_all_have_chosen(name: str, players: int) -> None:
    """Until everybody has chosen, the log is identical whatever a seat chose."""
    seed, seen = 14, 0
    print("seed", seed)
    for record in random_game(name, players, {}, seed):
        before = record.position
        if len(before.actors) < 2:
            continue
        for seat in before.actors:
            for move in before.moves(seat):
                facts: list[Fact] = []
                before.copy().play(seat, move, facts.append)
                assert facts == [Chose(seat)]
                told = before.game.describe(facts)
                assert told == [Message("told.core.has_chosen", who=Seat(seat))]
                assert told[0].to_json() == ["told.core.has_chosen", {"who": {"seat": seat}}]
                seen += 1
    assert seen > 100
