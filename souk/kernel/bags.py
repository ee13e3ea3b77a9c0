"""Bags: how many there are of each of a few kinds, packed into one number. To add bags is to add these numbers.

A count has six bits and needs five; the sixth, its guard, is there to be borrowed. Ten counts fit into a number.
"""

from souk.kernel.rule import rule

BITS = 6  # of a count
GUARDS = sum(1 << (BITS * kind + 5) for kind in range(10))  # the sixth bit of each


@rule
def count_of(bag, kind):
    """How many of a kind a bag holds; kinds are counted from the lowest bits on."""
    return (bag >> (BITS * kind)) & 63


@rule
def fits(bag):
    """Whether no count has grown into its guard."""
    return bag & GUARDS == 0


@rule
def covers(bag, other):
    """Whether a bag holds as many of every kind as another: where there are too few, the guard above them is borrowed."""
    return ((bag | GUARDS) - other) & GUARDS == GUARDS
