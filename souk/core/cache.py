"""Where compiled kernels are kept: a folder named after everything they were made of.

Numba notices a change in a function's own file only, not in the files it calls. The folder's name is a digest of all sources a
kernel can be made of (the core, what the games share, the game's own room, and what more the kernel is said to need, but for what
only speaks) and of the versions that compiled them, so a kernel that is found there is never stale.
"""

import hashlib
import importlib.metadata
import platform
import shutil
import sys
import time
from functools import cache
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent.parent
_KEPT_DAYS = 30

# Modules, by name or by the end of it, that speak or draw: no kernel is made of them, so a new word compiles nothing anew.
SPEAKING = (
    "words",
    "text",
    "message",
    "errors",
    "record",
    "check",
    "clauses",
    "scene",
    "drawing",
    "terminal",
    "pictures",
    "palette",
)
# Rules that only a few kernels are made of; those name them among their sources.
APART = ("numbers",)


def cache_home() -> Path:
    """The user's cache folder for Souk."""
    return Path(platformdirs.user_cache_dir("souk", appauthor=False))


def _digest(sources: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for package in ("numba", "llvmlite", "numpy"):
        digest.update(f"{package} {importlib.metadata.version(package)}\n".encode())
    digest.update(f"{sys.implementation.cache_tag} {platform.machine()}\n".encode())
    files = [*(_PACKAGE / "core").glob("*.py"), *(_PACKAGE / "games").glob("*.py")]
    for source in map(Path, sources):
        files += source.glob("*.py") if source.is_dir() else [source]
    for file in sorted(set(files)):
        if file.stem.endswith(SPEAKING + APART) and str(file) not in sources:
            continue
        # The time too: Numba compares it, and would compile again, unasked, what another checkout of the same sources has left here.
        digest.update(f"{file.name} {file.stat().st_mtime_ns}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


def _clear_old(home: Path, current: Path) -> None:
    """Drop folders of earlier sources that nothing has used for a while."""
    for folder in home.glob("kernels-*"):
        if folder != current and time.time() - folder.stat().st_mtime > _KEPT_DAYS * 86400:
            shutil.rmtree(folder, ignore_errors=True)


@cache
def kernel_cache(*sources: str) -> Path:
    """The folder for kernels made of the present sources: those all have in common, and `sources` (files, or folders of them)."""
    home = cache_home()
    folder = home / f"kernels-{_digest(sources)}"
    folder.mkdir(parents=True, exist_ok=True)
    folder.touch()
    _clear_old(home, folder)
    return folder
