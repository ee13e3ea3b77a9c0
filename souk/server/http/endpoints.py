"""Groups of HTTP endpoints: how they are declared, and how their errors are answered."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from souk.server.common.client import Client
from souk.server.common.logs import log_error
from souk.server.common.tokens import digest, new_secret
from souk.server.http.responses import (
    LARGEST_BODY,
    client_of,
    json_response,
    read_json,
    while_connected,
    with_new_cookie,
)
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.lobby import Refusal
from souk.server.services import Services
from souk.server.storage.errors import ReadFailed

T = TypeVar("T")
Handler = Callable[[Request], Awaitable[Response]]
Method = TypeVar("Method", bound=Callable[..., Awaitable[Response]])


def get(path: str) -> Callable[[Method], Method]:
    """Declare a method of an `EndpointGroup` as the handler of GET requests."""
    return _declare("GET", path)


def post(path: str) -> Callable[[Method], Method]:
    """Declare a method of an `EndpointGroup` as the handler of POST requests."""
    return _declare("POST", path)


def _declare(verb: str, path: str) -> Callable[[Method], Method]:
    def declared(method: Method) -> Method:
        method.endpoint = verb, path  # type: ignore[attr-defined]
        return method

    return declared


class EndpointGroup:
    """The endpoints of one subject: its methods declared with `get` and `post`."""

    def __init__(self, services: Services) -> None:
        self._services, self._config = services, services.config

    def routes(self) -> list[Route]:
        routes = []
        for name, member in vars(type(self)).items():
            if endpoint := getattr(member, "endpoint", None):
                verb, path = endpoint
                routes.append(Route(path, self._guarded(getattr(self, name)), methods=[verb]))
        return routes

    def _guarded(self, handler: Handler) -> Handler:
        """Answer refusals and errors as JSON."""

        async def endpoint(request: Request) -> Response:
            try:
                return await handler(request)
            except RequestRefused as refused:
                self._services.metrics.refusals.labels(refused.key).inc()
                return json_response(Refusal(refused.reason), refused.status)
            except ClientDisconnect:
                return Response(status_code=400)
            except ReadFailed as error:
                log_error("no answer from the database", error, path=request.url.path)
                return json_response(Refusal(RequestRefused("failed").reason), 503)
            except Exception as error:
                log_error("request failed", error, path=request.url.path)
                return json_response(Refusal(RequestRefused("failed").reason), 500)

        return endpoint

    async def _read(
        self, request: Request, kind: type[T], largest: int = LARGEST_BODY
    ) -> tuple[Client, T]:
        """The client, and the message it has posted."""
        client = client_of(request)
        return client, await read_json(request, client, kind, self._config.origins, largest)

    async def _pooled(self, request: Request, work: Callable[..., T], *arguments: Any) -> T:
        """Run work in the request pool, until the client disconnects."""
        job = self._services.pool.run(client_of(request).rate_limit_key, work, *arguments)
        return await while_connected(request, job)

    async def _answer_pooled(
        self, request: Request, kind: type[T], work: Callable[[T], msgspec.Struct]
    ) -> Response:
        """Read a message and answer with the result of work on it."""
        _, body = await self._read(request, kind)
        return json_response(await self._pooled(request, work, body))

    async def _with_cookie(
        self, client: Client, work: Callable[[bytes], Awaitable[msgspec.Struct]]
    ) -> Response:
        """Do something for a player; new ones get their cookie with the response."""
        if client.player is not None:
            return json_response(await work(client.player))
        secret = new_secret()
        return with_new_cookie(json_response(await work(digest(secret))), client, secret)
