"""Basari, the card game, as numbers for reinforcement learning; the observing seat is
always seat 0.
"""

from souk.core.observation_spec import Actions, Field
from souk.games.basari_cards.rules import (
    CARDS,
    GIVE,
    HAGGLE,
    PAIR,
    SEATS,
    TAKE,
    D,
    exchange_move,
    exchanges,
    gems_on,
    points_on,
    workers_on,
)
from souk.games.basari_common.observations import (
    HAGGLE_ACTIONS,
    HAGGLING,
    decode_haggle_action,
    from_seat,
    haggle_fields,
    mask_haggling,
    observe_haggle,
)
from souk.games.basari_common.rules import COLOURS, NONE
from souk.kernel.bitset import bit
from souk.kernel.rule import rule, u64

_CHOICES = D + 1
_EXCHANGES = PAIR + COLOURS * COLOURS
_SHOWN = COLOURS + 2  # numbers per card

FIELDS = (
    *haggle_fields(SEATS, _CHOICES),
    Field("workers", SEATS, 0, 999, "by seat from me on"),
    Field(
        "card", SEATS, NONE, CARDS - 1, "by seat from me on: the card dealt this round, -1 for none"
    ),
    Field(
        "shown",
        _SHOWN * SEATS,
        0,
        9,
        "by seat from me on, that card: workers, points, red, yellow, green and blue gems",
    ),
    Field("phase", 1, 0, 6, "0 deal, 1 choose, 2 haggle, 3 draw, 4 give, 5 take, 6 over"),
    Field("turn", 1, NONE, SEATS - 1, "whose turn it is, counted from me; -1 for nobody's or all"),
    Field("deals", 1, 0, 3, "finished"),
    Field("seen", CARDS, 0, 1, "by card: whether it was turned up in this deal"),
)  # fmt: skip
ACTIONS = (
    Actions("choose", _CHOICES, "A, B, C, D"),
    *HAGGLE_ACTIONS,
    Actions("gem of action D", PAIR, "give or take one: red, yellow, green, blue"),
    Actions(
        "gems of action D",
        COLOURS * COLOURS,
        "take two: 4 × colour + colour, the first not after the second",
    ),
)


@rule
def observe(s, seat, draft, out):
    n = observe_haggle(s, seat, draft, SEATS, out)
    for owner in range(s.players):
        k = from_seat(s, seat, owner)
        out[n + k] = s.workers[owner]
        out[n + SEATS + k] = s.card[owner]
        if s.card[owner] >= 0:
            observe_card(s, s.card[owner], out, n + 2 * SEATS + _SHOWN * k)
    n += (2 + _SHOWN) * SEATS
    out[n] = s.phase
    out[n + 1] = from_seat(s, seat, s.turn)
    out[n + 2] = s.deals
    for card in range(CARDS):
        out[n + 3 + card] = 1 if u64(s.seen) & bit(card) else 0


@rule
def observe_card(s, card, out, n):
    out[n] = workers_on(s, card)
    out[n + 1] = points_on(s, card)
    for colour in range(COLOURS):
        out[n + 2 + colour] = gems_on(s, card, colour)


@rule
def action_mask(s, seat, draft, mask):
    mask_haggling(s, seat, draft, mask, 0, _CHOICES, s.phase == HAGGLE and s.turn == seat)
    if s.turn == seat and (s.phase == GIVE or s.phase == TAKE):
        choices = exchanges(s, seat)
        for choice in range(_EXCHANGES):
            mask[_CHOICES + HAGGLING + choice] = (choices >> choice) & 1


@rule
def decode_action(s, seat, draft, action):
    if action < _CHOICES:
        return action
    if action < _CHOICES + HAGGLING:
        return decode_haggle_action(draft, action - _CHOICES)
    return exchange_move(s, action - _CHOICES - HAGGLING)
