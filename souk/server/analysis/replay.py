"""Replays a finished game event by event, as a spectator saw it."""

from itertools import islice

import msgspec

from souk.core.errors import IllegalMove
from souk.core.record import Record
from souk.server.analysis.finished_games import FinishedGame
from souk.server.protocol.analysis import Replay
from souk.server.protocol.errors import RequestRefused, refusal_of_illegal_move
from souk.server.protocol.table import NOBODY
from souk.server.storage.rows import EventRow
from souk.server.tables.game.game_state import GameState
from souk.server.tables.setup.custom_boxes import box_label

MAX_EVENTS = 60  # events per response
_NO_SEED = bytes(32)  # never used: the record holds every outcome


def replay(game: FinishedGame, first: int, end: int) -> Replay:
    """Return the events from `first` up to, but not including, `end`."""
    record = game.record
    of, first = len(record.events), max(0, first)
    end = min(end, first + MAX_EVENTS, of)
    state = _course(record)
    start = state.position_view().view(NOBODY, False) if first == 0 else None
    state.replay(islice(_rows(record), min(first, of)))
    events = [
        msgspec.Raw(event.message(NOBODY))
        for event in state.replayed_events(islice(_rows(record), first, end))
    ]
    return Replay(
        game=record.game.name,
        box=record.game.board_info.box(record.start),
        seats=game.seats,
        mine=game.mine,
        of=of,
        first=first,
        events=events,  # type: ignore[arg-type]
        start=start,
        printed=box_label(record.start),
        file=game.is_file,
    )


def alternative(game: FinishedGame, step: int, move: str) -> bytes:
    """Return the event that another move at `step` would have produced."""
    record = game.record
    if not 0 <= step < len(record.events) or record.events[step][0] is None:
        raise RequestRefused("step_no_move")
    seat = record.events[step][0]
    assert seat is not None
    state = _course(record)
    state.replay(islice(_rows(record), step))
    if len(state.position.actors) > 1 or state.secret:
        raise RequestRefused("step_secret", 409)
    try:
        [event] = state.replayed_events([EventRow(step, "move", seat, move, b"")])
    except IllegalMove as error:
        raise refusal_of_illegal_move(error) from None
    return event.message(NOBODY)


def _course(record: Record) -> GameState:
    return GameState(record.start, _NO_SEED)


def _rows(record: Record) -> list[EventRow]:
    return [
        EventRow(seq, "chance" if seat is None else "move", seat, text, b"")
        for seq, (seat, text) in enumerate(record.events)
    ]
