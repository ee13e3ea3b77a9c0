"""Custom boxes: typed in, checked, played with and shown to everybody at the table."""

import asyncio
import random
from typing import Any

import httpx
import pytest

import souk
from souk.core.box_data import MAX_CHARACTERS
from tests.server.support.clients import Person, Server

GAMES = ["basari", "basari-cards", "bazaar"]


def sheet(server: Server, game: str) -> dict[str, Any]:
    answer = httpx.get(f"http://{server.address}/api/boxes/{game}")
    assert answer.status_code == 200
    return answer.json()


def check(server: Server, game: str, text: str) -> httpx.Response:
    return httpx.post(f"http://{server.address}/api/boxes/check", json={"game": game, "text": text})


def own(server: Server, game: str) -> str:
    """The standard box under another name, with the first two entries of each part swapped."""
    text: str = sheet(server, game)["text"]
    for part in sheet(server, game)["parts"]:
        one, two = sheet(server, game)["entries"][part["key"]][:2]
        text = text.replace(f'"{one}", "{two}"', f'"{two}", "{one}"', 1)
    return text.replace(f'"{game}.box"', '"Leila\'s box"')


@pytest.mark.parametrize("game", GAMES)
def test_what_can_be_typed_in(server: Server, game: str) -> None:
    found = sheet(server, game)
    card = next(
        card
        for card in httpx.get(f"http://{server.address}/api/lobby").json()["games"]
        if card["game"] == game
    )
    assert card["own_box"] == found["option"]
    for part in found["parts"]:
        assert len(found["entries"][part["key"]]) == part["count"]
    answer = check(server, game, own(server, game)).json()
    assert answer["faults"] == []
    assert answer["about"] == "Leila's box"
    assert answer["text"] == own(server, game)
    assert set(answer["choices"]) == set(card["choices"])


# One entry of each part at its bounds.
ENTRIES = {
    "arches": "{number}:{gems}",
    "cards": "{workers}/{points}/{gems}",
    "rates": "{side}=W",
    "wares": "{dots}",
}
BAGS = {"gems", "side", "dots"}


@pytest.mark.parametrize("game", GAMES)
def test_the_bounds_that_a_page_is_told_are_those_that_are_checked(game: str) -> None:
    data = souk.game(game).box.DATA
    assert data is not None
    for part in data.parts:
        assert part.bounds
        usual = {each.name: each.least for each in part.bounds}
        for each in part.bounds:
            for value in (each.least - 1, each.least, each.most, each.most + 1):
                shown = {
                    name: "R" * n if name in BAGS else n
                    for name, n in (usual | {each.name: value}).items()
                }
                texts = [ENTRIES[part.key].format(**shown), *[""] * (part.count - 1)]
                rows = (
                    [texts[n : n + part.row] for n in range(0, part.count, part.row)]
                    if part.row
                    else texts
                )
                file = data.diagnose(f'about = "mine"\n{part.key} = {rows}\n')
                wrong = any(
                    problem.key == part.key and problem.index == 0 for problem in file.problems
                )
                assert wrong != (each.least <= value <= each.most)


def test_a_game_that_has_nothing_to_type_in(server: Server) -> None:
    for game, key in (("suleika", "no_box"), ("chess", "game_unknown")):
        for answer in (
            httpx.get(f"http://{server.address}/api/boxes/{game}"),
            check(server, game, "x = 1\n"),
        ):
            assert answer.status_code == 404
            assert answer.json()["reason"][0] == f"table.refused.{key}"


def test_everything_that_is_wrong_is_found_with_its_entry(server: Server) -> None:
    text = (
        own(server, "basari")
        .replace('"7:YB"', '"6:GGG"')
        .replace('"5:RRG"', '"9:R"')
        .replace('"4:RRR"', '""')
    )
    answer = check(server, "basari", text).json()
    assert [
        (fault["part"], fault["entry"], fault["line"], fault["said"][0])
        for fault in answer["faults"]
    ] == [
        ("arches", 3, 3, "basari.printed.arch_twice"),
        ("arches", 4, 3, "basari.printed.not_an_arch"),
    ]
    assert answer["missing"] == {"arches": 1}
    assert answer["entries"]["arches"][:7] == [
        "6:GGG",
        "5:RRY",
        "4:RRGB",
        "6:GGG",
        "9:R",
        "6:YYB",
        "",
    ]
    assert answer["text"] == ""


