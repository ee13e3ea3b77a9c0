"""Where ratings, profiles and the ladder are asked for: each address, and what is answered there."""

import re
from collections.abc import Awaitable, Callable, Sequence

import msgspec
from starlette.requests import Request

from souk.games import names as game_names
from souk.table import leaders
from souk.table.database import Line
from souk.table.ladders import around, climbs_of, ladders_of
from souk.table.leaders import Contestant
from souk.table.rating_protocol import Ladders, LeaderBoard, Profile, ProfileGame, RatedGame, SetListed, TableRatings
from souk.table.refusals import Refuse
from souk.table.store import NotKept, Statement, Store
from souk.table.tallies import Tallies

ME = "me"  # in the place of a profile's id
_PUBLIC = re.compile(r"[0-9a-f]{16}")
_TABLE = re.compile(r"[\w-]{16}")
_PAGE = re.compile(r"[0-9]{1,5}")

Asked = Callable[[Request, bytes | None], Awaitable[msgspec.Struct]]


class Measuring:
    """Answers whoever asks, as far as they may know it."""

    def __init__(self, store: Store, tallies: Tallies, levels: Sequence[str]) -> None:
        self._store, self._tallies, self._levels = store, tallies, levels
        self.fetched: dict[str, Asked] = {
            "/api/leaders/{game}": self._board,
            "/api/people/{public}": self._profile,
            "/api/ladder": self._ladders,
            "/api/tables/{table}/ratings": self._table,
        }

    async def _board(self, request: Request, player: bytes | None) -> LeaderBoard:
        game, page = request.path_params["game"], request.query_params.get("page", "0")
        if game not in game_names():
            raise Refuse("game_unknown", 404)
        if not _PAGE.fullmatch(page):
            raise Refuse("unreadable")
        provisional = request.query_params.get("provisional", "") == "1"
        return await self._store.ask(leaders.board, game, provisional, int(page), player)

    async def _profile(self, request: Request, player: bytes | None) -> Profile:
        public = request.path_params["public"]
        if public == ME:
            return await self._shown(await self._mine(player), player)
        found = await self._store.ask(leaders.contestant_known_as, public) if _PUBLIC.fullmatch(public) else None
        if found is None or not (found.listed or found.player == player):
            raise Refuse("profile_unknown", 404)
        return await self._shown(found, player)

    async def set_listed(self, wish: SetListed, player: bytes | None) -> Profile:
        """Somebody wants to be on leaderboards, or no longer."""
        found = await self._mine(player)
        change = "UPDATE contestants SET listed = ? WHERE number = ? AND player IS NOT NULL"
        try:
            await self._store.carry_out([Statement(change, (wish.listed, found.number))])
        except NotKept:
            raise Refuse("not_kept", 503) from None
        return await self._shown(await self._mine(player), player)

    async def _mine(self, player: bytes | None) -> Contestant:
        found = await self._store.ask(leaders.contestant_of, player) if player else None
        if found is None:
            raise Refuse("no_rated_game", 404)
        return found

    async def _shown(self, who: Contestant, player: bytes | None) -> Profile:
        games, recent = await self._store.ask(_what_was_done, who)
        numbers = await self._tallies.numbers(who.player, rated=True)
        return Profile(who.public, who.name, who.player == player, who.listed, games, recent, numbers.games)

    async def _ladders(self, _request: Request, player: bytes | None) -> Ladders:
        return await self._store.ask(ladders_of, player, self._levels)

    async def _table(self, request: Request, player: bytes | None) -> TableRatings:
        table = request.path_params["table"]
        found = await self._store.ask(_table_ratings, table, player, self._levels) if _TABLE.fullmatch(table) else None
        if found is None:
            raise Refuse("table_unknown", 404)
        return found


def _what_was_done(connection: Line, who: Contestant) -> tuple[list[ProfileGame], list[RatedGame]]:
    return leaders.games_of(connection, who), leaders.recent_games(connection, who.number)


def _table_ratings(connection: Line, table: str, player: bytes | None, levels: Sequence[str]) -> TableRatings | None:
    row = connection.execute("SELECT rated FROM tables WHERE id = ?", (table,)).fetchone()
    if row is None:
        return None
    if row[0]:
        return TableRatings(True, *leaders.seat_ratings(connection, table))
    found = around(climbs_of(connection, player), table, levels)
    return TableRatings(False, found is not None, [], *(found or ()))
