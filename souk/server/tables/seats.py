"""Seats of a table: names, levels, invitations."""

import itertools
import re
import secrets
from collections.abc import Collection, Iterable, Sequence

from souk.bots.names import DEFAULT_NAME, names_for_seat
from souk.server.common.displayed_text import appearances, displayed
from souk.server.common.tokens import digest, new_secret
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.lobby import SeatRequest
from souk.server.storage.rows import NO_PROFILE, Profile, SeatRow

LONGEST_NAME = 20
# Prefix of a table's host if an event created it; the event's id follows.
EVENT_HOST = b"event "
_STRENGTH = "merchant"  # level of bots that replace people
_DIGITS = re.compile(r"[0-9a-f]{64}")


def new_table_id() -> str:
    """A random 96-bit table id that cannot be mistaken for a command line option."""
    while (name := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return name


def checked_name(name: str) -> str:
    """The cleaned name, which may be empty; refused if unprintable or too long."""
    plain = displayed(name)
    if plain is None:
        raise RequestRefused("name_unprintable")
    if len(plain) > LONGEST_NAME:
        raise RequestRefused("name_too_long", most=LONGEST_NAME)
    return plain


def unique_name(name: str, others: Iterable[str]) -> str:
    """The name, numbered if somebody at the table has a similar one."""
    taken = {appearance for other in others for appearance in appearances(other)}
    numbered = (f"{name[: LONGEST_NAME - 3]} {number}" for number in itertools.count(2))
    return next(
        candidate
        for candidate in itertools.chain([name], numbered)
        if taken.isdisjoint(appearances(candidate))
    )


def unique_or_default_name(name: str, others: Iterable[str]) -> str:
    """The given or default name, made unique."""
    return unique_name(checked_name(name) or DEFAULT_NAME, others)


def checked_hex(digits: str) -> str:
    """A dice share or commitment from a browser: 32 bytes in hex."""
    if not _DIGITS.fullmatch(digits):
        raise RequestRefused("digits")
    return digits


def seat_rows(
    requests: Sequence[SeatRequest], me: bytes, levels: Sequence[str], profile: Profile = NO_PROFILE
) -> tuple[list[SeatRow], dict[int, str]]:
    """Rows for a new table's seats, and secrets for the seats offered by link.

    Args:
        profile: profile of the player who creates the table.
    """
    if sum(request.who == "me" for request in requests) != 1:
        raise RequestRefused("seat_for_me")
    rows, invitations = [], {}
    taken = {checked_name(request.name) for request in requests}
    for seat, request in enumerate(requests):
        name = checked_name(request.name) or (
            profile.name if request.who == "me" and profile.name not in taken else ""
        )
        if not name and request.who not in ("link", "open"):
            candidates = (
                [DEFAULT_NAME, *names_for_seat(seat)]
                if request.who == "me"
                else names_for_seat(seat)
            )
            name = next(
                (candidate for candidate in candidates if candidate not in taken),
                f"{DEFAULT_NAME} {seat + 1}",
            )
            taken.add(name)
        rows.append(_seat_row(seat, request, name, me, levels))
        if request.who == "me":
            rows[-1] = rows[-1]._replace(figure=profile.figure, colour=profile.colour)
        if request.who == "link":
            invitations[seat] = new_secret()
            rows[-1] = rows[-1]._replace(invitation=digest(invitations[seat]))
    return rows, invitations


def _seat_row(
    seat: int, request: SeatRequest, name: str, me: bytes, levels: Sequence[str]
) -> SeatRow:
    if request.who in ("me", "here"):
        return SeatRow(seat, "person", name, player=me)
    if request.who == "link":
        return SeatRow(seat, "free", name)
    if request.who == "open":
        return SeatRow(seat, "free", "")
    if request.who != "bot":
        raise RequestRefused("seat_unknown", what=request.who[:LONGEST_NAME])
    return SeatRow(seat, "bot", name, checked_level(request.level, levels))


def checked_level(level: str, levels: Sequence[str]) -> str:
    if level not in levels:
        raise RequestRefused("level_unknown", level=level[:LONGEST_NAME])
    return level


def default_bot_level(levels: Sequence[str]) -> str:
    """The level of bots that replace people."""
    return next((level for level in levels if level.partition(":")[0] == _STRENGTH), levels[0])


def event_of(host: bytes | None) -> str:
    """The id of the event a table belongs to, or ""."""
    return host.removeprefix(EVENT_HOST).decode() if host and host.startswith(EVENT_HOST) else ""


def bot_name(seat: int, taken: Collection[str]) -> str:
    """A bot name not taken at this table."""
    return next(
        (name for name in names_for_seat(seat) if name not in taken), f"{DEFAULT_NAME} {seat + 1}"
    )
