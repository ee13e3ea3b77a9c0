"""The coach: hints, and warnings before a move. Each answer is stored and appears in the record.

With one person at the table it is always available, with several once all agree, in lessons never.
"""

from collections.abc import Sequence

from souk.bots.judgement import JudgedMove, Judgement, Spoken
from souk.core.errors import IllegalMove
from souk.core.position import Position
from souk.server.common.config import ServerConfig
from souk.server.common.rate_limits import PerClientLimits
from souk.server.compute.scheduler import BotRequest, BotScheduler
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused, refusal_of_illegal_move
from souk.server.protocol.table import NOBODY
from souk.server.storage.errors import WriteFailed
from souk.server.storage.rows import CoachNote
from souk.server.tables.coach.fair_play import FairPlay
from souk.server.tables.game.rated_rules import check_unaided
from souk.server.tables.table import Table

_HINT = "vizier:seconds=0.2"  # level and time for hints
_WARNING = "vizier:seconds=0.1"
_BEST = 2  # moves per hint
_SURE = 1.64  # confidence of a warning, in standard errors
# Solo games have no chance to win: this many actions weigh as much as the whole chance elsewhere.
_ACTIONS = 20.0
_MOST_NOTES = 500  # per table


class Coach:
    """Answers one question at a time per table, rate-limited by address."""

    def __init__(
        self, config: ServerConfig, bot_scheduler: BotScheduler, fair_play: FairPlay
    ) -> None:
        self._bot_scheduler, self._fair_play = bot_scheduler, fair_play
        self.limits = PerClientLimits(config.hint_rate, config.hint_burst)
        self._busy: set[str] = set()  # tables, and addresses asking about their own position

    async def consent(self, table: Table, player: bytes, command: protocol.ConsentToCoach) -> None:
        table.check_owner(player, command.seat)
        check_unaided(table)
        async with table.lock:
            if (command.seat in table.coach.agreed) != command.agrees:
                await _keep(table, "agrees" if command.agrees else "disagrees", command.seat)

    async def hint(
        self, table: Table, player: bytes, address: str, command: protocol.Hint
    ) -> protocol.Advice:
        """Suggest the best moves."""
        await self._check_fair(table, player, address)
        request = self._request(table, player, address, command, _HINT, "")
        judgement = await self._judgement(table.id, request)
        await self._note(table, "hint", command)
        return _advice(
            command.id, command.after, _best(judgement), None, judgement, request.hurried
        )

    async def check_move(
        self, table: Table, player: bytes, address: str, command: protocol.CheckMove
    ) -> protocol.Advice:
        """Warn, with a better move, if a move surely gives away more than the threshold; otherwise
        say nothing.
        """
        table.check_owner(player, command.seat)
        table.check_begun()
        if not 0.0 < command.threshold <= 1.0:
            raise RequestRefused("unreadable")
        move = _legal(table, command)
        await self._check_fair(table, player, address)
        request = self._request(table, player, address, command, _WARNING, move)
        judgement = await self._judgement(table.id, request)
        judged, alone = judgement.of(move), table.position.players == 1
        most = command.threshold * (_ACTIONS if alone else 1.0)
        if judged is None or request.hurried or not judged.loss - _SURE * judged.error > most:
            return _advice(command.id, command.after, [], None, judgement, request.hurried)
        await self._note(table, "warning", command)
        best = [option for option in judgement.moves if option is not judged][:1]
        return _advice(command.id, command.after, best, judged, judgement, request.hurried)

    async def advise_on(self, position: Position, seat: int, address: str) -> protocol.Advice:
        """Suggest the best moves in a custom position."""
        if address in self._busy or not self.limits.take(address):
            raise RequestRefused("coach_busy", 429)
        request = BotRequest(address, address, position, seat, _HINT)
        request.weigh = ""
        judgement = await self._judgement(address, request)
        return _advice(0, 0, _best(judgement), None, judgement, request.hurried)

    async def _check_fair(self, table: Table, player: bytes, address: str) -> None:
        """At tables with a custom position, refuse if it matches a running game of the player."""
        if table.opening and not table.opening.branch.table:
            position = table.position
            await self._fair_play.check(
                player, address, position.game.name, lambda: [position.seen_by(NOBODY)]
            )

    # ------------------------------------------------------------ requests

    def _request(
        self,
        table: Table,
        player: bytes,
        address: str,
        command: protocol.Hint | protocol.CheckMove,
        level: str,
        move: str,
    ) -> BotRequest:
        """Validate a question and build the request for it."""
        table.check_owner(player, command.seat)
        table.check_begun()
        check_unaided(table)
        coaching = table.coach_status()
        if coaching is None:
            raise RequestRefused("coach_none", 409)
        if not coaching.open:
            raise RequestRefused("coach_not_agreed", 409)
        if command.seat not in table.position.actors:
            raise RequestRefused("coach_not_turn", 409)
        if table.state.is_stale(command.seat, command.after):
            raise RequestRefused("stale", 409)
        if len(table.coach.notes) >= _MOST_NOTES:
            raise RequestRefused("coach_tired", 409, most=_MOST_NOTES)
        if table.id in self._busy or not self.limits.take(address):
            raise RequestRefused("coach_busy", 429)
        revealed = table.state.revealed.chosen
        view = table.position.seen_by(command.seat)
        request = BotRequest(
            address, table.id, view, command.seat, level, revealed, table.state.seq
        )
        request.weigh = move
        return request

    async def _judgement(self, key: str, request: BotRequest) -> Judgement:
        self._busy.add(key)
        try:
            judgement = await self._bot_scheduler.advise(request)
        finally:
            self._busy.discard(key)
        if judgement is None or not judgement.moves:
            raise RequestRefused("coach_busy", 429)
        return judgement

    async def _note(
        self, table: Table, kind: str, command: protocol.Hint | protocol.CheckMove
    ) -> None:
        """Store that an answer was given. Refused if the game has moved on meanwhile."""
        async with table.lock:
            if table.state.is_stale(command.seat, command.after):
                raise RequestRefused("stale", 409)
            await _keep(table, kind, command.seat)


