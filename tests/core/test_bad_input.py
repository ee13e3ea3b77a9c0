"""Malformed positions, texts, records and data files raise a clear ValueError and nothing else.

Every case is made from a seed, which a failing test prints.
"""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import souk
from souk.games import names
from tests.support.random_games import VARIANTS, random_game, variant_name, whole_random_game

JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    7,
    99,
    10**30,
    2.5,
    float("nan"),
    "",
    "x",
    "r",
    "🜚",
    [],
    [1],
    [[]],
    {},
    {"a": 1},
]
TEXTS = [
    "",
    " ",
    "\n",
    "\0",
    "left right",
    "offer",
    "offer 0r",
    "offer 01r",
    "offer 1r1r",
    "offer -1r",
    "offer 1x",
    "offer 999999999r",
]
TEXTS += [
    "arch",
    "arch -1",
    "arch 03",
    "arch 28",
    "arch 9999999999",
    "trade",
    "trade R",
    "trade >",
    "trade R>",
    "trade >W",
    "trade RR>W>W",
]
TEXTS += [
    "take",
    "take x",
    "give",
    "give rr",
    "buy",
    "buy 0",
    "buy 5",
    "buy 1 1",
    "buy 1 2 3",
    "return",
    "roll roll",
    "rug a1",
    "rug a1 a2 a3",
]
TEXTS += [
    "rate 0",
    "rate 11",
    "first 9",
    "opens 9",
    "0",
    "7",
    "1/2",
    "9/9/RRRRR",
    "1//R",
    "WWWWWW",
    "🎲",
    "½",
    "١",
    "DROP TABLE",
    "%s",
    "{0}",
    "a" * 5000,
]


def positions(
    variant: tuple[str, int, dict[str, Any]], seed: int, every: int
) -> list[souk.Position]:
    mutations = [
        record.position
        for number, record in enumerate(random_game(*variant, seed))
        if number % every == 0
    ]
    return mutations[:60]


