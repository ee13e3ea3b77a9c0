"""`souk serve` with a ticking task beside it, which says how long the loop was held: `python -m tests.table.ticking serve …`

`GET /tick` answers with the most processor time, in seconds, that passed in the loop's thread between two ticks since it was last asked.
Processor time and not the clock's: other programs on a busy machine do not count.
"""

import asyncio
import json
import time
from typing import Any

from souk.cli import main
from souk.table import serving

_BETWEEN_TICKS = 0.001


class Ticking:
    """The application, and the task."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._worst = 0.0
        self._task: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            self._task = asyncio.create_task(self._tick())
        if scope.get("path") != "/tick":
            await self._app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(self._worst).encode()})
        self._worst = 0.0

    async def _tick(self) -> None:
        before = time.thread_time()
        while True:
            await asyncio.sleep(_BETWEEN_TICKS)
            now = time.thread_time()
            self._worst, before = max(self._worst, now - before), now


if __name__ == "__main__":
    make = serving.make_app
    serving.make_app = lambda settings, usher=None: Ticking(make(settings, usher))  # type: ignore[assignment]
    main()
