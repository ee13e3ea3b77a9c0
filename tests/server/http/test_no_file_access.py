"""No text from a stranger opens a file, whatever path it contains and however it is separated."""

import asyncio
import itertools
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import souk
from souk.core.record import _with_checks
from tests.server.support.clients import Person, Server
from tests.support.random_games import whole_random_game

BLANKS = [chr(code) for code in range(0x110000) if chr(code).isspace()]
SEPARATORS = [*BLANKS, "  ", " \t", "\u200b", "\u2060", "\ufeff", "\0", ""]
BOXES = {"basari": ("board", 3), "basari-cards": ("deck", 3), "bazaar": ("cards", 2)}


@pytest.fixture
def bait(tmp_path: Path) -> Path:
    """A folder with files worth opening: a valid board, and others."""
    folder = tmp_path / "bait"
    (folder / "inner").mkdir(parents=True)
    ours = (Path(souk.__file__).parent / "games" / "basari" / "souk.toml").read_text(
        encoding="utf-8"
    )
    for name in ("mine.toml", "mine", "inner/mine.toml", "souk.souk", "x y.toml", "mine.json"):
        (folder / name).write_text(ours, encoding="utf-8")
    (folder / "link.toml").symlink_to(folder / "mine.toml")
    return folder


def paths(bait: Path) -> list[str]:
    """One file in every spelling of its path, and files every process has."""
    here, up = str(bait / "mine.toml"), os.path.relpath("/", bait)
    found = [
        here,
        "mine.toml",
        "./mine.toml",
        "mine",
        "./mine",
        "inner/../mine.toml",
        "inner/mine.toml",
        "link.toml",
    ]
    found += [
        f"//{here}",
        f"{here}/",
        f"file://{here}",
        f"{up}{here}",
        f"/proc/self/cwd{here}",
        "/proc/self/cwd/mine.toml",
    ]
    found += [
        f"/proc/self/root{here}",
        "..\\bait\\mine.toml",
        "%2e/mine.toml",
        "~/mine.toml",
        "$BAIT/mine.toml",
        "x y.toml",
    ]
    found += [
        "/proc/self/environ",
        "/proc/self/mem",
        *(f"/proc/self/fd/{number}" for number in range(12)),
    ]
    return found


def sent(text: str, rng: random.Random) -> Iterator[str]:
    """A path surrounded by separators of all kinds."""
    one, two, three = rng.choices(SEPARATORS, k=3)
    place = rng.randrange(len(text))
    yield from (text, one + text, text + two, text[:place] + three + text[place:])


def record_with(game: str, option: str, value: str, separators: tuple[str, str, str]) -> str:
    """A record with an option, other separators, and valid checksums."""
    lines = [
        line.rpartition(" #")[0].rstrip()
        for line in str(whole_random_game(game, BOXES[game][1], {}, 1)).splitlines()
    ]
    place = lines.index(f"players: {BOXES[game][1]}") + 1
    lines = [line for line in lines if not line.startswith(f"option {option}")]
    lines.insert(place, f"option {option}: {json.dumps(value, ensure_ascii=False)}")
    lines.insert(place + 1, f"file {option}: {'0' * 16}")
    plain = lines[place]
    one, two, three = separators
    written = f"option{one}{option}:{two}{json.dumps(value, ensure_ascii=False)}{three}"
    return _with_checks(lines).replace(plain, written, 1)


