"""How an evening may be played, and who takes part: what is checked before it is so. Pure."""

import secrets
import time
from collections.abc import Sequence

from souk.bots.nameplates import BOTS
from souk.games import names as game_names
from souk.table.clocks import checked_terms
from souk.table.evening_protocol import EveningTerms, NewEvening
from souk.table.evening_rounds import seats_of_game
from souk.table.evening_rows import EntrantRow, EveningRow, changing, entering, going
from souk.table.pairing import MOST_ROUNDS
from souk.table.refusals import Refuse
from souk.table.seating import checked_level, is_shown, named_like_nobody, new_table_id, unlike
from souk.table.store import Statement

FEWEST, MOST = 4, 64  # who take part
LONGEST_TITLE = 40
_MOST_GAMES = 12  # of a mix, by round
_MOST_MINUTES, _LONGEST_PAUSE = 600, 3600


def new_evening(wish: NewEvening, levels: Sequence[str]) -> EveningRow:
    """An evening as it is opened; refused where it could not be played."""
    title = " ".join(wish.name.split())
    if not title or not is_shown(title):
        raise Refuse("evening_name")
    if len(title) > LONGEST_TITLE:
        raise Refuse("evening_name_long", most=LONGEST_TITLE)
    checked_evening(wish.terms)
    now = time.time()
    evening = EveningRow(
        new_table_id(), title, None, None, wish.terms, "open", 0, 0, None, None, secrets.token_bytes(16), now, now, 1
    )
    if not wish.bots:
        return evening
    checked_level(wish.level, levels)
    return evening._replace(entrants=tuple(_bots(evening, wish.bots, wish.level)))


def checked_evening(terms: EveningTerms) -> None:
    """Terms by which an evening can be played."""
    if not 1 <= len(terms.games) <= _MOST_GAMES:
        raise Refuse("evening_games", most=_MOST_GAMES)
    if any(game not in game_names() or not seats_of_game(game) for game in terms.games):
        raise Refuse("game_unknown")
    allowed = {size for game in terms.games for size in seats_of_game(game)}
    if terms.size not in allowed:
        raise Refuse("evening_size", least=min(allowed), most=max(allowed))
    if not 0 <= terms.rounds <= MOST_ROUNDS:
        raise Refuse("evening_rounds", most=MOST_ROUNDS)
    if not 1 <= terms.advance < max(2, terms.size):
        raise Refuse("evening_advance", most=max(1, terms.size - 1))
    if not 0 <= terms.minutes <= _MOST_MINUTES:
        raise Refuse("evening_minutes", most=_MOST_MINUTES)
    if terms.pause is not None and not 0 <= terms.pause <= _LONGEST_PAUSE:
        raise Refuse("evening_pause", most=_LONGEST_PAUSE)
    if terms.clock.kind == "days":
        raise Refuse("evening_clock")
    checked_terms(terms.clock)


# ---------------------------------------------------------------- who comes and goes


def is_joinable(evening: EveningRow) -> bool:
    """Whether somebody may still come: before it begins, and to a Swiss evening before its last round."""
    late = evening.terms.form == "swiss" and evening.state != "over" and evening.round < evening.rounds
    return (evening.state == "open" or late) and len(evening.active) < MOST


def joining(evening: EveningRow, called: str, player: bytes) -> list[Statement]:
    known = evening.entrant_of(player)
    if known and known.removed:
        raise Refuse("evening_removed", 403)
    if known and known.until is None:
        return []
    if not is_joinable(evening):
        raise Refuse("evening_full" if len(evening.active) >= MOST else "evening_begun", 409, most=MOST)
    name = named_like_nobody(called, (each.name for each in evening.entrants if each is not known))
    number = known.number if known else _next_number(evening)
    row = EntrantRow(number, name, player, "", evening.round + 1)
    return [changing(evening, evening), entering(evening.id, row)]


def bots_coming(evening: EveningRow, count: int, level: str) -> list[Statement]:
    if not is_joinable(evening):
        raise Refuse("evening_begun", 409)
    return [changing(evening, evening), *(entering(evening.id, each) for each in _bots(evening, count, level))]


def _bots(evening: EveningRow, count: int, level: str) -> list[EntrantRow]:
    """Bots with names that nobody else has."""
    if not 1 <= count <= MOST or len(evening.active) + count > MOST:
        raise Refuse("evening_full", 409, most=MOST)
    taken, found, first = [each.name for each in evening.entrants], list[EntrantRow](), _next_number(evening)
    for number in range(first, first + count):
        free = [name for name in BOTS if name not in taken]
        taken.append(free[0] if free else unlike(BOTS[number % len(BOTS)], taken))
        found.append(EntrantRow(number, taken[-1], None, level, evening.round + 1))
    return found


def _next_number(evening: EveningRow) -> int:
    return max((each.number for each in evening.entrants), default=0) + 1


def leaving(evening: EveningRow, number: int, removed: bool) -> list[Statement]:
    found = next((each for each in evening.entrants if each.number == number), None)
    if found is None or found.removed or (found.until is not None and not removed):
        raise Refuse("entrant_unknown", 404)
    if evening.state == "over":
        raise Refuse("evening_not_now", 409)
    if evening.state == "open" and not (removed and found.player):
        return [changing(evening, evening), going(evening.id, number)]
    until = 0 if evening.state == "open" else min(evening.round + 1, found.until or evening.round + 1)
    return [changing(evening, evening), entering(evening.id, found._replace(until=until, removed=removed))]
