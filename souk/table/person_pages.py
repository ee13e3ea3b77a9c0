"""What is asked over HTTP about who somebody is: how they are shown, by which devices and passkeys they come in, and all that they have here."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from souk.table import person_protocol as said
from souk.table.answering import json_answer, read_posted, visitor_of
from souk.table.belongings import Belongings
from souk.table.codes import using_up
from souk.table.doors import DoorRow, base_of, device_name, opening
from souk.table.house import House
from souk.table.limits import Buckets
from souk.table.people import COLOURS, FIGURES, checked_face
from souk.table.refusals import Refuse
from souk.table.seating import digest, new_secret
from souk.table.settings import Settings
from souk.table.store import NotKept, Overtaken
from souk.table.vapid import unpadded
from souk.table.visitors import Visitor, cookie_header

T = TypeVar("T")
Answer = Callable[["PersonPages", Request], Awaitable[Response]]
_DIGITS = 16  # of a door's digest that name it to its person


class PersonPages:
    """Answers to nobody about anybody but themselves."""

    def __init__(self, settings: Settings, house: House) -> None:
        self._settings, self._house = settings, house
        self._asked = Buckets(settings.person_rate, settings.person_burst)
        self._exported = Buckets(settings.export_rate, settings.export_burst)
        self._belongings = Belongings(house)
        self._exporting = asyncio.Lock()  # one at a time

    def routes(self, answers: Callable[..., Callable[[Request], Awaitable[Response]]]) -> list[Route]:
        """Every address, and who answers there. `answers` makes an endpoint of it that says refusals as JSON."""

        def endpoint(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
            return answers(lambda _pages, request: answer(self, request))

        return [
            *(Route(path, endpoint(answer), methods=["GET"]) for path, answer in _FETCHED.items()),
            *(Route(path, endpoint(answer), methods=["POST"]) for path, answer in _POSTED.items()),
        ]

    # ------------------------------------------------------------ who I am

    async def myself(self, request: Request) -> Response:
        return json_answer(await self._told(visitor_of(request)))

    async def choose(self, request: Request) -> Response:
        visitor, wish = await self._read(request, said.ChooseFace)
        face = checked_face(wish.name, wish.figure, wish.colour)
        self._house.reception.forbidden.check_name(face.name)
        cookie, player, fresh = _known(visitor)
        await self._house.people.choose(player, face)
        await self._house.upkeep.look()  # those who sit with them are told
        return await self._answer(visitor, fresh, player, cookie)

    async def _told(self, visitor: Visitor) -> said.Myself:
        return await self._about(visitor.player, visitor.cookie)

    async def _about(self, player: bytes | None, cookie: bytes | None) -> said.Myself:
        face = await self._house.people.face(player)
        doors = await self._house.doors.of(player) if player else []
        passkeys = await self._house.passkeys.of(player) if player else []
        own = next((each.own for each in doors if each.cookie == cookie), None)
        return said.Myself(
            *face,
            figures=list(FIGURES),
            colours=list(COLOURS),
            doors=[_door_card(each, cookie) for each in doors],
            passkeys=[
                said.PasskeyCard(unpadded(each.credential), each.device, each.since, each.used) for each in passkeys
            ],
            tables=await self._belongings.tables_of(player),
            before=await self._belongings.tables_of(own) if own else None,
            known=player is not None,
        )

    async def _answer(
        self, visitor: Visitor, fresh: str, player: bytes | None = None, cookie: bytes | None = None
    ) -> Response:
        """Who they are now, with the new cookie where there is one."""
        if player is None:
            cookie = digest(fresh) if fresh else visitor.cookie
            player = self._house.doors.who(cookie) if cookie else None
        answer = json_answer(await self._about(player, cookie))
        if fresh:
            answer.headers["set-cookie"] = cookie_header(fresh, visitor.secure)
        return answer

    async def _read(self, request: Request, kind: type[T]) -> tuple[Visitor, T]:
        """What was posted, where its address has not asked for too much."""
        visitor = visitor_of(request)
        wish = await read_posted(request, visitor, kind, self._settings.origins)
        if not self._asked.take(visitor.counted_as):
            raise Refuse("too_fast", 429)
        return visitor, wish

    # ------------------------------------------------------------ devices

    async def new_link(self, request: Request) -> Response:
        """A code by which a second device becomes mine."""
        visitor, _ = await self._read(request, said.AskDoor)
        cookie, player, fresh = _known(visitor)
        try:
            await self._house.doors.note_device(cookie, player, _device(request))
            code = await self._house.codes.make("door", player, cookie)
        except NotKept:
            raise Refuse("not_kept", 503) from None
        answer = json_answer(said.DoorLink(code, self._house.codes.minutes))
        if fresh:
            answer.headers["set-cookie"] = cookie_header(fresh, visitor.secure)
        return answer

    async def look(self, request: Request) -> Response:
        """Whom a code leads to. It goes on working."""
        visitor, wish = await self._read(request, said.DoorCode)
        code = await self._house.codes.find("door", wish.code)
        if code is None or code.player is None:
            return json_answer(said.DoorAhead(False))
        face, tables = await self._house.people.face(code.player), await self._belongings.tables_of(visitor.player)
        name, same = face.name or await self._belongings.last_name(code.player), code.player == visitor.player
        return json_answer(said.DoorAhead(True, name, face.figure, face.colour, same, tables))

    async def open(self, request: Request) -> Response:
        """This device is that person's from now on, by a cookie of its own."""
        visitor, wish = await self._read(request, said.DoorCode)
        found = await self._house.codes.find("door", wish.code)
        if found is None or found.player is None:
            raise Refuse("code_old", 404)
        if found.player == visitor.player:
            raise Refuse("code_own", 409)
        own = await self._own(visitor, found.player)
        fresh = new_secret()
        changes = [using_up("door", wish.code, found), *opening(digest(fresh), found.player, own, _device(request))]
        try:
            await self._house.doors.carry_out(changes, found.player)
        except Overtaken:
            raise Refuse("code_old", 404) from None
        except NotKept:
            raise Refuse("not_kept", 503) from None
        return await self._answer(visitor, fresh)

    async def _own(self, visitor: Visitor, player: bytes) -> bytes | None:
        """Whom this device belongs to, if that is somebody else than it is about to be."""
        if visitor.player is None or visitor.cookie is None:
            return None
        own = await self._belongings.ask(base_of(visitor.cookie, visitor.player))
        return own if own != player else None

    async def shut(self, request: Request) -> Response:
        """Sign out here, on all other devices, or on one of them. The first cookie of a person is one of theirs, whether it was written down or not."""
        visitor, wish = await self._read(request, said.ShutDoors)
        if visitor.player is None or visitor.cookie is None:
            raise Refuse("signed_out", 403)
        doors = {each.cookie for each in await self._house.doors.of(visitor.player)}
        others = (doors | {visitor.player}) - {visitor.cookie}
        if wish.which == "one":
            others = {each for each in others if each.hex()[:_DIGITS] == wish.id}
            if not others:
                raise Refuse("door_unknown", 404)
        await self._house.doors.sign_out(visitor.player, [visitor.cookie] if wish.which == "here" else others)
        answer = await self._answer(visitor, "")
        if wish.which == "here" and self._house.doors.who(visitor.cookie) is None:
            answer.headers["set-cookie"] = cookie_header("", visitor.secure, seconds=0)
        return answer

    # ------------------------------------------------------------ passkeys

    async def new_passkey(self, request: Request) -> Response:
        visitor, _ = await self._read(request, said.AskDoor)
        if visitor.player is None or visitor.cookie is None:
            raise Refuse("signed_out", 403)
        face = await self._house.people.face(visitor.player)
        options = await self._house.passkeys.options(visitor, visitor.player, visitor.cookie, face.name)
        return json_answer(options)

    async def add_passkey(self, request: Request) -> Response:
        visitor, wish = await self._read(request, said.PasskeyNew)
        if visitor.player is None or visitor.cookie is None:
            raise Refuse("signed_out", 403)
        await self._house.passkeys.add(visitor, visitor.player, visitor.cookie, _device(request), wish)
        return await self._answer(visitor, "")

    async def remove_passkey(self, request: Request) -> Response:
        visitor, wish = await self._read(request, said.RemovePasskey)
        if visitor.player is None:
            raise Refuse("signed_out", 403)
        await self._house.passkeys.remove(visitor.player, wish.id)
        return await self._answer(visitor, "")

    async def ask_passkey(self, request: Request) -> Response:
        """Whoever has no cookie gets one, to which the question is bound."""
        visitor, _ = await self._read(request, said.AskDoor)
        fresh = "" if visitor.cookie else new_secret()
        answer = json_answer(await self._house.passkeys.request(visitor, visitor.cookie or digest(fresh)))
        if fresh:
            answer.headers["set-cookie"] = cookie_header(fresh, visitor.secure)
        return answer

    async def enter(self, request: Request) -> Response:
        visitor, wish = await self._read(request, said.PasskeyAnswer)
        if visitor.cookie is None:
            raise Refuse("passkey_old", 409)
        fresh = await self._house.passkeys.enter(visitor, visitor.cookie, _device(request), wish)
        return await self._answer(visitor, fresh)

    # ------------------------------------------------------------ all I have

    async def everything(self, request: Request) -> Response:
        """As one file. Made for one person at a time."""
        visitor = visitor_of(request)
        if visitor.player is None:
            raise Refuse("signed_out", 403)
        if not self._exported.take(visitor.player.hex()) or self._exporting.locked():
            raise Refuse("too_fast", 429)
        async with self._exporting:
            content = await self._belongings.file(visitor.player)
        headers = {"content-disposition": 'attachment; filename="souk.zip"', "cache-control": "no-store"}
        return Response(content, media_type="application/zip", headers=headers)


