"""`souk serve` that drops its file locks on `GET /careless`.

POSIX releases a process's locks on a file as soon as it closes any descriptor of that file.

Usage: `python -m tests.server.support.lost_locks serve …`
"""

from pathlib import Path
from typing import Any

from souk.cli.main import main
from souk.server import run as serving
from souk.server.common.config import ServerConfig
from souk.server.open_store import FILE


class Careless:
    """Middleware: `/careless` opens and closes every database file."""

    def __init__(self, app: Any, data: Path) -> None:
        self._app, self._data = app, data

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope.get("path") != "/careless":
            await self._app(scope, receive, send)
            return
        for file in self._data.glob(f"{FILE}*"):
            file.open("rb").close()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"careless\n"})


if __name__ == "__main__":
    make = serving.make_app

    def make_careless(settings: ServerConfig, router: Any = None) -> Any:
        return Careless(make(settings, router), settings.data)

    serving.make_app = make_careless  # type: ignore[assignment]
    main()
