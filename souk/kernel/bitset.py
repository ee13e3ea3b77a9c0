"""Bit sets of the numbers 0 to 63."""

from functools import lru_cache
from typing import Any

from souk.kernel.rule import i64, interpreted_by, rule, u64

_ALL_BITS = (1 << 64) - 1


@lru_cache(128)
def _bit(number: int) -> int:
    return 1 << int(number) & _ALL_BITS


def _count(bits: int) -> int:
    return (int(bits) & _ALL_BITS).bit_count()


def _member(bits: int, k: int) -> int:
    left = int(bits) & _ALL_BITS
    for _ in range(k):
        left &= left - 1
    return (left & -left).bit_length() - 1 if left else 63


def _write_members(bits: int, out: Any) -> int:
    left, n = int(bits) & _ALL_BITS, 0
    while left:
        out[n] = (left & -left).bit_length() - 1
        left &= left - 1
        n += 1
    return n


def _lowest(bits: int) -> int:
    left = int(bits) & _ALL_BITS
    return (left & -left).bit_length() - 1 if left else 64


@interpreted_by(_bit)
def bit(number):
    """The set of one number."""
    return u64(u64(1) << u64(number))


@interpreted_by(_count)
def count(bits):
    """The size of a set. (CUDA uses its popcount instruction, see souk.kernel.compiler.)"""
    x = u64(bits)
    x = x - ((x >> u64(1)) & u64(0x5555555555555555))
    x = (x & u64(0x3333333333333333)) + ((x >> u64(2)) & u64(0x3333333333333333))
    x = (x + (x >> u64(4))) & u64(0x0F0F0F0F0F0F0F0F)
    return i64(u64(x * u64(0x0101010101010101)) >> u64(56))


@interpreted_by(_member)
def member(bits, k):
    """The k-th smallest number of a set, from 0, by binary search."""
    number = 0
    width = 32
    while width > 0:
        before = count((u64(bits) >> u64(number)) & u64(u64(u64(1) << u64(width)) - u64(1)))
        if k >= before:
            k -= before
            number += width
        width >>= 1
    return number


@interpreted_by(_write_members)
def write_members(bits, out):
    """Write the numbers of a set to `out` in ascending order; return the count."""
    left = u64(bits)
    number = 0
    n = 0
    while left != u64(0):
        if left & u64(1):
            out[n] = number
            n += 1
        left = left >> u64(1)
        number += 1
    return n


@rule
def write_even_outcomes(bits, out, weights):
    """Write a set of equally likely outcomes, as the op `outcomes` does; return the count."""
    n = write_members(bits, out)
    for i in range(n):
        weights[i] = 1
    return n


@interpreted_by(_lowest)
def lowest(bits):
    """The lowest number of a non-empty set."""
    return count((u64(bits) - u64(1)) & ~u64(bits))
