"""People at an event: they join, go to their tables and play the first legal moves."""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import websockets

from souk.server.dice.fair_dice import digest_of
from tests.server.support.clients import PATIENCE, Person

CLOCK = {"kind": "game", "seconds": 600}
COMMITMENT = digest_of(bytes(range(32)))
GONE = (websockets.ConnectionClosed, websockets.InvalidHandshake, OSError, httpx.TransportError)

Now = dict[str, Any]


def terms(form: str, size: int, *games: str, **others: Any) -> dict[str, Any]:
    return {
        "form": form,
        "games": list(games or ["basari-cards"]),
        "size": size,
        "clock": CLOCK,
        "pause": 0,
    } | others


def tables_of(now: Now) -> list[dict[str, Any]]:
    """Tables of the current or last round."""
    return list((now["now"] or {"tables": []})["tables"])


class Guest(Person):
    """A participant."""

    async def open_event(
        self, form: str, size: int, *games: str, bots: int = 0, **others: Any
    ) -> str:
        made = await self.request_event(form, size, *games, bots=bots, **others)
        assert made.status_code == 200, made.text
        return str(made.json()["event"])

    async def request_event(
        self,
        form: str,
        size: int,
        *games: str,
        bots: int = 0,
        name: str = "Games night",
        **others: Any,
    ) -> httpx.Response:
        wish = {
            "name": name,
            "terms": terms(form, size, *games, **others),
            "bots": bots,
            "level": "random",
        }
        return await self.http.post("/api/events", json=wish)

    async def now(self, event: str) -> Now:
        answer = await self.http.get(f"/api/events/{event}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def control(self, event: str, do: str, **others: Any) -> httpx.Response:
        return await self.http.post(f"/api/events/{event}/control", json={"do": do} | others)

    async def start(self, event: str) -> None:
        answer = await self.control(event, "start")
        assert answer.status_code == 200, answer.text

    async def join(self, event: str, name: str = "") -> httpx.Response:
        return await self.http.post(f"/api/events/{event}/join", json={"name": name})

    async def enter(self, event: str, name: str = "") -> int:
        """Join; returns the entrant number."""
        answer = await self.join(event, name)
        assert answer.status_code == 200, answer.text
        return int(answer.json()["number"])

    async def leave(self, event: str) -> httpx.Response:
        return await self.http.post(f"/api/events/{event}/leave", json={})

    async def until(self, event: str, wanted: Callable[[Now], bool]) -> Now:
        """Poll until the event satisfies `wanted`."""
        async with asyncio.timeout(3 * PATIENCE):
            while not wanted(now := await self.now(event)):
                await asyncio.sleep(0.03)
        return now

    async def take_part(self, event: str, number: int, rng: random.Random) -> None:
        """Play table after table until the event is over or the server gone."""
        with suppress(*GONE):
            while (now := await self.now(event))["state"] != "over":
                mine = [
                    each
                    for each in tables_of(now)
                    if number in each["seats"] and "outcome" not in each
                ]
                for each in mine:
                    await self.play_at(each["table"], rng)
                await asyncio.sleep(0.03)

    async def play_at(self, table: str, rng: random.Random) -> None:
        if not table:  # not made yet
            return
        async with self.page(table, pace="instant") as page:
            [seat] = page.now["mine"]
            await page.watch(seat, page.seq, "instant")
            if not page.view:
                await page.say(
                    {"do": "commit_share", "id": 900, "seat": seat, "commitment": COMMITMENT}
                )
            await page.play(seat, rng)
