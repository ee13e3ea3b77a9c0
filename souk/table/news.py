"""What the processes of one house tell each other while people play, and what a house of one process does instead: nothing.

The truth is in the database. What is told here only says where to look, or repeats what stands there already, or is as short-lived as a page: who is at a table, who
looks for people, what somebody voted. Whoever has missed something asks again; nothing that was acknowledged depends on it.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from souk.table.logs import trouble
from souk.table.store import EventRow

NOTICES = "notices"  # in a list of changed tables: the host, or somebody, has left a notice (`souk.table.chores`)


class Word(msgspec.Struct, array_like=True):
    """Something that one process tells all others. Each kind is a subclass with a tag of its own."""


class OpenEvent(msgspec.Struct, array_like=True):
    """An event without secrets."""

    seq: int
    kind: str
    seat: int | None
    text: str
    told: msgspec.Raw

    def row(self) -> EventRow:
        return EventRow(self.seq, self.kind, self.seat, self.text, bytes(self.told))


class TablesChanged(Word, tag="tables"):
    """Something was committed about these tables. Of those where that was nothing but events that everybody may know, they are told along: whoever knows all
    that came before need not ask."""

    names: list[str]
    events: dict[str, list[OpenEvent]] = {}


class NoticeLeft(Word, tag="notices"):
    """There is a notice: doors, bans, announcements, forbidden words, or tables that the host has changed."""


NO_EVENTS: Mapping[str, list[OpenEvent]] = {}

W = TypeVar("W", bound=Word)
Hearing = Callable[[str, Any], None]  # told who says it (a process, by its name), and what


class News:
    """What is to be told and heard between processes. This one is for a house of one process: nobody else is there.

    `hear` says who listens to a kind of word; `missed` is called after the line was broken: whatever may have been told meanwhile is to be looked at
    again. Both come in the loop."""

    alone = True

    def __init__(self) -> None:
        self.first = True  # whether this process does what is to be done once in the house; two may believe it for seconds, none for long
        self.name = secrets.token_hex(6)  # of this process, until it ends
        # Whether another process has pages at a table, as far as is known. Asked from the thread that writes.
        self.is_elsewhere: Callable[[str], bool] = lambda _table: True
        self._hearing: dict[type[Word], list[Hearing]] = {}
        self.missed: list[Callable[[], None]] = []

    def hear(self, kind: type[W], heard: Callable[[str, W], None]) -> None:
        self._hearing.setdefault(kind, []).append(heard)

    def say(self, *words: Word) -> None:
        """Tell all others soon. From any thread; never waits."""

    def changed(self, names: Sequence[str], events: Mapping[str, list[OpenEvent]] = NO_EVENTS) -> None:
        """Tables were changed, and it is on disk: told by the thread that writes."""
        tables = [name for name in names if name != NOTICES]
        if tables:
            self.say(TablesChanged(tables, dict(events)))
        if len(tables) < len(names):
            self.say(NoticeLeft())

    async def start(self) -> None:
        """From now on others are heard, in the loop that runs."""

    async def close(self) -> None:
        """What was said is sent, and nothing more is heard."""

    def _heard(self, sender: str, words: Sequence[Word]) -> None:
        """In the loop. What goes wrong with one word is in the log."""
        if sender == self.name:
            return
        for word in words:
            for heard in self._hearing.get(type(word), ()):
                try:
                    heard(sender, word)
                except Exception as error:  # the next is still to be heard
                    trouble("news failed", error, word=type(word).__name__)

    def _missed(self) -> None:
        for look in self.missed:
            try:
                look()
            except Exception as error:
                trouble("news failed", error)
