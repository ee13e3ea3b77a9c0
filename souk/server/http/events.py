"""Endpoints for events (tournaments among friends)."""

import re
import time
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from souk.server.http.endpoints import EndpointGroup, get, post
from souk.server.http.responses import client_of, disconnected, json_response
from souk.server.protocol import events as event_protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.services import Services

_ID = re.compile(r"[\w-]{16}")


class EventEndpoints(EndpointGroup):
    """Creating, joining, running and following events."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._service, self._live_view = services.event_service, services.event_live_view

    @get("/api/events")
    async def mine(self, request: Request) -> Response:
        return json_response(await self._service.mine(client_of(request).player))

    @post("/api/events")
    async def new_event(self, request: Request) -> Response:
        client, body = await self._read(request, event_protocol.NewEvent)
        return await self._with_cookie(
            client, lambda player: self._service.open(body, player, client.rate_limit_key)
        )

    @get("/api/events/{event}")
    async def event(self, request: Request) -> Response:
        """The state of an event, the same bytes for everybody.

        A long poll: a page that knows the current state waits for the next.
        """
        known = f'"{request.query_params.get("known", "")[:40]}"'
        shown = await self._live_view.read(
            _event_id(request), known, client_of(request).player, lambda: disconnected(request)
        )
        headers = {"cache-control": "no-store", "etag": shown.tag, "souk-now": f"{time.time():.3f}"}
        if shown.tag == known:
            return Response(status_code=304, headers=headers)
        packed = "gzip" in request.headers.get("accept-encoding", "")
        headers |= {"content-encoding": "gzip"} if packed else {}
        return Response(
            shown.packed if packed else shown.body, media_type="application/json", headers=headers
        )

    @get("/api/events/{event}/rounds/{round}")
    async def past_round(self, request: Request) -> Response:
        number = request.path_params["round"]
        if not re.fullmatch(r"[0-9]{1,3}", number):
            raise RequestRefused("event_no_round", 404)
        return json_response(await self._live_view.round(_event_id(request), int(number)))

    @get("/api/events/{event}/me")
    async def me(self, request: Request) -> Response:
        return json_response(await self._service.me(_event_id(request), client_of(request).player))

    @post("/api/events/{event}/join")
    async def join(self, request: Request) -> Response:
        client, body = await self._read(request, event_protocol.JoinEvent)
        join = partial(self._service.join, _event_id(request), body.name)
        return await self._with_cookie(client, join)

    @post("/api/events/{event}/leave")
    async def leave(self, request: Request) -> Response:
        client, _ = await self._read(request, event_protocol.LeaveEvent)
        return json_response(await self._service.leave(_event_id(request), client.player))

    @post("/api/events/{event}/host")
    async def claim(self, request: Request) -> Response:
        """Become the host, with the secret of its link."""
        client, body = await self._read(request, event_protocol.ClaimEvent)
        claim = partial(self._service.claim, _event_id(request), body.secret)
        return await self._with_cookie(client, claim)

    @post("/api/events/{event}/control")
    async def control(self, request: Request) -> Response:
        """Carry out a command of the host."""
        client, body = await self._read(request, event_protocol.ControlEvent)
        return json_response(
            await self._service.control(
                _event_id(request), body, client.player, client.rate_limit_key
            )
        )


def _event_id(request: Request) -> str:
    event: str = request.path_params["event"]
    if not _ID.fullmatch(event):
        raise RequestRefused("event_unknown", 404)
    return event
