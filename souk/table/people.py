"""Who somebody is here: a name, a figure and a colour of their own, kept for the person and not for one browser. Whoever chooses nothing leaves
nothing."""

import time

from souk.table.database import Line
from souk.table.refusals import Refuse
from souk.table.seating import checked_name
from souk.table.store import NOBODY_YET, Face, NotKept, Statement, Store

# souk/games/art/people has a picture of each, and the palette a colour. They are none of the seats' colours, which belong to the pieces of a game.
FIGURES = ("camel", "cat", "owl", "fish", "tortoise", "snake", "palm", "teapot", "lamp", "moon", "sun", "dome")
COLOURS = ("rose", "copper", "honey", "olive", "jade", "sky", "plum", "pearl")


class People:
    """Keeps what people have chosen."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def face(self, player: bytes | None) -> Face:
        return await self._store.ask(face_of, player) if player else NOBODY_YET

    async def choose(self, player: bytes, face: Face) -> None:
        """From now on somebody is shown like this: at once also where they sit and play. Their name there stays, as the others know them by it."""
        try:
            await self._store.carry_out(choosing(player, face))
        except NotKept:
            raise Refuse("not_kept", 503) from None


def checked_face(name: str, figure: str, colour: str) -> Face:
    """What somebody has chosen, where there is such a thing."""
    if figure not in ("", *FIGURES) or colour not in ("", *COLOURS):
        raise Refuse("face_unknown")
    return Face(checked_name(name), figure, colour)


def face_of(connection: Line, player: bytes) -> Face:
    found = connection.execute("SELECT name, figure, colour FROM people WHERE player = ?", (player,)).fetchone()
    return Face(*found) if found else NOBODY_YET


_PLAYS_ON = """FROM seats JOIN tables ON id = "table" WHERE player = ? AND NOT over"""


def choosing(player: bytes, face: Face) -> list[Statement]:
    """Of several seats of theirs at one table, one is theirs: others there belong to people at the same device."""
    own = """SELECT seat FROM seats AS mine WHERE mine."table" = seats."table" AND mine.player = seats.player AND mine.kind = 'person'
        ORDER BY mine.figure = '' AND mine.colour = '', seat LIMIT 1"""
    kept = """INSERT INTO people VALUES (?, ?, ?, ?, ?) ON CONFLICT (player) DO UPDATE SET
        name = excluded.name, figure = excluded.figure, colour = excluded.colour, changed = excluded.changed"""
    change = f"""UPDATE seats SET figure = ?, colour = ? WHERE player = ? AND seat = ({own})
        AND EXISTS (SELECT 1 FROM tables WHERE id = "table" AND NOT over)"""
    return [
        Statement(kept, (player, *face, time.time())),
        Statement(change, (face.figure, face.colour, player)),
        Statement(f'INSERT INTO notices ("table") SELECT DISTINCT "table" {_PLAYS_ON}', (player,), turn="notices"),
    ]
