"""What is fixed at a rated table: people only, each of them once, the usual box and options, a clock that nobody escapes, no help."""

import secrets
from typing import Any

import msgspec

from souk.core.fields import is_whole
from souk.core.shelf import find_game
from souk.table.lobby_protocol import NewTable
from souk.table.outcomes import FIRST, is_usual
from souk.table.protocol import ClockTerms
from souk.table.refusals import Refuse
from souk.table.table import Table

_PEOPLE = ("me", "link", "open")  # who may be asked to sit there


def checked_rated(wish: NewTable) -> NewTable:
    """A wish for a rated table as it is carried out; refused where it cannot be rated. Who begins is drawn by lot here, time that is up is a game that is
    lost, and people talk in phrases, as profiles lead anybody to the table: whatever was asked for."""
    if wish.begins is not None:
        raise Refuse("rated_elsewhere")
    if len(wish.seats) < 2 or any(seat.who not in _PEOPLE for seat in wish.seats):
        raise Refuse("rated_people")
    if wish.clock is None:
        raise Refuse("rated_clock")
    options = {name: value for name, value in wish.options.items() if name != FIRST}
    game = find_game(wish.game)
    if len(wish.seats) not in game.players or not is_usual(game, len(wish.seats), options):
        raise Refuse("rated_options")
    return msgspec.structs.replace(wish, options=_begun_by_lot(wish), clock=_strict(wish.clock), free_talk=False)


def _begun_by_lot(wish: NewTable) -> dict[str, Any]:
    """The usual options, and any seat that begins; a game that draws it itself is left to it."""
    players = len(wish.seats)
    usual = find_game(wish.game).options(players)
    return {FIRST: secrets.randbelow(players)} if is_whole(usual.get(FIRST)) else {}


def _strict(clock: ClockTerms) -> ClockTerms:
    return msgspec.structs.replace(clock, flag="lose")


def check_unaided(table: Table) -> None:
    """Nobody is helped at a rated table: no coach, no stand-in, nothing is taken back."""
    if table.rated:
        raise Refuse("rated_unaided", 409)


def check_all_agree(table: Table) -> None:
    """What all are asked for is not for one alone, where the others have resigned or lost."""
    if table.rated and len(table.voices()) < 2:
        raise Refuse("rated_alone", 409)


def check_once(table: Table, player: bytes) -> None:
    """Nobody has two seats there."""
    if table.rated and table.seats_of(player):
        raise Refuse("rated_once", 409)


def check_complete(table: Table) -> None:
    """It begins with people on all seats, or not at all."""
    if table.rated and any(row.kind != "person" or row.player is None for row in table.seats):
        raise Refuse("rated_people", 409)
