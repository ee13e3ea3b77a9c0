"""Basari as numbers for reinforcement learning; the observing seat is always seat 0."""

from souk.core.observation_spec import Actions, Field
from souk.games.basari.rules import ARCH, ARCHES, GEMS, HAGGLE, START, arch_gems, arch_number
from souk.games.basari_common.observations import (
    HAGGLE_ACTIONS,
    decode_haggle_action,
    from_seat,
    haggle_fields,
    mask_haggling,
    observe_haggle,
)
from souk.games.basari_common.rules import COLOURS, NONE
from souk.kernel.game_ops import legal
from souk.kernel.rule import rule

_SEATS = 4
_CHOICES = GEMS + 1
_SHOWN = COLOURS + 1  # numbers per arch

FIELDS = (
    *haggle_fields(_SEATS, _CHOICES),
    Field("walked", _SEATS, 0, 999, "by seat from me on: arches since the last scoring"),
    Field(
        "figure", _SEATS, NONE, ARCHES - 1, "by seat from me on: the arch it stands on, -1 for none"
    ),
    Field("disc", _SEATS, NONE, ARCHES - 1, "likewise"),
    Field("phase", 1, 0, 6, "0 start, 1 walk, 2 choose, 3 opener, 4 haggle, 5 dice, 6 over"),
    Field("turn", 1, NONE, _SEATS - 1, "whose turn it is, counted from me; -1 for nobody's or all"),
    Field("scorings", 1, 0, 3, "so far"),
    Field(
        "arches",
        _SHOWN * ARCHES,
        0,
        15,
        "by arch: its number, then its red, yellow, green and blue gems",
    ),
)
ACTIONS = (
    Actions("arch", ARCHES, "start at this arch"),
    Actions("choose", _CHOICES, "dice, points, gems"),
    *HAGGLE_ACTIONS,
)


@rule
def observe(s, seat, draft, out):
    n = observe_haggle(s, seat, draft, _SEATS, out)
    for owner in range(s.players):
        k = n + from_seat(s, seat, owner)
        out[k] = s.walked[owner]
        out[k + _SEATS] = s.figure[owner]
        out[k + 2 * _SEATS] = s.disc[owner]
    n += 3 * _SEATS
    out[n] = s.phase
    out[n + 1] = from_seat(s, seat, s.turn)
    out[n + 2] = s.scorings
    n += 3
    for arch in range(ARCHES):
        out[n + _SHOWN * arch] = arch_number(s, arch)
        for colour in range(COLOURS):
            out[n + _SHOWN * arch + 1 + colour] = arch_gems(s, arch, colour)


@rule
def action_mask(s, seat, draft, mask):
    mask_haggling(s, seat, draft, mask, ARCHES, _CHOICES, s.phase == HAGGLE and s.turn == seat)
    if s.phase == START:
        for arch in range(ARCHES):
            mask[arch] = 1 if legal(s, seat, ARCH + arch) else 0


@rule
def decode_action(s, seat, draft, action):
    if action < ARCHES:
        return ARCH + action
    if action < ARCHES + _CHOICES:
        return action - ARCHES
    return decode_haggle_action(draft, action - ARCHES - _CHOICES)
