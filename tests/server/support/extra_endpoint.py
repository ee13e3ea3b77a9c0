"""Adds an endpoint to a server for tests."""

from collections.abc import Callable
from typing import Any

from souk.server import run as serving


def add_endpoint(path: str, answer: Callable[[], str]) -> None:
    """Make servers of this process answer requests of a path with a text."""
    make = serving.make_app

    def with_endpoint(settings: Any, router: Any = None) -> Any:
        app = make(settings, router)

        async def answered(scope: Any, receive: Any, send: Any) -> None:
            if scope.get("path") != path:
                await app(scope, receive, send)
                return
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": answer().encode()})

        return answered

    serving.make_app = with_endpoint  # type: ignore[assignment]
