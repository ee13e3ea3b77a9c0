"""Multisets packed into one integer, six bits per count. Adding multisets adds the integers.

A count needs five bits; the sixth is a guard bit that catches carry and borrow. Ten counts fit.
"""

from souk.kernel.rule import rule

BITS = 6
GUARDS = sum(1 << (BITS * kind + 5) for kind in range(10))


@rule
def count_of(counts, kind):
    """The count of one kind; kind 0 is in the lowest bits."""
    return (counts >> (BITS * kind)) & 63


@rule
def fits(counts):
    """Whether no count has overflowed into its guard bit."""
    return counts & GUARDS == 0


@rule
def covers(counts, other):
    """Whether every count is at least that of `other`: a lower one borrows its guard bit."""
    return ((counts | GUARDS) - other) & GUARDS == GUARDS
