"""Which games count, and for what: a rated one for ratings, one of a single person against bots of one level for the ladder."""

import time
from collections.abc import Sequence
from typing import Any

from souk.core.fields import is_whole
from souk.core.game import Game
from souk.table.course import Course
from souk.table.database import Line
from souk.table.ratings import LADDER, RATED, CountedGame, CountedSeat, keep_result
from souk.table.settings import LEVELS
from souk.table.store import Deed, SeatRow

FIRST = "first"  # the option that says who begins


def is_usual(game: Game, players: int, options: dict[str, Any]) -> bool:
    """Whether a game is played with its own box and options. Somebody has to begin: that may be anybody, where nobody does by lot."""
    usual = game.options(players)
    free = {FIRST} if is_whole(usual.get(FIRST)) else set()
    return all(name in free or (name in usual and value == usual[name]) for name, value in options.items())


def kept_with_end(
    table: str, rated: bool, course: Course, seats: Sequence[SeatRow], elsewhere: bool, hinted: bool
) -> list[Deed]:
    """What is to be written together with the end of a game that counts; nothing where it goes on, or does not count. `elsewhere`: it did not begin
    as its game does; `hinted`: a coach was asked."""
    if not course.over or course.lesson or elsewhere or course.fate.ended in ("agreed", "no_result", "called"):
        return []
    position = course.position
    if not is_usual(position.game, len(seats), position.options):
        return []
    level = _level_climbed(course, seats, hinted)
    kind = RATED if rated and _is_among_people(seats) else LADDER if level and not rated else ""
    if not kind:
        return []
    won, places = course.fate.winners(position), course.fate.places(position)
    people = [
        CountedSeat(row.seat, row.player, row.name, places[row.seat], position.scores[row.seat], row.seat in won)
        for row in seats
        if row.kind == "person"
    ]
    game = CountedGame(table, position.game.name, len(seats), kind, level, time.time(), people)

    def keep(connection: Line) -> None:
        keep_result(connection, game)

    return [Deed(keep)]


def _is_among_people(seats: Sequence[SeatRow]) -> bool:
    """Whether everybody is a person, and another one."""
    known = [row.player for row in seats if row.player is not None]
    return len(seats) > 1 and all(row.kind == "person" for row in seats) and len(set(known)) == len(known)


def _level_climbed(course: Course, seats: Sequence[SeatRow], hinted: bool) -> str:
    """The level of all bots of a game that one person has played by themselves; "" where it was another."""
    people = [row for row in seats if row.kind != "bot"]
    levels = {row.level for row in seats if row.kind == "bot"}
    alone = len(people) == 1 and people[0].kind == "person" and people[0].player is not None
    unaided = not (hinted or course.taken_back or course.fate.helped)
    level = next(iter(levels)) if alone and unaided and len(levels) == 1 else ""
    return level if level in LEVELS else ""
