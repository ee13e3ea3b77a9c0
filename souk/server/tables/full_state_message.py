"""The complete state of a table, as sent to a page that opens it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from souk.bots.names import gender
from souk.server.protocol import table as protocol
from souk.server.protocol.table import NOBODY, VERSION
from souk.server.storage.rows import EventRow
from souk.server.tables.game.old_games import words_of
from souk.server.tables.setup.custom_boxes import box_label
from souk.server.tables.viewers import LocalViewer

if TYPE_CHECKING:
    from souk.server.tables.table import Table


def full_state(table: "Table", viewer: LocalViewer, rows: Sequence[EventRow]) -> protocol.TableNow:
    """The complete state for one viewer, with `rows` as log lines."""
    seat, state, begun = NOBODY if table.old else viewer.seat, table.state, table.begun
    return protocol.TableNow(
        version=VERSION,
        table=table.id,
        game=table.position.game.name,
        box=table.position.game.board_info.box(table.position) if begun else None,
        seats=seats_now(table),
        mine=table.seats_of(viewer.player),
        seat=seat,
        seq=state.seq,
        lines=[
            # encoded already: `Raw` is copied into the message as it is
            protocol.LogLine(row.seq, row.seat, words_of(row), row.kind == "back")  # type: ignore[arg-type]
            for row in rows
        ],
        view=state.position_view().view(seat, seat == state.can_take_back() != NOBODY)
        if begun
        else None,
        dice=table.dice(),
        rematch=table.rematch,
        old=table.old,
        printed=box_label(table.position),
        branch=table.opening.branch if table.opening else None,
        coach=table.coach_status(),
        life=table.timing_now(),
        host=next(
            (row.seat for row in table.seats if row.player and row.player == table.host), NOBODY
        ),
        fill=table.fill,
        talk=table.chat_settings(),
        rated=table.rated,
        event=table.event_id,
        public=table.public,
    )


def seats_now(table: "Table") -> list[protocol.SeatNow]:
    """All seats with their current status."""
    game, is_lesson = table.position.game, bool(table.state.lesson)
    return [
        protocol.SeatNow(
            row.name,
            row.kind,
            row.level,
            row.seat in table.away,
            row.stand_in,
            0
            if is_lesson
            else table.bot_scheduler.seconds_until_ready(game, table.bot_of(row.seat)),
            row.seat in table.hurried and bool(table.bot_of(row.seat)),
            gender(row.name) if row.kind == "bot" else "",
            row.is_open,
            row.resigned is not None,
            row.figure,
            row.colour,
        )
        for row in table.seats
    ]
