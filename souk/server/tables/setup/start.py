"""Starts a game: once everybody is there, players reveal their dice shares in turn and the seed is
made.
"""

import asyncio

from souk.server.dice.fair_dice import digest_of
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.table import NOBODY
from souk.server.tables.seats import checked_hex
from souk.server.tables.table import Table


class GameStart:
    """Takes commitments and shares, and waits a limited time for each share."""

    def __init__(self, dice_time: float) -> None:
        self._dice_time = dice_time

    async def commit(self, table: Table, player: bytes, command: protocol.CommitShare) -> None:
        """Accept a commitment to a dice share. It cannot be changed later."""
        table.check_owner(player, command.seat)
        commitment = checked_hex(command.commitment)
        async with table.lock:
            previous = table.shares.commitment(command.seat)
            if previous == commitment:
                return  # repeated after a reconnect
            if previous:
                raise RequestRefused("commitment_given", 409)
            if table.shares.closed:
                raise RequestRefused("share_late", 409)
            await table.add_dice_step("commits", command.seat, commitment)

    async def reveal(self, table: Table, player: bytes, command: protocol.RevealShare) -> None:
        """Accept the share a player committed to."""
        table.check_owner(player, command.seat)
        share = checked_hex(command.share)
        async with table.lock:
            shares = table.shares
            if shares.is_open(command.seat, share):
                return  # repeated after a reconnect
            if shares.turn != command.seat:
                raise RequestRefused(
                    "share_late"
                    if shares.begun or shares.is_left_out(command.seat)
                    else "share_early",
                    409,
                )
            if digest_of(bytes.fromhex(share)) != shares.commitment(command.seat):
                raise RequestRefused("share_wrong", 409)
            await table.add_dice_step("opens", command.seat, share)

    async def start(self, table: Table) -> None:
        """Start the table if everybody is there. RequestRefused if that cannot be written."""
        async with table.lock:
            if table.deleted or table.begun or not table.is_complete():
                return
            if not table.shares.closed:
                await table.add_dice_step("closes")
        while (seat := table.shares.turn) != NOBODY:
            await self._wait_for(table, seat)
        async with table.lock:
            if not table.begun:
                await table.begin()

    async def _wait_for(self, table: Table, seat: int) -> None:
        """Wait until a seat reveals its share, up to the time limit; not at all where a bot plays
        for a person.
        """
        time_limit = 0.0 if table.bot_of(seat) else self._dice_time
        deadline = asyncio.get_running_loop().time() + time_limit
        while table.shares.turn == seat:
            table.dice_step_taken = asyncio.Event()
            try:
                async with asyncio.timeout_at(deadline):
                    await table.dice_step_taken.wait()
            except TimeoutError:
                async with table.lock:
                    if table.shares.turn == seat:
                        await table.add_dice_step("leaves", seat)
        table.dice_step_taken = None
