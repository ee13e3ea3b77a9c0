"""Observations and actions shared by both Basari games: gems, choices, the haggle.

An offer is composed gem by gem. The gems so far are the draft, packed like an offer; once it has a
gem, the offer must be made.
"""

from souk.core.observation_spec import Actions, Field
from souk.games.basari_common.rules import (
    ACCEPT,
    COLOURS,
    HIDDEN,
    NONE,
    OFFER,
    PASS,
    gems_of,
    hand,
    next_offer,
    part,
)
from souk.kernel.game_ops import legal
from souk.kernel.packed_counts import covers, fits
from souk.kernel.rule import rule

HAGGLE_ACTIONS = (
    Actions("accept", 1, "take the gems offered and leave the action to the other"),
    Actions("pass", 1, "leave the action to the other for nothing"),
    Actions("gem", COLOURS, "put one more gem to the offer: red, yellow, green, blue"),
    Actions("offer", 1, "make the offer that was put together"),
)
_ACCEPT, _PASS, _GEM, _OFFER = 0, 1, 2, 2 + COLOURS
HAGGLING = _OFFER + 1  # actions


def haggle_fields(seats: int, actions: int) -> tuple[Field, ...]:
    """The fields `observe_haggle` writes."""
    return (
        Field("gems", COLOURS * seats, 0, 25, "by seat from me on: red, yellow, green, blue"),
        Field("supply", COLOURS, 0, 25, "gems nobody has"),
        Field(
            "choice",
            seats,
            NONE,
            HIDDEN,
            f"by seat from me on: the action chosen, -1 for none, {HIDDEN} for one that is secret",
        ),
        Field("action", 1, NONE, actions - 1, "the action being settled, -1 for none"),
        Field(
            "at the counter",
            2,
            NONE,
            seats - 1,
            "who opens the haggle and the other, counted from me; -1 for nobody",
        ),
        Field("offered", COLOURS, 0, 25, "the gems offered"),
        Field("draft", COLOURS, 0, 25, "the gems I have put together so far"),
        Field("points", seats, 0, 9999, "by seat from me on"),
    )  # fmt: skip


@rule
def from_seat(s, seat, counted):
    """A seat counted from another, -1 for nobody."""
    return (counted - seat) % s.players if counted >= 0 else -1


@rule
def clear(out):
    """Set all entries to 0."""
    for k in range(len(out)):
        out[k] = 0


@rule
def observe_haggle(s, seat, draft, seats, out):
    """Write these fields first, on an output cleared to 0; seats not in play stay 0.

    Returns the end.
    """
    clear(out)
    for owner in range(s.players):
        k = from_seat(s, seat, owner)
        for colour in range(COLOURS):
            out[COLOURS * k + colour] = s.gems[owner, colour]
        out[COLOURS * (seats + 1) + k] = s.choice[owner]
    for colour in range(COLOURS):
        out[COLOURS * seats + colour] = s.supply[colour]
    n = COLOURS * (seats + 1) + seats
    for owner in range(s.players):
        out[n + 3 + 2 * COLOURS + from_seat(s, seat, owner)] = s.points[owner]
    out[n] = s.action
    out[n + 1] = from_seat(s, seat, s.opener)
    out[n + 2] = from_seat(s, seat, s.other)
    for colour in range(COLOURS):
        out[n + 3 + colour] = part(s.offer, colour)
        out[n + 3 + COLOURS + colour] = part(draft, colour)
    return n + 3 + 2 * COLOURS + seats


@rule
def mask_haggling(s, seat, draft, mask, n, choices, haggles):
    """Fill a mask: the game's choices from n on, then the haggle's moves if it haggles."""
    clear(mask)
    for choice in range(choices):
        mask[n + choice] = 1 if legal(s, seat, choice) else 0
    if haggles:
        mask_haggle(s, seat, draft, mask, n + choices)


@rule
def mask_haggle(s, seat, draft, mask, n):
    """Once the draft has a gem, every gem of the hand could follow, which is the highest
    offer possible: a seat that can raise at all can raise starting with any gem.
    """
    held = hand(s, seat)
    raises = next_offer(held, s.offer) != 0
    mask[n + _ACCEPT] = 1 if draft == 0 and legal(s, seat, ACCEPT) else 0
    mask[n + _PASS] = 1 if draft == 0 and legal(s, seat, PASS) else 0
    for colour in range(COLOURS):
        more = draft + gems_of(colour, 1)
        mask[n + _GEM + colour] = 1 if raises and fits(more) and covers(held, more) else 0
    mask[n + _OFFER] = 1 if legal(s, seat, OFFER + draft) else 0


@rule
def decode_haggle_action(draft, action):
    """The move, or -1 - (the new draft)."""
    if action == _ACCEPT:
        return ACCEPT
    if action == _PASS:
        return PASS
    if action == _OFFER:
        return OFFER + draft
    return -1 - (draft + gems_of(action - _GEM, 1))
