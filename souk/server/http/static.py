"""The pages: what was built from web/, and the languages, kept in memory."""

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

from souk.core.clauses import panel
from souk.core.message import language_files, languages, read_language
from souk.games import names
from souk.table.lobby_protocol import LanguageCard, Languages
from souk.table.offline import offline_page

SITE = Path(__file__).parent / "site"
_PACKED = {".html", ".js", ".css", ".json", ".svg", ".txt", ".webmanifest", ".map"}
RULES, COMPANY, EVENTS, LATER = "rules", "company", "events", "later"  # parts of a language
_LATER = (
    "box",
    "clock",
    "keys",
    "me",
    "measure",
    "position",
    "today",
    "together",
)  # names of tables of texts: what nobody needs to begin with; and why something was refused
_IN_COMPANY = ("talk", "call", "who", "meet")  # for people who play with others, or come back
_PHRASES = "phrases"  # of a game: what can be said at its tables
_AT_EVENTS = "event"
_SAID_ELSEWHERE = {"terminal", "page", "preview", "offline", _AT_EVENTS, *_IN_COMPANY, _PHRASES}
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_SECONDS_BETWEEN_LOOKS = 1.0  # at the files: whether any has changed
_SAID_OF_ALL = re.compile(
    rb"""\s*<(?:title>.*?</title|meta\s+(?:name="description"|property="og:)[^>]*)>"""
)  # in index.html
_MISSING = b"<!doctype html><title>Souk</title><p>The pages have not been built: <code>npm run build</code> in web/."


