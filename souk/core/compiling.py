"""Rules compiled: for each target a twin of every rule, with the same code and compiled rules in its scope.

Nothing here is imported until something compiled is asked for; `import souk` and `Position` never wait for Numba.
"""

import importlib
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from souk.core.cache import kernel_cache
from souk.core.rule import i64, is_rule, u64
from souk.core.verbs import VERBS

Function = Callable[..., Any]


class Target:
    """A place rules can be compiled for. `jit` makes a compiled function of a plain one."""

    def __init__(self, jit: Function, overload: Function, record_type: Function) -> None:
        self.jit = jit
        self._record_type = record_type
        self._rules: dict[Any, Any] = {}  # the compiler's record type -> the rules of that record
        self._twins: dict[Function, FunctionType] = {}
        self._compiled: dict[Function, Any] = {}
        self._scopes: dict[int, dict[str, Any]] = {}
        for verb in VERBS.values():
            overload(verb)(self._chooser(verb))

    def add(self, dtype: np.dtype[np.void], rules: Any) -> None:
        """Let verbs on records of this type run these rules."""
        self._rules[self._record_type(dtype)] = rules

    def compiled(self, function: Function) -> Any:
        """The compiled twin of a rule (compiled when it is first called)."""
        if function not in self._compiled:
            self._compiled[function] = self.jit(self.twin(function))
        return self._compiled[function]

    def twin(self, function: Any) -> FunctionType:
        """A rule's own code with compiled rules in its scope, not yet compiled."""
        if function not in self._twins:
            twin = FunctionType(function.__code__, self._scope(function.__globals__), function.__name__)
            twin.__module__, twin.__qualname__, twin.__doc__ = (
                function.__module__,
                function.__qualname__,
                function.__doc__,
            )
            self._twins[function] = twin
        return self._twins[function]

    def _scope(self, source: dict[str, Any]) -> dict[str, Any]:
        """A module's names with its rules replaced by compiled ones."""
        if id(source) not in self._scopes:
            scope = self._scopes[id(source)] = dict(source)
            for name, value in source.items():
                if value is u64:
                    scope[name] = np.uint64
                elif value is i64:
                    scope[name] = np.int64
                elif is_rule(value):
                    scope[name] = self.compiled(value)
        return self._scopes[id(source)]

    def _chooser(self, verb: Function) -> Function:
        """What Numba asks, with argument types, for the function to run: here the record's type decides."""

        def choose(s: Any, *_: Any) -> FunctionType | None:
            rules = self._rules.get(s)
            return None if rules is None else self.twin(getattr(rules, verb.__name__))

        choose.__signature__ = inspect.signature(verb)  # type: ignore[attr-defined]
        return choose


def _cpu() -> Target:
    from numba import from_dtype, njit
    from numba.extending import overload

    options: Any = {"nogil": True, "error_model": "numpy"}
    return Target(njit(**options), lambda verb: overload(verb, jit_options=options), from_dtype)


def _cuda() -> Target:
    from numba import from_dtype

    from souk.core.cuda import numba_cuda

    cuda = numba_cuda()
    extending: Any = importlib.import_module("numba.cuda.extending")
    return Target(cuda.jit(device=True), lambda verb: extending.overload(verb, target="cuda"), from_dtype)


_MAKERS = {"cpu": _cpu, "cuda": _cuda}
_TARGETS: dict[str, Target] = {}


def target(name: str) -> Target:
    """The target "cpu" or "cuda"."""
    if name not in _TARGETS:
        _TARGETS[name] = _MAKERS[name]()
    return _TARGETS[name]


def entry(function: Function, *sources: str) -> Any:
    """A rule compiled for the CPU as a kernel Python calls: kept on disk for the next process.

    `sources` are files besides this package's that the kernel is made of; see `souk.core.cache`.
    """
    config: Any = importlib.import_module("numba.core.config")
    kernel = target("cpu").compiled(function)
    before, config.CACHE_DIR = config.CACHE_DIR, str(kernel_cache(*sources))
    try:
        kernel.enable_caching()
    finally:
        config.CACHE_DIR = before
    return kernel
