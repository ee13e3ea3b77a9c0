"""What both Basari games have in common as numbers: gems, choices, the haggle. An offer is put together gem by gem: what lies on the
counter so far is the draft, packed as an offer is. Once the first gem lies there, the offer is to be made."""

from souk.core.numbers import Actions, Field
from souk.games.haggling.rules import (
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
from souk.kernel.bags import covers, fits
from souk.kernel.rule import rule
from souk.kernel.verbs import legal

HAGGLE_ACTIONS = (
    Actions("accept", 1, "take the gems offered and leave the action to the other"),
    Actions("pass", 1, "leave the action to the other for nothing"),
    Actions("gem", COLOURS, "put one more gem to the offer: red, yellow, green, blue"),
    Actions("offer", 1, "make the offer that was put together"),
)
_ACCEPT, _PASS, _GEM, _OFFER = 0, 1, 2, 2 + COLOURS
HAGGLING = _OFFER + 1  # actions


def haggle_fields(seats: int, actions: int) -> tuple[Field, ...]:
    """What `observe_haggle` writes."""
    return (
        Field("gems", COLOURS * seats, 0, 25, "by seat from me on: red, yellow, green, blue"),
        Field("supply", COLOURS, 0, 25, "gems nobody has"),
        Field("choice", seats, NONE, HIDDEN, f"by seat from me on: the action chosen, -1 for none, {HIDDEN} for one that is secret"),
        Field("action", 1, NONE, actions - 1, "the action being settled, -1 for none"),
        Field("at the counter", 2, NONE, seats - 1, "who opens the haggle and the other, counted from me; -1 for nobody"),
        Field("offered", COLOURS, 0, 25, "the gems offered"),
        Field("draft", COLOURS, 0, 25, "the gems I have put together so far"),
    )  # fmt: skip


@rule
def from_seat(s, seat, each):
    """A seat counted from another, -1 for nobody."""
    return (each - seat) % s.players if each >= 0 else -1


@rule
def wipe(sheet):
    """All of it is 0."""
    for k in range(len(sheet)):
        sheet[k] = 0


@rule
def observe_haggle(s, seat, draft, seats, out):
    """The fields above, which come first, on a sheet that is otherwise wiped clean: seats that nobody has are all 0. Returns where they end."""
    wipe(out)
    for each in range(s.players):
        k = from_seat(s, seat, each)
        for colour in range(COLOURS):
            out[COLOURS * k + colour] = s.gems[each, colour]
        out[COLOURS * (seats + 1) + k] = s.choice[each]
    for colour in range(COLOURS):
        out[COLOURS * seats + colour] = s.supply[colour]
    n = COLOURS * (seats + 1) + seats
    out[n] = s.action
    out[n + 1] = from_seat(s, seat, s.opener)
    out[n + 2] = from_seat(s, seat, s.other)
    for colour in range(COLOURS):
        out[n + 3 + colour] = part(s.offer, colour)
        out[n + 3 + COLOURS + colour] = part(draft, colour)
    return n + 3 + 2 * COLOURS


@rule
def allow_haggling(s, seat, draft, mask, n, choices, haggles):
    """A mask wiped clean, but for the actions of the game that a seat may choose, from n on, and after them what it may say, where it haggles."""
    wipe(mask)
    for choice in range(choices):
        mask[n + choice] = 1 if legal(s, seat, choice) else 0
    if haggles:
        allow_haggle(s, seat, draft, mask, n + choices)


@rule
def allow_haggle(s, seat, draft, mask, n):
    """Once a gem lies there all gems of the hand could be added, and that is the highest offer there is: so whoever can raise at all can
    raise with any gem."""
    held = hand(s, seat)
    raises = next_offer(held, s.offer) != 0
    mask[n + _ACCEPT] = 1 if draft == 0 and legal(s, seat, ACCEPT) else 0
    mask[n + _PASS] = 1 if draft == 0 and legal(s, seat, PASS) else 0
    for colour in range(COLOURS):
        more = draft + gems_of(colour, 1)
        mask[n + _GEM + colour] = 1 if raises and fits(more) and covers(held, more) else 0
    mask[n + _OFFER] = 1 if legal(s, seat, OFFER + draft) else 0


@rule
def intent_of_haggling(draft, action):
    """The move, or -1 - (the new draft)."""
    if action == _ACCEPT:
        return ACCEPT
    if action == _PASS:
        return PASS
    if action == _OFFER:
        return OFFER + draft
    return -1 - (draft + gems_of(action - _GEM, 1))
