"""On-disk cache of compiled kernels: one folder each, named by its cache key.

Numba's own cache only checks the modification time of the file that defines the entry function.
Here that check is disabled: the key (`souk.kernel.cache_key`) covers everything a kernel depends
on, and checkouts of the same rules share their kernels.
"""

import os
import shutil
import time
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs

from souk.kernel.game_spec import Playable
from souk.kernel.rule_clones import Function

_MAX_AGE_DAYS = 30
# Marker file: all signatures of the kernel have been compiled.
_READY = "ready"


def cache_home() -> Path:
    """Souk's folder in the user's cache directory."""
    return Path(platformdirs.user_cache_dir("souk", appauthor=False))


@cache
def kernel_folder(game: Playable, function: Function) -> Path:
    """The cache folder of the kernel that starts at `function`."""
    from souk.kernel.cache_key import digest  # slow to import

    home = cache_home() / "kernels"
    folder = home / f"{game.name}-{function.__name__}-{digest(game, function)}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    _clear_old(home)
    return folder


@cache
def _clear_old(home: Path) -> None:
    """Delete kernels not used for a while, once per process."""
    for folder in home.iterdir():
        if time.time() - folder.stat().st_mtime > _MAX_AGE_DAYS * 86400:
            shutil.rmtree(folder, ignore_errors=True)


def is_ready(game: Playable, *functions: Function) -> bool:
    """Whether kernels are on disk and load quickly."""
    return all((kernel_folder(game, function) / _READY).is_file() for function in functions)


def mark_ready(game: Playable, *functions: Function) -> None:
    """Record that all signatures of these kernels have been compiled."""
    for function in functions:
        (kernel_folder(game, function) / _READY).touch()


def cache_on_disk(kernel: Any, folder: Path) -> None:
    """Make Numba cache a compiled function in a folder.

    One folder per kernel: Numba numbers the files in it by an index that it does not lock, so two
    processes saving different kernels there at once could get each other's.
    """
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

    class Locator(_CacheLocator):
        _py_file = str(folder)  # for Numba's error messages

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return folder.name

        def get_disambiguator(self) -> str:
            return "kernel"

        @classmethod
        def from_function(cls, *_: Any) -> "Locator":
            return cls()

    class CacheImpl(CompileResultCacheImpl):
        _locator_classes = [Locator]  # type: ignore[list-item]  # noqa: RUF012

    class KernelCache(FunctionCache):
        _impl_class = CacheImpl

    kernel._cache = KernelCache(kernel.py_func)