_FETCHED: dict[str, Answer] = {
    "/api/person": PersonPages.myself,
    "/api/person/all": PersonPages.everything,
}
_POSTED: dict[str, Answer] = {
    "/api/person": PersonPages.choose,
    "/api/doors/new": PersonPages.new_link,
    "/api/doors/look": PersonPages.look,
    "/api/doors/open": PersonPages.open,
    "/api/doors/shut": PersonPages.shut,
    "/api/passkeys/new": PersonPages.new_passkey,
    "/api/passkeys/add": PersonPages.add_passkey,
    "/api/passkeys/remove": PersonPages.remove_passkey,
    "/api/passkeys/ask": PersonPages.ask_passkey,
    "/api/passkeys/enter": PersonPages.enter,
}


def _known(visitor: Visitor) -> tuple[bytes, bytes, str]:
    """Cookie and person of somebody, and the secret of a new cookie where they have none: "" otherwise."""
    if visitor.cookie is not None and visitor.player is not None:
        return visitor.cookie, visitor.player, ""
    fresh = new_secret()
    return digest(fresh), digest(fresh), fresh


def _door_card(row: DoorRow, cookie: bytes | None) -> said.DoorCard:
    return said.DoorCard(row.cookie.hex()[:_DIGITS], row.device, row.since, row.seen, row.cookie == cookie)


def _device(request: Request) -> str:
    return device_name(request.headers.get("user-agent", ""))
