"""Kernels without a compiler: the same rules run by Python, as fast as it can.

Rules can also be called directly, as tests and debuggers do. A bot that must move before its
kernels are compiled runs clones of the rules with Python's fastest equivalents in scope: game ops
resolve to the game's own rules, arrays give plain numbers, and 64-bit sets use built-in functions.
Results are identical to the last bit.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from souk.kernel.game_ops import GAME_OPS
from souk.kernel.game_spec import Playable
from souk.kernel.rule import interpreted_replacements
from souk.kernel.rule_clones import Function, RuleCloner
from souk.kernel.state import State, States, state_class

_OP_NAMES = {id(game_op): name for name, game_op in GAME_OPS.items()}
_PLAY_OPS = (
    "over",
    "actors",
    "moves",
    "legal",
    "play",
    "outcomes",
    "resolve",
    "write_scores",
    "hide_secrets",
)
_avoid_compiling: ContextVar[bool] = ContextVar("avoid_compiling", default=False)
_compiled: set[tuple[str, Function]] = set()  # kernels loaded in this process


class NumberTable:
    """A multidimensional array that gives plain numbers, or rows."""

    __slots__ = ("_array", "_view")

    def __init__(self, array: np.ndarray[Any, np.dtype[Any]]) -> None:
        view: Any = memoryview(array)  # type: ignore[arg-type]
        self._array, self._view = array, view

    def __array__(self, *_: Any, **__: Any) -> np.ndarray[Any, np.dtype[Any]]:
        return self._array

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: Any) -> Any:
        try:
            return self._view[index]
        except NotImplementedError:  # fewer indices than dimensions
            return number_table(self._array[index])

    def __setitem__(self, index: Any, number: float) -> None:
        self._view[index] = number


def number_table(array: np.ndarray[Any, np.dtype[Any]]) -> Any:
    """An array as interpreted rules see it."""
    return memoryview(array) if array.ndim == 1 else NumberTable(array)  # type: ignore[arg-type]


class InterpretedRules(RuleCloner):
    """Clones of one game's rules and everything they call."""

    def __init__(self, game: Playable, stand_ins: Mapping[Function, Function]) -> None:
        super().__init__(lambda clone, _: clone, interpreted_replacements() | dict(stand_ins), "")
        self._rules = game.rules

    def replacement(self, value: Any) -> Any:
        if id(value) in _OP_NAMES:
            return self.wrapped(getattr(self._rules, _OP_NAMES[id(value)]))
        if isinstance(value, np.ndarray):
            return number_table(np.ascontiguousarray(value))
        return value.item() if isinstance(value, np.generic) else super().replacement(value)


@lru_cache(64)
def _view_class(layout: np.dtype[np.void]) -> type[State]:
    return state_class(layout)


def _as_interpreted(value: Any) -> Any:
    """A kernel's argument as interpreted rules see it."""
    if not isinstance(value, np.ndarray):
        return value.item() if isinstance(value, np.generic) else value
    return States(value, _view_class(value.dtype)) if value.dtype.names else number_table(value)


@cache
def _game_rules(game: Playable) -> InterpretedRules:
    return InterpretedRules(game, game.stand_ins)


@cache
def fast_game_ops(game: Playable) -> Any:
    """The game ops needed to play a game, for states that give plain numbers."""
    rules = InterpretedRules(game, {})
    return SimpleNamespace(**{name: rules.wrapped(getattr(game.rules, name)) for name in _PLAY_OPS})


@cache
def _fast_rules() -> RuleCloner:
    return RuleCloner(lambda clone, _: clone, interpreted_replacements(), "")


def fast_rule(rule: Function) -> Function:
    """The fastest interpreted version of a rule, for states that give plain numbers."""
    return _fast_rules().wrapped(rule)  # type: ignore[no-any-return]


@cache
def interpreted_kernel(game: Playable, function: Function) -> Callable[..., Any]:
    """A rule as a kernel callable from Python, without compiling."""
    run = _game_rules(game).wrapped(function)
    return lambda *arguments: run(*map(_as_interpreted, arguments))


@contextmanager
def without_compiling() -> Iterator[None]:
    """Within this context, kernels not yet loaded in this process run interpreted."""
    token = _avoid_compiling.set(True)
    try:
        yield
    finally:
        _avoid_compiling.reset(token)


def load_kernel(game: Playable, function: Function) -> Callable[..., Any]:
    """A rule as a kernel callable from Python.

    Compiled, or loaded from disk if compiled before; interpreted within `without_compiling`.
    """
    if _avoid_compiling.get() and (game.name, function) not in _compiled:
        return interpreted_kernel(game, function)
    from souk.kernel.compiler import cpu_entry

    _compiled.add((game.name, function))
    kernel: Callable[..., Any] = cpu_entry(game, function)
    return kernel
