"""What Suleika's last two turns are worked out on: how the rugs lie, what one rug more changes, what is liked, and what a way can come to."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import souk
from souk.bots.ending import Ending
from souk.bots.kernels.ends import sheet_type, worths_of_ends
from souk.core.position import Position
from souk.games.suleika import rules
from souk.games.suleika.bounds import least_of_way, most_of_way
from souk.games.suleika.last_turns import begin, who_is_last
from souk.games.suleika.lie import PLACE, area_then, kind_at, kinds_from, kinds_then, look_round
from souk.games.suleika.likings import (
    ANY_KIND,
    KINDS,
    ONE,
    OTHER,
    all_ranks,
    gains_of,
    hide,
    kinds_of_step,
    show_rug,
    take_sides,
    worth_to,
)
from souk.kernel.interpreting import interpreted
from souk.kernel.rule import i64, rule
from tests.marks import clause
from tests.random_games import random_game

SULEIKA = souk.game("suleika")
FIELDS = range(rules.SIDE**2)
TABLES = [(2, {}), (2, {"turn_at_end": True}), (3, {}), (4, {})]
tables = pytest.mark.parametrize(("players", "options"), TABLES, ids=("2", "2, turning at the end", "3", "4"))


def positions(players: int, options: dict[str, Any], seed: int) -> Iterator[Position]:
    for record in random_game("suleika", players, options, seed):
        yield record.position.copy()


def new_sheet() -> np.ndarray[Any, np.dtype[np.void]]:
    sheet = np.zeros(1, sheet_type(SULEIKA))
    sheet["worths"] = worths_of_ends(SULEIKA.players[-1])
    return sheet


# ---------------------------------------------------------------- how the rugs lie


@rule
def look_everywhere(states, sheets):
    look_round(states[0], sheets[0])
    for field in range(len(sheets[0].kinds)):
        kinds_from(sheets[0], field)


@rule
def look_with_a_rug_more(sheets, who, spot, found):
    sheets[0].other = who
    for field in range(len(found)):
        found[field] = kinds_then(sheets[0], field, spot)


@rule
def area_with_a_rug_more(sheets, colour, near, far):
    return area_then(sheets[0], colour, near, far)


def written_about(pos: Position) -> np.ndarray[Any, np.dtype[np.void]]:
    sheet = new_sheet()
    interpreted(SULEIKA, look_everywhere)(pos.array, sheet)
    return sheet


@clause("S13", "S17", "S19")
@tables
def test_what_is_written_down_is_so(players: int, options: dict[str, Any]) -> None:
    pos = list(positions(players, options, 1))[-9]
    sheet = written_about(pos)[0]
    for field in FIELDS:
        s = pos.copy().state
        s.omar = field
        places = sum(1 << int(PLACE[place]) for place in range(12) if kind_at(int(sheet["kinds"][field]), place))
        assert places == rules.places(s)
        prices = [rules.price(s, seat, field) for seat in range(players)]
        owner = int(sheet["whose"][field]) - 1
        assert prices == [0 if seat == owner else sheet["sizes"][field] for seat in range(players)]


@tables
def test_a_sheet_that_has_followed_a_game_is_like_a_new_one(players: int, options: dict[str, Any]) -> None:
    """And one that has gone back and forth."""
    followed, rng = new_sheet(), random.Random(2)
    game = list(positions(players, options, 2))
    for pos in (*game[::3], *rng.choices(game, k=20)):
        interpreted(SULEIKA, look_everywhere)(pos.array, followed)
        new = written_about(pos)
        for name in ("cover", "rug", "whose", "areas", "sizes", "kinds"):
            assert (followed[name] == new[name]).all(), name


@clause("S17", "S18", "S19")
@tables
def test_one_rug_more_is_foreseen(players: int, options: dict[str, Any]) -> None:
    decisions = [pos for pos in positions(players, options, 3) if pos.state.phase == rules.RUG]
    for before in decisions[-4:]:
        sheet, found = written_about(before), np.zeros(len(FIELDS), np.uint64)
        colour = before.state.up if players == 2 else before.state.turn
        for code in before.move_codes(before.state.turn):
            near, far = rules.near_half(code), rules.far_half(code)
            after = before.copy()
            rules.lay(after.state, near, far)
            laid = written_about(after)[0]
            spot = 2 * min(near, far) + (abs(near - far) == rules.SIDE)
            interpreted(SULEIKA, look_with_a_rug_more)(sheet, before.state.turn + 1, spot, found)
            assert (found == laid["kinds"]).all()
            area = interpreted(SULEIKA, area_with_a_rug_more)(sheet, colour, near, far)
            assert area == laid["areas"][near] == laid["areas"][far]


# ---------------------------------------------------------------- what is liked


@rule
def look_what_is_liked(states, sheets, felt, liked):
    """By kind what it is worth to seat 0 to hide it at the end, and by the step which kinds gain as much."""
    s = states[0]
    take_sides(sheets[0], i64(s.players), 1, 2)
    ranks = all_ranks(s)
    for kind in range(1, KINDS):
        felt[kind] = worth_to(sheets[0], hide(ranks, ONE[kind], OTHER[kind]), 1)
    for step in range(4):
        liked[step] = kinds_of_step(gains_of(ranks, 1, i64(s.players)), step)


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
        felt, liked = np.zeros(KINDS), np.zeros(4, np.uint64)
        interpreted(SULEIKA, look_what_is_liked)(pos.array, new_sheet(), felt, liked)
        steps = [[kind for kind in possible if int(some) >> kind & 1] for some in liked]
        steps.append([kind for kind in possible if not any(kind in step for step in steps)])
        assert sorted(kind for step in steps for kind in step) == possible
        worths = [{float(felt[kind]) for kind in step} for step in steps if step]
        assert all(len(worth) == 1 for worth in worths)  # what gains as much is worth as much, to the last bit,
        best_first = [worth.pop() for worth in worths]
        assert best_first == sorted(set(best_first), reverse=True)  # and what gains more is worth more
        assert all(int(some) & ~ANY_KIND == 0 for some in liked)
    assert clear > 100


# ---------------------------------------------------------------- what a way can come to


@rule
def look_how_good_ways_are(states, sheets, bounds):
    s = states[0]
    sheet = sheets[0]
    sheet.colour = s.up if s.players == 2 else s.turn
    begin(s, sheet, i64(who_is_last(s, sheet.colour)))
    ranks = show_rug(show_rug(all_ranks(s), sheet.layer), sheet.other)
    for way in range(rules.LEFT, rules.STRAIGHT + 1):
        heading = rules.turned(s.facing, way)
        bounds[way, 0] = least_of_way(s, sheet, ranks, heading)
        bounds[way, 1] = most_of_way(s, sheet, ranks, heading, True)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_way_is_worth_what_is_thought_at_least_and_at_most(players: int) -> None:
    """Wherever Omar stands: beside balconies a rug can lie across all ways."""
    narrow, rng = 0, random.Random(5)
    for k in range(100):
        turns = (pos for pos in positions(players, {}, k % 10) if pos.state.phase == rules.TURN)
        pos = next(pos for pos in turns if pos.array["left"].sum() == 2)
        pos.array["omar"], pos.array["facing"] = rng.choice(FIELDS), rng.randrange(4)
        ending = Ending(pos, 1000)
        assert ending.look(10**9)
        bounds = np.zeros((4, 2))
        interpreted(SULEIKA, look_how_good_ways_are)(pos.array.copy(), new_sheet(), bounds)
        for move, (utility, _, _) in zip(pos.move_codes(pos.state.turn), ending.desk["reasons"], strict=False):
            least, most = bounds[move]
            assert least - 1e-12 <= utility <= most + 1e-12
            narrow += most - least < 0.1
    assert narrow > 20
