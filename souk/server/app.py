"""The ASGI application: builds the services, and guards every request."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.routing import Route

from souk.server.common.client import Client
from souk.server.common.config import ServerConfig
from souk.server.common.gc_tuning import run_gc
from souk.server.common.logs import log_info
from souk.server.common.metrics import Metrics, serve_metrics
from souk.server.compute.external_bots import sandbox_for
from souk.server.compute.scheduler import BotScheduler
from souk.server.http.account import AccountEndpoints
from souk.server.http.analysis import AnalysisEndpoints
from souk.server.http.docs_site import DocsSite
from souk.server.http.events import EventEndpoints
from souk.server.http.invitations import InvitationEndpoints
from souk.server.http.pages import PageEndpoints
from souk.server.http.push import PushEndpoints
from souk.server.http.ratings import RatingEndpoints
from souk.server.http.responses import json_response
from souk.server.http.tables import TableEndpoints
from souk.server.net.admission import Admission
from souk.server.net.socket_handover import ConnectionRouter
from souk.server.net.table_socket import SocketServer
from souk.server.open_store import FILE, open_bus, open_store
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.lobby import Refusal
from souk.server.services import Services
from souk.server.tables.chat.word_filter import load_word_filter

_HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        b"connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
        b"form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]


def make_app(config: ServerConfig, router: ConnectionRouter | None = None) -> Any:
    """The whole server as an ASGI application."""
    # First, as these may refuse to start.
    sandbox, words = sandbox_for(config), load_word_filter(config.forbidden)
    metrics, bus = Metrics(), open_bus(config)
    store = open_store(config, metrics.written, bus)
    bot_scheduler = BotScheduler(config.workers, config.games, config.bot_wait, sandbox)
    bot_scheduler.on_substitute = metrics.substitutions.inc
    services = Services(config, store, bot_scheduler, metrics, bus)
    services.forbid(words)
    admission = Admission(config)
    services.limits.share(requests=admission.requests, files=admission.files)
    sockets = SocketServer(services, config, admission)
    _add_metrics(metrics, services, sockets, bot_scheduler)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[dict[str, Any]]:
        await bus.start()
        services.start()
        await services.time.begin(store)
        await services.load_sessions()
        tasks = [asyncio.create_task(work) for work in _background_work(services, sockets, metrics)]
        stop_metrics = serve_metrics(metrics, config.metrics)
        # Read by souk.server.net.websocket and souk.server.net.http_connection.
        yield {
            "sockets": sockets,
            "admission": admission,
            "router": router,
            "stopping": services.event_live_view.close,
        }
        stop_metrics()
        for task in tasks:
            task.cancel()
        await services.close()
        log_info("stopped")

    return GuardMiddleware(Starlette(routes=_routes(services), lifespan=lifespan), sockets)


def _routes(services: Services) -> list[Route]:
    groups = (
        TableEndpoints(services),
        AnalysisEndpoints(services),
        AccountEndpoints(services),
        InvitationEndpoints(services),
        PushEndpoints(services),
        RatingEndpoints(services),
        EventEndpoints(services),
        DocsSite(),
        PageEndpoints(services),
    )
    return [route for group in groups for route in group.routes()]


def _background_work(
    services: Services, sockets: SocketServer, metrics: Metrics
) -> list[Coroutine[Any, Any, None]]:
    """Everything that runs as long as the server does."""
    return [
        sockets.ping_all(),
        sockets.admission.keep_watch(),
        metrics.watch_loop_lag(),
        services.housekeeping.keep_watch(),
        services.clock_watcher.keep_watch(),
        services.event_runner.keep_watch(),
        services.event_live_view.keep_watch(),
        services.keep_lobby(),
        services.keep_public_board(),
        services.peers.run(),
        services.limits.run(),
        run_gc(),
    ]


def _add_metrics(
    metrics: Metrics, services: Services, sockets: SocketServer, bot_scheduler: BotScheduler
) -> None:
    if not services.config.store:
        metrics.watch_file(services.config.data / FILE)
    metrics.look_at("souk_bots_waiting", "Bot moves in the queue.", lambda: bot_scheduler.waiting)
    metrics.look_at(
        "souk_studies_waiting",
        "Analyses in the queue.",
        lambda: services.analysis_scheduler.waiting,
    )
    metrics.look_at("souk_sockets", "Open WebSockets.", lambda: len(sockets.connections))
    metrics.look_at("souk_lobby", "Pages in the lobby.", lambda: services.lobby_pages.pages)
    metrics.look_at(
        "souk_connections", "Connections of any kind.", lambda: sockets.admission.inside
    )
    metrics.look_at("souk_tables_in_memory", "Tables in memory.", lambda: len(services.tables.open))
    metrics.watch_refused_connections(sockets.admission.refused)


_BANNED = json_response(Refusal(RequestRefused("banned").reason), 403)
_TOO_FAST = json_response(Refusal(RequestRefused("too_fast").reason), 429)
_OTHER_HOST = json_response(Refusal(RequestRefused("other_host").reason), 421)
_TOO_FAST.headers["connection"] = "close"  # more requests need a new connection


class GuardMiddleware:
    """Identifies the client of each request, applies bans and limits, and adds security headers."""

    def __init__(self, inner: Starlette, sockets: SocketServer) -> None:
        self.inner, self.sockets = inner, sockets

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                missing = [header for header in _HEADERS if header[0] not in own]
                message["headers"] = [*message["headers"], *missing]
            await send(message)

        # Cancelled when the server stops waiting and has dropped the connection. uvicorn would log
        # it as an error.
        with contextlib.suppress(asyncio.CancelledError):
            await self._respond(scope, receive, send_with_headers)

    async def _respond(self, scope: Any, receive: Any, send: Any) -> None:
        admission = self.sockets.admission
        client = scope["souk.client"] = Client(
            scope, self.sockets.config.proxies, self.sockets.services.sessions.player_of
        )
        if scope["path"].startswith("/api/") and admission.is_banned(
            client.rate_limit_key, client.player
        ):
            admission.refuse("banned")
            await _BANNED(scope, receive, send)
        elif not self._is_within_limits(scope["path"], client):
            await _TOO_FAST(scope, receive, send)
        elif not client.means(self.sockets.hosts):
            admission.refuse("requests: for another host")
            await _OTHER_HOST(scope, receive, send)
        else:
            await self.inner(scope, receive, send)

    def _is_within_limits(self, path: str, client: Client) -> bool:
        """Pages have limits of their own: they are cheap, and an address may have many users."""
        admission = self.sockets.admission
        limits, kind = admission.files, "pages"
        if path.startswith("/api/"):
            limits, kind = admission.requests, "questions"
        if limits.take(client.rate_limit_key):
            return True
        admission.refuse(f"requests: too many {kind}")
        return False
