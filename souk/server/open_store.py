"""Opens the database of a server: SQLite in the data folder, or PostgreSQL."""

from souk.kernel.distribution import install_command
from souk.server.bus.bus import ProcessBus
from souk.server.common.config import ServerConfig
from souk.server.storage.sqlite_store import SqliteStore
from souk.server.storage.store import Store
from souk.server.storage.writer import OnWritten

FILE = "tables.sqlite"  # in the data folder


def open_store(config: ServerConfig, written: OnWritten, bus: ProcessBus | None = None) -> Store:
    """Open the store; RuntimeError if it cannot be used. `bus` announces writes to peers."""
    key = config.data / config.key
    if not config.store:
        return SqliteStore(config.data / FILE, key, written)
    check_installed()
    from souk.server.storage.postgres_store import PostgresStore

    return PostgresStore(
        config.store,
        key,
        written,
        config.store_wait,
        config.store_readers,
        (bus or ProcessBus()).changed,
    )


def open_bus(config: ServerConfig) -> ProcessBus:
    """The bus between processes; a server on SQLite is alone."""
    if not config.store:
        return ProcessBus()
    check_installed()
    from souk.server.bus.postgres_bus import PostgresBus

    return PostgresBus(config.store)


def is_address(place: str) -> bool:
    """Whether this is a database URL rather than a folder."""
    return place.startswith(("postgresql://", "postgres://"))


def check_installed() -> None:
    """PostgreSQL support is an optional extra, imported only when used."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise RuntimeError(
            f"store: PostgreSQL needs psycopg: {install_command('postgres')}"
        ) from None
