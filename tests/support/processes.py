"""Processes started by tests."""

import os


def exists(pid: int) -> bool:
    """Whether the process exists, even as a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
