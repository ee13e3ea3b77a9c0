"""Rate limits across processes: tokens taken at one are counted at all others.

Every half second each process announces which addresses have used a good part of their tokens
since; the others deduct them, below zero if need be. An address asking N processes at once exceeds
the limit by at most N times what it can take in half a second plus what is too little to announce.
Open connections are counted per process.
"""

import asyncio

from souk.server.bus.bus import BusMessage, ProcessBus
from souk.server.common.rate_limits import PerClientLimits

SECONDS_BETWEEN_MESSAGES = 0.5
WORTH_ANNOUNCING = 0.1  # share of the burst size
_AT_ONCE = 50  # addresses per bus message


class TokensTaken(BusMessage, tag="taken"):
    """Tokens taken of one limit, by address or person."""

    what: str
    numbers: dict[str, int]


class SharedLimits:
    """Announces and applies tokens taken."""

    def __init__(self, bus: ProcessBus) -> None:
        self._bus = bus
        self._limits: dict[str, PerClientLimits] = {}
        bus.hear(TokensTaken, lambda _sender, message: self._deduct(message))

    def share(self, **limits: PerClientLimits) -> None:
        """Share limits, by names all processes know them by."""
        for name, limit in limits.items():
            limit.count_for_others()
            self._limits[name] = limit

    async def run(self) -> None:
        """Announce forever."""
        while not self._bus.alone:
            await asyncio.sleep(SECONDS_BETWEEN_MESSAGES)
            self.announce()

    def announce(self) -> None:
        for name, limits in self._limits.items():
            taken = list(limits.much_taken(WORTH_ANNOUNCING).items())
            for start in range(0, len(taken), _AT_ONCE):
                self._bus.say(TokensTaken(name, dict(taken[start : start + _AT_ONCE])))

    def _deduct(self, message: TokensTaken) -> None:
        if (limits := self._limits.get(message.what)) is not None:
            for address, number in message.numbers.items():
                limits.spend(address, number)
