"""Where compiled kernels are kept: a folder for each, named after everything it was made of (`souk.kernel.ingredients`).

Numba's own cache looks at the time of the file in which a function stands, and at no other. Here it is told to look at nothing: the folder's name
says it all, and so checkouts of the same rules share their kernels.
"""

import os
import shutil
import time
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs

from souk.kernel.playable import Playable
from souk.kernel.twins import Function

_KEPT_DAYS = 30
_READY = "ready"  # a file that says that all forms of the kernel that are asked for have been compiled


def cache_home() -> Path:
    """The user's cache folder for Souk."""
    return Path(platformdirs.user_cache_dir("souk", appauthor=False))


@cache
def kernel_folder(game: Playable, function: Function) -> Path:
    """The folder of a game's kernel with this entry."""
    from souk.kernel.ingredients import digest  # not when souk is imported: it takes a while

    home = cache_home() / "kernels"
    folder = home / f"{game.name}-{function.__name__}-{digest(game, function)}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    _clear_old(home)
    return folder


@cache
def _clear_old(home: Path) -> None:
    """Drop, once in a process, what nothing has used for a while."""
    for folder in home.iterdir():
        if time.time() - folder.stat().st_mtime > _KEPT_DAYS * 86400:
            shutil.rmtree(folder, ignore_errors=True)


def is_ready(game: Playable, *functions: Function) -> bool:
    """Whether kernels are on disk, so that they load in a moment."""
    return all((kernel_folder(game, function) / _READY).is_file() for function in functions)


def mark_ready(game: Playable, *functions: Function) -> None:
    """To be called when kernels have been compiled in all forms in which they are asked for."""
    for function in functions:
        (kernel_folder(game, function) / _READY).touch()


def keep_on_disk(kernel: Any, folder: Path) -> None:
    """Let a function that Numba compiles be kept in a folder for the next process.

    Numba numbers the files in it from an index that it does not lock: two processes that saved different kernels there at once could each
    be given the other's. That is why a folder is for one kernel alone."""
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

    class Locator(_CacheLocator):
        _py_file = str(folder)  # what Numba names where it cannot keep something

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return folder.name

        def get_disambiguator(self) -> str:
            return "kernel"

        @classmethod
        def from_function(cls, *_: Any) -> "Locator":
            return cls()

    class Kept(CompileResultCacheImpl):
        _locator_classes = [Locator]  # type: ignore[list-item]  # noqa: RUF012

    class KernelCache(FunctionCache):
        _impl_class = Kept

    kernel._cache = KernelCache(kernel.py_func)
