"""One of several server processes at one port: started by `souk.table.supervising`, which tells it over a pipe what to do, and ends when that pipe does."""

import os
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import msgspec

from souk.table import logs
from souk.table.serving import serve_at
from souk.table.settings import Settings
from souk.table.supervising import Orders
from souk.table.ushers import Usher

_PIPE = 0  # where a process hears what it is to do


def main() -> None:
    orders = msgspec.json.decode(sys.stdin.buffer.readline(), type=Orders)
    settings = msgspec.convert(orders.settings, type=Settings, dec_hook=_read)
    logs.set_up(settings.log)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # it is for the supervisor
    threading.Thread(target=_end_with_supervisor, daemon=True).start()

    def ready() -> None:
        logs.note("process serves", number=orders.number, pid=os.getpid())
        os.write(orders.ready, b"r")
        os.close(orders.ready)

    usher = Usher(Path(orders.ushers), orders.number, orders.count) if orders.ushers else None
    serve_at(socket.socket(fileno=orders.listening), settings, ready, usher=usher)


def _read(kind: type, value: Any) -> Any:
    return kind(value) if kind is Path else value


def _end_with_supervisor() -> None:
    """Nothing more is said over the pipe: when it ends, whoever would start this process again is gone, and nobody else is to be left behind."""
    while os.read(_PIPE, 1024):  # not by way of Python's own reader: that may not be waited for while the process ends
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
