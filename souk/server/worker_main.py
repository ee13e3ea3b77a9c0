"""A server process among several on one port, started by `souk.server.cluster.supervisor`.

Reads its orders from a pipe and stops when that pipe closes.
"""

import os
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import msgspec

from souk.server.cluster.supervisor import WorkerOrders
from souk.server.common import logs
from souk.server.common.config import ServerConfig
from souk.server.net.socket_handover import ConnectionRouter
from souk.server.run import serve_at

_PIPE = 0  # file descriptor of the supervisor's pipe


def main() -> None:
    orders = msgspec.json.decode(sys.stdin.buffer.readline(), type=WorkerOrders)
    config = msgspec.convert(orders.settings, type=ServerConfig, dec_hook=_read)
    logs.configure_logging(config.log)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the supervisor handles it
    threading.Thread(target=_end_with_supervisor, daemon=True).start()

    def ready() -> None:
        logs.log_info("process serves", number=orders.number, pid=os.getpid())
        os.write(orders.ready, b"r")
        os.close(orders.ready)

    router = (
        ConnectionRouter(Path(orders.ushers), orders.number, orders.count)
        if orders.ushers
        else None
    )
    try:
        serve_at(socket.socket(fileno=orders.listening), config, ready, router=router)
    except (ValueError, OSError, RuntimeError) as error:  # misconfigured, as in `souk serve`
        logs.log_error("process cannot serve", number=orders.number, why=str(error))
        sys.exit(2)


def _read(kind: type, value: Any) -> Any:
    return kind(value) if kind is Path else value


def _end_with_supervisor() -> None:
    """Stop when the pipe closes: the supervisor is gone, and nobody else would stop this."""
    # Not with Python's buffered reader, whose lock would block the exit.
    while os.read(_PIPE, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
