"""Tables before the game starts: start with those present, leave, cancel."""

from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_info
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.table import NOBODY
from souk.server.storage import maintenance
from souk.server.storage.errors import WriteFailed
from souk.server.storage.rows import SeatRow
from souk.server.storage.store import Store
from souk.server.tables.game.rated_rules import check_complete
from souk.server.tables.registry import TableRegistry
from souk.server.tables.seats import bot_name, default_bot_level
from souk.server.tables.table import Table


class WaitingTables:
    """Commands at tables that have not started."""

    def __init__(self, config: ServerConfig, store: Store, tables: TableRegistry) -> None:
        self._config, self._store, self._tables = config, store, tables

    async def start(self, table: Table, player: bytes) -> None:
        """Start with those present. Bots take open seats, and stand in at seats offered by link."""
        async with table.lock:
            _check_host(table, player)
            _check_waits(table)
            check_complete(table)
            level = (
                table.fill
                if table.fill in self._config.levels
                else default_bot_level(self._config.levels)
            )
            taken = {row.name for row in table.seats}
            rows: list[SeatRow] = []
            for row in table.seats:
                if row.is_open:
                    name = bot_name(row.seat, taken)
                    taken.add(name)
                    rows.append(row._replace(kind="bot", name=name, level=level))
                elif row.kind == "free" and not row.stand_in:
                    rows.append(row._replace(stand_in=level))
            await table.change_seats(rows)
        log_info("started", table=table.id, bots=len(rows))
        table.broadcast_seats()

    async def leave(self, table: Table, player: bytes) -> None:
        """Free a player's seats, offered as before."""
        async with table.lock:
            mine = table.seats_of(player)
            if not mine:
                raise RequestRefused("not_your_table", 403)
            _check_waits(table)
            if table.event_id:
                raise RequestRefused("event_seat", 409)
            if player == table.host:
                raise RequestRefused("host_leaves", 409)
            rows = [_freed(table.seats[seat]) for seat in mine]
            withdrawn = [("withdraws", seat, "") for seat in mine if seat in table.shares.seats]
            await table.change_seats(rows, *withdrawn)
            become_spectator(table, player)
        log_info("left", table=table.id)
        table.broadcast_seats()

    async def cancel(self, table: Table, player: bytes) -> None:
        """Delete the table."""
        async with table.lock:
            _check_host(table, player)
            _check_waits(table)
            try:
                await self._store.write(maintenance.cancel_table(table.id))
            except WriteFailed as error:
                await table.handle_failed_write(error)
            table.deleted = True
        log_info("cancelled", table=table.id)
        self._tables.open.pop(table.id, None)
        table.broadcast(protocol.Refused(None, RequestRefused("cancelled").reason))


def become_spectator(table: Table, player: bytes) -> None:
    """Turn a player's pages into spectators."""
    for viewer in table.viewers:
        if viewer.player == player:
            viewer.seat = NOBODY
            table.send_full_state(viewer)


def _freed(row: SeatRow) -> SeatRow:
    return row._replace(kind="free", name="", player=None, stand_in="", figure="", colour="")


def _check_host(table: Table, player: bytes) -> None:
    """Only the host may; if the host's account is gone, any seated player."""
    if player != table.host and (table.host is not None or not table.seats_of(player)):
        raise RequestRefused("not_host", 403)


def _check_waits(table: Table) -> None:
    if table.deleted:
        raise RequestRefused("deleted", 404)
    if table.shares.closed:
        raise RequestRefused("begun", 409)
