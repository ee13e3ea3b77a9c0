"""Twins of rules: the same code, with other functions in the place of the rules it calls.

This is how one source runs in several ways. `souk.kernel.compiling` makes twins for Numba, `souk.kernel.watching` makes twins that are
looked on at.
"""

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from souk.kernel.rule import as_written, i64, is_rule, u64

Function = Callable[..., Any]


class Twins:
    """Twins of rules and of whatever they call. `make` gets a twin and the rule it is a twin of, and gives what others are to call;
    `native` has what is to be called instead of some rules, and instead of `u64` and `i64`."""

    def __init__(
        self, make: Callable[[FunctionType, Function], Any], native: Mapping[Function, Any], prefix: str
    ) -> None:
        self._make, self._native, self._prefix = make, native, prefix
        self._twins: dict[Function, FunctionType] = {}
        self._made: dict[Function, Any] = {}
        self._scopes: dict[int, dict[str, Any]] = {}

    def made(self, rule: Function) -> Any:
        """What is made of a rule's twin."""
        if rule not in self._made:
            self._made[rule] = self._make(self.twin(rule), rule)
        return self._made[rule]

    def twin(self, rule: Any) -> FunctionType:
        """A rule's own code with the others' twins in its scope."""
        if rule not in self._twins:
            written = as_written(rule)
            scope = self._scope(written.__globals__)
            twin = FunctionType(written.__code__, scope, written.__name__, written.__defaults__)
            twin.__module__, twin.__doc__ = written.__module__, written.__doc__
            twin.__qualname__ = self._prefix + written.__qualname__
            self._twins[rule] = twin
        return self._twins[rule]

    def instead_of(self, value: Any) -> Any:
        """What twins find where the rules find this."""
        if value is u64 or value is i64 or is_rule(value):
            return self._native.get(value) or self.made(value)
        return value

    def _scope(self, source: dict[str, Any]) -> dict[str, Any]:
        """A module's names with its rules replaced."""
        if id(source) not in self._scopes:
            scope = self._scopes[id(source)] = dict(source)
            for name, value in source.items():
                scope[name] = self.instead_of(value)
        return self._scopes[id(source)]
