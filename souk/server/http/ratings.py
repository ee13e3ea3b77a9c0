"""Endpoints for leaderboards, public profiles and the ladder against bots."""

import re
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from souk.games import names as game_names
from souk.server.http.endpoints import EndpointGroup, get, post
from souk.server.http.responses import client_of, zipped_json
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.ratings import (
    Profile,
    ProfileGame,
    RatedGame,
    SetListedOnLeaderboard,
    TableRatings,
)
from souk.server.ratings import leaderboards
from souk.server.ratings.ladder import climbs_of, ladder_at_table, ladders_of
from souk.server.ratings.leaderboards import Contestant
from souk.server.storage.connection import Connection
from souk.server.storage.errors import refuse_failed_writes
from souk.server.storage.rows import Statement

ME = "me"  # instead of a profile's id
_PUBLIC_ID = re.compile(r"[0-9a-f]{16}")
_TABLE_ID = re.compile(r"[\w-]{16}")
_PAGE = re.compile(r"[0-9]{1,5}")


class RatingEndpoints(EndpointGroup):
    """Ratings, as far as their players agreed to be listed."""

    @get("/api/leaders/{game}")
    async def leaderboard(self, request: Request) -> Response:
        game, page = request.path_params["game"], request.query_params.get("page", "0")
        if game not in game_names():
            raise RequestRefused("game_unknown", 404)
        if not _PAGE.fullmatch(page):
            raise RequestRefused("unreadable")
        provisional = request.query_params.get("provisional", "") == "1"
        player = client_of(request).player
        board = await self._services.store.query(
            leaderboards.leaderboard, game, provisional, int(page), player
        )
        return await zipped_json(request, board)

    @get("/api/people/{public}")
    async def profile(self, request: Request) -> Response:
        public, player = request.path_params["public"], client_of(request).player
        if public == ME:
            return await zipped_json(request, await self._profile(await self._me(player), player))
        contestant = None
        if _PUBLIC_ID.fullmatch(public):
            contestant = await self._services.store.query(
                leaderboards.contestant_by_public_id, public
            )
        if contestant is None or not (contestant.listed or contestant.player == player):
            raise RequestRefused("profile_unknown", 404)
        return await zipped_json(request, await self._profile(contestant, player))

    @post("/api/people/me/listed")
    async def set_listed(self, request: Request) -> Response:
        """Whether the player appears on leaderboards."""
        client, body = await self._read(request, SetListedOnLeaderboard)
        me = await self._me(client.player)
        change = "UPDATE contestants SET listed = ? WHERE number = ? AND player IS NOT NULL"
        with refuse_failed_writes():
            await self._services.store.write([Statement(change, (body.listed, me.number))])
        me = await self._me(client.player)
        return await zipped_json(request, await self._profile(me, client.player))

    async def _me(self, player: bytes | None) -> Contestant:
        contestant = None
        if player:
            contestant = await self._services.store.query(leaderboards.contestant_of, player)
        if contestant is None:
            raise RequestRefused("no_rated_game", 404)
        return contestant

    async def _profile(self, contestant: Contestant, player: bytes | None) -> Profile:
        games, recent = await self._services.store.query(_games_of, contestant)
        stats = await self._services.player_stats.numbers(contestant.player, rated=True)
        return Profile(
            contestant.public,
            contestant.name,
            contestant.player == player,
            contestant.listed,
            games,
            recent,
            stats.games,
        )

    @get("/api/ladder")
    async def ladders(self, request: Request) -> Response:
        ladders = await self._services.store.query(
            ladders_of, client_of(request).player, self._config.levels
        )
        return await zipped_json(request, ladders)

    @get("/api/tables/{table}/ratings")
    async def table_ratings(self, request: Request) -> Response:
        """How a table's result counted."""
        table, player = request.path_params["table"], client_of(request).player
        ratings = None
        if _TABLE_ID.fullmatch(table):
            ratings = await self._services.store.query(
                _table_ratings, table, player, self._config.levels
            )
        if ratings is None:
            raise RequestRefused("table_unknown", 404)
        return await zipped_json(request, ratings)


def _games_of(
    connection: Connection, contestant: Contestant
) -> tuple[list[ProfileGame], list[RatedGame]]:
    games = leaderboards.games_of(connection, contestant)
    return games, leaderboards.recent_games(connection, contestant.number)


def _table_ratings(
    connection: Connection, table: str, player: bytes | None, levels: Sequence[str]
) -> TableRatings | None:
    row = connection.execute("SELECT rated FROM tables WHERE id = ?", (table,)).fetchone()
    if row is None:
        return None
    if row[0]:
        return leaderboards.seat_ratings(connection, table)
    ladder = ladder_at_table(climbs_of(connection, player), table, levels)
    return TableRatings(False, ladder is not None, [], *(ladder or ()))
