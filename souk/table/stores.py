"""Which store a server has, a file of SQLite in its data folder or PostgreSQL by an address, and with it who thinks for its bots."""

from souk.bots.cage import Cage
from souk.table.news import News
from souk.table.sealing import Seal
from souk.table.settings import Settings
from souk.table.sqlite import SqliteStore
from souk.table.store import Store
from souk.table.thinkers import Thinkers
from souk.table.writing import Written

FILE = "tables.sqlite"  # in the data folder


def open_store(settings: Settings, written: Written, news: News | None = None) -> Store:
    """RuntimeError where it cannot be used. `news`: by which other processes hear what was written."""
    key = settings.data / settings.key
    if not settings.store:
        return SqliteStore(settings.data / FILE, key, written)
    check_installed()
    from souk.table.postgres import PostgresStore

    return PostgresStore(
        settings.store, key, written, settings.store_wait, settings.store_readers, (news or News()).changed
    )


def open_news(settings: Settings) -> News:
    """How the processes of a house hear of each other: those at a file do not, as there is one."""
    if not settings.store:
        return News()
    check_installed()
    from souk.table.news_line import NewsLine

    return NewsLine(settings.store)


def thinkers_for(settings: Settings, seal: Seal, cage: Cage | None) -> Thinkers:
    """Who thinks for a server's bots: its own processes; with PostgreSQL also those of others."""
    if not settings.store:
        return Thinkers(settings.workers, settings.games, settings.bot_wait, cage)
    from souk.table.asking import FarThinkers
    from souk.table.errand_line import ErrandLine

    return FarThinkers(settings, ErrandLine(settings.store), seal, cage)


def is_address(place: str) -> bool:
    """Whether it is that of a database, and not a folder."""
    return place.startswith(("postgresql://", "postgres://"))


def check_installed() -> None:
    """What speaks with PostgreSQL comes with an extra, and is imported only when it is asked for."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise RuntimeError("store: PostgreSQL needs the extra souk[postgres]: pip install 'souk[postgres]'") from None