def test_a_deck_that_is_too_small_for_many(server: Server) -> None:
    cards = sheet(server, "basari-cards")["entries"]["cards"]
    few = [
        f"1/{points}/{gems}"
        for points in (4, 5, 6, 7)
        for gems in ("RR", "YY", "GG", "BB", "RYG", "RYB", "YGB", "RGB")
    ]
    rest = [card for card in cards if card[0] in "234"][: 39 - len(few)]
    text = f'about = "weak"\ncards = [{", ".join(f"{card!r}" for card in few + rest)}]\n'
    faults = check(server, "basari-cards", text).json()["faults"]
    assert {fault["said"][0] for fault in faults} == {"basari-cards.printed.few_workers"}
    assert all(fault["said"][1]["players"] >= 4 for fault in faults)


def test_a_box_is_not_too_large(server: Server) -> None:
    assert check(server, "basari", "#" * (MAX_CHARACTERS + 1)).status_code == 413
    large = own(server, "basari") + "#" * MAX_CHARACTERS

    async def ask() -> httpx.Response:
        async with Person(server) as person:
            return await person.ask_for_table("basari", "me", "bot", "bot", board=large)

    key, values = asyncio.run(ask()).json()["reason"]
    assert (key, values["option"]) == ("reason.core.box_option", "board")
    assert values["what"] == [
        "reason.core.box_large",
        {"most": MAX_CHARACTERS, "found": len(large)},
    ]


REFUSED = [
    ("basari", {"board": "none"}, "reason.core.box_option"),
    ("basari", {"board": "/etc/passwd"}, "reason.core.box_option"),
    ("basari", {"board": "./mine.toml"}, "reason.core.box_option"),
    ("basari", {"board": "/etc/passwd\n"}, "reason.core.box_line"),  # never opened
    ("basari", {"board": "about = 'x'\narches = []\n"}, "reason.core.box_line"),
    ("basari", {"board": ["a\nb"]}, "board: "),
    ("basari", {"first": "a\nb"}, "first: "),
    ("suleika", {"board": "a\nb"}, "board: "),
    ("bazaar", {"ware": "a\nb"}, "ware: "),
]


@pytest.mark.parametrize(("game", "options", "key"), REFUSED)
def test_nothing_else_may_be_a_text(
    server: Server, game: str, options: dict[str, Any], key: str
) -> None:
    async def ask() -> httpx.Response:
        async with Person(server) as person:
            return await person.ask_for_table(game, "me", "bot", "bot", **options)

    answer = asyncio.run(ask())
    assert answer.status_code == 400
    assert answer.json()["reason"][0].startswith(key)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_with_ones_own_box_to_its_end(server: Server, game: str) -> None:
    """Other players see it, the record contains it, and a rematch keeps it."""
    text, option = own(server, game), sheet(server, game)["option"]

    async def play() -> str:
        async with Person(server) as host, Person(server) as guest:
            table, _ = await host.new_table(game, "me", "bot", "bot", **{option: text})
            async with guest.page(table) as looking_on:
                assert looking_on.now["printed"] == {"name": "Leila's box", "text": text}
            async with host.page(table) as page:
                await page.play(0, random.Random(game))
                record = await host.record(table)
                assert (await page.ask("rematch"))["is"] == "done"
                again = next(
                    message["table"] for message in page.heard if message["is"] == "rematch_ready"
                )
            async with host.page(again) as page:
                assert page.now["printed"]["name"] == "Leila's box"
            ours, _ = await host.new_table(game, "me", "bot", "bot")
            async with host.page(ours) as page:
                assert page.now["printed"] == {"name": "", "text": sheet(server, game)["text"]}
            return record

    record = souk.Record.parse(asyncio.run(play()))
    assert record.position.over
    assert record.start.options[option] == text
