"""Rate limits for connections and client addresses."""

import time
from collections import Counter
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

_NETWORK_BYTES = 8  # of an IPv6 address: a client has all 2**64 addresses of its network


class TokenBucket:
    """A token bucket: `burst` at once, then `rate` a second."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = float(burst), time.monotonic()

    def take(self) -> bool:
        """Take one token; False if there is none."""
        self._fill()
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def spend(self, number: int) -> float:
        """Take tokens, even on credit; returns the seconds until the debt is paid."""
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


class PerClientLimits:
    """A token bucket for each address; full ones are dropped."""

    def __init__(self, rate: float, burst: int, most: int = 10_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        # Number of buckets at which full ones are looked for; grows if few can be dropped.
        self._cleanup_at = most
        self._buckets: dict[str, TokenBucket] = {}
        # Tokens taken since other processes were last told, if there are any.
        self._taken: Counter[str] | None = None

    def take(self, address: str) -> bool:
        if not self._of(address).take():
            return False
        if self._taken is not None:
            self._taken[address] += 1
        return True

    def spend(self, address: str, number: int) -> None:
        """Charge for tokens taken at another process."""
        self._of(address).spend(number)

    def full(self, address: str) -> bool:
        """Whether an address has all its tokens."""
        return address not in self._buckets or self._buckets[address].full

    def count_for_others(self) -> None:
        """Start counting taken tokens, to tell other processes."""
        self._taken = Counter()

    def much_taken(self, part: float) -> dict[str, int]:
        """Addresses that took at least this part of the burst since they were last reported."""
        if not self._taken:
            return {}
        reported = {
            address: number
            for address, number in self._taken.items()
            if number >= part * self._burst
        }
        for address in reported:
            del self._taken[address]
        if len(self._taken) > self._most:
            self._taken.clear()
        return reported

    def _of(self, address: str) -> TokenBucket:
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= self._cleanup_at:
                self._buckets = {
                    key: bucket for key, bucket in self._buckets.items() if not bucket.full
                }
                self._cleanup_at = max(self._most, 2 * len(self._buckets))
            bucket = self._buckets[address] = TokenBucket(self._rate, self._burst)
        return bucket


class PerClientSlots:
    """A limit of concurrent connections for each address."""

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


def rate_limit_key(address: str) -> str:
    """The key under which an address is limited: itself, or an IPv6 address's /64 network."""
    return _network(address[:64]) if ":" in address else address[:64]


@lru_cache(4096)
def _network(address: str) -> str:
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(parsed.packed[:_NETWORK_BYTES].ljust(16, bytes(1)))}/64"
