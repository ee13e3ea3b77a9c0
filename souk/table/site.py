"""The pages: what was built from web/, and the languages, kept in memory and packed."""

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from souk.core.clauses import panel
from souk.core.message import language_files, languages, read_language
from souk.games import names
from souk.table.protocol import LanguageCard, Languages

SITE = Path(__file__).parent / "site"
_PACKED = {".html", ".js", ".css", ".json", ".svg", ".txt", ".webmanifest", ".map"}
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_MISSING = b"<!doctype html><title>Souk</title><p>The pages have not been built: <code>npm run build</code> in web/."


class Page(NamedTuple):
    """A file, as it is sent."""

    content: bytes
    packed: bytes | None
    kind: str
    tag: str

    def answer(self, request: Request, caching: str) -> Response:
        headers = {"cache-control": caching, "etag": self.tag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        content = self.content
        if self.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            content = self.packed
            headers["content-encoding"] = "gzip"
        return Response(content, media_type=self.kind, headers=headers)


def _page(content: bytes, name: str) -> Page:
    packed = gzip.compress(content, 9, mtime=0) if Path(name).suffix in _PACKED else None
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Page(content, packed, kind, f'"{hashlib.sha256(content).hexdigest()[:20]}"')


class Site:
    """All pages. When they are built anew they are read anew."""

    def __init__(self, folder: Path = SITE) -> None:
        self._folder = folder
        self._built = -1.0
        self._pages: Mapping[str, Page] = {}
        self._read()

    def page(self, request: Request) -> Response | None:
        """A file of the site; the addresses of the page itself (/, /new, /t/…) all give index.html."""
        self._read()
        name = request.url.path.lstrip("/")
        if found := self._pages.get(name):
            return found.answer(request, _FOR_EVER if name.startswith("assets/") else _ASK_AGAIN)
        if "." in name.rpartition("/")[2]:
            return None
        index = self._pages.get("index.html") or _page(_MISSING, "index.html")
        return index.answer(request, _ASK_AGAIN)

    def _read(self) -> None:
        index = self._folder / "index.html"
        built = index.stat().st_mtime if index.is_file() else 0.0
        if built == self._built:
            return
        files = [path for path in self._folder.rglob("*") if path.is_file()] if built else []
        self._pages = {path.relative_to(self._folder).as_posix(): _page(path.read_bytes(), path.name) for path in files}
        self._built = built


def _with_rules(texts: dict[str, Any]) -> dict[str, Any]:
    """A language, with the clauses themselves for the rules panel of a game whose texts do not tell the rules."""
    for name in names():
        texts.setdefault(name, {}).setdefault("rules", panel(name))
    return texts


class LanguagePages:
    """The languages as JSON. A file that has changed is read anew."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[float, Page]] = {}

    def all(self, request: Request) -> Response:
        cards = [
            LanguageCard(code, read_language(code)["language"], self._page(code).tag[1:-1]) for code in languages()
        ]
        return _page(msgspec.json.encode(Languages(cards)), "languages.json").answer(request, _ASK_AGAIN)

    def one(self, request: Request, code: str) -> Response | None:
        if code not in languages():
            return None
        page = self._page(code)
        fixed = request.query_params.get("v") == page.tag[1:-1]
        return page.answer(request, _FOR_EVER if fixed else _ASK_AGAIN)

    def _page(self, code: str) -> Page:
        changed = max(path.stat().st_mtime for _, path in language_files(code))
        if code not in self._pages or self._pages[code][0] != changed:
            self._pages[code] = changed, _page(msgspec.json.encode(_with_rules(read_language(code))), f"{code}.json")
        return self._pages[code][1]
