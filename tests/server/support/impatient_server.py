"""`souk serve` with short timeouts that reports its garbage.

`python -m tests.server.support.impatient_server serve …`; `GET /garbage` answers with the number of
unreachable objects by type that only a collection would free. None runs meanwhile.
"""

import gc
import json
from collections import Counter
from typing import Any

from souk.cli.main import main
from souk.server import run as serving
from souk.server.common import gc_tuning
from souk.server.net import table_socket as sockets
from souk.server.net import websocket as wires
from souk.server.push import webpush as posting


class Ends:
    """The application, with its report."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope.get("path") != "/garbage":
            await self._app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(_left_behind()).encode()})


def _left_behind() -> dict[str, int]:
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    gc.set_debug(0)
    found = Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.garbage)
    gc.garbage.clear()
    return dict(found)


if __name__ == "__main__":
    sockets._SECONDS_BETWEEN_PINGS, wires._SECONDS_TO_ANSWER = (
        0.2,
        5.0,
    )  # enough time to answer on a busy machine
    posting._DEADLINE = 1.0
    gc_tuning._SECONDS_BETWEEN_YOUNG = 3600.0
    make = serving.make_app
    serving.make_app = lambda settings, router=None: Ends(make(settings, router))  # type: ignore[assignment]
    main()
