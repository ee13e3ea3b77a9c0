"""Who may say what at a table, how often, and what becomes of it."""

import time

from souk.table import protocol, sayings
from souk.table.forbidden import Forbidden
from souk.table.limits import Buckets
from souk.table.logs import note
from souk.table.refusals import Refuse
from souk.table.seating import is_shown
from souk.table.settings import Settings
from souk.table.store import NotKept, Statement
from souk.table.table import Table

LONGEST_SAYING = 200  # letters
_MOST_REPORTS = 1000  # that are kept for the host: the latest


class Talk:
    """Lets those who sit at a table speak. Whoever looks on reads along."""

    def __init__(self, settings: Settings) -> None:
        self.spoken = Buckets(settings.talk_rate, settings.talk_burst)
        self.forbidden = Forbidden()

    async def say(self, table: Table, player: bytes, command: protocol.Say) -> None:
        """Say something: it is kept first, then told to everybody."""
        table.check_owner(player, command.seat)
        text = _checked(table, command)
        self.forbidden.check_text(text)
        self._count(player)
        async with table.lock:
            saying = protocol.Saying(table.talk.next(), command.seat, command.phrase, text, time.time())
            try:
                await sayings.keep(table.store, table.id, saying)
            except NotKept as error:
                await table.refuse(error)
            table.talk.take(saying)
            table.tell_all(protocol.SaidAloud(saying))

    async def report(self, table: Table, player: bytes, command: protocol.ReportSaying) -> None:
        """Keep a line for the host about something that somebody else has said."""
        saying = table.talk.find(command.number)
        if not table.seats_of(player):
            raise Refuse("not_your_table", 403)
        if saying is None or saying.seat in table.seats_of(player):
            raise Refuse("nothing_to_report", 404)
        self._count(player)
        row = table.seats[saying.seat]
        added = "INSERT INTO reports VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        values = (table.id, saying.number, time.time(), saying.text or saying.phrase, row.name, row.player, player)
        fewer = "DELETE FROM reports WHERE at < (SELECT at FROM reports ORDER BY at DESC LIMIT 1 OFFSET ?)"
        try:
            await table.store.carry_out([Statement(added, values), Statement(fewer, (_MOST_REPORTS - 1,))])
        except NotKept:
            raise Refuse("not_kept", 503) from None
        note("reported", table=table.id, seat=saying.seat)

    def _count(self, player: bytes) -> None:
        if not self.spoken.take(player.hex()):
            raise Refuse("too_much_talk", 429)


def _checked(table: Table, command: protocol.Say) -> str:
    """What is to be said in one's own words; "" for a phrase, which must be one of this game's."""
    if table.talking() is None:
        raise Refuse("no_talk", 409)
    if bool(command.phrase) == bool(command.text):
        raise Refuse("unreadable")
    if command.phrase:
        if command.phrase not in sayings.phrases_of(table.position.game.name):
            raise Refuse("phrase_unknown")
        return ""
    if not table.talk.free:
        raise Refuse("no_free_talk", 409)
    plain = " ".join(command.text.split())
    if not is_shown(plain):
        raise Refuse("saying_unprintable")
    if len(plain) > LONGEST_SAYING:
        raise Refuse("saying_too_long", most=LONGEST_SAYING)
    return plain
