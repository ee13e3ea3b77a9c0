"""Clones of rules: the same code object with rebound globals.

This is how one source runs in several ways. `souk.kernel.compiler` clones rules for Numba,
`souk.kernel.interpreter` for speed, `souk.kernel.tracing` to observe them.
"""

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from souk.kernel.rule import i64, is_rule, source_rule, u64

Function = Callable[..., Any]


class RuleCloner:
    """Clones rules along with everything they call.

    Args:
        wrap: receives a clone and its rule, returns the object that calling rules get.
        native: replacements for some rules, and for `u64` and `i64`.
        prefix: put before the clones' qualified names.
    """

    def __init__(
        self,
        wrap: Callable[[FunctionType, Function], Any],
        native: Mapping[Function, Any],
        prefix: str,
    ) -> None:
        self._wrap, self._native, self._prefix = wrap, native, prefix
        self._clones: dict[Function, FunctionType] = {}
        self._wrapped: dict[Function, Any] = {}
        self._scopes: dict[int, dict[str, Any]] = {}

    def wrapped(self, rule: Function) -> Any:
        """A rule's clone as wrapped for its callers."""
        if rule not in self._wrapped:
            self._wrapped[rule] = self._wrap(self.clone(rule), rule)
        return self._wrapped[rule]

    def clone(self, rule: Any) -> FunctionType:
        """A function with a rule's code and the wrapped clones of other rules in its globals."""
        if rule not in self._clones:
            source = source_rule(rule)
            scope = self._scope(source.__globals__)
            clone = FunctionType(source.__code__, scope, source.__name__, source.__defaults__)
            clone.__module__, clone.__doc__ = source.__module__, source.__doc__
            clone.__qualname__ = self._prefix + source.__qualname__
            self._clones[rule] = clone
        return self._clones[rule]

    def replacement(self, value: Any) -> Any:
        """The value of a global name as clones see it."""
        if value is u64 or value is i64 or is_rule(value):
            return self._native.get(value) or self.wrapped(value)
        return value

    def _scope(self, module_globals: dict[str, Any]) -> dict[str, Any]:
        """A module's globals with its rules replaced."""
        if id(module_globals) not in self._scopes:
            scope = self._scopes[id(module_globals)] = dict(module_globals)
            for name, value in module_globals.items():
                scope[name] = self.replacement(value)
        return self._scopes[id(module_globals)]
