"""The coach of a table: hints, and warnings before a move, for those who sit there. What it was asked is kept, and stands in the record.

At a table with one person it may always be asked; where there are several, once all of them have agreed. In lessons there is none.
"""

from collections.abc import Sequence

from souk.bots.judging import JudgedMove, Judgement
from souk.core.errors import IllegalMove
from souk.core.position import Position
from souk.table import protocol
from souk.table.limits import Buckets
from souk.table.rated import check_unaided
from souk.table.refusals import Refuse, illegal
from souk.table.settings import Settings
from souk.table.store import CoachNote, NotKept
from souk.table.table import Table
from souk.table.thinkers import Thinkers, Turn

_HINT = "vizier:seconds=0.2"  # who gives a hint, and for how long it thinks each time
_WARNING = "vizier:seconds=0.1"
_BEST = 2  # moves that a hint shows
_SURE = 1.64  # standard errors: so sure is a warning
_ACTIONS = 20.0  # alone, where the chance to win says nothing: as many actions count as the whole chance does elsewhere
_MOST_NOTES = 500  # of one table


class Coach:
    """Answers those who ask. One question at a time at a table, and not too many from one address."""

    def __init__(self, settings: Settings, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self.asked = Buckets(settings.hint_rate, settings.hint_burst)
        self._busy: set[str] = set()  # tables, and addresses that ask about a position of their own

    async def agree(self, table: Table, player: bytes, command: protocol.Agree) -> None:
        table.check_owner(player, command.seat)
        check_unaided(table)
        async with table.lock:
            if (command.seat in table.coach.agreed) != command.agrees:
                await _keep(table, "agrees" if command.agrees else "disagrees", command.seat)

    async def hint(self, table: Table, player: bytes, address: str, command: protocol.Hint) -> protocol.Advice:
        """The best moves."""
        turn = self._turn(table, player, address, command, _HINT, "")
        found = await self._judgement(table.id, turn)
        await self._note(table, "hint", command)
        return _advice(command.id, command.after, _best(found), None, found, turn.hurried)

    async def weigh(self, table: Table, player: bytes, address: str, command: protocol.Weigh) -> protocol.Advice:
        """Whether a move gives away too much. Where it surely does, with a better one; else nothing is told."""
        table.check_owner(player, command.seat)
        table.check_begun()
        if not 0.0 < command.threshold <= 1.0:
            raise Refuse("unreadable")
        move = _legal(table, command)
        turn = self._turn(table, player, address, command, _WARNING, move)
        found = await self._judgement(table.id, turn)
        asked, alone = found.of(move), table.position.players == 1
        most = command.threshold * (_ACTIONS if alone else 1.0)
        if asked is None or turn.hurried or not asked.loss - _SURE * asked.error > most:
            return _advice(command.id, command.after, [], None, found, turn.hurried)
        await self._note(table, "warning", command)
        best = [each for each in found.moves if each is not asked][:1]
        return _advice(command.id, command.after, best, asked, found, turn.hurried)

    async def advise_on(self, position: Position, seat: int, address: str) -> protocol.Advice:
        """The best moves in a position that somebody has set up."""
        if address in self._busy or not self.asked.take(address):
            raise Refuse("coach_busy", 429)
        turn = Turn(address, address, position, seat, _HINT)
        turn.weigh = ""
        found = await self._judgement(address, turn)
        return _advice(0, 0, _best(found), None, found, turn.hurried)

    # ------------------------------------------------------------ thinking

    def _turn(
        self,
        table: Table,
        player: bytes,
        address: str,
        command: protocol.Hint | protocol.Weigh,
        level: str,
        move: str,
    ) -> Turn:
        """A question that may be asked."""
        table.check_owner(player, command.seat)
        table.check_begun()
        check_unaided(table)
        coaching = table.coaching()
        if coaching is None:
            raise Refuse("coach_none", 409)
        if not coaching.open:
            raise Refuse("coach_not_agreed", 409)
        if command.seat not in table.position.actors:
            raise Refuse("coach_not_turn", 409)
        if table.course.is_stale(command.seat, command.after):
            raise Refuse("stale", 409)
        if len(table.coach.notes) >= _MOST_NOTES:
            raise Refuse("coach_tired", 409, most=_MOST_NOTES)
        if table.id in self._busy or not self.asked.take(address):
            raise Refuse("coach_busy", 429)
        noticed = table.course.noticed.chosen
        view = table.position.seen_by(command.seat)
        turn = Turn(address, table.id, view, command.seat, level, noticed, table.course.seq)
        turn.weigh = move
        return turn

    async def _judgement(self, asking: str, turn: Turn) -> Judgement:
        self._busy.add(asking)
        try:
            found = await self._thinkers.advise(turn)
        finally:
            self._busy.discard(asking)
        if found is None or not found.moves:
            raise Refuse("coach_busy", 429)
        return found

    async def _note(self, table: Table, kind: str, command: protocol.Hint | protocol.Weigh) -> None:
        """Keep that something is told. It is told only then, and only where it is still about what is to be done."""
        async with table.lock:
            if table.course.is_stale(command.seat, command.after):
                raise Refuse("stale", 409)
            await _keep(table, kind, command.seat)


def _legal(table: Table, command: protocol.Weigh) -> str:
    """The move that is asked about."""
    try:
        return table.position.seen_by(command.seat).canonical_move(command.seat, command.move)
    except IllegalMove as error:
        raise illegal(error) from None


async def _keep(table: Table, kind: str, seat: int) -> None:
    """The caller holds the lock."""
    note = CoachNote(len(table.coach.notes), kind, seat, table.course.seq)
    try:
        await table.store.add_note(table.id, note)
    except NotKept as error:
        await table.refuse(error)
    table.coach.take(note)
    table.tell_all(protocol.CoachNow(table.coaching()))


def _best(found: Judgement) -> list[JudgedMove]:
    """What a hint shows: the best moves or, of a secret choice, all that is worth choosing."""
    return [each for each in found.moves if each.share] if found.mixed else found.moves[:_BEST]


def _advice(
    identity: int, seq: int, best: Sequence[JudgedMove], asked: JudgedMove | None, found: Judgement, rough: bool
) -> protocol.Advice:
    beside = asked or (best[1] if len(best) > 1 else None)
    moves = [_move(each, beside if each is best[0] else best[0]) for each in best]
    warned = _move(asked, best[0] if best else None) if asked else None
    return protocol.Advice(identity, seq, moves, warned, found.mixed, found.exact, rough)


def _move(weighed: JudgedMove, beside: JudgedMove | None) -> protocol.AdvisedMove:
    """A move, with what tells it from another; with all there is to say, where nothing does."""
    said = [message[:2] for message in beside.reasons] if beside else []
    differing = [message for message in weighed.reasons if message[:2] not in said]
    fields = (weighed.move, weighed.win, weighed.score, weighed.share, weighed.loss, weighed.error)
    return protocol.AdvisedMove(*fields, differing or weighed.reasons, weighed.told)
