"""Sandboxes for bot programs that a server offers as levels (`exec:…`)."""

from souk.bots.external import external_bot
from souk.bots.sandbox import Sandbox, make_sandbox
from souk.bots.worker import PROGRAM
from souk.server.common.config import ServerConfig


def sandbox_for(config: ServerConfig) -> Sandbox | None:
    """The sandbox of bot programs; None if there are none, or if they are trusted.

    Raises ValueError if there are programs and this machine has no way to confine them.
    """
    sandbox = make_sandbox(config.data, config.bot_user)
    programs = [level for level in config.levels if level.startswith(PROGRAM)]
    if config.trust_bots or not programs:
        return None
    if sandbox is None:
        raise ValueError(
            f"levels: nothing here keeps the program of {programs[0]} from reading the server's "
            "data. Start as root and name a user for it (--bot-user), or trust it (--trust-bots)."
        )
    for level in programs:  # ValueError if it is missing, or out of the sandbox's reach
        external_bot(level.removeprefix(PROGRAM), sandbox=sandbox)
    return sandbox
