"""Static files held in memory: the built site (from web/) and the languages."""

import gzip
import hashlib
import mimetypes
import re
import time
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from souk.core.messages import language_files, languages, read_language
from souk.core.rule_clauses import panel
from souk.games import names
from souk.server.http.offline_page import offline_page
from souk.server.protocol.lobby import LanguageCard, Languages

SITE = Path(__file__).parents[1] / "site"
_PACKED = {".html", ".js", ".css", ".json", ".svg", ".txt", ".webmanifest", ".map"}
RULES, COMPANY, EVENTS, LATER = "rules", "company", "events", "later"  # parts of a language
# Tables of texts that no page needs at first.
_LATER = (
    "box",
    "clock",
    "keys",
    "lead_in",
    "learn",
    "look",
    "me",
    "measure",
    "new",
    "position",
    "record",
    "study",
    "today",
    "together",
    "voice",
)
_WHY = "why"  # of a game: its reasons for moves
_COMPANY = ("talk", "call", "who", "meet")  # for playing with others or coming back
_PHRASES = "phrases"  # of a game: its chat phrases
_AT_EVENTS = "event"
_NOT_AT_FIRST = {"terminal", "page", "preview", "offline", _AT_EVENTS, *_COMPANY, _PHRASES, _WHY}
_IMMUTABLE = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"
_SECONDS_BETWEEN_LOOKS = 1.0  # checks of the files for changes
# In index.html.
_DEFAULT_HEAD = re.compile(
    rb"""\s*<(?:title>.*?</title|meta\s+(?:name="description"|property="og:)[^>]*)>"""
)
_MISSING = (
    b"<!doctype html><title>Souk</title>"
    b"<p>The pages have not been built: <code>npm run build</code> in web/."
)


