"""`souk serve` with a ticking task that measures how long the event loop is blocked.

`python -m tests.server.support.loop_ticks serve …`; `GET /tick` answers, for the time since the
last request, with `loop`, the longest CPU time in seconds between two ticks, and `process`, the CPU
time of the whole process. CPU time is independent of other programs.
"""

import asyncio
import json
import time
from typing import Any

from souk.cli.main import main
from souk.server import run as serving

_BETWEEN_TICKS = 0.001


class Ticking:
    """The application with the ticking task."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._worst, self._process = 0.0, time.process_time()
        self._task: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            self._task = asyncio.create_task(self._tick())
        if scope.get("path") != "/tick":
            await self._app(scope, receive, send)
            return
        spent = {"loop": self._worst, "process": time.process_time() - self._process}
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(spent).encode()})
        self._worst, self._process = 0.0, time.process_time()

    async def _tick(self) -> None:
        before = time.thread_time()
        while True:
            await asyncio.sleep(_BETWEEN_TICKS)
            now = time.thread_time()
            self._worst, before = max(self._worst, now - before), now


if __name__ == "__main__":
    make = serving.make_app
    serving.make_app = lambda settings, router=None: Ticking(make(settings, router))  # type: ignore[assignment]
    main()
