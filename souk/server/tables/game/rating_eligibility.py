"""Which finished games count: rated ones for ratings, solo games against bots of one level for the
ladder.
"""

import time
from collections.abc import Sequence
from typing import Any

from souk.core.game import Game
from souk.core.json_fields import is_whole
from souk.server.common.config import LEVELS
from souk.server.ratings.ratings import LADDER, RATED, CountedGame, CountedSeat, store_result
from souk.server.storage.connection import Connection
from souk.server.storage.rows import SeatRow, TransactionStep
from souk.server.tables.game.game_state import GameState

FIRST = "first"  # option: the seat that begins


def is_standard(game: Game, players: int, options: dict[str, Any]) -> bool:
    """Whether a game uses the standard box and options. Any seat may begin, unless the game draws
    it.
    """
    defaults = game.options(players)
    free_options = {FIRST} if is_whole(defaults.get(FIRST)) else set()
    return all(
        name in free_options or (name in defaults and value == defaults[name])
        for name, value in options.items()
    )


def result_steps(
    table: str,
    rated: bool,
    state: GameState,
    seats: Sequence[SeatRow],
    elsewhere: bool,
    hinted: bool,
) -> list[TransactionStep]:
    """The transaction step that counts a finished game; empty if it does not count.

    Args:
        elsewhere: it started from another position than its game's.
        hinted: the coach gave advice.
    """
    if (
        not state.over
        or state.lesson
        or elsewhere
        or state.status.ended in ("agreed", "no_result", "called")
    ):
        return []
    position = state.position
    if not is_standard(position.game, len(seats), position.options):
        return []
    level = _ladder_level(state, seats, hinted)
    kind = RATED if rated and _is_all_people(seats) else LADDER if level and not rated else ""
    if not kind:
        return []
    game = CountedGame(
        table,
        position.game.name,
        len(seats),
        kind,
        level,
        time.time(),
        _counted_seats(state, seats),
        sorted(state.status.lost),
        position.game.box.rated_from(len(seats)),
    )

    def keep(connection: Connection) -> None:
        store_result(connection, game)

    return [TransactionStep(keep)]


def _counted_seats(state: GameState, seats: Sequence[SeatRow]) -> list[CountedSeat]:
    """The results of the people at a table."""
    position = state.position
    won, places = state.status.winners(position), state.status.places(position)
    return [
        CountedSeat(
            row.seat,
            row.player,
            row.name,
            places[row.seat],
            position.scores[row.seat],
            row.seat in won,
        )
        for row in seats
        if row.kind == "person"
    ]


def _is_all_people(seats: Sequence[SeatRow]) -> bool:
    """Whether all seats are different people."""
    players = [row.player for row in seats if row.player is not None]
    return (
        len(seats) > 1
        and all(row.kind == "person" for row in seats)
        and len(set(players)) == len(players)
    )


def _ladder_level(state: GameState, seats: Sequence[SeatRow], hinted: bool) -> str:
    """The bots' common level in an unaided solo game, or ""."""
    people = [row for row in seats if row.kind != "bot"]
    levels = {row.level for row in seats if row.kind == "bot"}
    alone = len(people) == 1 and people[0].kind == "person" and people[0].player is not None
    unaided = not (hinted or state.taken_back or state.status.helped)
    level = next(iter(levels)) if alone and unaided and len(levels) == 1 else ""
    return level if level in LEVELS else ""
