"""What a kernel is made of: every rule it reaches, with the values those rules are compiled with.

A compiled kernel is decided by the bytecode of the rules that can be reached from its entry, by the values their global names have
(Numba freezes them), by the layout of its states, and by the versions that compile it. The digest is of exactly these. So nothing has to be listed
by hand, a kernel that is found under its digest can never be stale, and a new comment compiles nothing anew.
"""

import dis
import hashlib
import importlib.metadata
import platform
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import BuiltinFunctionType, CodeType, ModuleType
from typing import Any

import numpy as np

from souk.kernel.playable import Playable
from souk.kernel.rule import as_written, i64, is_rule, u64
from souk.kernel.verbs import VERBS

Function = Callable[..., Any]

_COMPILERS = ("numba", "llvmlite", "numpy")
_MANNER = "parts linked whole"  # how they are told to compile: souk.kernel.linking
_VERBS = {id(verb): name for name, verb in VERBS.items()}


def reached(game: Playable, entry: Function) -> list[Any]:
    """All rules that a kernel runs, the entry first: a verb is the rule that the game has for it."""
    found, waiting = {entry: None}, [entry]
    while waiting:
        for rule in _called(game, waiting.pop()):
            if rule not in found:
                found[rule] = None
                waiting.append(rule)
    return list(found)


def digest(game: Playable, entry: Function) -> str:
    """A text that differs wherever the machine code could."""
    versions = [f"{package} {importlib.metadata.version(package)}" for package in _COMPILERS]
    layouts = [repr(layout.descr) for layout in (game.dtype, game.desk)]
    lines = [_MANNER, *versions, f"{sys.implementation.cache_tag} {platform.machine()}", *layouts]
    for rule in reached(game, entry):
        lines += _lines(rule)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:20]


@cache
def _lines(rule: Any) -> list[str]:
    """One rule in full. (Looked at once: the kernels of a game share most of theirs.)"""
    values = [f"{name} = {_value(rule, name, value)}" for name, value in _globals(rule)]
    return [f"{rule.__module__}.{rule.__qualname__}", *_content(rule.__code__), *values]


def _called(game: Playable, rule: Any) -> Iterator[Any]:
    for _, value in _globals(rule):
        if id(value) in _VERBS:
            yield as_written(getattr(game.rules, _VERBS[id(value)]))
        elif is_rule(value):
            yield as_written(value)


@cache
def _globals(rule: Any) -> list[tuple[str, Any]]:
    """The names that a rule finds outside of itself, with their values; built-in ones are left out."""
    names = {name: None for code in _codes(rule.__code__) for name in _global_names(code)}
    return [(name, rule.__globals__[name]) for name in names if name in rule.__globals__]


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code, and that of the functions within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _global_names(code: CodeType) -> Iterator[str]:
    return (each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME"))


def _content(code: CodeType) -> list[str]:
    """What a code does. Texts are of no interest: rules know none but their docstring."""
    own = [None if isinstance(constant, CodeType | str) else constant for constant in code.co_consts]
    inner = [line for constant in code.co_consts if isinstance(constant, CodeType) for line in _content(constant)]
    return [code.co_code.hex(), repr((own, code.co_names, code.co_varnames, code.co_argcount)), *inner]


def _value(rule: Any, name: str, value: Any) -> str:
    """A global name's value as text, exactly."""
    if is_rule(value) or value is u64 or value is i64:
        return str(value.__qualname__)  # a rule has lines of its own
    if id(value) in _VERBS:
        return f"verb {_VERBS[id(value)]}"
    if isinstance(value, ModuleType | type | BuiltinFunctionType):
        return value.__name__
    if isinstance(value, memoryview):
        value = np.asarray(value)
    if isinstance(value, np.ndarray):
        return f"{value.dtype.descr} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, bool | int | float | str | np.generic | np.dtype):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple):
        return f"({', '.join(_value(rule, name, each) for each in value)})"
    raise TypeError(
        f"the rule {rule.__qualname__} uses {name}, a {type(value).__name__}: rules use rules and constants only"
    )
