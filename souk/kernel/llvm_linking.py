"""Whole-program compilation of kernels: rules become unoptimised LLVM, optimised once when linked.

By default Numba optimises every function together with everything it calls and generates machine
code for each: a rule ten calls below a kernel is optimised ten times, and again for every other
kernel. Here each called rule is a *part*: it stays unoptimised LLVM IR and cannot be called from
Python. A kernel links all parts it reaches and is then optimised as a whole.
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
    """One rule's code, to be linked into kernels."""

    def finalize(self) -> None:
        self._final_module.verify()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        return self._final_module


class KernelLibrary(JITCodeLibrary):
    """A kernel's code, linked with that of all rules it reaches."""

    def finalize(self) -> None:
        self._own = {function.name for function in self._final_module.functions}
        # Parts first: of Numba's own functions, only those already called are linked.
        libraries = _transitive_libraries(self._linking_libraries)
        self._linking_libraries = sorted(
            libraries, key=lambda library: not isinstance(library, PartLibrary)
        )
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Make all linked parts internal, so that LLVM may inline and drop them."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in self._own:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


def _transitive_libraries(libraries: list[Library]) -> Iterator[Library]:
    """Libraries and their dependencies, each once."""
    seen: set[Library] = set()
    pending = list(reversed(libraries))
    while pending:
        library = pending.pop()
        if library not in seen:
            seen.add(library)
            yield library
            if isinstance(library, PartLibrary):
                pending += reversed(library._linking_libraries)


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """Lowers a rule that other rules call."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        result = state.cr
        # Callers are lowered against this placeholder, which has no code.
        module, name = result.fndesc.lookup_module(), result.fndesc.qualname
        part = _dynfunc.make_function(
            module, name, "a part of a kernel", 0, result.env, (state.library,)
        )
        state.targetctx.insert_user_function(part, result.fndesc, [state.library])
        state.cr = result._replace(cfunc=part)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):
    """Lowers the rule that Python calls."""

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
    """Numba's default pipeline with its lowering step replaced."""
    pipeline = DefaultPassBuilder.define_nopython_pipeline(state)
    pipeline.passes = [
        (lowering if step is NativeLowering else step, about) for step, about in pipeline.passes
    ]
    pipeline.finalize()
    return pipeline
