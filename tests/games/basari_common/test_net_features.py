"""Net features of both Basari games: one per kind, their meaning, and robustness to seats
and custom boxes.
"""

from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import souk
from souk.games.basari import net_features as board_net
from souk.games.basari_cards import net_features as cards_net
from souk.games.basari_common import net_features as net
from tests.games.basari.test_box import board_file
from tests.games.basari_cards.test_box import deck_file
from tests.support import basari_cards_positions as cards
from tests.support import basari_positions as board
from tests.support.play import play_out
from tests.support.workspaces import desk_of

TABLES = [
    (name, players) for name in ("basari", "basari-cards") for players in souk.game(name).players
]
tables = pytest.mark.parametrize(("name", "players"), TABLES)
LORE = np.zeros(1, np.float32)


def looks(pos: souk.Position) -> list[list[int]]:
    """Every seat's features, in order."""
    workspace = desk_of(pos.game)
    n = pos.game.rules.features(pos.state, workspace, LORE)
    return [sorted(workspace.seen[k, seat] for k in range(n)) for seat in range(pos.players)]


def rounds(name: str, players: int, **options: Any) -> list[souk.Position]:
    """The start of every round of a random game."""
    game = souk.game(name)
    return [
        pos
        for pos in play_out(game.start(players, **options), seed=14)
        if game.rules.is_quiet(pos.state)
    ]


def kinds(name: str, players: int) -> list[tuple[int, int]]:
    """Row ranges of which exactly one feature is present: from, to."""
    enough, steps = (
        (28, board_net.LEFT_CLASSES) if name == "basari" else (15, cards_net.LEFT_CLASSES)
    )
    by_rival = [net.POINTS_CLASSES] * 4, [net.RIVAL_HANDS] * 16, [steps] * 4
    sizes = [
        *[net.STAGES * net.GAPS * net.LEADS] * 4,
        *[net.HANDS**2] * 4,
        *[net.SUPPLIES] * 4,
        *[net.NEARS * net.ALL_WINS, net.STAGES * net.POINTS_CLASSES, net.STAGES * 5, net.TOTALS**2],
        *[size for sizes in by_rival[:2] for size in sizes],
        *[net.LATERS * (enough + 1), (enough + 1) * steps, net.NEARS * net.LAGS],
        *by_rival[2],
        *([board_net.GEMS_AHEAD] * 4 + [19] if name == "basari" else [40]),
    ]
    bounds = np.cumsum([0, *sizes]).tolist()
    assert bounds[-1] == souk.game(name).net_features.ROWS
    absent = {16 + k for k in range(players - 1, 4)} | {20 + k for k in range(4 * players - 4, 16)}
    absent |= {39 + k for k in range(players - 1, 4)}
    return [pair for k, pair in enumerate(pairwise(bounds)) if k not in absent]


@tables
def test_one_thing_of_each_kind_is_seen(name: str, players: int) -> None:
    wanted = kinds(name, players)
    for pos in rounds(name, players):
        for numbers in looks(pos):
            assert len(numbers) == len(wanted)
            for number, (first, end) in zip(numbers, wanted, strict=True):
                assert first <= number < end, pos.to_json()


@tables
def test_leads_are_those_over_the_best_two_of_the_others(name: str, players: int) -> None:
    for pos in rounds(name, players):
        hands = pos.to_json()["gems"]
        for seat, numbers in enumerate(looks(pos)):
            wins = []
            for colour in range(4):
                mine = hands[seat][colour]
                best, second, *_ = sorted(
                    (hand[colour] for hand in hands[:seat] + hands[seat + 1 :]), reverse=True
                )
                lead, gap = max(-4, min(4, mine - best)) + 4, min(best - second, 2)
                assert divmod(numbers[colour] % 27, 9) == (gap, lead)
                assert numbers[4 + colour] == net.HELD + colour * 100 + min(mine, 9) * 10 + min(
                    best, 9
                )
                wins.append(int(np.sign(mine - best)) + 1)
            assert (numbers[12] - net.MAJORITIES) % 81 == int("".join(map(str, wins)), 3)


