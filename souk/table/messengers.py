"""Something is to be told to one person, wherever their pages are connected: in the lobby or at tables, here or at another process."""

import asyncio
import itertools

import msgspec

from souk.table.foyer import Foyer
from souk.table.news import News, Word
from souk.table.tables import Tables
from souk.table.views import encode

_SECONDS_TO_ANSWER = 0.5  # for the other processes, where somebody waits for it


class TellPerson(Word, tag="tell"):
    """For all pages of a person: in the lobby, and at tables; each as it goes over the wire, or nothing."""

    number: int
    player: bytes
    lobby: str
    tables: str


class HasHeard(Word, tag="heard"):
    """They have it before them here."""

    process: str
    number: int


class Messengers:
    """Tells people."""

    def __init__(self, news: News, tables: Tables, foyer: Foyer) -> None:
        self._news, self._tables, self._foyer = news, tables, foyer
        self._numbers = itertools.count()
        self._asked: dict[int, asyncio.Event] = {}
        news.hear(TellPerson, self._asked_to)
        news.hear(HasHeard, self._answered)

    def tell(self, player: bytes, lobby: msgspec.Struct | None = None, tables: msgspec.Struct | None = None) -> bool:
        """Tell it everywhere; whether they have it before them at this process."""
        return self._tell(player, lobby, tables, next(self._numbers))

    async def reach(self, player: bytes, lobby: msgspec.Struct, tables: msgspec.Struct) -> bool:
        """The same; whether they have it before them anywhere, as far as the others answer in time."""
        number = next(self._numbers)
        heard = self._asked[number] = asyncio.Event()
        try:
            if self._tell(player, lobby, tables, number):
                return True
            if self._news.alone:
                return False
            async with asyncio.timeout(_SECONDS_TO_ANSWER):
                await heard.wait()
            return True
        except TimeoutError:
            return False
        finally:
            del self._asked[number]

    def _tell(self, player: bytes, lobby: msgspec.Struct | None, tables: msgspec.Struct | None, number: int) -> bool:
        told = [encode(each) if each else b"" for each in (lobby, tables)]
        self._news.say(TellPerson(number, player, *(each.decode() for each in told)))
        return self._hand_out(player, *told)

    def _hand_out(self, player: bytes, lobby: bytes, tables: bytes) -> bool:
        """To all pages here; whether one of them shows it."""
        if lobby:
            self._foyer.tell_encoded(player, lobby)
        for watcher in self._tables.watchers_of(player) if tables else ():
            watcher.post(tables)
        return self._is_before(player)

    def _is_before(self, player: bytes) -> bool:
        return self._foyer.has(player) or any(each.in_sight for each in self._tables.watchers_of(player))

    def _asked_to(self, sender: str, word: TellPerson) -> None:
        if self._hand_out(word.player, word.lobby.encode(), word.tables.encode()):
            self._news.say(HasHeard(sender, word.number))

    def _answered(self, _sender: str, word: HasHeard) -> None:
        if word.process == self._news.name and word.number in self._asked:
            self._asked[word.number].set()
