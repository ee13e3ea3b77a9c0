"""A server whose uptime the test controls, and people at its tables."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server.support.clients import BOT, Page, Person, Server

DAY = 86_400.0
CLOCK = {"kind": "game", "seconds": 60.0, "increment": 2.0}


class House:
    """A server and its uptime."""

    server: Server  # the one last opened

    def __init__(self, folder: Path) -> None:
        self._file = folder / "time"
        self.data = folder / "data"
        self.at = 1000.0
        self.set(self.at)

    def set(self, at: float) -> None:
        self.at = at
        draft = self._file.with_suffix(".new")
        draft.write_text(repr(at))
        draft.replace(self._file)

    def pass_by(self, seconds: float) -> None:
        self.set(self.at + seconds)

    def open(self, monkeypatch: pytest.MonkeyPatch) -> Server:
        monkeypatch.setenv("SOUK_TIME", str(self._file))
        self.server = Server(self.data, program="tests.server.support.fake_time", away_time=30)
        return self.server


def reason(answer: dict[str, Any]) -> str:
    return answer["reason"][0].rpartition(".")[2] if answer["is"] == "refused" else "done"


@asynccontextmanager
async def company(
    server: Server,
    people: int,
    clock: dict[str, Any] | None = None,
    game: str = "suleika",
    bots: int = 0,
) -> AsyncIterator[tuple[list[Person], list[Page]]]:
    """Several people at a new table, each with a page, in seat order; the first to move begins."""
    async with AsyncExitStack() as stack:
        persons = [await stack.enter_async_context(Person(server)) for _ in range(people)]
        seats = [
            {"who": "me"},
            *[{"who": "link"}] * (people - 1),
            *[{"who": "bot", "level": BOT}] * bots,
        ]
        wish = {"game": game, "seats": seats, "options": {"first": 0}} | (
            {"clock": clock} if clock else {}
        )
        made = (await persons[0].http.post("/api/tables", json=wish)).json()
        for seat, person in enumerate(persons[1:], 1):
            await person.sit(made["table"], made["invitations"][str(seat)])
        pages = [await stack.enter_async_context(person.page(made["table"])) for person in persons]
        for page in pages:
            await page.until_begun()
        yield persons, pages


def life(page: Page) -> dict[str, Any]:
    """The latest timing message."""
    said = [
        each if each["is"] == "timing" else each["life"]
        for each in page.heard
        if each["is"] in ("timing", "table")
    ]
    return said[-1]


async def settle(page: Page) -> dict[str, Any]:
    """Read everything sent so far."""
    await page.ask("ping")
    return life(page)


async def first_move(page: Page, seat: int = 0) -> dict[str, Any]:
    return await page.move(seat, page.view["moves"][0])