class StaticFile:
    """A file with its response headers."""

    def __init__(self, content: bytes, name: str) -> None:
        self.content = content
        self._is_compressible = Path(name).suffix in _PACKED
        self._kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        self._tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'

    @cached_property
    def packed(self) -> bytes | None:
        """Compressed on first use: a visitor needs about thirty of some hundred files."""
        return gzip.compress(self.content, 9, mtime=0) if self._is_compressible else None

    def answer(self, request: Request, caching: str) -> Response:
        headers = {"cache-control": caching, "etag": self._tag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == self._tag:
            return Response(status_code=304, headers=headers)
        content = self.content
        if "gzip" in request.headers.get("accept-encoding", "") and self.packed is not None:
            content = self.packed
            headers["content-encoding"] = "gzip"
        return Response(content, media_type=self._kind, headers=headers)


class _CheckInterval:
    """Limits how often the files are checked for changes."""

    def __init__(self) -> None:
        self._next = 0.0

    def due(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + _SECONDS_BETWEEN_LOOKS
        return True


class StaticSite:
    """The site's files, read again after a rebuild."""

    def __init__(self, folder: Path = SITE) -> None:
        self._folder, self._interval = folder, _CheckInterval()
        self._built = -1.0
        self._pages: Mapping[str, StaticFile] = {}
        self._read()

    def index(self, request: Request, head: str) -> Response:
        """index.html with its own head instead of the general one."""
        self._read()
        index = self._pages.get("index.html") or StaticFile(_MISSING, "index.html")
        bare = _DEFAULT_HEAD.sub(b"", index.content)
        return StaticFile(
            bare.replace(b"</head>", head.encode() + b"</head>", 1), "index.html"
        ).answer(request, _REVALIDATE)

    def has(self, name: str) -> bool:
        return name in self._pages

    def page(self, request: Request) -> Response | None:
        """A file of the site, or index.html for its client-side routes (/, /new, /t/…)."""
        self._read()
        name = request.url.path.lstrip("/")
        if file := self._pages.get(name):
            return file.answer(request, _IMMUTABLE if name.startswith("assets/") else _REVALIDATE)
        if "." in name.rpartition("/")[2]:
            return None
        index = self._pages.get("index.html") or StaticFile(_MISSING, "index.html")
        return index.answer(request, _REVALIDATE)

    def _read(self) -> None:
        if not self._interval.due():
            return
        index = self._folder / "index.html"
        built = index.stat().st_mtime if index.is_file() else 0.0
        if built == self._built:
            return
        files = [path for path in self._folder.rglob("*") if path.is_file()] if built else []
        self._pages = {
            path.relative_to(self._folder).as_posix(): StaticFile(path.read_bytes(), path.name)
            for path in files
        }
        self._built = built


def _rules(texts: dict[str, Any]) -> dict[str, Any]:
    """The rules panel of each game: its texts or, without any, its clauses."""
    return {name: texts.get(name, {}).get("rules") or panel(name) for name in names()}


def _at_first(texts: dict[str, Any]) -> dict[str, Any]:
    """Texts every page needs at first."""
    table = {name: subtable for name, subtable in texts["table"].items() if name != "refused"}
    return _for_browsers(
        {name: subtable for name, subtable in texts.items() if name not in _LATER}
        | {"table": table}
    )


def _later(texts: dict[str, Any]) -> dict[str, Any]:
    """Texts loaded when needed."""
    reasons = {name: {_WHY: own[_WHY]} for name in texts if _WHY in (own := _table(texts, name))}
    refused = {"table": {"refused": texts["table"]["refused"]}}
    return {name: texts[name] for name in _LATER} | reasons | refused


def _table(texts: dict[str, Any], name: str) -> dict[str, Any]:
    return own if isinstance(own := texts[name], dict) else {}


def _company(texts: dict[str, Any]) -> dict[str, Any]:
    """Texts for meeting others: chat, calls and phrases, including the games' own."""
    games = {
        name: {_PHRASES: own[_PHRASES]}
        for name in names()
        if _PHRASES in (own := texts.get(name, {}))
    }
    return {name: texts[name] for name in _COMPANY} | games


def _events(texts: dict[str, Any]) -> dict[str, Any]:
    """Texts for events."""
    return {_AT_EVENTS: texts[_AT_EVENTS]}


def known_language(code: str) -> str:
    """The code of a language Souk has, or "en"."""
    return code if code in languages() else "en"


def _for_browsers(texts: dict[str, Any]) -> dict[str, Any]:
    """Texts without those for other places (terminal, HTML files, link previews, offline page) and
    without the games' rules, which load when opened.
    """
    tables = {
        name: subtable
        for name, subtable in texts.items()
        if isinstance(subtable, dict) and name not in _NOT_AT_FIRST
    }
    plain = {name: subtable for name, subtable in texts.items() if isinstance(subtable, str)}
    return plain | {name: _for_browsers(subtable) for name, subtable in tables.items()}


class LanguageFiles:
    """All languages as JSON, read again when a file changes."""

    def __init__(self) -> None:
        self._interval = _CheckInterval()
        self._changed: list[tuple[Path, float]] = []
        self._pages: dict[tuple[str, str], StaticFile] = {}  # by language and part
        self._digests: dict[str, str] = {}
        self._list = StaticFile(b"", "languages.json")
        self._offline = StaticFile(b"", "offline.html")
        self._read()

    def all(self, request: Request) -> Response:
        self._read()
        return self._list.answer(request, _REVALIDATE)

    def offline(self, request: Request) -> Response:
        """The offline page, in all languages."""
        self._read()
        return self._offline.answer(request, _REVALIDATE)

    def one(self, request: Request, code: str, part: str = "") -> Response | None:
        """A language or a part of it; None if unknown."""
        self._read()
        page = self._pages.get((code, part))
        if page is None:
            return None
        is_current = request.query_params.get("v") == self._digests[code]
        return page.answer(request, _IMMUTABLE if is_current else _REVALIDATE)

    def _read(self) -> None:
        if not self._interval.due():
            return
        changed = [
            (path, path.stat().st_mtime) for code in languages() for _, path in language_files(code)
        ]
        if changed == self._changed:
            return
        texts_by_code = {code: read_language(code) for code in languages()}
        parts = {"": _at_first, LATER: _later, RULES: _rules, COMPANY: _company, EVENTS: _events}
        self._pages = {
            (code, part): StaticFile(msgspec.json.encode(part_of(texts)), f"{code}.json")
            for code, texts in texts_by_code.items()
            for part, part_of in parts.items()
        }
        self._digests = {
            code: hashlib.sha256(msgspec.json.encode(texts)).hexdigest()[:20]
            for code, texts in texts_by_code.items()
        }
        cards = [
            LanguageCard(code, texts["language"], self._digests[code])
            for code, texts in texts_by_code.items()
        ]
        self._list = StaticFile(msgspec.json.encode(Languages(cards)), "languages.json")
        self._offline = StaticFile(
            offline_page({code: texts["offline"] for code, texts in texts_by_code.items()}),
            "offline.html",
        )
        self._changed = changed