class Page:
    """A file, as it is sent."""

    def __init__(self, content: bytes, name: str) -> None:
        self.content = content
        self._worth_packing = Path(name).suffix in _PACKED
        self._kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        self._tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'

    @cached_property
    def packed(self) -> bytes | None:
        """Worked out for the first who asks: of some hundred files a visitor asks for thirty."""
        return gzip.compress(self.content, 9, mtime=0) if self._worth_packing else None

    def answer(self, request: Request, caching: str) -> Response:
        headers = {"cache-control": caching, "etag": self._tag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == self._tag:
            return Response(status_code=304, headers=headers)
        content = self.content
        if "gzip" in request.headers.get("accept-encoding", "") and self.packed is not None:
            content = self.packed
            headers["content-encoding"] = "gzip"
        return Response(content, media_type=self._kind, headers=headers)


class _Rounds:
    """Whether it is time to look at the files again, which is too dear for every request."""

    def __init__(self) -> None:
        self._next = 0.0

    def due(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + _SECONDS_BETWEEN_LOOKS
        return True


class Site:
    """All pages. When they are built anew they are read anew."""

    def __init__(self, folder: Path = SITE) -> None:
        self._folder, self._rounds = folder, _Rounds()
        self._built = -1.0
        self._pages: Mapping[str, Page] = {}
        self._read()

    def index(self, request: Request, head: str) -> Response:
        """The page itself, with something of its own to say in its head in the place of what is said of all."""
        self._read()
        index = self._pages.get("index.html") or Page(_MISSING, "index.html")
        bare = _SAID_OF_ALL.sub(b"", index.content)
        return Page(bare.replace(b"</head>", head.encode() + b"</head>", 1), "index.html").answer(request, _ASK_AGAIN)

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return name in self._pages

    def page(self, request: Request) -> Response | None:
        """A file of the site; the addresses of the page itself (/, /new, /t/…) all give index.html."""
        self._read()
        name = request.url.path.lstrip("/")
        if found := self._pages.get(name):
            return found.answer(request, _FOR_EVER if name.startswith("assets/") else _ASK_AGAIN)
        if "." in name.rpartition("/")[2]:
            return None
        index = self._pages.get("index.html") or Page(_MISSING, "index.html")
        return index.answer(request, _ASK_AGAIN)

    def _read(self) -> None:
        if not self._rounds.due():
            return
        index = self._folder / "index.html"
        built = index.stat().st_mtime if index.is_file() else 0.0
        if built == self._built:
            return
        files = [path for path in self._folder.rglob("*") if path.is_file()] if built else []
        self._pages = {path.relative_to(self._folder).as_posix(): Page(path.read_bytes(), path.name) for path in files}
        self._built = built


def _rules(texts: dict[str, Any]) -> dict[str, Any]:
    """By game: what the rules panel says. For a game whose texts do not tell its rules, the clauses themselves."""
    return {name: texts.get(name, {}).get("rules") or panel(name) for name in names()}


def _at_first(texts: dict[str, Any]) -> dict[str, Any]:
    """What is asked for with every page."""
    table = {name: each for name, each in texts["table"].items() if name != "refused"}
    return _for_browsers({name: each for name, each in texts.items() if name not in _LATER} | {"table": table})


def _later(texts: dict[str, Any]) -> dict[str, Any]:
    """What is asked for when it is needed."""
    return {name: texts[name] for name in _LATER} | {"table": {"refused": texts["table"]["refused"]}}


def _company(texts: dict[str, Any]) -> dict[str, Any]:
    """What is asked for once people meet: how they talk and are called, and phrases, those of games as well."""
    games = {name: {_PHRASES: own[_PHRASES]} for name in names() if _PHRASES in (own := texts.get(name, {}))}
    return {name: texts[name] for name in _IN_COMPANY} | games


def _events(texts: dict[str, Any]) -> dict[str, Any]:
    """What is asked for at an event."""
    return {_AT_EVENTS: texts[_AT_EVENTS]}


def known_language(code: str) -> str:
    """A language that there is: this one, or else English."""
    return code if code in languages() else "en"


def _for_browsers(texts: dict[str, Any]) -> dict[str, Any]:
    """Texts without those that are said elsewhere: in a terminal, on pages that are written to a file, where an address is sent, where people meet; and without the rules of games, which are asked
    for when somebody opens them."""
    tables = {name: each for name, each in texts.items() if isinstance(each, dict) and name not in _SAID_ELSEWHERE}
    left = {name: each for name, each in texts.items() if isinstance(each, str)}
    return left | {name: _for_browsers(each) for name, each in tables.items()}


class LanguagePages:
    """The languages as JSON, and the list of them, made before they are asked for. When a file has changed all are read anew."""

    def __init__(self) -> None:
        self._rounds = _Rounds()
        self._changed: list[tuple[Path, float]] = []
        self._pages: dict[tuple[str, str], Page] = {}  # by language and part
        self._digests: dict[str, str] = {}
        self._list = Page(b"", "languages.json")
        self._offline = Page(b"", "offline.html")
        self._read()

    def all(self, request: Request) -> Response:
        self._read()
        return self._list.answer(request, _ASK_AGAIN)

    def offline(self, request: Request) -> Response:
        """The page of a browser that reaches nobody, in all languages: it was fetched before."""
        self._read()
        return self._offline.answer(request, _ASK_AGAIN)

    def one(self, request: Request, code: str, part: str = "") -> Response | None:
        """A language, or its rules; None where there is none."""
        self._read()
        page = self._pages.get((code, part))
        if page is None:
            return None
        fixed = request.query_params.get("v") == self._digests[code]
        return page.answer(request, _FOR_EVER if fixed else _ASK_AGAIN)

    def _read(self) -> None:
        if not self._rounds.due():
            return
        changed = [(path, path.stat().st_mtime) for code in languages() for _, path in language_files(code)]
        if changed == self._changed:
            return
        found = {code: read_language(code) for code in languages()}
        parts = {"": _at_first, LATER: _later, RULES: _rules, COMPANY: _company, EVENTS: _events}
        self._pages = {
            (code, part): Page(msgspec.json.encode(taken(texts)), f"{code}.json")
            for code, texts in found.items()
            for part, taken in parts.items()
        }
        self._digests = {
            code: hashlib.sha256(msgspec.json.encode(texts)).hexdigest()[:20] for code, texts in found.items()
        }
        cards = [LanguageCard(code, texts["language"], self._digests[code]) for code, texts in found.items()]
        self._list = Page(msgspec.json.encode(Languages(cards)), "languages.json")
        self._offline = Page(offline_page({code: texts["offline"] for code, texts in found.items()}), "offline.html")
        self._changed = changed
