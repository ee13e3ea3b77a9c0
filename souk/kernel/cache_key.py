"""Cache keys of kernels: a digest of everything their machine code depends on.

That is the bytecode of all rules reachable from the entry, the values of their globals (Numba
freezes them), the layout of states, and the compiler versions. Nothing has to be listed by hand, a
cached kernel is never stale, and editing a comment recompiles nothing.
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

from souk.kernel.game_ops import GAME_OPS
from souk.kernel.game_spec import Playable
from souk.kernel.rule import i64, is_rule, source_rule, u64

Function = Callable[..., Any]

_COMPILERS = ("numba", "llvmlite", "numpy")
_BUILD_MODE = "parts linked whole"  # see souk.kernel.llvm_linking
_OP_NAMES = {id(game_op): name for name, game_op in GAME_OPS.items()}


def reachable_rules(game: Playable, entry: Function) -> list[Any]:
    """All rules a kernel can run, the entry first, with game ops resolved to the game's rules."""
    rules, pending = {entry: None}, [entry]
    while pending:
        for rule in _callees(game, pending.pop()):
            if rule not in rules:
                rules[rule] = None
                pending.append(rule)
    return list(rules)


def digest(game: Playable, entry: Function) -> str:
    """A digest that differs whenever the machine code could."""
    versions = [f"{package} {importlib.metadata.version(package)}" for package in _COMPILERS]
    layouts = [repr(layout.descr) for layout in (game.dtype, game.workspace)]
    lines = [
        _BUILD_MODE,
        *versions,
        f"{sys.implementation.cache_tag} {platform.machine()}",
        *layouts,
    ]
    for rule in reachable_rules(game, entry):
        lines += _lines(rule)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:20]


@cache
def _lines(rule: Any) -> list[str]:
    """Everything about one rule. Cached because kernels of a game share most rules."""
    values = [f"{name} = {_value(rule, name, value)}" for name, value in _globals(rule)]
    return [f"{rule.__module__}.{rule.__qualname__}", *_bytecode(rule.__code__), *values]


def _callees(game: Playable, rule: Any) -> Iterator[Any]:
    for _, value in _globals(rule):
        if id(value) in _OP_NAMES:
            yield source_rule(getattr(game.rules, _OP_NAMES[id(value)]))
        elif is_rule(value):
            yield source_rule(value)


@cache
def _globals(rule: Any) -> list[tuple[str, Any]]:
    """A rule's global names with their values, without builtins."""
    names = {name: None for code in _codes(rule.__code__) for name in _global_names(code)}
    return [(name, rule.__globals__[name]) for name in names if name in rule.__globals__]


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and all nested ones."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _global_names(code: CodeType) -> Iterator[str]:
    return (
        instruction.argval
        for instruction in dis.get_instructions(code)
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    )


def _bytecode(code: CodeType) -> list[str]:
    """A code object's behaviour. Strings are left out: the only ones in rules are docstrings."""
    own = [
        None if isinstance(constant, CodeType | str) else constant for constant in code.co_consts
    ]
    inner = [
        line
        for constant in code.co_consts
        if isinstance(constant, CodeType)
        for line in _bytecode(constant)
    ]
    return [
        code.co_code.hex(),
        repr((own, code.co_names, code.co_varnames, code.co_argcount)),
        *inner,
    ]


def _value(rule: Any, name: str, value: Any) -> str:
    """An exact text of a global's value."""
    if is_rule(value) or value is u64 or value is i64:
        return str(value.__qualname__)  # its lines are added separately
    if id(value) in _OP_NAMES:
        return f"game op {_OP_NAMES[id(value)]}"
    if isinstance(value, ModuleType | type | BuiltinFunctionType):
        return value.__name__
    if isinstance(value, memoryview):
        value = np.asarray(value)
    if isinstance(value, np.ndarray):
        return f"{value.dtype.descr} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, bool | int | float | str | np.generic | np.dtype):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple):
        return f"({', '.join(_value(rule, name, item) for item in value)})"
    raise TypeError(
        f"the rule {rule.__qualname__} uses {name}, a {type(value).__name__}: "
        "rules use rules and constants only"
    )