@tables
def test_equal_players_see_the_same(name: str, players: int) -> None:
    """Except for the arches they stand on; here all figures share one."""
    at_start = {"phase": "walk", "turn": 0, "figures": [3] * players}
    pos = (
        board.position(players, **at_start)
        if name == "basari"
        else cards.at("deal", players, turn=0)
    )
    assert len({tuple(numbers) for numbers in looks(pos)}) == 1


def strengths(pos: souk.Position) -> list[int]:
    data = pos.to_json()
    return [
        points + 2 * sum(hand) for points, hand in zip(data["points"], data["gems"], strict=True)
    ]


@tables
def test_it_does_not_matter_who_sits_where(name: str, players: int) -> None:
    tried = 0
    for pos in rounds(name, players):
        if len(set(strengths(pos))) == players:
            tried += 1
            data = pos.to_json()
            own = [
                field
                for field in data
                if isinstance(data[field], list) and len(data[field]) == players
            ]
            own = [field for field in own if field not in ("supply", "seen", "pending")]
            moved = pos.game.from_json(
                data | {field: data[field][1:] + data[field][:1] for field in own}
            )
            first, *others = looks(pos)
            assert looks(moved) == [*others, first]
    assert tried > 3


def test_the_strongest_rival_comes_first() -> None:
    """Seat 2 has 9 points, seat 1 as much in gems plus a point, seat 3 nothing."""
    hands = [[3, 3, 3, 3], [8, 3, 3, 3], [3, 3, 3, 3], [3, 2, 3, 3]]
    pos = board.position(4, phase="walk", turn=0, gems=hands, points=[0, 0, 9, 0])
    assert strengths(pos) == [24, 34, 33, 22]
    red = [net.RIVAL_GEMS + 4 * net.RIVAL_HANDS * rival for rival in range(3)]
    shown = [
        [number - red[k] for k in range(3) for number in numbers if red[k] <= number < red[k] + 12]
        for numbers in looks(pos)
    ]
    assert shown == [[8, 3, 3], [3, 3, 3], [8, 3, 3], [8, 3, 3]]
    place = [numbers[14] - net.PLACE for numbers in looks(pos)]
    assert [row % 5 for row in place] == [2, 0, 1, 3]


def test_arches_ahead_are_added_up() -> None:
    """From the last arch but one: the last, 7:BB, then 5:RRY 6:GGG 4:RRGB 7:YB 5:RRG."""
    pos = board.position(3, phase="walk", turn=0, figures=[26, 26, 26])
    *colours, number = looks(pos)[0][-5:]
    gems = [row - board_net.GEM_AHEAD - 13 * colour for colour, row in enumerate(colours)]
    assert gems == [6, 2, 5, 4]
    assert number - board_net.NUMBER_AHEAD == 7 + 5 + 6 + 4 + 7 + 5 - 24


def test_cards_left_are_counted() -> None:
    assert looks(cards.at("deal", turn=0))[0][-1] == cards_net.PILE + 39
    assert looks(cards.at("deal", turn=0, seen=cards.DECK[:9]))[0][-1] == cards_net.PILE + 30


RED_HANDS = [
    more + "R" * n for n in (4, 3, 2) for more in ("", "Y", "G", "B") if len(more) + n <= 4
]


@tables
def test_a_box_of_ones_own_is_seen(name: str, players: int, tmp_path: Path) -> None:
    """A custom box: all red arches adjacent, every card with four workers."""
    printed = [f"{points}:{hand}" for hand in [*RED_HANDS, "YY", "GG"] for points in range(4, 8)]
    if name == "basari":
        own = {"board": board_file(tmp_path, [f'"{arch}"' for arch in printed[:28]])}
    else:
        own = {
            "deck": deck_file(tmp_path, [f"4/{card.replace(':', '/')}" for card in printed[:39]])
        }
    wanted = kinds(name, players)
    for pos in rounds(name, players, **own):
        for numbers in looks(pos):
            assert all(
                first <= number < end for number, (first, end) in zip(numbers, wanted, strict=True)
            )


@pytest.mark.parametrize("table", [board_net, cards_net])
def test_a_scoring_comes_nearer_step_by_step(table: Any) -> None:
    assert [near for near, _ in groupby(table.NEAR.tolist())] == [0, 1, 2, 3]
    assert np.all(np.diff(table.LEFT_CLASS) >= 0)
    assert len(table.NEAR) == len(table.LEFT_CLASS)
