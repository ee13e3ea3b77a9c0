"""How much one connection or address may ask for."""

import time
from collections import Counter
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

_PREFIX = 8  # bytes of an IPv6 address that say whose network it is: whoever has one has 2**64 addresses in it


class Bucket:
    """So many at once, and so many a second from then on."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = float(burst), time.monotonic()

    def take(self) -> bool:
        """Whether one more is within the limit."""
        self._fill()
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def spend(self, number: int) -> float:
        """Take so many, even on credit; returns the seconds until the debt is paid."""
        self._fill()
        self._left -= number
        if self._left >= 0:
            return 0.0
        return -self._left / self._rate if self._rate else float("inf")

    def _fill(self) -> None:
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now

    @property
    def full(self) -> bool:
        return self._left + (time.monotonic() - self._at) * self._rate >= self._burst


class Buckets:
    """A bucket for each address. Those that are full again are forgotten."""

    def __init__(self, rate: float, burst: int, most: int = 10_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._look_at = most  # so many, then it is looked through: ever less often where few can be forgotten
        self._buckets: dict[str, Bucket] = {}
        self._taken: Counter[str] | None = None  # since others were last told, where there are others

    def take(self, address: str) -> bool:
        if not self._of(address).take():
            return False
        if self._taken is not None:
            self._taken[address] += 1
        return True

    def spend(self, address: str, number: int) -> None:
        """So many were taken elsewhere."""
        self._of(address).spend(number)

    def full(self, address: str) -> bool:
        """Whether nothing of an address's share is taken."""
        return address not in self._buckets or self._buckets[address].full

    def count_for_others(self) -> None:
        """From now on note what is taken."""
        self._taken = Counter()

    def much_taken(self, part: float) -> dict[str, int]:
        """Addresses that have taken such a part of what may be taken at once since they were last named here. Less is kept for the next time."""
        if not self._taken:
            return {}
        found = {address: number for address, number in self._taken.items() if number >= part * self._burst}
        for address in found:
            del self._taken[address]
        if len(self._taken) > self._most:
            self._taken.clear()
        return found

    def _of(self, address: str) -> Bucket:
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= self._look_at:
                self._buckets = {key: each for key, each in self._buckets.items() if not each.full}
                self._look_at = max(self._most, 2 * len(self._buckets))
            bucket = self._buckets[address] = Bucket(self._rate, self._burst)
        return bucket


class Places:
    """So many open at a time for each address."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        if self._taken[address] >= self._most:
            return False
        self._taken[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._taken[address] -= 1
        if not self._taken[address]:
            del self._taken[address]


def counted(address: str) -> str:
    """The name under which an address is counted: its own, or for IPv6 that of its network of 64 bits."""
    return _network(address[:64]) if ":" in address else address[:64]


@lru_cache(4096)
def _network(address: str) -> str:
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(found.packed[:_PREFIX].ljust(16, bytes(1)))}/64"
