"""Rules compiled: for each target a twin of every rule, with the same code and compiled rules in its scope.

Nothing here is imported until something compiled is asked for; `import souk` and `Position` never wait for Numba.
"""

import importlib
import inspect
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from souk.kernel.bits import count
from souk.kernel.cache import keep_on_disk, kernel_folder
from souk.kernel.playable import Playable
from souk.kernel.rule import i64, u64
from souk.kernel.twins import Function, Twins
from souk.kernel.verbs import VERBS

_NUMBERS: dict[Function, Any] = {u64: np.uint64, i64: np.int64}


class _CompiledTwins(Twins):
    """Twins for a compiler, which wants tables of numbers as arrays."""

    def instead_of(self, value: Any) -> Any:
        return np.asarray(value) if isinstance(value, memoryview) else super().instead_of(value)


class Workshop:
    """The compiled rules of one game on one target: its own, and those of the generic code that it runs.

    Each game has twins of its own even of generic functions, and they carry its name. Numba names machine code by function and
    by the number a state type happened to get in the process that compiled it; kernels of two games, compiled in
    two processes and loaded into a third, could otherwise be taken for each other.
    """

    def __init__(self, game: Playable, jit: Function, native: dict[Function, Any]) -> None:
        self.rules = game.rules
        self._twins = _CompiledTwins(lambda twin, _: jit(twin), native, game.name.replace("-", "_") + "_")

    def compiled(self, rule: Function) -> Any:
        """The compiled twin of a rule (compiled when it is first called)."""
        return self._twins.made(rule)

    def twin(self, rule: Function) -> FunctionType:
        """A rule's own code with compiled rules in its scope, not yet compiled."""
        return self._twins.twin(rule)


class Target:
    """A place rules can be compiled for. Verbs run the rules of the state they are given; `native` has what the place can
    do by itself."""

    def __init__(self, jit: Function, overload: Function, state_type: Function, native: dict[Function, Any]) -> None:
        self._jit = jit
        self._native = _NUMBERS | native
        self._state_type = state_type
        self._workshops: dict[Any, Workshop] = {}  # by the compiler's type of a game's state
        for verb in VERBS.values():
            overload(verb)(self._chooser(verb))

    def workshop(self, game: Playable) -> Workshop:
        """Where a game's rules are compiled for this target."""
        state_type = self._state_type(game.dtype)
        if state_type not in self._workshops:
            self._workshops[state_type] = Workshop(game, self._jit, self._native)
        return self._workshops[state_type]

    def _chooser(self, verb: Function) -> Function:
        """What Numba asks, with argument types, for the function to run: here the state's type decides."""

        def choose(s: Any, *_: Any) -> FunctionType | None:
            workshop = self._workshops.get(s)
            return None if workshop is None else workshop.twin(getattr(workshop.rules, verb.__name__))

        choose.__signature__ = inspect.signature(verb)  # type: ignore[attr-defined]
        return choose


# Rules allocate nothing, so arrays handed down need no counting of references, which is a tenth of the time.
_ON_CPU: Any = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}


def _cpu() -> Target:
    from numba import from_dtype, njit
    from numba.extending import overload

    from souk.kernel.linking import PartCompiler

    options = _ON_CPU | {"no_cpython_wrapper": True, "pipeline_class": PartCompiler}
    return Target(njit(**options), lambda verb: overload(verb, jit_options=options), from_dtype, {})


def _cuda() -> Target:
    from numba import from_dtype, int64

    from souk.kernel.cuda import numba_cuda

    cuda = numba_cuda()
    extending: Any = importlib.import_module("numba.cuda.extending")
    device = cuda.jit(device=True)

    @device  # type: ignore[untyped-decorator]
    def population(found: Any) -> Any:
        return int64(cuda.popc(found))

    return Target(device, lambda verb: extending.overload(verb, target="cuda"), from_dtype, {count: population})


@cache
def target(name: str) -> Target:
    """The target "cpu" or "cuda"."""
    return _cuda() if name == "cuda" else _cpu()


@cache
def cpu_entry(game: Playable, function: Function) -> Any:
    """A rule compiled for the CPU as a kernel that Python calls: from disk where it was compiled before."""
    from numba import njit

    from souk.kernel.linking import KernelCompiler

    kernel = njit(**_ON_CPU, pipeline_class=KernelCompiler)(target("cpu").workshop(game).twin(function))
    keep_on_disk(kernel, kernel_folder(game, function))
    return kernel
