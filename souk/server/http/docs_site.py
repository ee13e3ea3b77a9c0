"""The documentation site at /docs, if `python3 dev.py docs` has built it."""

import asyncio
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from souk.server.http.static import StaticFile

DOCS_SITE = Path(__file__).parents[1] / "docs_site"
MAX_FILE_BYTES = 500_000
_INDEX = "index.html"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_NOT_BUILT = (
    "<!doctype html><html lang=en><title>Souk</title><h1>No documentation here</h1>"
    "<p>It has not been built. In a checkout, run <code>python3 dev.py docs</code>."
)
_NOT_FOUND = (
    "<!doctype html><html lang=en><title>Souk</title><h1>No such page</h1>"
    '<p><a href="/docs/">All documentation</a>'
)


class DocsSite:
    """Serves the built files, read on first request and again after a rebuild."""

    def __init__(self, folder: Path = DOCS_SITE) -> None:
        self._folder = folder
        self._built = 0.0
        self._paths: dict[str, Path] = {}
        self._files: dict[str, StaticFile] = {}

    def routes(self) -> list[Route]:
        return [
            Route("/docs", self._redirect, methods=["GET"]),
            Route("/docs/{path:path}", self._page, methods=["GET"]),
        ]

    async def _redirect(self, _request: Request) -> Response:
        """Relative links need the slash."""
        return RedirectResponse("/docs/", status_code=308)

    async def _page(self, request: Request) -> Response:
        self._list_if_rebuilt()
        name = request.path_params["path"] or _INDEX
        if name not in self._files and (path := self._paths.get(name)):
            await asyncio.to_thread(self._load, name, path)
        file = self._files.get(name)
        if file is None:
            return HTMLResponse(_NOT_FOUND if self._paths else _NOT_BUILT, status_code=404)
        response = file.answer(request, "no-cache")
        response.headers["content-security-policy"] = _POLICY
        return response

    def _list_if_rebuilt(self) -> None:
        """List the files again if the site was built anew."""
        index = self._folder / _INDEX
        built = index.stat().st_mtime if index.is_file() else 0.0
        if built != self._built:
            self._built = built
            files = [path for path in self._folder.rglob("*") if path.is_file()] if built else []
            self._paths = {path.relative_to(self._folder).as_posix(): path for path in files}
            self._files = {}

    def _load(self, name: str, path: Path) -> None:
        """Read and compress a file, which for the largest takes 70 ms."""
        if path.stat().st_size <= MAX_FILE_BYTES:
            file = StaticFile(path.read_bytes(), path.name)
            _ = file.packed
            self._files[name] = file
