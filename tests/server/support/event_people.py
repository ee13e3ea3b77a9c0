"""People who come to an evening, for tests: they join, are taken to their tables and play there by the first moves."""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import websockets

from souk.table.fairness import digest_of
from tests.table.clients import PATIENCE, Person

CLOCK = {"kind": "game", "seconds": 600}
COMMITMENT = digest_of(bytes(range(32)))
GONE = (websockets.ConnectionClosed, websockets.InvalidHandshake, OSError, httpx.TransportError)

Now = dict[str, Any]


def terms(form: str, size: int, *games: str, **others: Any) -> dict[str, Any]:
    return {"form": form, "games": list(games or ["basari-cards"]), "size": size, "clock": CLOCK, "pause": 0} | others


def tables_of(now: Now) -> list[dict[str, Any]]:
    """Those of the round that is played, or was played last."""
    return list((now["now"] or {"tables": []})["tables"])


class Guest(Person):
    """Somebody at an evening."""

    async def open_evening(self, form: str, size: int, *games: str, bots: int = 0, **others: Any) -> str:
        made = await self.ask_for_evening(form, size, *games, bots=bots, **others)
        assert made.status_code == 200, made.text
        return str(made.json()["evening"])

    async def ask_for_evening(
        self, form: str, size: int, *games: str, bots: int = 0, name: str = "Games night", **others: Any
    ) -> httpx.Response:
        wish = {"name": name, "terms": terms(form, size, *games, **others), "bots": bots, "level": "random"}
        return await self.http.post("/api/events", json=wish)

    async def now(self, evening: str) -> Now:
        answer = await self.http.get(f"/api/events/{evening}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def steer(self, evening: str, do: str, **others: Any) -> httpx.Response:
        return await self.http.post(f"/api/events/{evening}/steer", json={"do": do} | others)

    async def start(self, evening: str) -> None:
        answer = await self.steer(evening, "start")
        assert answer.status_code == 200, answer.text

    async def join(self, evening: str, name: str = "") -> httpx.Response:
        return await self.http.post(f"/api/events/{evening}/join", json={"name": name})

    async def enter(self, evening: str, name: str = "") -> int:
        """Join, and say by which number."""
        answer = await self.join(evening, name)
        assert answer.status_code == 200, answer.text
        return int(answer.json()["number"])

    async def leave(self, evening: str) -> httpx.Response:
        return await self.http.post(f"/api/events/{evening}/leave", json={})

    async def until(self, evening: str, wanted: Callable[[Now], bool]) -> Now:
        """As soon as the evening is as somebody wants it."""
        async with asyncio.timeout(3 * PATIENCE):
            while not wanted(now := await self.now(evening)):
                await asyncio.sleep(0.03)
        return now

    async def take_part(self, evening: str, number: int, rng: random.Random) -> None:
        """Play at one table after the other, until the evening is over or the server gone."""
        with suppress(*GONE):
            while (now := await self.now(evening))["state"] != "over":
                mine = [each for each in tables_of(now) if number in each["seats"] and "outcome" not in each]
                for each in mine:
                    await self.play_at(each["table"], rng)
                await asyncio.sleep(0.03)

    async def play_at(self, table: str, rng: random.Random) -> None:
        if not table:  # it is still being made
            return
        async with self.page(table, pace="instant") as page:
            [seat] = page.now["mine"]
            await page.watch(seat, page.seq, "instant")
            if not page.view:
                await page.say({"do": "commit", "id": 900, "seat": seat, "commitment": COMMITMENT})
            await page.play(seat, rng)
