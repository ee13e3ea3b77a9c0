"""What a page is told of a table at which it arrives: all there is to know."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from souk.bots.nameplates import gender
from souk.table import protocol
from souk.table.boxes import printed
from souk.table.protocol import NOBODY, VERSION
from souk.table.store import EventRow
from souk.table.watchers import Watcher

if TYPE_CHECKING:
    from souk.table.table import Table


def table_now(table: "Table", watcher: Watcher, rows: Sequence[EventRow]) -> protocol.TableNow:
    """All there is to know, with the given events in words."""
    seat, course, begun = NOBODY if table.old else watcher.seat, table.course, table.begun
    return protocol.TableNow(
        version=VERSION,
        table=table.id,
        game=table.position.game.name,
        box=table.position.game.scene.box(table.position) if begun else None,
        seats=seats_now(table),
        mine=table.seats_of(watcher.player),
        seat=seat,
        seq=course.seq,
        lines=[protocol.LogLine(row.seq, row.seat, msgspec.Raw(row.told), row.kind == "back") for row in rows],  # type: ignore[arg-type]
        view=course.looks().view(seat, seat == course.can_take_back() != NOBODY) if begun else None,
        dice=table.dice(),
        rematch=table.rematch,
        old=table.old,
        printed=printed(table.position),
        branch=table.opening.branch if table.opening else None,
        coach=table.coaching(),
        life=table.living(),
        host=next((row.seat for row in table.seats if row.player and row.player == table.host), NOBODY),
        fill=table.fill,
        talk=table.talking(),
        rated=table.rated,
        evening=table.evening,
        public=table.public,
    )


def seats_now(table: "Table") -> list[protocol.SeatNow]:
    """Who sits where, and how they are."""
    game, scripted = table.position.game, bool(table.course.lesson)  # in a lesson it is written what bots do
    return [
        protocol.SeatNow(
            row.name,
            row.kind,
            row.level,
            row.seat in table.away,
            row.stand_in,
            0 if scripted else table.thinkers.wakes_in(game, table.bot_of(row.seat)),
            row.seat in table.hurried and bool(table.bot_of(row.seat)),
            gender(row.name) if row.kind == "bot" else "",
            row.is_open,
            row.resigned is not None,
            row.figure,
            row.colour,
        )
        for row in table.seats
    ]
