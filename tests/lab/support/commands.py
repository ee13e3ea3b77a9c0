"""The command line for tests of the lab: run to its end, or broken off with Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.forked import run_python


def souk_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "souk.cli", *arguments]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "COLUMNS": "120", "NO_COLOR": "1", **more}


def run_souk(*arguments: str, code: int = 0) -> str:
    """What a command writes; it ends with this code, and never with a traceback."""
    done = run_python(["-m", "souk.cli", *arguments], environment())
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout + done.stderr


def _hear_interrupts() -> None:
    """In a process to come: tests that run in the background of a shell are deaf to Ctrl-C, and so would it be."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(command: list[str], journal: Path, **more: str) -> str:
    """What a tournament writes that is interrupted as soon as its first game is in the journal."""
    begun = subprocess.Popen(
        command,
        env=environment(**more),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=_hear_interrupts,
    )
    while not (journal.exists() and journal.stat().st_size) and begun.poll() is None:
        time.sleep(0.02)
    begun.send_signal(signal.SIGINT)
    told, _ = begun.communicate(timeout=60)
    assert begun.returncode == 130, told
    assert "Traceback" not in told
    return told
