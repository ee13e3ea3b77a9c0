"""Starts the server and stops it without losing anything."""

import asyncio
import contextlib
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from souk.server.app import make_app
from souk.server.cluster.supervisor import Supervisor
from souk.server.common import logs
from souk.server.common.config import ServerConfig
from souk.server.common.shutdown import exit_soon, on_shutdown_signal
from souk.server.net.admission import open_more_files
from souk.server.net.http_connection import HttpConnection
from souk.server.net.socket_handover import ConnectionRouter
from souk.server.net.websocket import WebSocketConnection

_BACKLOG = 2048
# Receive buffer of a connection in bytes: more arrives only once some is read.
_RECEIVE_BUFFER = 32_768
_SECONDS_TO_FINISH = 3.0  # for open requests; then connections are dropped
_SECONDS_TO_GIVE_UP = 4  # then handlers still running are cancelled
# How long a thread may hold the GIL: loading games must not delay players.
_SWITCH_INTERVAL = 0.0005


class _Server(uvicorn.Server):
    """Stops in order and with status 0; a second signal drops all connections first.

    `ready` is called once it serves. uvicorn's `force_exit` is never set: it skips the
    application's shutdown.
    """

    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], None], router: ConnectionRouter | None
    ) -> None:
        super().__init__(config)
        self._ready, self._router = ready, router
        self._hurry = asyncio.Event()

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        await super().serve(sockets)
        exit_soon()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Unlike uvicorn's, does not restore handlers: a late signal would end the process with a
        traceback.
        """
        on_shutdown_signal(self._end, self._hurry.set)
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.should_exit:
            return
        if self._router is not None:
            self._router.receive(
                lambda: HttpConnection(self.config, self.server_state, self.lifespan.state)
            )
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._router is not None:
            await self._router.close()
        dropping = asyncio.create_task(self._drop_connections())
        await super().shutdown(sockets)
        dropping.cancel()

    async def _drop_connections(self) -> None:
        """Drop connections once time is up or a second signal has come."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._hurry.wait(), _SECONDS_TO_FINISH)
        # `HttpConnection` and `WebSocketConnection`
        connections: list[Any] = [*self.server_state.connections]
        for connection in connections:
            connection.drop()

    def _end(self) -> None:
        self.should_exit = True


def serve(config: ServerConfig, open_browser: bool = False) -> None:
    """Serve until SIGINT, SIGTERM or the terminal closes; then finish all writes."""
    logs.configure_logging(config.log)
    listening = _listen(config)
    address = f"http://{_shown_host(config.host)}:{listening.getsockname()[1]}/"

    def serving() -> None:
        logs.log_info("serving", address=address, data=config.data)
        if open_browser:
            threading.Timer(0.3, webbrowser.open, (address,)).start()

    if config.processes > 1:
        with listening:
            asyncio.run(Supervisor(config, listening).run(serving))
    else:
        _stop_with_terminal()
        serve_at(listening, config, lambda: None, serving)


def _stop_with_terminal() -> None:
    """Treat SIGHUP as SIGTERM unless it is ignored (`nohup`): a single process has no successor."""
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))


def serve_at(
    listening: socket.socket,
    config: ServerConfig,
    ready: Callable[[], None],
    before: Callable[[], None] = lambda: None,
    router: ConnectionRouter | None = None,
) -> None:
    """Serve on a socket.

    Args:
        ready: called once requests are answered.
        before: called when everything is set up.
        router: hands connections to other processes on the same port.
    """
    sys.setswitchinterval(_SWITCH_INTERVAL)
    open_more_files()
    uvicorn_config = uvicorn.Config(
        make_app(config, router),
        http=HttpConnection,
        ws=WebSocketConnection,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # done by souk.server.common.client
        timeout_graceful_shutdown=_SECONDS_TO_GIVE_UP,
        backlog=_BACKLOG,
    )
    before()
    _Server(uvicorn_config, ready, router).run(sockets=[listening])


def _listen(config: ServerConfig) -> socket.socket:
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
    try:
        listening.bind((config.host, config.port))
        # From here on, early connections wait instead of being refused.
        listening.listen(_BACKLOG)
    except OSError as error:
        raise OSError(f"cannot listen at {config.host}:{config.port}: {error.strerror}") from None
    return listening


def _shown_host(host: str) -> str:
    return {"0.0.0.0": "localhost", "::": "localhost"}.get(
        host, f"[{host}]" if ":" in host else host
    )
