"""Runs commands for the lab's tests, to the end or until Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.support.forked import run_python


def souk_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "souk.cli", *arguments]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "COLUMNS": "120", "NO_COLOR": "1", **more}


def run_souk(*arguments: str, code: int = 0) -> str:
    """Run a command that exits with `code` and without a traceback; return its output."""
    done = run_python(["-m", "souk.cli", *arguments], environment())
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout + done.stderr


def _hear_interrupts() -> None:
    """Restore SIGINT in a child process: shells ignore it in background jobs."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(command: list[str], journal: Path, **more: str) -> str:
    """Run a tournament and interrupt it after its first finished game; return its output."""
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
    output, _ = begun.communicate(timeout=60)
    assert begun.returncode == 130, output
    assert "Traceback" not in output
    return output
