"""Starting the server, and stopping it so that nothing is lost."""

import asyncio
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from types import FrameType

import uvicorn

from souk.table import logs
from souk.table.app import make_app
from souk.table.requests import HttpConnection
from souk.table.settings import Settings
from souk.table.supervising import Supervisor
from souk.table.ushers import Usher
from souk.table.wall import open_more_files
from souk.table.wires import Wire

_BACKLOG = 2048
_MOST_UNREAD = 32_768  # bytes of a connection that wait in the system; more only come when some are read
_SECONDS_TO_FINISH = 5
# That a thread may keep Python to itself: games that are loaded must not hold up those who play.
_SECONDS_OF_A_TURN = 0.0005


class _Server(uvicorn.Server):
    """Ends with status 0 when it was asked to end, and at once when it is asked a second time. `ready` is called as soon as it serves."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], usher: Usher | None) -> None:
        super().__init__(config)
        self._ready, self._usher = ready, usher

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.should_exit:
            return
        if self._usher is not None:
            self._usher.take_in(lambda: HttpConnection(self.config, self.server_state, self.lifespan.state))
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._usher is not None:
            await self._usher.close()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002  as uvicorn calls it
        self.force_exit = self.should_exit
        self.should_exit = True


def serve(settings: Settings, open_browser: bool = False) -> None:
    """Serve until SIGINT or SIGTERM, or until the terminal is closed; then finish what is being written, and close the sockets."""
    logs.set_up(settings.log)
    listening = _listen(settings)
    address = f"http://{_shown_host(settings.host)}:{listening.getsockname()[1]}/"

    def serving() -> None:
        logs.note("serving", address=address, data=settings.data)
        if open_browser:
            threading.Timer(0.3, webbrowser.open, (address,)).start()

    if settings.processes > 1:
        with listening:
            asyncio.run(Supervisor(settings, listening).run(serving))
    else:
        _end_with_the_terminal()
        serve_at(listening, settings, lambda: None, serving)


def _end_with_the_terminal() -> None:
    """A server that is alone has nobody who would take its place, so SIGHUP asks it to end in order; not where somebody wants it to go on (`nohup`)."""
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))


def serve_at(
    listening: socket.socket,
    settings: Settings,
    ready: Callable[[], None],
    before: Callable[[], None] = lambda: None,
    usher: Usher | None = None,
) -> None:
    """Serve at a socket. `before` is called when all is set up, `ready` when whoever comes is answered; where others serve at the same one, `usher` leads
    people from one to the other."""
    sys.setswitchinterval(_SECONDS_OF_A_TURN)
    open_more_files()
    config = uvicorn.Config(
        make_app(settings, usher),
        http=HttpConnection,
        ws=Wire,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # souk.table.visitors reads them
        timeout_graceful_shutdown=_SECONDS_TO_FINISH,
        backlog=_BACKLOG,
    )
    before()
    _Server(config, ready, usher).run(sockets=[listening])


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _MOST_UNREAD)
    try:
        listening.bind((settings.host, settings.port))
        listening.listen(_BACKLOG)  # whoever comes as soon as the address is told waits, and is not turned away
    except OSError as error:
        raise OSError(f"cannot listen at {settings.host}:{settings.port}: {error.strerror}") from None
    return listening


def _shown_host(host: str) -> str:
    return {"0.0.0.0": "localhost", "::": "localhost"}.get(host, f"[{host}]" if ":" in host else host)
