"""Processes that tests have started, seen from outside."""

import os


def exists(pid: int) -> bool:
    """Whether there is such a process, were it only a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
