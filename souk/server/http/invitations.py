"""Endpoints for invitations to tables."""

from starlette.requests import Request
from starlette.responses import Response

from souk.server.http.endpoints import EndpointGroup, get, post
from souk.server.http.responses import client_of, json_response
from souk.server.protocol.meeting import DeclineInvitation, InvitePlayer, SetInvitationsAllowed


class InvitationEndpoints(EndpointGroup):
    """Past players, and inviting them."""

    @get("/api/fellows")
    async def past_players(self, request: Request) -> Response:
        table = request.query_params.get("table", "")[:16]
        return json_response(
            await self._services.invitations.past_players(client_of(request).player, table)
        )

    @post("/api/tables/{table}/invite")
    async def invite(self, request: Request) -> Response:
        client, body = await self._read(request, InvitePlayer)
        return json_response(
            await self._services.invitations.invite(
                request.path_params["table"], client.player, body.table[:16], body.seat
            )
        )

    @post("/api/tables/{table}/decline")
    async def decline(self, request: Request) -> Response:
        client, _ = await self._read(request, DeclineInvitation)
        return json_response(
            await self._services.decline(request.path_params["table"], client.player)
        )

    @post("/api/invitations")
    async def set_allowed(self, request: Request) -> Response:
        """Whether the player wants to be invited at all."""
        client, body = await self._read(request, SetInvitationsAllowed)
        return json_response(
            await self._services.invitations.set_wanted(client.player, body.wanted)
        )
