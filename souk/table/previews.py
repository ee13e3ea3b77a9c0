"""What a table's address looks like where it is sent to somebody: a title, a line about it, and the picture of its game."""

import re
from collections.abc import Callable, Sequence
from html import escape

from souk.core.message import Words, languages
from souk.table.relics import is_old
from souk.table.sealing import Unsealable
from souk.table.store import SeatRow, Store, TableRow, Unanswered
from souk.table.visitors import Visitor

_ADDRESS = re.compile(r"/t/([\w-]{16})")
_WISH = re.compile(r"([a-zA-Z]{2})(?:-\w+)?(?:;q=[\d.]+)?")
_PICTURE = "previews/{}.png"  # of a game; `souk` for one that has none
_WIDTH, _HEIGHT = 1200, 630
_LARGE = '<meta name="twitter:card" content="summary_large_image" />'
_MOST_WISHES = 200  # letters of a browser's list of languages that are looked at


class Previews:
    """Writes the head of a table's page. `has` says whether the site has a file."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.has: Callable[[str], bool] = lambda _name: False

    async def head(self, path: str, visitor: Visitor, wished: str) -> str:
        """What the page of a table says about it, or "" where there is no such table. Nobody is told more than whoever opens it sees."""
        found = _ADDRESS.fullmatch(path.rstrip("/"))
        try:
            kept = await self._store.table(found[1]) if found else None
        except (Unanswered, Unsealable):  # then the page itself says what is wrong
            kept = None
        if kept is None or is_old(kept[0]):
            return ""
        language = _language(wished)
        said, row = _Said(Words(language), *kept), kept[0]
        home = f"{'https' if visitor.secure else 'http'}://{visitor.host}"
        named = {"og:title": said.title(), "og:description": said.about(), "og:type": "website", "og:site_name": "Souk"}
        named |= {
            "og:url": f"{home}/t/{row.id}",
            "og:locale": language,
            "og:image": f"{home}/{self._picture(row.game)}",
        }
        named |= {"og:image:width": str(_WIDTH), "og:image:height": str(_HEIGHT), "og:image:alt": said.game}
        tags = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in named.items()]
        tags += [f'<meta name="description" content="{escape(said.about())}" />', _LARGE]
        return "".join([f"<title>{escape(said.title())} · Souk</title>", *tags])

    def _picture(self, game: str) -> str:
        own = _PICTURE.format(game)
        return own if self.has(own) else _PICTURE.format("souk")


class _Said:
    """What is said about a table, in a language."""

    def __init__(self, words: Words, row: TableRow, seats: Sequence[SeatRow]) -> None:
        self._words, self._row, self._seats = words, row, seats
        self.game = self._own("title", row.game)
        self._open = sum(seat.is_open for seat in seats)

    def _own(self, key: str, otherwise: str = "") -> str:
        """A text of the game's own."""
        key = f"{self._row.game}.{key}"
        return self._words(key) if key in self._words else otherwise

    def title(self) -> str:
        host = next((seat.name for seat in self._seats if seat.player and seat.player == self._row.host), "")
        if self._open and host:
            return self._words("preview.invites", host=host, game=self.game)
        names = [seat.name for seat in self._seats if seat.name]
        return self._words("preview.with", game=self.game, names=names) if names else self.game

    def about(self) -> str:
        if self._open:
            minutes = self._own(f"minutes_{self._row.players}", self._own("minutes"))
            how_long = [self._words("preview.minutes", n=minutes)] if minutes else []
            return " · ".join([self._words("preview.free", n=self._open), *how_long, self._words("preview.no_account")])
        over, begun = self._row.standing.over, bool(self._row.standing.actors)
        return self._words("preview.over" if over else "preview.running" if begun else "preview.waiting")


def _language(wished: str) -> str:
    """The first of a browser's languages that is spoken here; English where there is none."""
    asked = [found[1].lower() for each in wished[:_MOST_WISHES].split(",") if (found := _WISH.fullmatch(each.strip()))]
    return next((code for code in asked if code in languages()), "en")
