"""Bot programs that a server offers as levels: where they run, and whether it may offer them at all."""

from souk.bots.answering import PROGRAM
from souk.bots.cage import Cage, make_cage
from souk.bots.pipe import pipe_bot
from souk.table.settings import Settings


def cage_for(settings: Settings) -> Cage | None:
    """Where bot programs run; None where there are none, or where they are trusted. ValueError where nothing keeps them in."""
    cage = make_cage(settings.data, settings.bot_user)
    programs = [level for level in settings.levels if level.startswith(PROGRAM)]
    if settings.trust_bots or not programs:
        return None
    if cage is None:
        raise ValueError(
            f"levels: nothing here keeps the program of {programs[0]} from reading the server's data. Start as root and name a user for it "
            "(--bot-user), or trust it (--trust-bots)."
        )
    for level in programs:  # ValueError where it is not there, or lies where it must not look
        pipe_bot(level.removeprefix(PROGRAM), cage=cage)
    return cage
