"""How a table begins: once everybody is there, their shares in the dice are opened one after the other, and the game's seed is made."""

import asyncio

from souk.table import protocol
from souk.table.fairness import digest_of
from souk.table.protocol import NOBODY
from souk.table.refusals import Refuse
from souk.table.seating import checked_digits
from souk.table.table import Table


class Beginnings:
    """Takes commitments and shares, and waits for each share so many seconds."""

    def __init__(self, dice_time: float) -> None:
        self._dice_time = dice_time

    async def commit(self, table: Table, player: bytes, command: protocol.Commit) -> None:
        """A person's browser wants a share in the dice. What it commits to cannot be changed."""
        table.check_owner(player, command.seat)
        commitment = checked_digits(command.commitment)
        async with table.lock:
            given = table.shares.commitment(command.seat)
            if given == commitment:
                return  # said again after a line broke
            if given:
                raise Refuse("commitment_given", 409)
            if table.shares.closed:
                raise Refuse("share_late", 409)
            await table.add_step("commits", command.seat, commitment)

    async def open(self, table: Table, player: bytes, command: protocol.Open) -> None:
        """A person's browser tells its share."""
        table.check_owner(player, command.seat)
        share = checked_digits(command.share)
        async with table.lock:
            shares = table.shares
            if shares.is_open(command.seat, share):
                return  # said again after a line broke
            if shares.turn != command.seat:
                raise Refuse("share_late" if shares.begun or shares.is_left_out(command.seat) else "share_early", 409)
            if digest_of(bytes.fromhex(share)) != shares.commitment(command.seat):
                raise Refuse("share_wrong", 409)
            await table.add_step("opens", command.seat, share)

    async def see_to(self, table: Table) -> None:
        """Let a table begin at which everybody is. Refuse where that could not be written."""
        async with table.lock:
            if table.gone or table.begun or not table.is_complete():
                return
            if not table.shares.closed:
                await table.add_step("closes")
        while (seat := table.shares.turn) != NOBODY:
            await self._wait_for(table, seat)
        async with table.lock:
            if not table.begun:
                await table.begin()

    async def _wait_for(self, table: Table, seat: int) -> None:
        """Until a seat's share is open, or has been waited for long enough. Where a bot plays for a person, nobody waits."""
        patience = 0.0 if table.bot_of(seat) else self._dice_time
        deadline = asyncio.get_running_loop().time() + patience
        while table.shares.turn == seat:
            table.stirred = asyncio.Event()
            try:
                async with asyncio.timeout_at(deadline):
                    await table.stirred.wait()
            except TimeoutError:
                async with table.lock:
                    if table.shares.turn == seat:
                        await table.add_step("leaves", seat)
        table.stirred = None
