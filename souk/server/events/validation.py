"""Validates event settings, and who joins and leaves. Pure."""

import secrets
import time
from collections.abc import Sequence

from souk.bots.names import BOT_NAMES
from souk.games import names as game_names
from souk.server.common.displayed_text import displayed
from souk.server.events.pairing import MAX_ROUNDS
from souk.server.events.rounds import seats_of_game
from souk.server.events.storage import (
    EntrantRow,
    EventRow,
    delete_entrant,
    update_event,
    upsert_entrant,
)
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.events import EventSettings, NewEvent
from souk.server.storage.rows import Statement
from souk.server.tables.seats import (
    checked_level,
    new_table_id,
    unique_name,
    unique_or_default_name,
)
from souk.server.tables.timing.clocks import checked_terms

MIN_ENTRANTS, MAX_ENTRANTS = 4, 64  # participants
MAX_TITLE_LENGTH = 40
_MAX_GAMES = 12  # one per round, then repeated
_MAX_MINUTES, _MAX_PAUSE = 600, 3600


def new_event(request: NewEvent, levels: Sequence[str]) -> EventRow:
    """A new event; refused if it could not be played."""
    title = displayed(request.name)
    if not title:
        raise RequestRefused("event_name")
    if len(title) > MAX_TITLE_LENGTH:
        raise RequestRefused("event_name_long", most=MAX_TITLE_LENGTH)
    check_settings(request.terms)
    now = time.time()
    event = EventRow(
        new_table_id(),
        title,
        None,
        None,
        request.terms,
        "open",
        0,
        0,
        None,
        None,
        secrets.token_bytes(16),
        now,
        now,
        1,
    )
    if not request.bots:
        return event
    checked_level(request.level, levels)
    return event._replace(entrants=tuple(_bots(event, request.bots, request.level)))


def check_settings(terms: EventSettings) -> None:
    """Refuse settings by which no event can be played."""
    if not 1 <= len(terms.games) <= _MAX_GAMES:
        raise RequestRefused("event_games", most=_MAX_GAMES)
    if any(game not in game_names() or not seats_of_game(game) for game in terms.games):
        raise RequestRefused("game_unknown")
    allowed = {size for game in terms.games for size in seats_of_game(game)}
    if terms.size not in allowed:
        raise RequestRefused("event_size", least=min(allowed), most=max(allowed))
    if not 0 <= terms.rounds <= MAX_ROUNDS:
        raise RequestRefused("event_rounds", most=MAX_ROUNDS)
    if not 1 <= terms.advance < max(2, terms.size):
        raise RequestRefused("event_advance", most=max(1, terms.size - 1))
    if not 0 <= terms.minutes <= _MAX_MINUTES:
        raise RequestRefused("event_minutes", most=_MAX_MINUTES)
    if terms.pause is not None and not 0 <= terms.pause <= _MAX_PAUSE:
        raise RequestRefused("event_pause", most=_MAX_PAUSE)
    if terms.clock.kind == "days":
        raise RequestRefused("event_clock")
    checked_terms(terms.clock)


# ---------------------------------------------------------------- participants


def is_joinable(event: EventRow) -> bool:
    """Whether people may join: before it begins, or before the last round of a Swiss event."""
    late = event.terms.form == "swiss" and event.state != "over" and event.round < event.rounds
    return (event.state == "open" or late) and len(event.active) < MAX_ENTRANTS


def join_statements(event: EventRow, name: str, player: bytes) -> list[Statement]:
    entrant = event.entrant_of(player)
    if entrant and entrant.removed:
        raise RequestRefused("event_removed", 403)
    if entrant and entrant.until is None:
        return []
    if not is_joinable(event):
        raise RequestRefused(
            "event_full" if len(event.active) >= MAX_ENTRANTS else "event_begun",
            409,
            most=MAX_ENTRANTS,
        )
    free_name = unique_or_default_name(
        name, (other.name for other in event.entrants if other is not entrant)
    )
    number = entrant.number if entrant else _next_number(event)
    row = EntrantRow(number, free_name, player, "", event.round + 1)
    return [update_event(event, event), upsert_entrant(event.id, row)]


def add_bots_statements(event: EventRow, count: int, level: str) -> list[Statement]:
    if not is_joinable(event):
        raise RequestRefused("event_begun", 409)
    return [
        update_event(event, event),
        *(upsert_entrant(event.id, bot) for bot in _bots(event, count, level)),
    ]


def _bots(event: EventRow, count: int, level: str) -> list[EntrantRow]:
    """Bots with unique names."""
    if not 1 <= count <= MAX_ENTRANTS or len(event.active) + count > MAX_ENTRANTS:
        raise RequestRefused("event_full", 409, most=MAX_ENTRANTS)
    taken, bots = [entrant.name for entrant in event.entrants], list[EntrantRow]()
    first = _next_number(event)
    for number in range(first, first + count):
        free = [name for name in BOT_NAMES if name not in taken]
        taken.append(free[0] if free else unique_name(BOT_NAMES[number % len(BOT_NAMES)], taken))
        bots.append(EntrantRow(number, taken[-1], None, level, event.round + 1))
    return bots


def _next_number(event: EventRow) -> int:
    return max((entrant.number for entrant in event.entrants), default=0) + 1


def leave_statements(event: EventRow, number: int, removed: bool) -> list[Statement]:
    entrant = next((row for row in event.entrants if row.number == number), None)
    if entrant is None or entrant.removed or (entrant.until is not None and not removed):
        raise RequestRefused("entrant_unknown", 404)
    if event.state == "over":
        raise RequestRefused("event_not_now", 409)
    if event.state == "open" and not (removed and entrant.player):
        return [update_event(event, event), delete_entrant(event.id, number)]
    until = 0 if event.state == "open" else min(event.round + 1, entrant.until or event.round + 1)
    return [
        update_event(event, event),
        upsert_entrant(event.id, entrant._replace(until=until, removed=removed)),
    ]
