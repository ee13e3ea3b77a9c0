"""What those at a table decide together: what one asks and the others agree to, and what is done about somebody who is away."""

from collections.abc import Callable

from souk.table import protocol
from souk.table.croupier import Croupier
from souk.table.proposals import PATIENCE, PATIENCE_OF_DAYS, Asking, Proposal, is_agreed, majority
from souk.table.protocol import NOBODY
from souk.table.rated import check_all_agree, check_unaided
from souk.table.refusals import Refuse
from souk.table.settings import Settings
from souk.table.table import Table


class Agreements:
    """Takes proposals, answers and votes, and carries out what is agreed. Whoever speaks, speaks for themselves: by a seat that is theirs."""

    def __init__(self, settings: Settings, croupier: Croupier) -> None:
        self._settings, self._croupier = settings, croupier
        self.voted: Callable[[Table, int, int, protocol.AwayChoice, str], None] = lambda *_vote: None  # tells others

    async def propose(self, table: Table, player: bytes, command: protocol.Propose) -> int:
        """Ask the others for something. Where there are none, it is done."""
        table.check_owner(player, command.seat)
        async with table.lock:
            voice = self._voice(table, player)
            check_all_agree(table)
            _check_can_be_asked(table, command)
            if table.life.proposal(table.course, table.seats):
                raise Refuse("asked_already", 409)
            patience = PATIENCE_OF_DAYS if table.life.by_days else PATIENCE
            seat = command.seat if command.what == "take_back" else voice
            asking = table.life.kept.asking.ask(command.what, seat, table.course.seq, table.life.now(), patience)
            await self._go_on(table, asking.agree(voice))
        self._croupier.see_to(table)
        return table.course.seq

    async def respond(self, table: Table, player: bytes, command: protocol.Respond) -> int:
        """Agree to what is asked, or decline it."""
        table.check_owner(player, command.seat)
        async with table.lock:
            voice = self._voice(table, player)
            asked = table.life.proposal(table.course, table.seats)
            if asked is None or asked.number != command.number:
                raise Refuse("not_asked", 409)
            asking = table.life.kept.asking
            if command.agrees:
                await self._go_on(table, asking.agree(voice))
            else:
                by = asked.seat if table.seats[asked.seat].player == player else voice
                declined = asking.decline(by, table.life.now())
                await table.keep_life(table.life.next(table.course, table.seats, asking=declined))
        self._croupier.see_to(table)
        return table.course.seq

    async def resume(self, table: Table, player: bytes, command: protocol.Resume) -> int:
        """Go on with a game that is paused: whoever plays may say so."""
        table.check_owner(player, command.seat)
        async with table.lock:
            self._voice(table, player)
            if not table.course.fate.paused:
                raise Refuse("not_paused", 409)
            await table.befall(f"resumed {command.seat}")
        self._croupier.see_to(table)
        return table.course.seq

    async def come_back(self, table: Table, player: bytes, command: protocol.ComeBack) -> int:
        """Play on oneself in the place of the bot."""
        table.check_owner(player, command.seat)
        async with table.lock:
            table.check_begun()
            if command.seat in table.course.fate.out:
                raise Refuse("seat_out", 409)
            row = table.seats[command.seat]
            if row.stand_in:
                await table.change_seat(row._replace(stand_in=""))
        table.thinkers.let_go(table.id, command.seat)
        table.tell_seats()
        self._croupier.see_to(table)
        return table.course.seq

    async def decide_away(self, table: Table, player: bytes, command: protocol.DecideAway) -> int:
        """Say what is to be done about somebody who is away, once there was time to come back."""
        table.check_owner(player, command.seat)
        if table.rated:
            raise Refuse("rated_clock_decides", 409)
        if command.choice == "stand_in" and command.level not in self._settings.levels:
            raise Refuse("level_unknown", level=command.level[:20])
        voice = self._voice(table, player)
        await self.count(table, command.about, voice, command.choice, command.level, self.voted)
        return table.course.seq

    async def count(
        self,
        table: Table,
        about: int,
        voice: int,
        choice: protocol.AwayChoice,
        level: str,
        counted: Callable[[Table, int, int, protocol.AwayChoice, str], None] = lambda *_vote: None,
    ) -> None:
        """Count what a voice wants, here or at another server, and do what most want. `counted` hears of it before anything is done."""
        async with table.lock:
            table.note_who_is_here()
            table.living()
            wait = table.life.decide_in(about)
            if wait is None or voice not in table.present():
                raise Refuse("not_away", 409)
            if wait > 0:
                raise Refuse("away_not_yet", 409)
            votes = table.life.votes.setdefault(about, {})
            votes[voice] = choice
            counted(table, about, voice, choice, level)
            await self._decided(table, about, majority(dict(votes), table.present()), level)
        table.tell_seats()
        self._croupier.see_to(table)

    # ------------------------------------------------------------ what is agreed

    def _voice(self, table: Table, player: bytes) -> int:
        """By which seat somebody speaks at a game that goes on."""
        table.check_begun()
        if table.course.over or table.course.lesson:
            raise Refuse("ended", 409)
        voice = table.voice_of(player)
        if voice == NOBODY:
            raise Refuse("no_voice", 403)
        return voice

    async def _go_on(self, table: Table, asking: Asking) -> None:
        """Carry out what all have agreed to; else it is asked on."""
        asked = asking.open
        assert asked is not None
        if is_agreed(asked, table.voices()):
            await _carry_out(table, asked, asking.settled())
        else:
            await table.keep_life(table.life.next(table.course, table.seats, asking=asking))

    async def _decided(self, table: Table, about: int, choice: str, level: str) -> None:
        row = table.seats[about]
        if choice == "stand_in":
            await table.change_seat(row._replace(stand_in=level or self._settings.levels[0]))
        elif choice == "wait":
            table.life.wait_again(about)
        elif choice == "end":
            await table.befall("no_result")


def _check_can_be_asked(table: Table, command: protocol.Propose) -> None:
    """Whether it makes sense to ask for it now."""
    if table.course.is_full:
        raise Refuse("table_full", 409, most=table.course.seq + 1)
    if table.course.fate.paused:
        raise Refuse("paused", 409)
    if command.what == "take_back":
        check_unaided(table)
        if table.course.can_take_back() != command.seat:
            raise Refuse("cannot_take_back", 409)
        if command.after < table.course.own[command.seat]:
            raise Refuse("stale", 409)
    if command.what == "end" and sum(row.kind == "person" for row in table.seats) < 2:
        raise Refuse("end_alone", 409)


async def _carry_out(table: Table, asked: Proposal, asking: Asking) -> None:
    if asked.what == "take_back":
        await table.take_back_agreed(asked.seat, table.course.seq, asking)
    else:
        end = "no_result" if table.rated else "agreed"  # nobody is rated by half a game
        await table.befall(end if asked.what == "end" else f"paused {asked.seat}", asking=asking)