def mutate(value: Any, rng: random.Random) -> Any:
    """Mutate one place of a JSON value."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        rest = {name: inner for name, inner in value.items() if name != key}
        if rng.random() < 0.1:
            return rest
        if rng.random() < 0.1:
            return value | {rng.choice(["colour", "Phase", key + "s"]): rng.choice(JUNK)}
        return {name: mutate(inner, rng) if name == key else inner for name, inner in value.items()}
    if isinstance(value, list) and value and rng.random() < 0.8:
        index = rng.randrange(len(value))
        if rng.random() < 0.2:
            return value[:index] + value[index + 1 :]
        return [
            mutate(inner, rng) if number == index else inner for number, inner in enumerate(value)
        ]
    if isinstance(value, int) and rng.random() < 0.5:
        return value + rng.choice([-1, 1, 100])
    return rng.choice(JUNK)


def plays_on(position: souk.Position, rng: random.Random, events: int = 12) -> None:
    """Check that an accepted position is playable and consistent."""
    game = position.game
    for _ in range(events):
        if position.over:
            break
        if actors := position.actors:
            code = game.rules.random_move(
                position.state, actors[0], rng.getrandbits(64), [0] * game.widest
            )
            position.play(actors[0], game.notation.move_text(position.state, code))
        else:
            position.draw(rng)
        assert game.from_json(json.loads(json.dumps(position.to_json()))) == position


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_positions(variant: tuple[str, int, dict[str, Any]]) -> None:
    game, rng, refused = souk.game(variant[0]), random.Random(f"positions {variant}"), 0
    for position in positions(variant, seed=5, every=9):
        for _ in range(20):
            data = mutate(position.to_json(), rng)
            try:
                position = game.from_json(data)
            except ValueError as error:
                field = str(error).split(":")[0]
                assert field, str(error)
                assert "\n" not in str(error)
                refused += 1
            else:
                plays_on(position, rng)
    assert refused > 100


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_texts(variant: tuple[str, int, dict[str, Any]]) -> None:
    rng = random.Random(f"texts {variant}")
    letters = "abcdefg rygbwRYGBW0123456789>/ offertakebuyrugarch"
    for position in positions(variant, seed=6, every=11):
        before = position.copy()
        made = ["".join(rng.choices(letters, k=rng.randrange(1, 14))) for _ in range(8)]
        for text in rng.sample(TEXTS, 12) + made:
            for seat in (-1, *range(position.players), 9):
                if not position.is_legal(seat, text):
                    with pytest.raises(souk.IllegalMove):
                        position.play(seat, text)
            try:
                position.copy().resolve(text)
            except souk.IllegalMove as error:
                assert str(error)
            assert position == before


@pytest.mark.parametrize("value", [None, 3, b"left", ["left"], {}, True])
def test_things_that_are_no_text(value: Any) -> None:
    position = souk.game("suleika").start(players=2)
    assert not position.is_legal(0, value)
    for act in (lambda: position.play(0, value), lambda: position.resolve(value)):
        with pytest.raises(souk.IllegalMove):
            act()


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(
    "data",
    [None, [], "x", 3, {}, {"game": 3}, {"game": "chess"}, {"game": "suleika", "players": "2"}],
)
def test_what_is_no_position_at_all(name: str, data: Any) -> None:
    with pytest.raises(ValueError, match=r"^(position|game|players): "):
        souk.game(name).from_json(data)


@pytest.mark.parametrize("name", ["", "chess", "Suleika ", None, 3, "basari_cards", "../suleika"])
def test_games_that_are_none(name: Any) -> None:
    with pytest.raises(ValueError, match=r"^game: "):
        souk.game(name)


def scramble(text: str, rng: random.Random) -> str:
    """Mutate a text."""
    lines = text.split("\n")
    index = rng.randrange(len(lines))
    line = lines[index]
    how = rng.randrange(6)
    if how == 0:
        del lines[index]
    elif how == 1:
        lines.insert(
            index,
            rng.choice(
                ["x", "1 chance 3 #0000", "game: chess", '"', "name 9: Zoë #1234", "# note"]
            ),
        )
    elif how == 2:
        lines[index] = line[: rng.randrange(len(line) + 1)]
    elif how == 3:
        lines[index] = "".join(rng.sample(line, len(line)))
    elif how == 4:
        at = rng.randrange(len(line) + 1)
        lines[index] = line[:at] + rng.choice("0RXé🎲\0\"'[]{}=,:/#") + line[at:]
    else:
        lines = lines[:index]
    return "\n".join(lines)


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_records(variant: tuple[str, int, dict[str, Any]]) -> None:
    whole = str(whole_random_game(*variant, 7))
    rng, refused = random.Random(f"records {variant}"), 0
    for _ in range(60):
        text = scramble(whole, rng)
        try:
            souk.Record.parse(text)
        except ValueError as error:
            assert str(error).startswith("line "), str(error)
            refused += 1
        else:
            assert " ".join(text.split()) == " ".join(
                whole.split()
            )  # nothing but a blank line was changed
    assert refused > 40


ROOMS = Path(souk.__file__).parent / "games"
DATA: list[tuple[str, str, Callable[[str], souk.Position]]] = [
    ("basari", "board", lambda path: souk.game("basari").start(players=3, board=path)),
    ("basari_cards", "deck", lambda path: souk.game("basari-cards").start(players=3, deck=path)),
    ("bazaar", "cards", lambda path: souk.game("bazaar").start(players=3, cards=path)),
]


@pytest.mark.parametrize(("room", "option", "start"), DATA, ids=[room for room, _, _ in DATA])
def test_data_files(
    room: str, option: str, start: Callable[[str], souk.Position], tmp_path: Path
) -> None:
    whole = (ROOMS / room / "souk.toml").read_text(encoding="utf-8")
    path, rng, refused = tmp_path / "mine.toml", random.Random(f"data {room}"), 0
    for _ in range(250):
        path.write_text(scramble(whole, rng), encoding="utf-8")
        try:
            position = start(str(path))
        except ValueError as error:
            assert str(error).startswith(f"{option}: mine.toml, line "), str(error)
            refused += 1
        else:
            plays_on(position, rng, 3)
    assert refused > 100


@pytest.mark.parametrize(("room", "option", "start"), DATA, ids=[room for room, _, _ in DATA])
def test_data_files_that_are_none(
    room: str, option: str, start: Callable[[Any], souk.Position], tmp_path: Path
) -> None:
    (tmp_path / "large.toml").write_text("#" * 70_000)
    (tmp_path / "binary.toml").write_bytes(b"about = '\xff'")
    for value in [
        "",
        "nowhere.toml",
        str(tmp_path),
        "a\0b",
        None,
        3,
        ["souk"],
        str(tmp_path / "large.toml"),
        str(tmp_path / "binary.toml"),
    ]:
        with pytest.raises(ValueError, match=f"^{option}: "):
            start(value)
