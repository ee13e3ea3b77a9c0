"""Text and JSON shared by both Basari games: gems, offers, choices and the haggle."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from souk.core.errors import IllegalMove
from souk.core.json_fields import Fields, brief
from souk.core.messages import Message
from souk.core.parsing import squeeze, unreadable
from souk.games.basari_common import rules as haggling
from souk.kernel.bitset import count, lowest
from souk.kernel.rule_clones import Function

GEMS = "rygb"
GEM_NAMES = ("red", "yellow", "green", "blue")
HAGGLE_FIELDS = ("action", "seats", "turn", "offer", "offerer")
MOST_POINTS = 9999
_MANY = 31  # more gems than exist of a colour, and the most an offer has room for

Gems = Annotated[list[int], "How many by colour: red, yellow, green, blue."]


def counts(gems: int) -> Gems:
    """Packed gems as counts by colour."""
    return [haggling.part(gems, colour) for colour in range(haggling.COLOURS)]


def offer_text(offer: int) -> str:
    """An offer as counts, such as "1r2b"."""
    return "".join(f"{n}{letter}" for n, letter in zip(counts(offer), GEMS, strict=True) if n)


@lru_cache(4096)
def haggle_move_text(move: int) -> str:
    if move == haggling.ACCEPT:
        return "accept"
    return "pass" if move == haggling.PASS else "offer " + offer_text(move - haggling.OFFER)


def read_haggle_move(word: str, rest: str) -> int | None:
    """The move a word and its argument stand for, or None if it is no haggle word."""
    if word in ("accept", "pass") and not rest:
        return haggling.ACCEPT if word == "accept" else haggling.PASS
    return haggling.OFFER + read_offer(rest) if word == "offer" else None


def read_offer(text: str) -> int:
    """Parse an offer, its colours in any order."""
    bag = squeeze(text).lower()
    if not re.fullmatch(r"([1-9][0-9]*[rygb])+", bag):
        raise unreadable(text, Message("basari-common.reason.offers"))
    offer = 0
    for times, letter in re.findall(r"([0-9]+)([rygb])", bag):
        colour = GEMS.index(letter)
        if haggling.part(offer, colour):
            colour_name = Message(f"basari-common.gem_many.{GEM_NAMES[colour]}")
            raise IllegalMove(
                Message("basari-common.reason.named_twice", colour=colour_name, text=brief(text))
            )
        # More than exist is refused as not held.
        some = min(int(times[:3]), _MANY)
        offer |= haggling.gems_of(colour, some)
    return offer


def moves_now(s: Any) -> Message:
    """What can be said in a haggle now."""
    return Message("basari-common.reason.moves", word="accept" if s.offer else "pass")


# ---------------------------------------------------------------- JSON


def held_gems(s: Any) -> list[Gems]:
    by_seat: list[Gems] = s.gems.tolist()
    return by_seat[: s.players]


def read_by_seat(s: Any, fields: Fields, name: str, most: int) -> None:
    """A field of the state with a number for each seat."""
    column = getattr(s, name)
    for seat, number in enumerate(fields.wholes(name, s.players, 0, most)):
        column[seat] = number


def read_holdings(s: Any, fields: Fields, of_each: int) -> None:
    """Points and gems; nothing is being settled yet."""
    read_by_seat(s, fields, "points", MOST_POINTS)
    s.action = haggling.NONE
    s.turn = haggling.NONE
    haggling.end_haggle(s)
    gems = fields.table("gems", s.players, haggling.COLOURS, 0, of_each)
    supply = fields.wholes("supply", haggling.COLOURS, 0, of_each)
    for colour, name in enumerate(GEM_NAMES):
        total = supply[colour] + sum(row[colour] for row in gems)
        if total != of_each:
            raise fields.wrong("supply", f"there are {of_each} {name} gems in all, not {total}")
        s.supply[colour] = supply[colour]
        for seat in range(s.players):
            s.gems[seat, colour] = gems[seat][colour]


def choices(s: Any, actions: tuple[str, ...]) -> list[str | None]:
    return [
        actions[choice] if 0 <= choice < len(actions) else None for choice in s.choice[: s.players]
    ]


def ready(s: Any, choosing: bool) -> list[bool]:
    return [choosing and choice != haggling.NONE for choice in s.choice[: s.players]]


def read_choices(
    s: Any, fields: Fields, actions: tuple[str, ...], choosing: bool, settling: bool
) -> None:
    """Everybody's choices: all but one at most while choosing, all while settling, else none."""
    for seat, choice in enumerate(fields.items("choices", s.players)):
        if choice is not None and (not isinstance(choice, str) or choice not in actions):
            raise fields.wrong(
                "choices", f"{brief(choice)} is not one of {', '.join(actions)}, or null"
            )
        if settling and choice is None:
            raise fields.wrong(
                "choices", f"seat {seat} has chosen nothing, and choices are being settled"
            )
        if not settling and not choosing and choice is not None:
            raise fields.wrong("choices", f"seat {seat} cannot have chosen yet")
        s.choice[seat] = haggling.NONE if choice is None else actions.index(choice)
    if choosing and not haggling.yet_to_choose(s):
        raise fields.wrong("choices", "all have chosen, so nobody is left to choose")


