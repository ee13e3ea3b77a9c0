"""Endpoints for creating, joining and reading tables."""

from starlette.requests import Request
from starlette.responses import Response

from souk.server.common.tokens import new_secret
from souk.server.http.endpoints import EndpointGroup, get, post
from souk.server.http.responses import (
    client_of,
    json_response,
    while_connected,
    with_new_cookie,
    zipped_json,
)
from souk.server.protocol import lobby as lobby_protocol
from souk.server.tables.setup import custom_boxes


class TableEndpoints(EndpointGroup):
    """The lobby's list, and tables as far as no socket is needed."""

    @get("/api/lobby")
    async def lobby(self, request: Request) -> Response:
        """The lobby page; new visitors get their cookie with it."""
        client = client_of(request)
        lobby = await self._services.my_tables.lobby(
            client.player, self._services.housekeeping.announcement
        )
        new_cookie = new_secret() if client.player is None else ""
        return with_new_cookie(await zipped_json(request, lobby), client, new_cookie)

    @post("/api/tables")
    async def new_table(self, request: Request) -> Response:
        client, body = await self._read(request, lobby_protocol.NewTable)
        return await self._with_cookie(
            client,
            lambda player: self._services.table_factory.new_table(
                body, player, client.rate_limit_key
            ),
        )

    @get("/api/tables")
    async def my_tables(self, request: Request) -> Response:
        """A page of the player's own tables."""
        after = request.query_params.get("after", "")
        tables = await self._services.my_tables.listed(client_of(request).player, after)
        return await zipped_json(request, tables)

    @post("/api/lessons")
    async def learn(self, request: Request) -> Response:
        client, body = await self._read(request, lobby_protocol.StartLesson)
        return await self._with_cookie(
            client,
            lambda player: self._services.table_factory.learn(body, player, client.rate_limit_key),
        )

    @post("/api/boxes/check")
    async def check_box(self, request: Request) -> Response:
        return await self._answer_pooled(request, lobby_protocol.CheckCustomBox, custom_boxes.check)

    @get("/api/boxes/{game}")
    async def box_form(self, request: Request) -> Response:
        return json_response(custom_boxes.box_form(request.path_params["game"]))

    @post("/api/tables/{table}/sit")
    async def take_seat(self, request: Request) -> Response:
        client, body = await self._read(request, lobby_protocol.TakeSeat)
        table = request.path_params["table"]
        return await self._with_cookie(
            client, lambda player: self._services.sit_down(table, body, player)
        )

    @post("/api/tables/{table}/invitation")
    async def invitation(self, request: Request) -> Response:
        """The seat that an invitation link offers."""
        client, body = await self._read(request, lobby_protocol.RequestInvitation)
        table = request.path_params["table"]
        return json_response(
            await self._services.table_factory.invitation(table, body.secret, client.player)
        )

    @post("/api/tables/{table}/hide")
    async def hide(self, request: Request) -> Response:
        """Hide a table from the player's list, or show it again."""
        client, body = await self._read(request, lobby_protocol.HideTable)
        table = request.path_params["table"]
        return json_response(await self._services.my_tables.hide(table, client.player, body.hidden))

    @get("/api/tables/{table}/record")
    async def record(self, request: Request) -> Response:
        """The game as a record file."""
        table = request.path_params["table"]
        record = self._services.records.record_text(table, client_of(request).rate_limit_key)
        game, text = await while_connected(request, record)
        headers = {
            "content-disposition": f'attachment; filename="{game}-{table[:6]}.souk"',
            "cache-control": "no-store",
        }
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)
