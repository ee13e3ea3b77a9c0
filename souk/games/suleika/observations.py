"""Suleika as numbers for reinforcement learning, seen from the observing seat.

The observing seat is always seat 0 and its colours come first. A rug action is a place relative to
Omar, not two fields: side 0 to 3 of Omar (west, south, north, east: ascending field numbers), then
the way on from there, likewise.
"""

from souk.core.observation_spec import Actions, Field
from souk.games.suleika.rules import RUG, SIDE, STRAIGHT, TURN, places, rug_at_place
from souk.kernel.game_ops import legal
from souk.kernel.rule import i64, rule, u64

_FIELDS = SIDE * SIDE
_SEATS = 4
_TURNS = STRAIGHT + 1
_PLACES = 16

FIELDS = (
    Field(
        "colour",
        _FIELDS,
        0,
        4,
        "by field (a1, a2 … g7): the visible colour, 0 for none; mine is 1 (two players: 1, 2)",
    ),
    Field(
        "rug",
        _FIELDS,
        0,
        999,
        "by field: 1 for the newest rug, 2 for the one before, …; 0 for none. Both halves alike",
    ),
    Field("omar", 2, 0, SIDE - 1, "his column and row"),
    Field("facing", 1, 0, 3, "where he faces: north, east, south, west"),
    Field("phase", 1, 0, 4, "0 a rug is to come up, 1 turn, 2 die, 3 rug, 4 over"),
    Field("turn", 1, -1, 3, "whose turn it is, counted from me; -1 at the end"),
    Field("up", 1, 0, 4, "two players: the colour to be laid, 0 for none"),
    Field("money", _SEATS, 0, 120, "by seat from me on"),
    Field("left", _SEATS, 0, 15, "by colour: rugs still to lay, my colours first"),
)  # fmt: skip
ACTIONS = (
    Actions("turn", _TURNS, "Omar back, left, right, straight on"),
    Actions("rug", _PLACES, "the rug at place 4 × side + way on"),
)


@rule
def colour_from(s, seat, colour):
    """A colour numbered from a seat's point of view, from 1; 0 for none."""
    if colour < 0:
        return 0
    per_seat = 2 if s.players == 2 else 1
    return (colour - per_seat * seat) % (per_seat * s.players) + 1


@rule
def observe_market(s, seat, out):
    """Each number is written once, from values at hand: most of the time of a GPU step is spent
    here.
    """
    red, yellow, blue, green = u64(s.cover[0]), u64(s.cover[1]), u64(s.cover[2]), u64(s.cover[3])
    mine = colour_from(s, seat, 0)
    second = colour_from(s, seat, 1)
    third = colour_from(s, seat, 2)
    fourth = colour_from(s, seat, 3)
    newest = s.last + 1
    one = u64(1)
    for field in range(_FIELDS):
        at = u64(field)
        shows = mine * i64((red >> at) & one) + second * i64((yellow >> at) & one)
        out[field] = shows + third * i64((blue >> at) & one) + fourth * i64((green >> at) & one)
        rug = s.rug[field]
        out[_FIELDS + field] = newest - rug if rug > 0 else 0


@rule
def observe(s, seat, draft, out):
    observe_market(s, seat, out)
    n = 2 * _FIELDS
    out[n] = s.omar // SIDE
    out[n + 1] = s.omar % SIDE
    out[n + 2] = s.facing
    out[n + 3] = s.phase
    out[n + 4] = (s.turn - seat) % s.players if s.turn >= 0 else -1
    out[n + 5] = colour_from(s, seat, s.up)
    for k in range(2 * _SEATS):
        out[n + 6 + k] = 0
    for owner in range(s.players):
        out[n + 6 + (owner - seat) % s.players] = s.money[owner]
    for colour in range(4):
        out[n + 5 + _SEATS + colour_from(s, seat, colour)] += s.left[colour]


@rule
def action_mask(s, seat, draft, mask):
    for action in range(_TURNS):
        mask[action] = 1 if s.phase == TURN and legal(s, seat, action) else 0
    free = places(s) if s.phase == RUG and s.turn == seat else 0
    for place in range(_PLACES):
        mask[_TURNS + place] = (free >> place) & 1


@rule
def decode_action(s, seat, draft, action):
    return action if action < _TURNS else rug_at_place(s, action - _TURNS)