def questions(bait: Path, rng: random.Random) -> Iterator[tuple[str, Any]]:
    """Everything that can be posted, with paths in place of every text."""
    texts = [each for path in paths(bait) for each in sent(path, rng)]
    rng.shuffle(texts)
    for number, (text, (game, (option, players))) in enumerate(
        zip(texts, itertools.cycle(BOXES.items()))
    ):
        seats = [{"who": "me"}, *[{"who": "bot", "level": "random"}] * (players - 1)]
        options = {option: text}
        separators = (SEPARATORS[number % len(SEPARATORS)], *rng.choices([" ", *SEPARATORS], k=2))
        yield "/api/studies", {"record": record_with(game, option, text, separators)}
        yield "/api/studies", {"record": text}
        yield "/api/tables", {"game": game, "seats": seats, "options": options}
        yield "/api/tables", {"game": game, "seats": seats, "options": {option: [text]}}
        position = souk.game(game).start(players).to_json()
        yield "/api/positions/check", {"game": game, "position": position | {"options": options}}
        yield (
            "/api/positions/advise",
            {"game": game, "position": position | {"options": options}, "seat": 0},
        )
        yield (
            "/api/tables",
            {"game": game, "seats": [], "from": {"position": position | {"options": options}}},
        )
        if number % 3:
            continue
        yield "/api/boxes/check", {"game": game, "text": text}
        yield "/api/boxes/check", {"game": game, "text": f'about = "{text}"\n'}
        yield "/api/tables", {"game": text, "seats": seats}
        yield (
            "/api/tables",
            {
                "game": game,
                "seats": [{"who": "me", "name": text}, *[{"who": "bot", "level": text}] * 2],
            },
        )
        yield "/api/tables", {"game": game, "seats": seats, "fill": text}
        yield "/api/lessons", {"game": text, "name": text}
        yield "/api/puzzles", {"date": text, "puzzle": text, "moves": [text]}
        yield "/api/push", {"endpoint": text, "p256dh": text, "auth": text, "language": text}


def opened(server: Server) -> list[str]:
    return [line for line in server.lines if '"opened"' in line]


def test_text_opens_no_file(tmp_path: Path, bait: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = 20261119
    rng = random.Random(seed)
    monkeypatch.setenv("BAIT", str(bait))
    (tmp_path / "data").mkdir()
    with Server(
        tmp_path / "data", program="tests.server.support.file_audit", home=Path(__file__).parents[3]
    ) as server:
        asyncio.run(ask_everything(server, bait, rng))
        assert opened(server) == [], f"seed {seed}"
        assert server.stop() == 0


async def ask_everything(server: Server, bait: Path, rng: random.Random) -> None:
    async with Person(server) as person:
        for address, body in questions(bait, rng):
            answer = await person.http.post(address, json=body)
            assert answer.status_code < 500, (address, body, answer.text)
            assert "basari.box" not in answer.text, (address, body)
        for path in paths(bait):
            quoted = httpx.URL(
                scheme="http", host="x", path="/" + path.lstrip("/")
            ).raw_path.decode()
            for where in (
                "{}",
                "/languages{}.json",
                "/api/boxes{}",
                "/api/puzzles{}",
                "/api/tables{}/record",
                "/assets{}",
            ):
                answer = await person.http.get(where.format(quoted))
                assert "basari.box" not in answer.text, (where, path)
        await say_everything(person, bait, rng)


COMMANDS = [
    ("move", "move"),
    ("check_legality", "move"),
    ("check_move", "move"),
    ("say", "text"),
    ("say", "phrase"),
]
COMMANDS += [
    ("commit_share", "commitment"),
    ("reveal_share", "share"),
    ("stand_in", "level"),
    ("rematch", "commitment"),
]


async def say_everything(person: Person, bait: Path, rng: random.Random) -> None:
    """Over a table's socket as well."""
    async with person.page_at_new_table("basari", "me", "bot", "bot") as page:
        for path in paths(bait):
            for text in sent(path, rng):
                for do, field in COMMANDS:
                    seat = {} if do == "rematch" else {"seat": 0}
                    after = {"after": page.seq} if do in ("move", "check_move") else {}
                    answer = await page.ask(do, **seat, **after, **{field: text})
                    assert answer["is"] in ("refused", "answer", "advice"), (do, text, answer)


def test_the_hook_sees_what_is_opened(
    tmp_path: Path, bait: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the test above could not fail."""
    monkeypatch.setenv("BAIT", str(bait))
    monkeypatch.setenv("SOUK_FORBIDDEN", str(bait / "mine"))
    (tmp_path / "data").mkdir()
    with Server(
        tmp_path / "data", program="tests.server.support.file_audit", home=Path(__file__).parents[3]
    ) as server:
        assert opened(server)
