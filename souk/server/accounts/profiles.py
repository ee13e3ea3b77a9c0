"""Profiles: name, figure and colour of a person, across devices. Stored only once chosen."""

import time

from souk.server.protocol.errors import RequestRefused
from souk.server.storage.connection import Connection
from souk.server.storage.errors import refuse_failed_writes
from souk.server.storage.rows import NO_PROFILE, Profile, Statement
from souk.server.storage.store import Store
from souk.server.tables.seats import checked_name

# souk/drawing/people has a picture for each figure, and the palette each colour. None of them is a
# seat colour.
FIGURES = (
    "camel",
    "cat",
    "owl",
    "fish",
    "tortoise",
    "snake",
    "palm",
    "teapot",
    "lamp",
    "moon",
    "sun",
    "dome",
)
COLOURS = ("rose", "copper", "honey", "olive", "jade", "sky", "plum", "pearl")


class Profiles:
    """Reads and writes profiles."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def profile(self, player: bytes | None) -> Profile:
        return await self._store.query(profile_of, player) if player else NO_PROFILE

    async def choose(self, player: bytes, profile: Profile) -> None:
        """Store a profile and show it at running games too. The name used at a table stays: others
        know it.
        """
        with refuse_failed_writes():
            await self._store.write(save_profile(player, profile))


def checked_profile(name: str, figure: str, colour: str) -> Profile:
    """Validate a chosen profile."""
    if figure not in ("", *FIGURES) or colour not in ("", *COLOURS):
        raise RequestRefused("face_unknown")
    return Profile(checked_name(name), figure, colour)


def profile_of(connection: Connection, player: bytes) -> Profile:
    row = connection.execute(
        "SELECT name, figure, colour FROM people WHERE player = ?", (player,)
    ).fetchone()
    return Profile(*row) if row else NO_PROFILE


_RUNNING_TABLES = """FROM seats JOIN tables ON id = "table" WHERE player = ? AND NOT over"""


def save_profile(player: bytes, profile: Profile) -> list[Statement]:
    """Store a profile, and show it at one seat per table: a person's other seats there belong to
    people sharing the device.
    """
    own_seat = """SELECT seat FROM seats AS mine
        WHERE mine."table" = seats."table" AND mine.player = seats.player AND mine.kind = 'person'
        ORDER BY mine.figure = '' AND mine.colour = '', seat LIMIT 1"""
    upsert = """INSERT INTO people VALUES (?, ?, ?, ?, ?) ON CONFLICT (player) DO UPDATE SET
        name = excluded.name, figure = excluded.figure, colour = excluded.colour,
        changed = excluded.changed"""
    update_seat = f"""UPDATE seats SET figure = ?, colour = ?
        WHERE player = ? AND seat = ({own_seat})
        AND EXISTS (SELECT 1 FROM tables WHERE id = "table" AND NOT over)"""
    return [
        Statement(upsert, (player, *profile, time.time())),
        Statement(update_seat, (profile.figure, profile.colour, player)),
        Statement(
            f'INSERT INTO notices ("table") SELECT DISTINCT "table" {_RUNNING_TABLES}',
            (player,),
            lock="notices",
        ),
    ]
