"""Parts of Suleika's exact last turns: layout, effect of one more rug, preferences, bounds
of ways.
"""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import souk
from souk.bots.endgame import EndgameSearch
from souk.bots.kernels.last_turns import scratch_type, worths_of_ends
from souk.core.position import Position
from souk.games.suleika import rules
from souk.games.suleika.endgame_bounds import least_of_way, most_of_way
from souk.games.suleika.endgame_last_turns import last_layer, reset
from souk.games.suleika.endgame_layout import (
    PLACE,
    area_after,
    kind_at,
    kinds_after,
    kinds_from,
    update_layout,
)
from souk.games.suleika.endgame_values import (
    ANY_KIND,
    KINDS,
    ONE,
    OTHER,
    all_ranks,
    gains_of,
    hide,
    kinds_of_step,
    set_roles,
    show_rug,
    worth_to,
)
from souk.kernel.interpreter import interpreted_kernel
from souk.kernel.rule import i64, rule
from tests.support.marks import clause
from tests.support.random_games import random_game

SULEIKA = souk.game("suleika")
FIELDS = range(rules.SIDE**2)
TABLES = [(2, {}), (2, {"turn_at_end": True}), (3, {}), (4, {})]
tables = pytest.mark.parametrize(
    ("players", "options"), TABLES, ids=("2", "2, turning at the end", "3", "4")
)


def positions(players: int, options: dict[str, Any], seed: int) -> Iterator[Position]:
    for record in random_game("suleika", players, options, seed):
        yield record.position.copy()


def new_scratch() -> np.ndarray[Any, np.dtype[np.void]]:
    scratch = np.zeros(1, scratch_type(SULEIKA))
    scratch["worths"] = worths_of_ends(SULEIKA.players[-1])
    return scratch


# ---------------------------------------------------------------- layout


@rule
def fill_layout(states, scratches):
    update_layout(states[0], scratches[0])
    for field in range(len(scratches[0].kinds)):
        kinds_from(scratches[0], field)


@rule
def fill_kinds_after(scratches, who, spot, kinds):
    scratches[0].other = who
    for field in range(len(kinds)):
        kinds[field] = kinds_after(scratches[0], field, spot)


@rule
def area_after_rug(scratches, colour, near, far):
    return area_after(scratches[0], colour, near, far)


def layout_of(pos: Position) -> np.ndarray[Any, np.dtype[np.void]]:
    scratch = new_scratch()
    interpreted_kernel(SULEIKA, fill_layout)(pos.array, scratch)
    return scratch


@clause("S13", "S17", "S19")
@tables
def test_what_is_written_down_is_so(players: int, options: dict[str, Any]) -> None:
    pos = list(positions(players, options, 1))[-9]
    scratch = layout_of(pos)[0]
    for field in FIELDS:
        s = pos.copy().state
        s.omar = field
        places = sum(
            1 << int(PLACE[place])
            for place in range(12)
            if kind_at(int(scratch["kinds"][field]), place)
        )
        assert places == rules.places(s)
        prices = [rules.price(s, seat, field) for seat in range(players)]
        owner = int(scratch["whose"][field]) - 1
        assert prices == [
            0 if seat == owner else scratch["sizes"][field] for seat in range(players)
        ]


@tables
def test_scratch_updated_through_a_game_equals_a_new_one(
    players: int, options: dict[str, Any]
) -> None:
    """Also after going back and forth."""
    followed, rng = new_scratch(), random.Random(2)
    game = list(positions(players, options, 2))
    for pos in (*game[::3], *rng.choices(game, k=20)):
        interpreted_kernel(SULEIKA, fill_layout)(pos.array, followed)
        new = layout_of(pos)
        for name in ("cover", "rug", "whose", "areas", "sizes", "kinds"):
            assert (followed[name] == new[name]).all(), name


@clause("S17", "S18", "S19")
@tables
def test_one_rug_more_is_foreseen(players: int, options: dict[str, Any]) -> None:
    decisions = [pos for pos in positions(players, options, 3) if pos.state.phase == rules.RUG]
    for before in decisions[-4:]:
        scratch, kinds = layout_of(before), np.zeros(len(FIELDS), np.uint64)
        colour = before.state.up if players == 2 else before.state.turn
        for code in before.move_codes(before.state.turn):
            near, far = rules.near_half(code), rules.far_half(code)
            after = before.copy()
            rules.lay(after.state, near, far)
            laid = layout_of(after)[0]
            spot = 2 * min(near, far) + (abs(near - far) == rules.SIDE)
            interpreted_kernel(SULEIKA, fill_kinds_after)(
                scratch, before.state.turn + 1, spot, kinds
            )
            assert (kinds == laid["kinds"]).all()
            area = interpreted_kernel(SULEIKA, area_after_rug)(scratch, colour, near, far)
            assert area == laid["areas"][near] == laid["areas"][far]


