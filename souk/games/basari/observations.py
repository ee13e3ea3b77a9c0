"""Basari as numbers, for programs that learn. Everything is seen from the observing seat: it is always seat 0."""

from souk.core.numbers import Actions, Field
from souk.games.basari.rules import ARCH, ARCHES, GEMS, HAGGLE, START, arch_gems, arch_number
from souk.games.haggling.numbers import (
    HAGGLE_ACTIONS,
    allow_haggling,
    from_seat,
    haggle_fields,
    intent_of_haggling,
    observe_haggle,
)
from souk.games.haggling.rules import COLOURS, NONE
from souk.kernel.rule import rule
from souk.kernel.verbs import legal

_SEATS = 4
_CHOICES = GEMS + 1
_SHOWN = COLOURS + 1  # numbers of an arch

FIELDS = (
    *haggle_fields(_SEATS, _CHOICES),
    Field("points", _SEATS, 0, 9999, "by seat from me on"),
    Field("walked", _SEATS, 0, 999, "by seat from me on: arches since the last scoring"),
    Field("figure", _SEATS, NONE, ARCHES - 1, "by seat from me on: the arch it stands on, -1 for none"),
    Field("disc", _SEATS, NONE, ARCHES - 1, "likewise"),
    Field("phase", 1, 0, 6, "0 start, 1 walk, 2 choose, 3 opener, 4 haggle, 5 dice, 6 over"),
    Field("turn", 1, NONE, _SEATS - 1, "whose turn it is, counted from me; -1 for nobody's or all"),
    Field("scorings", 1, 0, 3, "so far"),
    Field("arches", _SHOWN * ARCHES, 0, 15, "by arch: its number, then its red, yellow, green and blue gems"),
)
ACTIONS = (
    Actions("arch", ARCHES, "start at this arch"),
    Actions("choose", _CHOICES, "dice, points, gems"),
    *HAGGLE_ACTIONS,
)


@rule
def observe(s, seat, draft, out):
    n = observe_haggle(s, seat, draft, _SEATS, out)
    for each in range(s.players):
        k = n + from_seat(s, seat, each)
        out[k] = s.points[each]
        out[k + _SEATS] = s.walked[each]
        out[k + 2 * _SEATS] = s.figure[each]
        out[k + 3 * _SEATS] = s.disc[each]
    n += 4 * _SEATS
    out[n] = s.phase
    out[n + 1] = from_seat(s, seat, s.turn)
    out[n + 2] = s.scorings
    n += 3
    for arch in range(ARCHES):
        out[n + _SHOWN * arch] = arch_number(s, arch)
        for colour in range(COLOURS):
            out[n + _SHOWN * arch + 1 + colour] = arch_gems(s, arch, colour)


@rule
def allow(s, seat, draft, mask):
    allow_haggling(s, seat, draft, mask, ARCHES, _CHOICES, s.phase == HAGGLE and s.turn == seat)
    if s.phase == START:
        for arch in range(ARCHES):
            mask[arch] = 1 if legal(s, seat, ARCH + arch) else 0


@rule
def intent(s, seat, draft, action):
    if action < ARCHES:
        return ARCH + action
    if action < ARCHES + _CHOICES:
        return action - ARCHES
    return intent_of_haggling(draft, action - ARCHES - _CHOICES)
