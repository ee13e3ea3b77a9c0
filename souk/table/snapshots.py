"""A game as it stands, packed, so that loading a table takes no longer the longer it has been played."""

import hashlib
from typing import NamedTuple

import msgspec

from souk.core.noticed import Noticed
from souk.table.course import Course, Made
from souk.table.fates import Fate
from souk.table.store import Snapshot

EVERY = 64  # events


class _Packed(NamedTuple):
    """All that a course knows, but for its seed."""

    shape: bytes  # of the position's record: another version may lay it out otherwise
    position: bytes
    drawn: int
    seq: int
    settled: int
    secret: bool
    own: dict[int, int]
    made: list[Made]
    taken_back: int
    hidden: int
    chosen: tuple[dict[str, int], ...] = ()  # as was noticed; an earlier version did not
    unseen: tuple[tuple[int, str], ...] = ()  # what is still secret
    fate: Fate = Fate()


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(_Packed).decode


def snapshot_of(course: Course) -> Snapshot:
    """A game as it stands."""
    position = course.position
    packed = _Packed(
        _shape(course),
        position.packed,
        course.dice.drawn,
        *(course.seq, course.settled, course.secret, course.own, course.made, course.taken_back, course.hidden),
        *(course.noticed.chosen, course.noticed.hidden),
        course.fate,
    )
    return Snapshot(course.seq, position.game.version, _pack(packed))


def is_due(before: int, now: int) -> bool:
    """Whether a snapshot should be kept, between two events."""
    return before // EVERY != now // EVERY


def restored(start: Course, snapshot: Snapshot) -> Course:
    """A course from its snapshot. ValueError where that is of other rules or another layout."""
    if snapshot.rules != start.position.game.version:
        raise ValueError("of other rules")
    packed = _unpack(snapshot.content)
    noticed = len(packed.chosen) == start.position.players
    if packed.shape != _shape(start) or packed.seq != snapshot.seq or not noticed:
        raise ValueError("of another layout")
    start.put_at(packed.position, packed.drawn)
    start.seq, start.settled, start.secret = packed.seq, packed.settled, packed.secret
    start.own, start.made = packed.own, packed.made
    start.taken_back, start.hidden = packed.taken_back, packed.hidden
    start.fate = packed.fate
    start.noticed = Noticed(packed.chosen, packed.unseen)
    return start


def _shape(course: Course) -> bytes:
    return hashlib.sha256(repr(course.position.game.dtype.descr).encode()).digest()[:8]
