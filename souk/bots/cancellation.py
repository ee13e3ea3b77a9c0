"""Stops running kernels: on timeout, when nobody waits any more, and on Ctrl-C.

A kernel may be in a playout that never ends. It runs without the GIL and polls `stopped` in its
workspace, which a thread sets. Python calls signal handlers only after the kernel returns, so that
thread learns of Ctrl-C from the wakeup descriptor of `signal`.
"""

import math
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache

from souk.bots.workspace import Workspace

_EVERY = 0.02  # seconds between looks at the clock
_NO_WAKEUP = -1


def _never() -> bool:
    return False


class Cancellable:
    """Context in which kernels on a workspace return soon after `end` (`time.perf_counter`), a
    hurry, or Ctrl-C.
    """

    __slots__ = ("_end", "_hurried", "_in_main", "_owns_wakeup", "_watcher", "_workspace")

    def __init__(
        self, workspace: Workspace, end: float | None = None, hurried: Callable[[], bool] = _never
    ) -> None:
        self._workspace, self._hurried = workspace, hurried
        self._end = math.inf if end is None else end
        # Only the main thread handles Ctrl-C.
        self._in_main = threading.current_thread() is threading.main_thread()
        self._owns_wakeup = False
        self._watcher = _watcher()

    def __enter__(self) -> None:
        self._workspace["stopped"] = 0
        if self._in_main:
            before = signal.set_wakeup_fd(self._watcher.wakeup, warn_on_full_buffer=False)
            self._owns_wakeup = before == _NO_WAKEUP
            if not self._owns_wakeup:  # an event loop or another bot uses it
                signal.set_wakeup_fd(before)
        self._watcher.add(self)

    def __exit__(self, *_: object) -> None:
        self._watcher.remove(self)
        if self._owns_wakeup:
            signal.set_wakeup_fd(_NO_WAKEUP)

    def check(self, now: float, interrupted: bool) -> None:
        """Stop the kernel if there is a reason to."""
        if now > self._end or self._hurried() or (interrupted and self._in_main):
            self._workspace["stopped"] = 1


class _Watcher:
    """The thread that stops the kernels of this process; it sleeps while there are none."""

    def __init__(self) -> None:
        self._watched: set[Cancellable] = set()
        self._awake = threading.Event()
        self._signals, self._writer = socket.socketpair()
        self._signals.settimeout(_EVERY)
        self._writer.setblocking(False)
        self.wakeup = self._writer.fileno()
        threading.Thread(target=self._watch, name="souk-stopping", daemon=True).start()

    def add(self, kernel: Cancellable) -> None:
        self._watched.add(kernel)
        self._awake.set()

    def remove(self, kernel: Cancellable) -> None:
        self._watched.remove(kernel)

    def _watch(self) -> None:
        while self._awake.wait():
            interrupted = self._is_interrupted()
            now = time.perf_counter()
            for kernel in tuple(self._watched):
                kernel.check(now, interrupted)
            if not self._watched:
                self._awake.clear()
                if self._watched:  # added since the check
                    self._awake.set()

    def _is_interrupted(self) -> bool:
        """Wait briefly for Ctrl-C."""
        with suppress(TimeoutError):
            return signal.SIGINT in self._signals.recv(4096)
        return False


@cache
def _watcher() -> _Watcher:
    return _Watcher()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_watcher.cache_clear)  # threads do not survive a fork
