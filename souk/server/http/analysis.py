"""Endpoints for analyses, replays, puzzles and custom positions."""

import re

from starlette.requests import Request
from starlette.responses import Response

from souk.server.analysis import puzzles
from souk.server.analysis.finished_games import MAX_FILE_BYTES, BadFile, FinishedGame, is_file
from souk.server.analysis.replay import MAX_EVENTS, alternative, replay
from souk.server.analysis.scheduler import AnalysisJob
from souk.server.http.endpoints import EndpointGroup, get, post
from souk.server.http.responses import (
    LARGEST_BODY,
    client_of,
    json_response,
    while_connected,
    zipped_json,
)
from souk.server.protocol import table as protocol
from souk.server.protocol.analysis import (
    AdvisePosition,
    AnalysisUpload,
    CheckPosition,
    DeepenAnalysis,
    TryPuzzle,
    UploadAccepted,
)
from souk.server.protocol.errors import RequestRefused
from souk.server.tables.game.views import encode
from souk.server.tables.setup import custom_positions

LONGEST_MOVE = 200  # characters


class AnalysisEndpoints(EndpointGroup):
    """Everything that looks at positions and finished games."""

    @get("/api/me")
    async def my_stats(self, request: Request) -> Response:
        """The player's own statistics."""
        stats = await self._services.player_stats.numbers(client_of(request).player)
        return await zipped_json(request, stats)

    @post("/api/studies")
    async def upload(self, request: Request) -> Response:
        """Accept a record file for analysis."""
        client, body = await self._read(
            request, AnalysisUpload, largest=MAX_FILE_BYTES + LARGEST_BODY
        )
        accepting = self._services.finished_games.take_file(
            body.record, client.player, client.rate_limit_key
        )
        try:
            accepted = UploadAccepted(await while_connected(request, accepting))
        except BadFile as bad:
            accepted = UploadAccepted(fault=bad.reason)
        return json_response(accepted)

    @get("/api/tables/{table}/study")
    async def analysis(self, request: Request) -> Response:
        """The analysis so far; the first request starts it."""
        job = await self._job(request)
        known = request.query_params.get("known", "")
        return await zipped_json(request, self._services.analysis_scheduler.status(job, known))

    @post("/api/tables/{table}/study")
    async def deepen(self, request: Request) -> Response:
        """Analyse with more playouts."""
        client, body = await self._read(request, DeepenAnalysis)
        job = await self._job(request)
        self._services.analysis_scheduler.deepen(job, body.playouts, client.rate_limit_key)
        status = self._services.analysis_scheduler.status(job, job.version)
        return await zipped_json(request, status)

    async def _job(self, request: Request) -> AnalysisJob:
        game = await self._finished_game(request)
        return await self._services.analysis_scheduler.begin(
            game, client_of(request).rate_limit_key
        )

    async def _finished_game(self, request: Request) -> FinishedGame:
        client, table = client_of(request), request.path_params["table"]
        loading = self._services.finished_games.find(table, client.player, client.rate_limit_key)
        return await while_connected(request, loading)

    @get("/api/tables/{table}/replay")
    async def replay(self, request: Request) -> Response:
        game = await self._finished_game(request)
        first, end = _number(request, "from", 0), _number(request, "to", MAX_EVENTS)
        return await zipped_json(request, await self._pooled(request, replay, game, first, end))

    @get("/api/tables/{table}/instead")
    async def alternative(self, request: Request) -> Response:
        """The position after another move than the one played."""
        game = await self._finished_game(request)
        step, move = _number(request, "step", -1), request.query_params.get("move", "")
        event = await self._pooled(request, alternative, game, step, move[:LONGEST_MOVE])
        return Response(event, media_type="application/json", headers={"cache-control": "no-store"})

    @get("/api/tables/{table}/aside")
    async def aside(self, request: Request) -> Response:
        """The game's board info about the public position."""
        name = request.path_params["table"]
        if is_file(name):
            position = (await self._finished_game(request)).record.position
        else:
            async with self._services.tables.at(name) as table:
                table.check_begun()
                position = table.position.seen_by(protocol.NOBODY)
        info = await self._pooled(request, position.game.board_info.aside, position)
        return Response(
            encode(info), media_type="application/json", headers={"cache-control": "no-store"}
        )

    # ------------------------------------------------------------ puzzles

    @get("/api/puzzles/{date}")
    async def puzzles_of_day(self, request: Request) -> Response:
        return json_response(await self._pooled(request, puzzles.day, request.path_params["date"]))

    @post("/api/puzzles")
    async def try_puzzle(self, request: Request) -> Response:
        """The position after the given moves."""
        return await self._answer_pooled(request, TryPuzzle, puzzles.puzzle_after_moves)

    @post("/api/puzzles/ask")
    async def check_puzzle_move(self, request: Request) -> Response:
        """Whether the last move is legal, without playing it."""
        return await self._answer_pooled(request, TryPuzzle, puzzles.check_move)

    # ------------------------------------------------------------ custom positions

    @post("/api/positions/check")
    async def check_position(self, request: Request) -> Response:
        return await self._answer_pooled(request, CheckPosition, custom_positions.check)

    @post("/api/positions/advise")
    async def advise_position(self, request: Request) -> Response:
        client, body = await self._read(request, AdvisePosition)
        position, seat = await self._pooled(request, custom_positions.to_move, body)
        await self._services.fair_play.check(
            client.player, client.rate_limit_key, body.game, lambda: [position]
        )
        return json_response(
            await self._services.coach.advise_on(position, seat, client.rate_limit_key)
        )


def _number(request: Request, name: str, default: int) -> int:
    """An integer query parameter."""
    text = request.query_params.get(name, str(default))
    if not re.fullmatch(r"-?[0-9]{1,6}", text):
        raise RequestRefused("unreadable")
    return int(text)
