"""Sets of small numbers as 64 bits: how many they hold, and which."""

from functools import lru_cache
from typing import Any

from souk.kernel.rule import i64, quickly, u64

_ALL_BITS = (1 << 64) - 1


@lru_cache(128)
def _bit(number: int) -> int:
    return 1 << int(number) & _ALL_BITS


def _count(found: int) -> int:
    return (int(found) & _ALL_BITS).bit_count()


def _member(found: int, k: int) -> int:
    left = int(found) & _ALL_BITS
    for _ in range(k):
        left &= left - 1
    return (left & -left).bit_length() - 1 if left else 63


def _write_members(found: int, out: Any) -> int:
    left, n = int(found) & _ALL_BITS, 0
    while left:
        out[n] = (left & -left).bit_length() - 1
        left &= left - 1
        n += 1
    return n


def _lowest(found: int) -> int:
    left = int(found) & _ALL_BITS
    return (left & -left).bit_length() - 1 if left else 64


@quickly(_bit)
def bit(number):
    """The set of one number."""
    return u64(u64(1) << u64(number))


@quickly(_count)
def count(found):
    """How many numbers a set holds. (A GPU has an instruction for this, see souk.kernel.compiling.)"""
    x = u64(found)
    x = x - ((x >> u64(1)) & u64(0x5555555555555555))
    x = (x & u64(0x3333333333333333)) + ((x >> u64(2)) & u64(0x3333333333333333))
    x = (x + (x >> u64(4))) & u64(0x0F0F0F0F0F0F0F0F)
    return i64(u64(x * u64(0x0101010101010101)) >> u64(56))


@quickly(_member)
def member(found, k):
    """Number k of a set, from 0, in ascending order: the set is halved until one number is left."""
    number = 0
    width = 32
    while width > 0:
        before = count((u64(found) >> u64(number)) & u64(u64(u64(1) << u64(width)) - u64(1)))
        if k >= before:
            k -= before
            number += width
        width >>= 1
    return number


@quickly(_write_members)
def write_members(found, out):
    """Write the numbers of a set into `out`, in ascending order; return how many."""
    left = u64(found)
    number = 0
    n = 0
    while left != u64(0):
        if left & u64(1):
            out[n] = number
            n += 1
        left = left >> u64(1)
        number += 1
    return n


@quickly(_lowest)
def lowest(found):
    """The lowest number of a set that is not empty: as many as there are below it."""
    return count((u64(found) - u64(1)) & ~u64(found))
