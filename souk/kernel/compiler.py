"""Compiles rules with Numba: for each target, clones of all rules with compiled rules in scope.

Numba is not imported until something compiled is needed; `import souk` and `Position` never wait
for it.
"""

import importlib
import inspect
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from souk.kernel.bitset import count
from souk.kernel.cache import cache_on_disk, kernel_folder
from souk.kernel.game_ops import GAME_OPS
from souk.kernel.game_spec import Playable
from souk.kernel.rule import i64, u64
from souk.kernel.rule_clones import Function, RuleCloner

_NUMPY_INTEGERS: dict[Function, Any] = {u64: np.uint64, i64: np.int64}


class _CompiledRules(RuleCloner):
    """Clones for a compiler, which needs memoryviews as arrays."""

    def replacement(self, value: Any) -> Any:
        return np.asarray(value) if isinstance(value, memoryview) else super().replacement(value)


class GameCompiler:
    """Compiles one game's rules, and the generic code that runs them, for one target.

    Even generic functions are cloned per game, under names that contain the game's. Numba names
    machine code by function and by a number that a state type happens to get in the compiling
    process: kernels of two games, compiled in two processes and loaded into a third, could
    otherwise be mixed up.
    """

    def __init__(self, game: Playable, jit: Function, native: dict[Function, Any]) -> None:
        self.rules = game.rules
        self._clones = _CompiledRules(
            lambda clone, _: jit(clone), native, game.name.replace("-", "_") + "_"
        )

    def compiled(self, rule: Function) -> Any:
        """A rule, compiled on its first call."""
        return self._clones.wrapped(rule)

    def clone(self, rule: Function) -> FunctionType:
        """A rule's code with compiled rules in its globals, itself not yet compiled."""
        return self._clones.clone(rule)


class Target:
    """A compilation target. Game ops dispatch on the type of the state.

    `native` maps rules to what the target can do by itself.
    """

    def __init__(
        self, jit: Function, overload: Function, state_type: Function, native: dict[Function, Any]
    ) -> None:
        self._jit = jit
        self._native = _NUMPY_INTEGERS | native
        self._state_type = state_type
        # By the Numba type of a game's state.
        self._compilers: dict[Any, GameCompiler] = {}
        for game_op in GAME_OPS.values():
            overload(game_op)(self._chooser(game_op))

    def for_game(self, game: Playable) -> GameCompiler:
        """The compiler of a game's rules for this target."""
        state_type = self._state_type(game.dtype)
        if state_type not in self._compilers:
            self._compilers[state_type] = GameCompiler(game, self._jit, self._native)
        return self._compilers[state_type]

    def _chooser(self, game_op: Function) -> Function:
        """Numba's overload resolver of a game op: selects the rule by the state's type."""

        def choose(s: Any, *_: Any) -> FunctionType | None:
            compiler = self._compilers.get(s)
            return (
                None
                if compiler is None
                else compiler.clone(getattr(compiler.rules, game_op.__name__))
            )

        choose.__signature__ = inspect.signature(game_op)  # type: ignore[attr-defined]
        return choose


# Rules do not allocate, so reference counting of array arguments is off: saves a tenth of the time.
_CPU_OPTIONS: Any = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    "no_cfunc_wrapper": True,
}


def _cpu() -> Target:
    from numba import from_dtype, njit
    from numba.extending import overload

    from souk.kernel.llvm_linking import PartCompiler

    options = _CPU_OPTIONS | {"no_cpython_wrapper": True, "pipeline_class": PartCompiler}
    return Target(
        njit(**options), lambda game_op: overload(game_op, jit_options=options), from_dtype, {}
    )


def _cuda() -> Target:
    from numba import from_dtype, int64

    from souk.kernel.cuda import numba_cuda

    cuda = numba_cuda()
    extending: Any = importlib.import_module("numba.cuda.extending")
    device = cuda.jit(device=True)

    @device  # type: ignore[untyped-decorator]
    def popcount(bits: Any) -> Any:
        return int64(cuda.popc(bits))

    return Target(
        device,
        lambda game_op: extending.overload(game_op, target="cuda"),
        from_dtype,
        {count: popcount},
    )


@cache
def target(name: str) -> Target:
    """The target "cpu" or "cuda"."""
    return _cuda() if name == "cuda" else _cpu()


@cache
def cpu_entry(game: Playable, function: Function) -> Any:
    """A rule compiled for the CPU as a kernel callable from Python, cached on disk."""
    from numba import njit

    from souk.kernel.llvm_linking import KernelCompiler

    kernel = njit(**_CPU_OPTIONS, pipeline_class=KernelCompiler)(
        target("cpu").for_game(game).clone(function)
    )
    cache_on_disk(kernel, kernel_folder(game, function))
    return kernel
