"""Kernels compiled whole: rules are translated one by one, and optimised once, together, in the kernel that runs them.

Left to itself, Numba optimises every function with all that it calls, and makes machine code of it: a rule ten calls below a kernel is
optimised ten times, and once more for each kernel that runs it. Here a rule that others call is a *part*: it is kept as it was translated, and
nothing can be called from Python. A kernel links the parts it reaches, and only then is anything optimised.
"""

from collections.abc import Iterator
from typing import Any

from llvmlite.binding import Linkage
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

Library = Any


class PartLibrary(JITCodeLibrary):
    """The code of one rule, for kernels to link."""

    def finalize(self) -> None:
        self._final_module.verify()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        return self._final_module


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel with that of all rules it reaches."""

    def finalize(self) -> None:
        self._own = {function.name for function in self._final_module.functions}
        # Parts first: of Numba's own functions only those are linked that are called by then.
        reached = _reached(self._linking_libraries)
        self._linking_libraries = sorted(reached, key=lambda library: not isinstance(library, PartLibrary))
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Nobody else calls the parts of this kernel, not even another kernel with the same ones."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in self._own:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


def _reached(libraries: list[Library]) -> Iterator[Library]:
    """Libraries and those that they are linked with, each once."""
    seen: set[Library] = set()
    waiting = list(reversed(libraries))
    while waiting:
        library = waiting.pop()
        if library not in seen:
            seen.add(library)
            yield library
            if isinstance(library, PartLibrary):
                waiting += reversed(library._linking_libraries)


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """Translates a rule that other rules call."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        done = state.cr
        # What stands for the part where rules that call it are translated: a function without any code.
        module, name = done.fndesc.lookup_module(), done.fndesc.qualname
        part = _dynfunc.make_function(module, name, "a part of a kernel", 0, done.env, (state.library,))
        state.targetctx.insert_user_function(part, done.fndesc, [state.library])
        state.cr = done._replace(cfunc=part)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):
    """Translates the rule that Python calls."""

    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class PartCompiler(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        return [_pipeline(self.state, PartLowering)]


class KernelCompiler(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        return [_pipeline(self.state, KernelLowering)]


def _pipeline(state: Any, lowering: type) -> Any:
    """Numba's own pipeline with another last step but one."""
    pipeline = DefaultPassBuilder.define_nopython_pipeline(state)
    pipeline.passes = [(lowering if step is NativeLowering else step, about) for step, about in pipeline.passes]
    pipeline.finalize()
    return pipeline
