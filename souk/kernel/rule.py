"""What a rule is: a plain function over one state, written once and run at three speeds.

Decorating with ``@rule`` changes nothing: interpreted, a rule is the function one reads. `souk.kernel.compiling`
makes the twins that Numba compiles for the CPU and for CUDA from the very same code. So that it can, a rule

* takes states, arrays and numbers, and returns a number or nothing;
* allocates nothing, raises nothing, knows no text, and does not recurse;
* calls other rules and the verbs by their bare names (``from souk.games.haggling.rules import next_offer``);
* wraps arithmetic on 64-bit sets in ``u64(...)``, which is where Python's endless integers are cut to 64 bits.

What Python does by itself in a fraction of the time, such as to count bits, is interpreted ``@quickly`` by a function that does the same.
"""

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_RULES: set[Callable[..., Any]] = set()
_QUICK: dict[Callable[..., Any], Callable[..., Any]] = {}  # the rule as it is written, by what is run interpreted
_ALL_BITS = (1 << 64) - 1
_MOST_REMEMBERED = 8192


def rule(function: Function) -> Function:
    """Mark a function as a rule, so that it is compiled with those that call it."""
    _RULES.add(function)
    return function


def quickly(quick: Callable[..., Any]) -> Callable[[Function], Callable[..., Any]]:
    """Mark a function as a rule for which another stands in wherever rules run interpreted: it gives the same, to the last bit."""

    def mark(written: Function) -> Callable[..., Any]:
        _QUICK[update_wrapper(quick, written)] = written
        return rule(quick)

    return mark


def remembered(written: Function) -> Callable[..., Any]:
    """Mark a function of nothing but numbers as a rule that is asked the same again and again: interpreted, it knows what it has found."""
    quick = lru_cache(_MOST_REMEMBERED)(_QuickTwin(written))
    _QUICK[quick] = written
    return rule(quick)


class _QuickTwin:
    """A rule as quick as Python runs it, from when it is first asked for: by then all that it calls is there."""

    def __init__(self, written: Callable[..., Any]) -> None:
        self._written, self._twin = written, written
        update_wrapper(self, written)

    def __call__(self, *numbers: int) -> Any:
        if self._twin is self._written:
            from souk.kernel.interpreting import quick  # it makes twins of what is marked here

            self._twin = quick(self._written)
        return self._twin(*numbers)


def as_written(rule: Any) -> Any:
    """The function with the code that is compiled."""
    return _QUICK.get(rule, rule)


def quick_rules() -> dict[Callable[..., Any], Callable[..., Any]]:
    """What twins that run interpreted call in the place of rules, and to cut numbers to 64 bits: whatever Python is quickest at with plain numbers."""
    return {quick: quick for quick in _QUICK} | {u64: _ALL_BITS.__and__, i64: int}


def is_rule(value: object) -> bool:
    return callable(value) and getattr(value, "__hash__", None) is not None and value in _RULES


def u64(number: int) -> int:
    """An unsigned 64-bit number. Compiled, this is NumPy's ``uint64``."""
    return int(number) & _ALL_BITS


def i64(number: int) -> int:
    """A signed number again, after arithmetic on sets: compiled, the two kinds do not mix."""
    return int(number)
