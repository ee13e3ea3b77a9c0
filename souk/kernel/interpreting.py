"""Kernels without a compiler: the same rules run by Python, as quickly as it can.

A rule can be called as it stands, and debugging and tests do. Where a bot has to move before anything is compiled, the same code runs with
whatever Python does faster in its scope: verbs are the game's own rules, tables give plain numbers, sets of 64 bits are cut and counted by
built-in functions. What comes out is the same, to the last bit.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from souk.kernel.playable import Playable
from souk.kernel.rule import quick_rules
from souk.kernel.state import State, States, state_class
from souk.kernel.twins import Function, Twins
from souk.kernel.verbs import VERBS

_VERBS = {id(verb): name for name, verb in VERBS.items()}
_PLAYING = ("over", "actors", "moves", "legal", "play", "outcomes", "resolve", "standing", "veil")
_at_once: ContextVar[bool] = ContextVar("at_once", default=False)
_compiled: set[tuple[str, Function]] = set()  # kernels that this process has


class NumberTable:
    """A table of more than one dimension, which gives plain numbers, or rows."""

    __slots__ = ("_array", "_whole")

    def __init__(self, array: np.ndarray[Any, np.dtype[Any]]) -> None:
        whole: Any = memoryview(array)  # type: ignore[arg-type]
        self._array, self._whole = array, whole

    def __array__(self, *_: Any, **__: Any) -> np.ndarray[Any, np.dtype[Any]]:
        return self._array

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, place: Any) -> Any:
        try:
            return self._whole[place]
        except NotImplementedError:  # fewer places than dimensions
            return table(self._array[place])

    def __setitem__(self, place: Any, number: float) -> None:
        self._whole[place] = number


def table(array: np.ndarray[Any, np.dtype[Any]]) -> Any:
    """An array as interpreted rules see it."""
    return memoryview(array) if array.ndim == 1 else NumberTable(array)  # type: ignore[arg-type]


class InterpretedTwins(Twins):
    """Rules of one game with all that they call."""

    def __init__(self, game: Playable, stand_ins: Mapping[Function, Function]) -> None:
        super().__init__(lambda twin, _: twin, quick_rules() | dict(stand_ins), "")
        self._rules = game.rules

    def instead_of(self, value: Any) -> Any:
        if id(value) in _VERBS:
            return self.made(getattr(self._rules, _VERBS[id(value)]))
        if isinstance(value, np.ndarray):
            return table(np.ascontiguousarray(value))
        return value.item() if isinstance(value, np.generic) else super().instead_of(value)


@lru_cache(64)
def _views(layout: np.dtype[np.void]) -> type[State]:
    return state_class(layout)


def _seen(value: Any) -> Any:
    """What a kernel is given, as interpreted rules see it."""
    if not isinstance(value, np.ndarray):
        return value.item() if isinstance(value, np.generic) else value
    return States(value, _views(value.dtype)) if value.dtype.names else table(value)


@cache
def _twins(game: Playable) -> InterpretedTwins:
    return InterpretedTwins(game, game.stand_ins)


@cache
def quick_rules_of(game: Playable) -> Any:
    """The verbs of a game by its own rules, as quick as Python runs them: for states that give plain numbers."""
    twins = InterpretedTwins(game, {})
    return SimpleNamespace(**{name: twins.made(getattr(game.rules, name)) for name in _PLAYING})


@cache
def _quick() -> Twins:
    return Twins(lambda twin, _: twin, quick_rules(), "")


def quick(rule: Function) -> Function:
    """A rule of any game with all that it calls, as quick as Python runs it: for states that give plain numbers."""
    return _quick().made(rule)  # type: ignore[no-any-return]


@cache
def interpreted(game: Playable, function: Function) -> Callable[..., Any]:
    """A rule as a kernel that Python calls, with nothing compiled."""
    work = _twins(game).made(function)
    return lambda *given: work(*map(_seen, given))


@contextmanager
def at_once() -> Iterator[None]:
    """Within this nobody waits for the compiler: kernels that this process has not compiled or loaded yet run interpreted."""
    token = _at_once.set(True)
    try:
        yield
    finally:
        _at_once.reset(token)


def entry(game: Playable, function: Function) -> Callable[..., Any]:
    """A rule as a kernel that Python calls: compiled, from disk where that has been done before; or interpreted, see `at_once`."""
    if _at_once.get() and (game.name, function) not in _compiled:
        return interpreted(game, function)
    from souk.kernel.compiling import cpu_entry

    _compiled.add((game.name, function))
    kernel: Callable[..., Any] = cpu_entry(game, function)
    return kernel