# ---------------------------------------------------------------- preferences


@rule
def fill_preferences(states, scratches, worths, kinds_by_step):
    """Value to seat 0 of hiding each kind at the end, and kinds by step of equal gain."""
    s = states[0]
    set_roles(scratches[0], i64(s.players), 1, 2)
    ranks = all_ranks(s)
    for kind in range(1, KINDS):
        worths[kind] = worth_to(scratches[0], hide(ranks, ONE[kind], OTHER[kind]), 1)
    for step in range(4):
        kinds_by_step[step] = kinds_of_step(gains_of(ranks, 1, i64(s.players)), step)


@clause("S31", "S32")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_where_it_is_not_close_kinds_are_liked_by_points(players: int) -> None:
    rng = random.Random(4)
    pos = list(positions(players, {}, 4))[-9]
    possible = [kind for kind in range(1, KINDS) if OTHER[kind] <= players]
    clear = 0
    for _ in range(300):
        pos.array["money"][0, :players] = [rng.randrange(10, 30) for _ in range(players)]
        scores = pos.scores
        if abs(scores[0] - max(scores[1:])) <= 2:
            continue
        clear += 1
        worth_by_kind, kinds_by_step = np.zeros(KINDS), np.zeros(4, np.uint64)
        interpreted_kernel(SULEIKA, fill_preferences)(
            pos.array, new_scratch(), worth_by_kind, kinds_by_step
        )
        steps = [[kind for kind in possible if int(some) >> kind & 1] for some in kinds_by_step]
        steps.append([kind for kind in possible if not any(kind in step for step in steps)])
        assert sorted(kind for step in steps for kind in step) == possible
        worths = [{float(worth_by_kind[kind]) for kind in step} for step in steps if step]
        assert all(
            len(worth) == 1 for worth in worths
        )  # what gains as much is worth as much, to the last bit,
        best_first = [worth.pop() for worth in worths]
        assert best_first == sorted(
            set(best_first), reverse=True
        )  # and what gains more is worth more
        assert all(int(some) & ~ANY_KIND == 0 for some in kinds_by_step)
    assert clear > 100


# ---------------------------------------------------------------- bounds of ways


@rule
def fill_bounds(states, scratches, bounds):
    s = states[0]
    scratch = scratches[0]
    scratch.colour = s.up if s.players == 2 else s.turn
    reset(s, scratch, i64(last_layer(s, scratch.colour)))
    ranks = show_rug(show_rug(all_ranks(s), scratch.layer), scratch.other)
    for way in range(rules.LEFT, rules.STRAIGHT + 1):
        heading = rules.turned(s.facing, way)
        bounds[way, 0] = least_of_way(s, scratch, ranks, heading)
        bounds[way, 1] = most_of_way(s, scratch, ranks, heading, True)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_way_is_worth_what_is_thought_at_least_and_at_most(players: int) -> None:
    """Wherever Omar stands: next to balconies a rug can cross all ways."""
    narrow, rng = 0, random.Random(5)
    for k in range(100):
        turns = (pos for pos in positions(players, {}, k % 10) if pos.state.phase == rules.TURN)
        pos = next(pos for pos in turns if pos.array["left"].sum() == 2)
        pos.array["omar"], pos.array["facing"] = rng.choice(FIELDS), rng.randrange(4)
        ending = EndgameSearch(pos, 1000)
        assert ending.look(10**9)
        bounds = np.zeros((4, 2))
        interpreted_kernel(SULEIKA, fill_bounds)(pos.array.copy(), new_scratch(), bounds)
        for move, (utility, _, _) in zip(
            pos.move_codes(pos.state.turn), ending.workspace["reasons"], strict=False
        ):
            least, most = bounds[move]
            assert least - 1e-12 <= utility <= most + 1e-12
            narrow += most - least < 0.1
    assert narrow > 20
