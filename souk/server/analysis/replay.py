"""A game that is over, event by event, as a spectator saw it."""

from itertools import islice

import msgspec

from souk.core.errors import IllegalMove
from souk.core.record import Record
from souk.table.boxes import printed
from souk.table.course import Course
from souk.table.finished import Finished
from souk.table.protocol import NOBODY
from souk.table.refusals import Refuse, illegal
from souk.table.store import EventRow
from souk.table.study_protocol import Replay

MOST_AT_ONCE = 60  # events of one answer
_NO_SEED = bytes(32)  # nothing is drawn


def replay(game: Finished, first: int, end: int) -> Replay:
    """The events from `first` up to, but not including, `end`."""
    record = game.record
    of, first = len(record.events), max(0, first)
    end = min(end, first + MOST_AT_ONCE, of)
    course = _course(record)
    start = course.looks().view(NOBODY, False) if first == 0 else None
    course.replay(islice(_rows(record), min(first, of)))
    events = [msgspec.Raw(each.message(NOBODY)) for each in course.happenings(islice(_rows(record), first, end))]
    return Replay(
        game=record.game.name,
        box=record.game.scene.box(record.start),
        seats=game.seats,
        mine=game.mine,
        of=of,
        first=first,
        events=events,  # type: ignore[arg-type]
        start=start,
        printed=printed(record.start),
        file=game.is_file,
    )


def instead(game: Finished, step: int, move: str) -> bytes:
    """What would have come of another move in the place of an event."""
    record = game.record
    if not 0 <= step < len(record.events) or record.events[step][0] is None:
        raise Refuse("step_no_move")
    seat = record.events[step][0]
    assert seat is not None
    course = _course(record)
    course.replay(islice(_rows(record), step))
    if len(course.position.actors) > 1 or course.secret:
        raise Refuse("step_secret", 409)
    try:
        [found] = course.happenings([EventRow(step, "move", seat, move, b"")])
    except IllegalMove as error:
        raise illegal(error) from None
    return found.message(NOBODY)


def _course(record: Record) -> Course:
    return Course(record.start, _NO_SEED)


def _rows(record: Record) -> list[EventRow]:
    return [
        EventRow(seq, "chance" if seat is None else "move", seat, text, b"")
        for seq, (seat, text) in enumerate(record.events)
    ]
