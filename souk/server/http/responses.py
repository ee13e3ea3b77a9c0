"""Reads JSON requests and makes JSON responses."""

import asyncio
import gzip
from collections.abc import Awaitable, Sequence
from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from souk.server.common.client import Client, cookie_header
from souk.server.protocol.errors import RequestRefused
from souk.server.tables.game.views import encode

LARGEST_BODY = 16_384
_WORTH_ZIPPING = 2000  # bytes
T = TypeVar("T")


def json_response(message: msgspec.Struct, status: int = 200) -> Response:
    return Response(encode(message), status, {"cache-control": "no-store"}, "application/json")


def with_new_cookie(response: Response, client: Client, secret: str) -> Response:
    """Give the client a cookie with the response, unless the secret is ""."""
    if secret:
        response.headers["set-cookie"] = cookie_header(secret, client.secure)
    return response


async def zipped_json(request: Request, message: msgspec.Struct) -> Response:
    """A JSON response, compressed if it is large and the client can read that."""
    response = json_response(message)
    if len(response.body) > _WORTH_ZIPPING and "gzip" in request.headers.get("accept-encoding", ""):
        # Without a time stamp: equal messages give equal bytes.
        response.body = await asyncio.to_thread(gzip.compress, bytes(response.body), 5, mtime=0)
        response.headers["content-encoding"] = "gzip"
        response.headers["content-length"] = str(len(response.body))
    return response


def client_of(request: Request) -> Client:
    """The client, as `GuardMiddleware` has identified it."""
    client: Client = request.scope["souk.client"]
    return client


async def read_json(
    request: Request,
    client: Client,
    kind: type[T],
    origins: Sequence[str],
    largest: int = LARGEST_BODY,
) -> T:
    """The posted message; refused unless it comes from this server's pages or an allowed origin."""
    if not client.is_same_origin(origins):
        raise RequestRefused("foreign_page", 403)
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != "application/json":
        raise RequestRefused("unreadable", 415)
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > largest:
            raise RequestRefused("too_large", 413)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise RequestRefused("unreadable") from None


async def while_connected(request: Request, work: Awaitable[T]) -> T:
    """Await work, which is cancelled as soon as the client disconnects."""
    working, gone = asyncio.ensure_future(work), asyncio.ensure_future(disconnected(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        gone.cancel()
        working.cancel()


async def disconnected(request: Request) -> None:
    """Wait until the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
