"""Ends a process in order, in time and without a traceback, however many signals it gets.

By itself Python joins every thread at exit, however long it computes, and answers a second Ctrl-C
with a traceback; uvicorn skips the application's shutdown after a second signal.
"""

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

SIGNALS = (signal.SIGINT, signal.SIGTERM)
# From the first signal to a forced exit: less than systemd (TimeoutStopSec in hosting/) and
# compose.yaml wait before they kill.
SECONDS_TO_END = 12
_SECONDS_FOR_THREADS = 1.0  # to end after everything is closed

T = TypeVar("T")


def use_default_signals() -> None:
    """Let signals end a process that has not begun anything yet."""
    for sign in SIGNALS:
        signal.signal(sign, signal.SIG_DFL)


def on_shutdown_signal(first: Callable[[], None], again: Callable[[], None]) -> None:
    """Call `first` on the first signal, which limits the remaining time, and then `again`.

    Both are called in the event loop.
    """
    loop, signalled = asyncio.get_running_loop(), False

    def on_signal(_sign: int, _frame: object) -> None:
        nonlocal signalled
        if not signalled:
            _set_alarm()
        with contextlib.suppress(RuntimeError):  # the loop has ended already
            loop.call_soon_threadsafe(again if signalled else first)
        signalled = True

    for sign in SIGNALS:
        signal.signal(sign, on_signal)


def _set_alarm() -> None:
    """Set a SIGALRM, whose default action ends the process even if Python is stuck."""
    if hasattr(signal, "alarm"):
        signal.alarm(SECONDS_TO_END)


def exit_soon() -> None:
    """Ignore signals, and do not wait long for threads: everything is closed."""
    for sign in SIGNALS:
        signal.signal(sign, signal.SIG_IGN)
    timer = threading.Timer(_SECONDS_FOR_THREADS, os._exit, (0,))
    timer.daemon = True
    timer.start()


async def run_in_new_thread(work: Callable[..., T], *arguments: Any) -> T:
    """Like `asyncio.to_thread`, but in a daemon thread that starts at once."""
    future: Future[T] = Future()
    threading.Thread(
        target=run_into_future, args=(partial(work, *arguments), future), daemon=True
    ).start()
    return await asyncio.wrap_future(future)


def run_into_future(work: Callable[[], T], future: "Future[T]") -> None:
    """Run work in this thread, unless its future was cancelled."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = work()
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)
