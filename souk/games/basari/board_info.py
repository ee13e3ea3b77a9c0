"""Basari for the board display: the arches, and what a scoring and the actions would bring now."""

import msgspec

from souk.core.position import Position
from souk.games.basari import rules
from souk.games.basari.notation import ACTIONS, gems_on
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.board_info import HagglingBox, HagglingScene, Prospects
from souk.games.basari_common.notation import Gems

SCORING = rules.score_laps, rules.score_majorities
PROSPECTS = Prospects(rules, ACTIONS, rules.POINTS, rules.GEMS, SCORING, free_to_pass=True)


class ArchSign(msgspec.Struct):
    """The number and gems of an arch."""

    points: int
    gems: Gems


class BasariBox(HagglingBox):
    arches: list[ArchSign]
    dice: list[int]  # points for rolling again, by roll from 1 to 6
    lap: int  # arches
    lap_points: int
    scorings: int


def box(pos: Position) -> BasariBox:
    s = pos.state
    return BasariBox(
        arches=[
            ArchSign(rules.arch_number(s, arch), gems_on(s, arch)) for arch in range(rules.ARCHES)
        ],
        dice=[rules.points_of_roll(roll) for roll in range(1, rules.FACES + 1)],
        lap=rules.ARCHES,
        lap_points=rules.LAP_POINTS,
        scorings=rules.SCORINGS,
    )


def scene(pos: Position, seat: int) -> HagglingScene:
    """What a scoring would bring now; for a seat also its actions and its options in a haggle."""
    info = HagglingScene()
    if not pos.over:
        PROSPECTS.show(info, pos, seat, seat >= 0 and pos.state.figure[seat] != haggling.NONE)
    return info


in_passing = PROSPECTS.in_passing
