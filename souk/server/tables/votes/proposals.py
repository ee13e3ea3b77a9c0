"""Proposals all players must agree to: take a move back, end the game, pause it."""

from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.tables.due_work import DueWork
from souk.server.tables.game.rated_rules import check_all_agree, check_unaided
from souk.server.tables.table import Table
from souk.server.tables.votes.proposal_state import (
    PATIENCE,
    PATIENCE_OF_DAYS,
    Proposal,
    ProposalState,
    is_agreed,
)
from souk.server.tables.votes.voters import voting_seat


class Proposals:
    """Takes proposals and answers, and carries out what is agreed."""

    def __init__(self, due_work: DueWork) -> None:
        self._due_work = due_work

    async def propose(self, table: Table, player: bytes, command: protocol.Propose) -> int:
        """Propose something; done at once if nobody else must agree."""
        table.check_owner(player, command.seat)
        async with table.lock:
            voter = voting_seat(table, player)
            check_all_agree(table)
            _check_can_be_asked(table, command)
            if table.timing.proposal(table.state, table.seats):
                raise RequestRefused("asked_already", 409)
            patience = PATIENCE_OF_DAYS if table.timing.by_days else PATIENCE
            seat = command.seat if command.what == "take_back" else voter
            asking = table.timing.saved.asking.ask(
                command.what, seat, table.state.seq, table.timing.now(), patience
            )
            await self._carry_out_or_store(table, asking.agree(voter))
        self._due_work.run(table)
        return table.state.seq

    async def respond(self, table: Table, player: bytes, command: protocol.Respond) -> int:
        """Agree to the open proposal or decline it."""
        table.check_owner(player, command.seat)
        async with table.lock:
            voter = voting_seat(table, player)
            proposal = table.timing.proposal(table.state, table.seats)
            if proposal is None or proposal.number != command.number:
                raise RequestRefused("not_asked", 409)
            asking = table.timing.saved.asking
            if command.agrees:
                await self._carry_out_or_store(table, asking.agree(voter))
            else:
                declining_seat = (
                    proposal.seat if table.seats[proposal.seat].player == player else voter
                )
                declined = asking.decline(declining_seat, table.timing.now())
                await table.save_timing(
                    table.timing.next(table.state, table.seats, asking=declined)
                )
        self._due_work.run(table)
        return table.state.seq

    async def resume(self, table: Table, player: bytes, command: protocol.Resume) -> int:
        """Resume a paused game; any player may."""
        table.check_owner(player, command.seat)
        async with table.lock:
            voting_seat(table, player)
            if not table.state.status.paused:
                raise RequestRefused("not_paused", 409)
            await table.apply_status_event(f"resumed {command.seat}")
        self._due_work.run(table)
        return table.state.seq

    async def _carry_out_or_store(self, table: Table, asking: ProposalState) -> None:
        """Carry out the proposal if all voters agree; otherwise store the new state."""
        proposal = asking.open
        assert proposal is not None
        if is_agreed(proposal, table.voters()):
            await _carry_out(table, proposal, asking.settled())
        else:
            await table.save_timing(table.timing.next(table.state, table.seats, asking=asking))


def _check_can_be_asked(table: Table, command: protocol.Propose) -> None:
    """Refuse proposals that make no sense now."""
    if table.state.is_full:
        raise RequestRefused("table_full", 409, most=table.state.seq + 1)
    if table.state.status.paused:
        raise RequestRefused("paused", 409)
    if command.what == "take_back":
        check_unaided(table)
        if table.state.can_take_back() != command.seat:
            raise RequestRefused("cannot_take_back", 409)
        if command.after < table.state.last_by_seat[command.seat]:
            raise RequestRefused("stale", 409)
    if command.what == "end" and sum(row.kind == "person" for row in table.seats) < 2:
        raise RequestRefused("end_alone", 409)


async def _carry_out(table: Table, proposal: Proposal, asking: ProposalState) -> None:
    if proposal.what == "take_back":
        await table.take_back_agreed(proposal.seat, table.state.seq, asking)
    else:
        end = "no_result" if table.rated else "agreed"  # half a game rates nobody
        await table.apply_status_event(
            end if proposal.what == "end" else f"paused {proposal.seat}", asking=asking
        )
