"""Rules of rated tables: people only, one seat each, standard box and options, a losing clock, no
help.
"""

import secrets
from typing import Any

import msgspec

from souk.core.game_registry import find_game
from souk.core.json_fields import is_whole
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.lobby import NewTable
from souk.server.protocol.table import ClockTerms
from souk.server.tables.game.rating_eligibility import FIRST, is_standard
from souk.server.tables.table import Table

_PEOPLE = ("me", "link", "open")  # allowed kinds of seats


def checked_rated(request: NewTable) -> NewTable:
    """Check a request for a rated table and fix its terms.

    Whatever was asked for, the first player is drawn, time-outs lose, and chat is limited to
    phrases: leaderboards lead strangers to these tables.
    """
    if request.begins is not None:
        raise RequestRefused("rated_elsewhere")
    if len(request.seats) < 2 or any(seat.who not in _PEOPLE for seat in request.seats):
        raise RequestRefused("rated_people")
    if request.clock is None:
        raise RequestRefused("rated_clock")
    options = {name: value for name, value in request.options.items() if name != FIRST}
    game = find_game(request.game)
    if len(request.seats) not in game.players or not is_standard(game, len(request.seats), options):
        raise RequestRefused("rated_options")
    return msgspec.structs.replace(
        request, options=_random_start(request), clock=_strict(request.clock), free_talk=False
    )


def _random_start(request: NewTable) -> dict[str, Any]:
    """Standard options with a random first player; a game that draws it itself is left to it."""
    players = len(request.seats)
    defaults = find_game(request.game).options(players)
    return {FIRST: secrets.randbelow(players)} if is_whole(defaults.get(FIRST)) else {}


def _strict(clock: ClockTerms) -> ClockTerms:
    return msgspec.structs.replace(clock, flag="lose")


def check_unaided(table: Table) -> None:
    """Refuse coach, stand-ins and take-backs at rated tables."""
    if table.rated:
        raise RequestRefused("rated_unaided", 409)


def check_all_agree(table: Table) -> None:
    """Refuse proposals when the other players have resigned or lost: nobody is left to agree."""
    if table.rated and len(table.voters()) < 2:
        raise RequestRefused("rated_alone", 409)


def check_once(table: Table, player: bytes) -> None:
    """Refuse a second seat at a rated table."""
    if table.rated and table.seats_of(player):
        raise RequestRefused("rated_once", 409)


def check_complete(table: Table) -> None:
    """Refuse to start a rated table unless people take all seats."""
    if table.rated and any(row.kind != "person" or row.player is None for row in table.seats):
        raise RequestRefused("rated_people", 409)
