"""The addresses of evenings: what is asked about them over HTTP."""

import re
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from souk.table import evening_protocol
from souk.table.answering import json_answer, read_posted, visitor_of
from souk.table.house import House
from souk.table.refusals import Refuse
from souk.table.settings import Settings
from souk.table.visitors import Visitor

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]
Work = Callable[[bytes], Awaitable[msgspec.Struct]]
_ID = re.compile(r"[\w-]{16}")


class EveningPages:
    """Answers what is asked about evenings. `as_known` does something for a person, who gets a cookie where they have none."""

    def __init__(
        self, settings: Settings, house: House, as_known: Callable[[Visitor, Work], Awaitable[Response]]
    ) -> None:
        self._settings, self._as_known = settings, as_known
        self._evenings, self._board = house.evenings, house.board

    def routes(self, answers: Callable[..., Endpoint]) -> list[Route]:
        """Every address, and who answers there. `answers` makes an endpoint of it that says refusals as JSON."""
        posted: dict[str, Endpoint] = {
            "/api/events": self.new_evening,
            "/api/events/{event}/join": self.join,
            "/api/events/{event}/leave": self.leave,
            "/api/events/{event}/host": self.claim,
            "/api/events/{event}/steer": self.steer,
        }
        fetched: dict[str, Endpoint] = {
            "/api/events": self.mine,
            "/api/events/{event}": self.evening,
            "/api/events/{event}/me": self.me,
            "/api/events/{event}/rounds/{round}": self.past_round,
        }

        def route(path: str, answer: Endpoint, method: str) -> Route:
            return Route(path, answers(lambda _pages, request: answer(request)), methods=[method])

        return [
            *(route(path, answer, "GET") for path, answer in fetched.items()),
            *(route(path, answer, "POST") for path, answer in posted.items()),
        ]

    async def _read(self, request: Request, kind: type[T]) -> tuple[Visitor, T]:
        visitor = visitor_of(request)
        return visitor, await read_posted(request, visitor, kind, self._settings.origins)

    async def mine(self, request: Request) -> Response:
        return json_answer(await self._evenings.mine(visitor_of(request).player))

    async def new_evening(self, request: Request) -> Response:
        visitor, wish = await self._read(request, evening_protocol.NewEvening)
        return await self._as_known(visitor, lambda player: self._evenings.open(wish, player, visitor.counted_as))

    async def evening(self, request: Request) -> Response:
        """The same bytes for all who look."""
        known = f'"{request.query_params.get("known", "")[:40]}"'
        shown = await self._board.read(_name(request), known, visitor_of(request).player, lambda: _leaves(request))
        headers = {"cache-control": "no-store", "etag": shown.tag, "souk-now": f"{time.time():.3f}"}
        if shown.tag == known:
            return Response(status_code=304, headers=headers)
        packed = "gzip" in request.headers.get("accept-encoding", "")
        headers |= {"content-encoding": "gzip"} if packed else {}
        return Response(shown.packed if packed else shown.body, media_type="application/json", headers=headers)

    async def past_round(self, request: Request) -> Response:
        number = request.path_params["round"]
        if not re.fullmatch(r"[0-9]{1,3}", number):
            raise Refuse("evening_no_round", 404)
        return json_answer(await self._board.round(_name(request), int(number)))

    async def me(self, request: Request) -> Response:
        return json_answer(await self._evenings.me(_name(request), visitor_of(request).player))

    async def join(self, request: Request) -> Response:
        visitor, wish = await self._read(request, evening_protocol.JoinEvening)
        return await self._as_known(visitor, lambda player: self._evenings.join(_name(request), wish.name, player))

    async def leave(self, request: Request) -> Response:
        visitor, _ = await self._read(request, evening_protocol.LeaveEvening)
        return json_answer(await self._evenings.leave(_name(request), visitor.player))

    async def claim(self, request: Request) -> Response:
        visitor, wish = await self._read(request, evening_protocol.ClaimEvening)
        return await self._as_known(visitor, lambda player: self._evenings.claim(_name(request), wish.secret, player))

    async def steer(self, request: Request) -> Response:
        visitor, wish = await self._read(request, evening_protocol.SteerEvening)
        return json_answer(await self._evenings.steer(_name(request), wish, visitor.player))


async def _leaves(request: Request) -> None:
    """Until whoever asks has closed their connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _name(request: Request) -> str:
    """The evening that is asked about."""
    name: str = request.path_params["event"]
    if not _ID.fullmatch(name):
        raise Refuse("evening_unknown", 404)
    return name