def turn(s: Any, choosing: bool) -> int | None:
    """The seat that must move or whose die or card is due; while choosing, the last one left."""
    if choosing:
        left = haggling.yet_to_choose(s)
        return lowest(left) if count(left) == 1 else None
    return None if s.turn == haggling.NONE else s.turn


def check_turn(s: Any, fields: Fields, choosing: bool) -> None:
    """Check a `turn` that is null, except for the last seat to choose (null is accepted
    there too).
    """
    seat = turn(s, choosing)
    if seat is None:
        fields.nothing("turn", "where no single seat must move")
    elif fields["turn"] is not None and fields.seat("turn", s.players) != seat:
        raise fields.wrong("turn", f"must be seat {seat}, the last one to choose")


def pending(s: Any, actions: Sequence[str], is_lost: Function) -> list[str]:
    """B15, K12, K16: actions still to settle, the current one first, leaving out those
    nobody or too many chose.
    """
    if s.action == haggling.NONE:
        return []
    wanted = {action: count(haggling.chose(s, action)) for action in range(s.action, len(actions))}
    return [
        actions[action] for action, seats in wanted.items() if seats and not is_lost(action, seats)
    ]


def check_pending(s: Any, fields: Fields, actions: Sequence[str], is_lost: Function) -> None:
    right = pending(s, actions, is_lost)
    if fields["pending"] != right:
        raise fields.wrong(
            "pending", f"must be {brief(right)} here, not {brief(fields['pending'])}"
        )


def check_points(s: Any, fields: Fields, seat: int, to_come: int) -> None:
    """Leave room for a seat's points to come."""
    fields.check_room("points", s.points[seat], to_come, MOST_POINTS)


class Haggle(msgspec.Struct):
    """Two seats haggling."""

    action: str
    seats: list[int]  # the opener first, once known
    turn: int | None  # the seat to speak
    offer: Gems | None
    offerer: int | None


class HagglingPosition(msgspec.Struct):
    """Position fields of both games."""

    phase: str
    turn: int | None
    points: list[int]
    gems: list[Gems]
    supply: Gems
    choices: list[str | None]
    ready: list[bool]  # who has chosen, while all choose
    haggle: Haggle | None
    pending: list[str]  # actions still to settle, the current one first


def shared_fields(
    s: Any, actions: tuple[str, ...], is_lost: Function, *, choosing: bool, speaking: bool
) -> dict[str, Any]:
    """Position fields of both games except the phase.

    `choosing`, `speaking`: whether it is that phase.
    """
    return {
        "turn": turn(s, choosing),
        "points": list(s.points[: s.players]),
        "gems": held_gems(s),
        "supply": list(s.supply),
        "choices": choices(s, actions),
        "ready": ready(s, choosing),
        "haggle": haggle(s, actions, speaking),
        "pending": pending(s, actions, is_lost),
    }


def pieces(s: Any) -> dict[str, int]:
    """The gems. Points and workers come and go; cards are always in the deck, seen or not."""
    return {
        f"{name} gems": s.supply[colour] + sum(s.gems[seat, colour] for seat in range(s.players))
        for colour, name in enumerate(GEM_NAMES)
    }


def haggle(s: Any, actions: tuple[str, ...], speaking: bool) -> Haggle | None:
    """The haggle, or None. `speaking`: False while the opener is still to be determined."""
    if s.opener == haggling.NONE:
        return None
    return Haggle(
        action=actions[s.action],
        seats=[s.opener, s.other],
        turn=s.turn if speaking else None,
        offer=counts(s.offer) if s.offer else None,
        offerer=haggling.partner(s, s.turn) if s.offer else None,
    )


def read_haggle(s: Any, fields: Fields, actions: tuple[str, ...]) -> None:
    """The action at stake, the two seats, the current offer, and so the seat to speak."""
    inner = fields.inner("haggle", HAGGLE_FIELDS)
    s.action = actions.index(inner.word("action", actions))
    seats = inner.wholes("seats", 2, 0, s.players - 1)
    both = haggling.chose(s, s.action)
    if count(both) != 2 or sum(1 << seat for seat in set(seats)) != both:
        raise inner.wrong(
            "seats", f"must be the two seats that chose {actions[s.action]}, not {brief(seats)}"
        )
    haggling.begin_haggle(s, *seats)
    if inner["offer"] is None:
        inner.nothing("offerer", "while nothing is offered")
        return
    offer = haggling.pack(*inner.wholes("offer", haggling.COLOURS, 0, 25))
    offerer = inner.seat("offerer", s.players)
    if offerer not in seats:
        raise inner.wrong("offerer", f"must be one of {seats}")
    if not offer or not haggling.owned(s, offerer, offer):
        raise inner.wrong("offer", f"must be at least one gem, all of them held by seat {offerer}")
    s.offer = offer
    s.turn = haggling.partner(s, offerer)


def read_speaker(s: Any, fields: Fields) -> None:
    """After `read_haggle`: check that `turn`, in the haggle and outside, is the seat to speak."""
    inner = fields.inner("haggle", HAGGLE_FIELDS)
    for place in (inner, fields):
        if place.seat("turn", s.players) != s.turn:
            raise place.wrong(
                "turn", f"must be seat {s.turn}, who is to {'answer' if s.offer else 'open'}"
            )
