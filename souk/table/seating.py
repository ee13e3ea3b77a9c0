"""Who sits where: names, invitations, and the secrets by which a person is known."""

import hashlib
import itertools
import re
import secrets
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from souk.bots.nameplates import PERSON, fitting
from souk.table.lobby_protocol import SeatWish
from souk.table.refusals import Refuse
from souk.table.store import NOBODY_YET, Face, SeatRow

LONGEST_NAME = 20
_STRENGTH = "merchant"  # of bots that take the places of people
_OPTION_TEXT = re.compile(r"\w{1,20}")  # names of what is in the box; never the path of a file
_DIGITS = re.compile(r"[0-9a-f]{64}")
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # count as letters or signs, and show nothing


def new_secret() -> str:
    """A secret for a cookie or a link: 192 bits that nobody can guess."""
    return secrets.token_urlsafe(24)


def new_table_id() -> str:
    """The name of a table: 96 bits, so that nobody finds one by trying. It does not begin like an option of the command line."""
    while (name := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return name


def digest(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).digest()


def checked_name(name: str) -> str:
    """A name that can be shown: printable, single spaces, not too long. None at all is one too."""
    plain = " ".join(name.split())
    if plain and not is_shown(plain):
        raise Refuse("name_unprintable")
    if len(plain) > LONGEST_NAME:
        raise Refuse("name_too_long", most=LONGEST_NAME)
    return plain


def is_shown(text: str) -> bool:
    """Whether a text can be shown, and shows something."""
    return text.isprintable() and any(map(_shows, text))


def unlike(name: str, others: Iterable[str]) -> str:
    """A name by which nobody else at the table is called: where it is taken, with a number behind it."""
    taken = {_plainest(other) for other in others}
    numbered = (f"{name[: LONGEST_NAME - 3]} {number}" for number in itertools.count(2))
    return next(each for each in itertools.chain([name], numbered) if _plainest(each) not in taken)


def named_like_nobody(name: str, others: Iterable[str]) -> str:
    """What a person is called among others, whether they give a name or not."""
    return unlike(checked_name(name) or PERSON, others)


def _plainest(name: str) -> str:
    """What is left of a name where capitals and other forms of the same letters don't count."""
    return unicodedata.normalize("NFKC", name).casefold()


def checked_digits(digits: str) -> str:
    """32 bytes in hexadecimal digits, as a browser tells a share in the dice or its digest."""
    if not _DIGITS.fullmatch(digits):
        raise Refuse("digits")
    return digits


def check_option_texts(options: dict[str, Any]) -> None:
    """Texts in options are names; the path of a file on this machine is nobody's business."""
    for name, value in options.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and not _OPTION_TEXT.fullmatch(each):
                raise Refuse("option_text", option=name[:20])


def _shows(sign: str) -> bool:
    """Whether a character shows something by itself: no blank, no mark that goes over another."""
    return sign not in _BLANK and unicodedata.category(sign)[0] in "LNPS"


def seat_rows(
    wishes: Sequence[SeatWish], me: bytes, levels: Sequence[str], face: Face = NOBODY_YET
) -> tuple[list[SeatRow], dict[int, str]]:
    """The seats of a new table, and the secrets of those that are offered by link. `face`: how whoever asks for it is shown."""
    if sum(wish.who == "me" for wish in wishes) != 1:
        raise Refuse("seat_for_me")
    rows, invitations = [], {}
    taken = {checked_name(wish.name) for wish in wishes}
    for seat, wish in enumerate(wishes):
        name = checked_name(wish.name) or (face.name if wish.who == "me" and face.name not in taken else "")
        if not name and wish.who not in ("link", "open"):
            free = [PERSON, *fitting(seat)] if wish.who == "me" else fitting(seat)
            name = next((each for each in free if each not in taken), f"{PERSON} {seat + 1}")
            taken.add(name)
        rows.append(_seat_row(seat, wish, name, me, levels))
        if wish.who == "me":
            rows[-1] = rows[-1]._replace(figure=face.figure, colour=face.colour)
        if wish.who == "link":
            invitations[seat] = new_secret()
            rows[-1] = rows[-1]._replace(invitation=digest(invitations[seat]))
    return rows, invitations


def _seat_row(seat: int, wish: SeatWish, name: str, me: bytes, levels: Sequence[str]) -> SeatRow:
    if wish.who in ("me", "here"):
        return SeatRow(seat, "person", name, player=me)
    if wish.who == "link":
        return SeatRow(seat, "free", name)
    if wish.who == "open":
        return SeatRow(seat, "free", "")
    if wish.who != "bot":
        raise Refuse("seat_unknown", what=wish.who[:LONGEST_NAME])
    return SeatRow(seat, "bot", name, checked_level(wish.level, levels))


def checked_level(level: str, levels: Sequence[str]) -> str:
    if level not in levels:
        raise Refuse("level_unknown", level=level[:LONGEST_NAME])
    return level


def usual_level(levels: Sequence[str]) -> str:
    """Of bots that take the places of people."""
    return next((level for level in levels if level.partition(":")[0] == _STRENGTH), levels[0])


def bot_name(seat: int, taken: Collection[str]) -> str:
    """A name for a bot on a seat that nobody else at the table has."""
    return next((each for each in fitting(seat) if each not in taken), f"{PERSON} {seat + 1}")
