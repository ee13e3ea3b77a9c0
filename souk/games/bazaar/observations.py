"""Bazaar as numbers for reinforcement learning; the observing seat is always seat 0.

An action is a move.
"""

from souk.core.observation_spec import Actions, Field
from souk.games.bazaar.rules import (
    BUY_ONE,
    BUY_TWO,
    COLOURS,
    DONE,
    GIVE_BACK,
    LAST_MOVE,
    MOST_STALLS,
    NO_WARE,
    ROLL,
    TAKE,
    TRADE,
    TRADES,
    actors,
    allowed,
    dots,
    price,
    side,
    stalls,
    starred,
)
from souk.kernel.rule import rule

_SEATS = 6
_STALL = COLOURS + 3  # numbers per stall

FIELDS = (
    Field("chips", COLOURS * _SEATS, 0, 20, "by seat from me on: white, blue, green, red, yellow"),
    Field("bank", COLOURS, 0, 20, "likewise"),
    Field("points", _SEATS, 0, 9999, "by seat from me on"),
    Field("bought", _SEATS, 0, 20, "by seat from me on: wares"),
    Field(
        "gives",
        COLOURS * TRADES,
        0,
        4,
        "by trade: the chips given; trades 2 × i and 2 × i + 1 are the two ways of rate i",
    ),
    Field(
        "stalls",
        _STALL * MOST_STALLS,
        0,
        20,
        "by stall: 1 if a ware is visible, its five chips, star, cards left",
    ),
    Field("quiet", 1, 0, 999, "turns since the last purchase"),
    Field("actions", 1, 0, 200, "solitaire: rolls and trades so far"),
    Field(
        "phase",
        1,
        0,
        9,
        "0 rates, 1 stalls, 2 first, 3 act, 4 die, 5 choice, 6 buy, 7 reveal, 8 return, 9 over",
    ),
    Field("turn", 1, -1, _SEATS - 1, "whose turn it is, counted from me; -1 for nobody's"),
    Field("double", 1, 0, 1, "whether two wares may be bought at once"),
    Field("seen", NO_WARE, 0, 1, "by ware: whether it was turned up"),
)  # fmt: skip
ACTIONS = (
    Actions("roll", TRADE - ROLL, "the die"),
    Actions("trade", TRADES, "by this trade"),
    Actions("take", BUY_ONE - TAKE, "a chip of one's choice: white, blue, green, red, yellow"),
    Actions("buy", BUY_TWO - BUY_ONE, "the ware of this stall"),
    Actions("buy two", DONE - BUY_TWO, "4 × first stall + second"),
    Actions("done", GIVE_BACK - DONE, "buying"),
    Actions(
        "give back",
        LAST_MOVE + 1 - GIVE_BACK,
        "the chip of this colour the one on turn has too many",
    ),
)


@rule
def observe(s, seat, draft, out):
    for k in range(len(out)):
        out[k] = 0
    money = COLOURS * (_SEATS + 1)
    for owner in range(s.players):
        k = (owner - seat) % s.players
        observe_bag(s.chips[owner], out, COLOURS * k)
        out[money + k] = s.points[owner]
        out[money + _SEATS + k] = s.bought[owner]
    observe_bag(s.bank, out, COLOURS * _SEATS)
    n = money + 2 * _SEATS
    for trade in range(TRADES):
        observe_bag(side(s, trade), out, n + COLOURS * trade)
    n += COLOURS * TRADES
    for stall in range(stalls(s)):
        observe_stall(s, stall, out, n + _STALL * stall)
    n += _STALL * MOST_STALLS
    out[n] = s.idle
    out[n + 1] = s.actions
    out[n + 2] = s.phase
    out[n + 3] = (s.turn - seat) % s.players if s.turn >= 0 else -1
    out[n + 4] = s.double_purchase
    for k in range(s.turned):
        out[n + 5 + s.seen[k]] = 1


@rule
def observe_bag(bag, out, n):
    for colour in range(COLOURS):
        out[n + colour] = dots(bag, colour)


@rule
def observe_stall(s, stall, out, n):
    if s.top[stall] != NO_WARE:
        out[n] = 1
        observe_bag(price(s, stall), out, n + 1)
        out[n + 1 + COLOURS] = starred(s, stall)
    out[n + 2 + COLOURS] = s.left[stall]


@rule
def action_mask(s, seat, draft, mask):
    options = allowed(s, seat) if (actors(s) >> seat) & 1 else 0
    for move in range(LAST_MOVE + 1):
        mask[move] = (options >> move) & 1


@rule
def decode_action(s, seat, draft, action):
    return action
