"""Packed game states, so that loading a table does not take longer the more it has been played."""

import hashlib
from typing import NamedTuple

import msgspec

from souk.core.revealed_choices import RevealedChoices
from souk.server.storage.rows import Snapshot
from souk.server.tables.game.game_state import GameState, UndoableMove
from souk.server.tables.timing.game_status import GameStatus

EVERY = 64  # events


class _Packed(NamedTuple):
    """A game state without its seed."""

    shape: bytes  # digest of the record layout, which may change between versions
    position: bytes
    drawn: int
    seq: int
    last_public: int
    secret: bool
    last_by_seat: dict[int, int]
    undoable: list[UndoableMove]
    taken_back: int
    hidden: int
    chosen: tuple[dict[str, int], ...] = ()  # missing in an earlier version
    unseen: tuple[tuple[int, str], ...] = ()  # unrevealed
    status: GameStatus = GameStatus()


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(_Packed).decode


def snapshot_of(state: GameState) -> Snapshot:
    """Pack a game state."""
    position = state.position
    packed = _Packed(
        _shape(state),
        position.packed,
        state.dice.drawn,
        *(
            state.seq,
            state.last_public,
            state.secret,
            state.last_by_seat,
            state.undoable,
            state.taken_back,
            state.hidden,
        ),
        *(state.revealed.chosen, state.revealed.hidden),
        state.status,
    )
    return Snapshot(state.seq, position.game.version, _pack(packed))


def is_due(before: int, now: int) -> bool:
    """Whether a snapshot is due between two events."""
    return before // EVERY != now // EVERY


def restored(start: GameState, snapshot: Snapshot) -> GameState:
    """Unpack a snapshot. ValueError if it has other rules or another layout."""
    if snapshot.rules != start.position.game.version:
        raise ValueError("of other rules")
    packed = _unpack(snapshot.content)
    has_choices = len(packed.chosen) == start.position.players
    if packed.shape != _shape(start) or packed.seq != snapshot.seq or not has_choices:
        raise ValueError("of another layout")
    start.go_to(packed.position, packed.drawn)
    start.seq, start.last_public, start.secret = packed.seq, packed.last_public, packed.secret
    start.last_by_seat, start.undoable = packed.last_by_seat, packed.undoable
    start.taken_back, start.hidden = packed.taken_back, packed.hidden
    start.status = packed.status
    start.revealed = RevealedChoices(packed.chosen, packed.unseen)
    return start


def _shape(state: GameState) -> bytes:
    return hashlib.sha256(repr(state.position.game.dtype.descr).encode()).digest()[:8]