def _legal(table: Table, command: protocol.CheckMove) -> str:
    """The canonical form of the move in question."""
    try:
        return table.position.seen_by(command.seat).canonical_move(command.seat, command.move)
    except IllegalMove as error:
        raise refusal_of_illegal_move(error) from None


async def _keep(table: Table, kind: str, seat: int) -> None:
    """Store a note. The caller holds the lock."""
    note = CoachNote(len(table.coach.notes), kind, seat, table.state.seq)
    try:
        await table.store.add_note(table.id, note)
    except WriteFailed as error:
        await table.handle_failed_write(error)
    table.coach.add(note)
    table.broadcast(protocol.CoachNow(table.coach_status()))


def _best(judgement: Judgement) -> list[JudgedMove]:
    """What a hint shows: the best moves or, for a secret choice, all worth choosing."""
    return (
        [move for move in judgement.moves if move.share]
        if judgement.mixed
        else judgement.moves[:_BEST]
    )


def _advice(
    identity: int,
    seq: int,
    best: Sequence[JudgedMove],
    judged: JudgedMove | None,
    judgement: Judgement,
    rough: bool,
) -> protocol.Advice:
    beside = judged or (best[1] if len(best) > 1 else None)
    moves = [_move(move, beside if move is best[0] else best[0]) for move in best]
    warned = _move(judged, best[0] if best else None) if judged else None
    spoken = as_spoken(judgement.spoken) if best and judgement.spoken else None
    return protocol.Advice(
        identity, seq, moves, warned, judgement.mixed, judgement.exact, rough, spoken
    )


def as_spoken(spoken: Spoken) -> protocol.Spoken:
    return protocol.Spoken(spoken.sentence, spoken.further, spoken.equal, spoken.key)


def _move(judged: JudgedMove, beside: JudgedMove | None) -> protocol.AdvisedMove:
    """A move with the reasons that set it apart from another, or all reasons if none do."""
    shared = [message[:2] for message in beside.reasons] if beside else []
    differing = [message for message in judged.reasons if message[:2] not in shared]
    return protocol.AdvisedMove(
        judged.move,
        judged.name or [judged.move, {}],
        judged.win,
        judged.score,
        judged.share,
        judged.loss,
        judged.error,
        differing or judged.reasons,
        judged.told,
    )
