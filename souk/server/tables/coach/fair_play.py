"""Keeps the analysis engine out of running games.

Players could set up their current position, branch from it or analyse it to get advice the coach
would refuse. Asking elsewhere or with another browser cannot be detected.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

from souk.core.game_registry import find_game
from souk.core.position import Position
from souk.server.common.request_pool import RequestPool
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.table import NOBODY
from souk.server.storage.connection import Connection
from souk.server.storage.store import Store
from souk.server.tables.game.old_games import OldGameError
from souk.server.tables.registry import TableRegistry
from souk.server.tables.seats import event_of
from souk.server.tables.setup.lessons import LESSON

_MOST_COMPARED = 10  # tables per player: with company first, then the latest
# Compare only events this close to the running game's length: a whole long record takes seconds.
_AROUND = 64
_NEAR = 10  # positions match if at most one part in this many differs
# Fields that never differ, do not matter or may be secret.
_APART = ("game", "players", "options", "choices", "ready")

Appearance = dict[str, list[Any]]  # the parts of a position, flattened, by field


class RunningTable(NamedTuple):
    """A table at which the player has a running game."""

    table: str
    counts: bool  # rated or part of an event: no advice at all


class PublicPosition(NamedTuple):
    """The public part of a running game."""

    position: Position
    events: int


class FairPlay:
    """Refuses advice on games the player is in."""

    def __init__(self, store: Store, tables: TableRegistry, pool: RequestPool) -> None:
        self._store, self._tables, self._pool = store, tables, pool

    async def check(
        self,
        player: bytes | None,
        address: str,
        game: str,
        positions: Callable[[], Sequence[Position]],
    ) -> None:
        """Refuse if the player is in a game that counts, or in one at any of these positions (one,
        or all of a record).
        """
        running = await self._store.query(running_tables, player, game) if player else []
        if any(table.counts for table in running):
            raise RequestRefused("advice_counts", 409)
        public = [position for table in running if (position := await self._public(table.table))]
        if not public:
            return
        matches: bool = await self._pool.run(address, partial(_meet, public, positions))
        if matches:
            raise RequestRefused("advice_running", 409)

    async def _public(self, name: str) -> PublicPosition | None:
        """The public position; None right after the start, where all games appearance the same."""
        try:
            async with self._tables.at(name) as table:
                position = table.position.seen_by(NOBODY)
                is_new = table.old or _is_near(_appearance(table.start), _appearance(position))
                return None if is_new else PublicPosition(position, table.state.seq)
        except (RequestRefused, OldGameError):  # deleted meanwhile, or of other rules
            return None


def running_tables(connection: Connection, player: bytes, game: str) -> list[RunningTable]:
    """Running games of a player, except solo games from a custom position."""
    query = """SELECT id, rated, host FROM tables
        WHERE game = ? AND rules = ? AND NOT over AND actors != '[]' AND opening = '' AND id IN
            (SELECT "table" FROM seats WHERE player = ? AND resigned IS NULL AND level != ?)
        ORDER BY NOT rated,
            (SELECT count(DISTINCT player) FROM seats WHERE "table" = id) DESC,
            changed DESC
        LIMIT ?"""
    rows = connection.execute(
        query, (game, _rules(game), player, LESSON, _MOST_COMPARED)
    ).fetchall()
    return [RunningTable(table, bool(rated or event_of(host))) for table, rated, host in rows]


def _rules(game: str) -> int:
    return find_game(game).version


def _meet(public: Sequence[PublicPosition], positions: Callable[[], Sequence[Position]]) -> bool:
    """Whether a running game is at one of the positions."""
    candidates = positions()
    for position, events in public:
        appearance = _appearance(position)
        near = (
            candidates
            if len(candidates) == 1
            else candidates[max(0, events - _AROUND) : events + _AROUND]
        )
        if any(
            position.players == candidate.players and _is_near(appearance, _appearance(candidate))
            for candidate in near
        ):
            return True
    return False


def _is_near(one: Appearance, other: Appearance) -> bool:
    """Whether two positions are equal up to trifles (one coin more or less)."""
    pairs = [pair for name in one for pair in zip_longest(one[name], other[name])]
    differing: int = sum(mine != theirs for mine, theirs in pairs)
    return differing * _NEAR <= len(pairs)


def _appearance(position: Position) -> Appearance:
    """The pieces on the table, flattened by field."""
    return {
        name: list(_pieces(part)) for name, part in position.to_json().items() if name not in _APART
    }


def _pieces(part: Any) -> Iterator[Any]:
    """Values of a field, without the numbers that tell pieces of a kind apart."""
    if isinstance(part, dict):
        for name in sorted(part):
            yield from _pieces(part[name])
    elif isinstance(part, list):
        for item in part:
            yield from _pieces(item)
    else:
        yield re.sub(r"(?<=[a-z])\d+$", "", part) if isinstance(part, str) else part
