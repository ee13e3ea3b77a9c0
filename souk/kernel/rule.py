"""Rules: plain functions over one state, written once and run at three speeds.

``@rule`` only registers a function: interpreted, a rule is the function as written.
`souk.kernel.compiler` clones it for Numba, for the CPU and for CUDA. To be compilable, a rule

* takes states, arrays and numbers, and returns a number or nothing;
* does not allocate, raise, recurse, or handle text;
* calls other rules and game ops by bare name
  (``from souk.games.basari_common.rules import next_offer``);
* wraps arithmetic on 64-bit sets in ``u64(...)``, which truncates Python's unbounded integers.

Where Python has a much faster way, such as counting bits, ``@interpreted_by`` names an equivalent
function for interpreted runs.
"""

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_RULES: set[Callable[..., Any]] = set()
# Source rules, by the function that replaces them in interpreted runs.
_SOURCE_OF: dict[Callable[..., Any], Callable[..., Any]] = {}
_ALL_BITS = (1 << 64) - 1
_MEMO_SIZE = 8192


def rule(function: Function) -> Function:
    """Mark a function as a rule, to be compiled with the rules that call it."""
    _RULES.add(function)
    return function


def interpreted_by(fast: Callable[..., Any]) -> Callable[[Function], Callable[..., Any]]:
    """Mark a rule that `fast` replaces in interpreted runs, with identical results."""

    def mark(source: Function) -> Callable[..., Any]:
        _SOURCE_OF[update_wrapper(fast, source)] = source
        return rule(fast)

    return mark


def memoized(source: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a pure function of numbers as a rule; interpreted runs cache its results."""
    fast = lru_cache(_MEMO_SIZE)(_LazyFastRule(source))
    _SOURCE_OF[fast] = source
    return rule(fast)


class _LazyFastRule:
    """A rule's fast clone, made on the first call, when everything it calls is defined."""

    def __init__(self, source: Callable[..., Any]) -> None:
        self._source, self._clone = source, source
        update_wrapper(self, source)

    def __call__(self, *numbers: int) -> Any:
        if self._clone is self._source:
            # Imported here because it clones the rules that are marked above.
            from souk.kernel.interpreter import fast_rule

            self._clone = fast_rule(self._source)
        return self._clone(*numbers)


def source_rule(rule: Any) -> Any:
    """The function whose code is compiled for a rule."""
    return _SOURCE_OF.get(rule, rule)


def interpreted_replacements() -> dict[Callable[..., Any], Callable[..., Any]]:
    """Replacements for rules and integer casts in interpreted runs over plain numbers."""
    return {fast: fast for fast in _SOURCE_OF} | {u64: _ALL_BITS.__and__, i64: int}


def is_rule(value: object) -> bool:
    return callable(value) and getattr(value, "__hash__", None) is not None and value in _RULES


def u64(number: int) -> int:
    """Cast to an unsigned 64-bit number; compiled, to NumPy's ``uint64``."""
    return int(number) & _ALL_BITS


def i64(number: int) -> int:
    """Cast back to signed after arithmetic on sets: compiled, the two kinds do not mix."""
    return int(number)
