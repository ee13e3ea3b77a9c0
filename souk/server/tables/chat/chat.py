"""Chat commands: who may say what, how often, and reports to the host."""

import time

from souk.server.common.config import ServerConfig
from souk.server.common.displayed_text import displayed
from souk.server.common.logs import log_info
from souk.server.common.rate_limits import PerClientLimits
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.storage.errors import WriteFailed, refuse_failed_writes
from souk.server.storage.rows import Statement
from souk.server.tables.chat import chat_log as sayings
from souk.server.tables.chat.word_filter import WordFilter
from souk.server.tables.table import Table

LONGEST_SAYING = 200  # characters
_MOST_REPORTS = 1000  # kept for the host
_MOST_REPORTS_OF_ONE = 50  # by one person: the latest
# Fair trimming: each reporter's first report stays before anybody's second, and then each table's
# first, so that nobody can flood others out.
_FEWER_REPORTS = """DELETE FROM reports WHERE ("table", number, reporter) NOT IN (
    SELECT "table", number, reporter FROM (
        SELECT "table", number, reporter, at,
            row_number() OVER (PARTITION BY reporter ORDER BY at DESC) AS of_reporter,
            row_number() OVER (PARTITION BY "table" ORDER BY at DESC) AS of_table FROM reports
    ) AS ranked WHERE of_reporter <= ? ORDER BY of_reporter, of_table, at DESC LIMIT ?)"""


class Chat:
    """Lets seated players talk; spectators read along."""

    def __init__(self, config: ServerConfig) -> None:
        self.limits = PerClientLimits(config.talk_rate, config.talk_burst)
        self.word_filter = WordFilter()

    async def say(self, table: Table, player: bytes, command: protocol.Say) -> None:
        """Store a message, then send it to everybody."""
        async with table.lock:
            table.check_owner(player, command.seat)
            text = _checked(table, command)
            self.word_filter.check_text(text)
            self._count(player)
            name, number = table.seats[command.seat].name, table.chat.next()
            row = sayings.ChatRow(
                number, command.seat, command.phrase, text, time.time(), player, name
            )
            try:
                await sayings.save_chat(table.store, table.id, row)
            except WriteFailed as error:
                await table.handle_failed_write(error)
            table.chat.add(row)
            table.broadcast(protocol.ChatMessage(row.line))

    async def report(self, table: Table, player: bytes, command: protocol.ReportChat) -> None:
        """Report another player's message to the host."""
        row = table.chat.find(command.number)
        if not table.seats_of(player):
            raise RequestRefused("not_your_table", 403)
        if row is None or row.player == player:
            raise RequestRefused("nothing_to_report", 404)
        self._count(player)
        insert = "INSERT INTO reports VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        values = (
            table.id,
            row.number,
            time.time(),
            row.text or row.phrase,
            row.name,
            row.player,
            player,
        )
        trim = Statement(_FEWER_REPORTS, (_MOST_REPORTS_OF_ONE, _MOST_REPORTS))
        with refuse_failed_writes():
            await table.store.write([Statement(insert, values), trim])
        log_info("reported", table=table.id, seat=row.seat)

    def _count(self, player: bytes) -> None:
        if not self.limits.take(player.hex()):
            raise RequestRefused("too_much_talk", 429)


def _checked(table: Table, command: protocol.Say) -> str:
    """The validated free text, or "" for one of the game's phrases."""
    if table.chat_settings() is None:
        raise RequestRefused("no_talk", 409)
    if bool(command.phrase) == bool(command.text):
        raise RequestRefused("unreadable")
    if command.phrase:
        if command.phrase not in sayings.phrases_of(table.position.game.name):
            raise RequestRefused("phrase_unknown")
        return ""
    if not table.chat.free:
        raise RequestRefused("no_free_talk", 409)
    plain = displayed(command.text)
    if not plain:
        raise RequestRefused("saying_unprintable")
    if len(plain) > LONGEST_SAYING:
        raise RequestRefused("saying_too_long", most=LONGEST_SAYING)
    return plain
