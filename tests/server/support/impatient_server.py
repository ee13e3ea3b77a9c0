"""`souk serve` that is impatient with lines that are dead, and that says what it has left behind: `python -m tests.table.ends serve …`

`GET /garbage` answers with how many things of each kind nobody knows any more but they each other. Nobody looks for such things meanwhile.
"""

import gc
import json
from collections import Counter
from typing import Any

from souk.cli import main
from souk.table import garbage, serving, sockets, wires


class Ends:
    """The application, and what it has left behind."""

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
    sockets._SECONDS_BETWEEN_SIGNS, wires._SECONDS_TO_ANSWER = 0.2, 5.0  # who lives answers, also on a busy machine
    garbage._SECONDS_BETWEEN_LOOKS = 3600.0
    make = serving.make_app
    serving.make_app = lambda settings, usher=None: Ends(make(settings, usher))  # type: ignore[assignment]
    main()
