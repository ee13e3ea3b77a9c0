"""Link previews: title, description and picture (Open Graph) in the head of a table's page."""

import re
from collections.abc import Callable, Sequence
from html import escape

from souk.core.messages import Words, languages
from souk.server.common.client import Client
from souk.server.storage.encryption import DecryptionFailed
from souk.server.storage.errors import ReadFailed
from souk.server.storage.rows import SeatRow, TableRow
from souk.server.storage.store import Store
from souk.server.tables.game.old_games import is_old

_ADDRESS = re.compile(r"/t/([\w-]{16})")
_ACCEPTED = re.compile(r"([a-zA-Z]{2})(?:-\w+)?(?:;q=[\d.]+)?")
_PICTURE = "previews/{}.png"  # by game; `souk` without one
_WIDTH, _HEIGHT = 1200, 630
_LARGE = '<meta name="twitter:card" content="summary_large_image" />'
_MOST_ACCEPTED = 200  # characters of Accept-Language that are read


class LinkPreviews:
    """Makes the head of a table's page. `has`: whether the site has a file."""

    def __init__(self, store: Store, has: Callable[[str], bool]) -> None:
        self._store, self._has = store, has

    async def head(self, path: str, client: Client, accepted: str) -> str:
        """The head for a table's page, or "". Tells no more than the page shows everybody."""
        match = _ADDRESS.fullmatch(path.rstrip("/"))
        try:
            stored = await self._store.table(match[1]) if match else None
        except (ReadFailed, DecryptionFailed):  # the page itself will show what is wrong
            stored = None
        if stored is None or is_old(stored[0]):
            return ""
        language = _language(accepted)
        preview, row = _Preview(Words(language), *stored), stored[0]
        home = f"{'https' if client.secure else 'http'}://{client.host}"
        properties = {
            "og:title": preview.title(),
            "og:description": preview.about(),
            "og:type": "website",
            "og:site_name": "Souk",
        }
        properties |= {
            "og:url": f"{home}/t/{row.id}",
            "og:locale": language,
            "og:image": f"{home}/{self._picture(row.game)}",
        }
        properties |= {
            "og:image:width": str(_WIDTH),
            "og:image:height": str(_HEIGHT),
            "og:image:alt": preview.game,
        }
        tags = [
            f'<meta property="{name}" content="{escape(text)}" />'
            for name, text in properties.items()
        ]
        tags += [f'<meta name="description" content="{escape(preview.about())}" />', _LARGE]
        return "".join([f"<title>{escape(preview.title())} · Souk</title>", *tags])

    def _picture(self, game: str) -> str:
        own = _PICTURE.format(game)
        return own if self._has(own) else _PICTURE.format("souk")


class _Preview:
    """The texts of a preview in one language."""

    def __init__(self, words: Words, row: TableRow, seats: Sequence[SeatRow]) -> None:
        self._words, self._row, self._seats = words, row, seats
        self.game = self._game_text("title", row.game)
        self._open = sum(seat.is_open for seat in seats)

    def _game_text(self, key: str, otherwise: str = "") -> str:
        """One of the game's own texts."""
        key = f"{self._row.game}.{key}"
        return self._words(key) if key in self._words else otherwise

    def title(self) -> str:
        host = next(
            (seat.name for seat in self._seats if seat.player and seat.player == self._row.host), ""
        )
        if self._open and host:
            return self._words("preview.invites", host=host, game=self.game)
        names = [seat.name for seat in self._seats if seat.name]
        return self._words("preview.with", game=self.game, names=names) if names else self.game

    def about(self) -> str:
        if self._open:
            minutes = self._game_text(f"minutes_{self._row.players}", self._game_text("minutes"))
            duration = [self._words("preview.minutes", n=minutes)] if minutes else []
            return " · ".join(
                [
                    self._words("preview.free", n=self._open),
                    *duration,
                    self._words("preview.no_account"),
                ]
            )
        over, begun = self._row.standing.over, bool(self._row.standing.actors)
        return self._words(
            "preview.over" if over else "preview.running" if begun else "preview.waiting"
        )


def _language(accepted: str) -> str:
    """The first accepted language Souk has, or "en"."""
    codes = [
        match[1].lower()
        for entry in accepted[:_MOST_ACCEPTED].split(",")
        if (match := _ACCEPTED.fullmatch(entry.strip()))
    ]
    return next((code for code in codes if code in languages()), "en")
