"""Endpoints for the player's own account: profile, devices, passkeys, export, deletion."""

import asyncio
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from souk.server.accounts.one_time_codes import consume
from souk.server.accounts.profiles import COLOURS, FIGURES, checked_profile
from souk.server.accounts.sessions import SessionRow, device_name, insert_session, signed_out_player
from souk.server.admin.data_export import DataExport
from souk.server.common.client import Client, cookie_header
from souk.server.common.rate_limits import PerClientLimits
from souk.server.common.tokens import digest, new_secret
from souk.server.http.endpoints import EndpointGroup, get, post
from souk.server.http.responses import client_of, json_response, while_connected, with_new_cookie
from souk.server.protocol import account as account_protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.lobby import AccountDeleted, DeleteAccount
from souk.server.push.vapid import base64url_encode
from souk.server.services import Services
from souk.server.storage.errors import refuse_failed_writes

T = TypeVar("T")
_EXPORTS = 4  # made at a time
_ID_DIGITS = 16  # of a session's digest: its id for its player


class AccountEndpoints(EndpointGroup):
    """Everything a player sees and changes of their own account."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        config = services.config
        self._requests = PerClientLimits(config.person_rate, config.person_burst)
        self._exports = PerClientLimits(config.export_rate, config.export_burst)
        self._data_export = DataExport(
            services.store, services.pool, services.push_notifier.subscriptions, services.records
        )
        self._exporting = asyncio.Semaphore(_EXPORTS)

    async def _read_limited(self, request: Request, kind: type[T]) -> tuple[Client, T]:
        """The client and its message, rate-limited by address."""
        client, body = await self._read(request, kind)
        if not self._requests.take(client.rate_limit_key):
            raise RequestRefused("too_fast", 429)
        return client, body

    # ------------------------------------------------------------ the account

    @get("/api/person")
    async def account(self, request: Request) -> Response:
        client = client_of(request)
        return json_response(await self._account(client.player, client.cookie))

    @post("/api/person")
    async def set_profile(self, request: Request) -> Response:
        client, body = await self._read_limited(request, account_protocol.SetProfile)
        profile = checked_profile(body.name, body.figure, body.colour)
        self._services.table_factory.word_filter.check_name(profile.name)
        cookie, player, new_cookie = _identity(client)
        await self._services.profiles.choose(player, profile)
        await self._services.housekeeping.look()  # updates the tables the player sits at
        return await self._account_response(client, new_cookie, player, cookie)

    async def _account(
        self, player: bytes | None, cookie: bytes | None
    ) -> account_protocol.Account:
        profile = await self._services.profiles.profile(player)
        sessions = await self._services.sessions.of(player) if player else []
        passkeys = await self._services.passkeys.of(player) if player else []
        own = next((session.own for session in sessions if session.cookie == cookie), None)
        return account_protocol.Account(
            *profile,
            figures=list(FIGURES),
            colours=list(COLOURS),
            devices=[_device_card(session, cookie) for session in sessions],
            passkeys=[
                account_protocol.PasskeyCard(
                    base64url_encode(passkey.credential),
                    passkey.device,
                    passkey.since,
                    passkey.used,
                )
                for passkey in passkeys
            ],
            tables=await self._data_export.tables_of(player),
            before=await self._data_export.tables_of(own) if own else None,
            has_cookie=player is not None,
        )

    async def _account_response(
        self,
        client: Client,
        new_cookie: str,
        player: bytes | None = None,
        cookie: bytes | None = None,
    ) -> Response:
        """The account after a change, with the new cookie if there is one."""
        if player is None:
            cookie = digest(new_cookie) if new_cookie else client.cookie
            player = self._services.sessions.player_of(cookie) if cookie else None
        response = json_response(await self._account(player, cookie))
        if new_cookie:
            response.headers["set-cookie"] = cookie_header(new_cookie, client.secure)
        return response

    @post("/api/forget")
    async def delete_account(self, request: Request) -> Response:
        """Remove the player's name and identity everywhere, and the cookie."""
        client, _ = await self._read(request, DeleteAccount)
        if client.player is not None:
            with refuse_failed_writes():
                await self._services.housekeeping.forget(client.player)
        response = json_response(AccountDeleted())
        # Unless the cookie now belongs to the device's own earlier account.
        player_of = self._services.sessions.player_of
        if client.cookie is None or player_of(client.cookie) == client.cookie:
            response.headers["set-cookie"] = cookie_header("", client.secure, seconds=0)
        return response

    # ------------------------------------------------------------ devices

    @post("/api/devices/link")
    async def new_device_link(self, request: Request) -> Response:
        """Make a code that signs in another device."""
        client, _ = await self._read_limited(request, account_protocol.RequestDeviceLink)
        cookie, player, new_cookie = _identity(client)
        with refuse_failed_writes():
            await self._services.sessions.record_device(cookie, player, _device(request))
            code = await self._services.one_time_codes.make("device", player, cookie)
        link = account_protocol.DeviceLink(code, self._services.one_time_codes.minutes)
        return with_new_cookie(json_response(link), client, new_cookie)

    @post("/api/devices/preview")
    async def preview_device_link(self, request: Request) -> Response:
        """Whose account a code opens. The code stays valid."""
        client, body = await self._read_limited(request, account_protocol.DeviceCode)
        code = await self._services.one_time_codes.find("device", body.code)
        if code is None or code.player is None:
            return json_response(account_protocol.DevicePreview(False))
        profile = await self._services.profiles.profile(code.player)
        tables = await self._data_export.tables_of(client.player)
        name = profile.name or await self._data_export.last_name(code.player)
        same = code.player == client.player
        return json_response(
            account_protocol.DevicePreview(True, name, profile.figure, profile.colour, same, tables)
        )

    @post("/api/devices/sign-in")
    async def use_device_link(self, request: Request) -> Response:
        """Sign this device in with a code; it gets its own cookie."""
        client, body = await self._read_limited(request, account_protocol.DeviceCode)
        code = await self._services.one_time_codes.find("device", body.code)
        if code is None or code.player is None:
            raise RequestRefused("code_old", 404)
        if code.player == client.player:
            raise RequestRefused("code_own", 409)
        own = await self._own_player(client, code.player)
        new_cookie = new_secret()
        changes = [
            consume("device", body.code, code),
            *insert_session(digest(new_cookie), code.player, own, _device(request)),
        ]
        with refuse_failed_writes("code_old", 404):
            await self._services.sessions.carry_out(changes, code.player)
        return await self._account_response(client, new_cookie)

    async def _own_player(self, client: Client, player: bytes) -> bytes | None:
        """The player this device returns to after signing out, unless that is `player`."""
        if client.player is None or client.cookie is None:
            return None
        own = await self._data_export.ask(signed_out_player(client.cookie, client.player))
        return own if own != player else None

    @post("/api/devices/sign-out")
    async def sign_out(self, request: Request) -> Response:
        """Sign out here, on all other devices, or on one of them."""
        client, body = await self._read_limited(request, account_protocol.SignOutDevices)
        player, own_cookie = _signed_in(client)
        # The player's first cookie counts as a session even if it was never stored as one.
        cookies = {session.cookie for session in await self._services.sessions.of(player)}
        others = (cookies | {player}) - {own_cookie}
        if body.scope == "one":
            others = {cookie for cookie in others if cookie.hex()[:_ID_DIGITS] == body.id}
            if not others:
                raise RequestRefused("device_unknown", 404)
        await self._services.sessions.sign_out(
            player, [own_cookie] if body.scope == "here" else others
        )
        response = await self._account_response(client, "")
        if body.scope == "here" and self._services.sessions.player_of(own_cookie) is None:
            response.headers["set-cookie"] = cookie_header("", client.secure, seconds=0)
        return response

    # ------------------------------------------------------------ passkeys

    @post("/api/passkeys/creation-options")
    async def passkey_creation_options(self, request: Request) -> Response:
        client, _ = await self._read_limited(request, account_protocol.RequestDeviceLink)
        player, cookie = _signed_in(client)
        name = (await self._services.profiles.profile(player)).name
        return json_response(await self._services.passkeys.options(client, player, cookie, name))

    @post("/api/passkeys/add")
    async def add_passkey(self, request: Request) -> Response:
        client, body = await self._read_limited(request, account_protocol.PasskeyNew)
        await self._services.passkeys.add(client, *_signed_in(client), _device(request), body)
        return await self._account_response(client, "")

    @post("/api/passkeys/remove")
    async def remove_passkey(self, request: Request) -> Response:
        client, body = await self._read_limited(request, account_protocol.RemovePasskey)
        player, _ = _signed_in(client)
        await self._services.passkeys.remove(player, body.id)
        return await self._account_response(client, "")

    @post("/api/passkeys/request-options")
    async def passkey_request_options(self, request: Request) -> Response:
        """Options for signing in. The challenge is bound to a cookie, made here if needed."""
        client, _ = await self._read_limited(request, account_protocol.RequestDeviceLink)
        new_cookie = "" if client.cookie else new_secret()
        cookie = client.cookie or digest(new_cookie)
        options = await self._services.passkeys.request(client, cookie)
        return with_new_cookie(json_response(options), client, new_cookie)

    @post("/api/passkeys/sign-in")
    async def sign_in_with_passkey(self, request: Request) -> Response:
        client, body = await self._read_limited(request, account_protocol.PasskeyAnswer)
        if client.cookie is None:
            raise RequestRefused("passkey_old", 409)
        new_cookie = await self._services.passkeys.sign_in(
            client, client.cookie, _device(request), body
        )
        return await self._account_response(client, new_cookie)

    # ------------------------------------------------------------ export

    @get("/api/person/all")
    async def export(self, request: Request) -> Response:
        """All the player's data as a zip file."""
        client = client_of(request)
        player, _ = _signed_in(client)
        if not self._exports.take(player.hex()):
            raise RequestRefused("too_fast", 429)
        content = await while_connected(request, self._export(player, client.rate_limit_key))
        headers = {
            "content-disposition": 'attachment; filename="souk.zip"',
            "cache-control": "no-store",
        }
        return Response(content, media_type="application/zip", headers=headers)

    async def _export(self, player: bytes, address: str) -> bytes:
        async with self._exporting:
            return await self._data_export.file(player, address)


def _identity(client: Client) -> tuple[bytes, bytes, str]:
    """Cookie digest, player, and the secret of a new cookie ("" if the client has one)."""
    if client.cookie is not None and client.player is not None:
        return client.cookie, client.player, ""
    new_cookie = new_secret()
    return digest(new_cookie), digest(new_cookie), new_cookie


def _signed_in(client: Client) -> tuple[bytes, bytes]:
    """The player and the cookie; refused without an account."""
    if client.player is None or client.cookie is None:
        raise RequestRefused("signed_out", 403)
    return client.player, client.cookie


def _device_card(row: SessionRow, cookie: bytes | None) -> account_protocol.DeviceCard:
    return account_protocol.DeviceCard(
        row.cookie.hex()[:_ID_DIGITS], row.device, row.since, row.seen, row.cookie == cookie
    )


def _device(request: Request) -> str:
    return device_name(request.headers.get("user-agent", ""))
