"""What is asked over HTTP about invitations."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from souk.table.answering import json_answer, read_posted, visitor_of
from souk.table.house import House
from souk.table.meeting_protocol import DeclineInvitation, InviteFellow, WantInvitations
from souk.table.settings import Settings


class MeetingPages:
    """Whom I know, whom I ask, and what I say when I am asked."""

    def __init__(self, settings: Settings, house: House) -> None:
        self._settings, self._inviting, self._house = settings, house.inviting, house

    def routes(self, answers: Callable[..., Callable[[Request], Awaitable[Response]]]) -> list[Route]:
        """Every address, and who answers there. `answers` makes an endpoint of it that says refusals as JSON."""
        return [
            Route("/api/fellows", answers(lambda _, request: self.fellows(request)), methods=["GET"]),
            Route("/api/tables/{table}/invite", answers(lambda _, request: self.invite(request)), methods=["POST"]),
            Route("/api/tables/{table}/decline", answers(lambda _, request: self.decline(request)), methods=["POST"]),
            Route("/api/invitations", answers(lambda _, request: self.want(request)), methods=["POST"]),
        ]

    async def fellows(self, request: Request) -> Response:
        table = request.query_params.get("table", "")[:16]
        return json_answer(await self._inviting.fellows(visitor_of(request).player, table))

    async def invite(self, request: Request) -> Response:
        visitor, table = visitor_of(request), request.path_params["table"]
        wish = await read_posted(request, visitor, InviteFellow, self._settings.origins)
        return json_answer(await self._inviting.invite(table, visitor.player, wish.table[:16], wish.seat))

    async def decline(self, request: Request) -> Response:
        visitor = visitor_of(request)
        await read_posted(request, visitor, DeclineInvitation, self._settings.origins)
        return json_answer(await self._house.decline(request.path_params["table"], visitor.player))

    async def want(self, request: Request) -> Response:
        visitor = visitor_of(request)
        wish = await read_posted(request, visitor, WantInvitations, self._settings.origins)
        return json_answer(await self._inviting.want(visitor.player, wish.wanted))
