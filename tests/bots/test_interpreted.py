"""What bots think with, interpreted and compiled: the same bytes on the desk and in the tree."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import souk
from souk.bots.desk import Desk, kernel
from souk.bots.ending import Ending
from souk.bots.kernels.exact import play_out_in_full
from souk.bots.kernels.one_ply import glance, temptations, whims
from souk.bots.kernels.search import memory_type, think
from souk.bots.kernels.together import weigh_together
from souk.bots.kernels.tree import EDGE, NODE
from souk.games import names
from souk.games.bazaar import insight as bazaar
from souk.games.bazaar import study
from souk.kernel import interpreting
from souk.kernel.interpreting import at_once, interpreted
from souk.kernel.state import States, state_class
from tests.random_games import VARIANTS, random_game, variant_name

SEED = 77
PLAYOUTS = 40
variants = pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)


def decisions(variant: tuple[str, int, dict[str, Any]], times: int) -> Iterator[tuple[souk.Position, int]]:
    """Some positions of a random game, and a seat that is to move there."""
    name, players, options = variant
    found = [r.position.copy() for r in random_game(name, players, options, SEED) if r.position.actors]
    for k in range(times):
        pos = found[k * (len(found) - 1) // max(1, times - 1)]
        yield pos.seen_by(pos.actors[-1]), pos.actors[-1]


def views(records: Any) -> States:
    return States(records, state_class(records.dtype))


@pytest.mark.parametrize("guided", [True, False], ids=("guided", "unguided"))
@variants
def test_a_search(variant: tuple[str, int, dict[str, Any]], guided: bool) -> None:
    for view, seat in decisions(variant, 4 if guided else 1):
        found = []
        for compiled in (True, False):
            desk, nodes, edges = Desk(view, seat, SEED), np.zeros(256, NODE), np.zeros(8192, EDGE)
            memory = np.zeros(PLAYOUTS - 1, memory_type(view.game))
            desk["guided"], desk["exploration"] = guided, 0.3
            desk.array["swayed"][:, 0], desk.array["habits"][:, 0, 1] = 0.5, 1.0
            if compiled:
                kernel(view.game, think)(desk.states, desk.array, nodes, edges, desk.lore, desk.mind, PLAYOUTS, memory)
            else:
                think(
                    *desk.interpreted(),
                    views(nodes),
                    views(edges),
                    desk.lore,
                    views(desk.mind),
                    PLAYOUTS,
                    views(memory),
                )
            assert desk["played"] == PLAYOUTS
            found.append((desk, nodes, edges, memory))
        (ours, *tree), (theirs, *other_tree) = found
        for array, other in zip([ours.array, *tree], [theirs.array, *other_tree], strict=True):
            for field in array.dtype.names:
                assert np.array_equal(array[field], other[field]), (field, view.to_json())


@variants
def test_a_look_ahead_whims_and_temptations(variant: tuple[str, int, dict[str, Any]]) -> None:
    for view, seat in decisions(variant, 6):
        compiled, plain, quick = Desk(view, seat, SEED), Desk(view, seat, SEED), Desk(view, seat, SEED)
        arrays, states = (compiled.states, compiled.array), plain.interpreted()
        for work, *more in ((glance, 3), (whims, np.zeros(5, np.int32)), (temptations,)):
            first = kernel(view.game, work)(*arrays, compiled.lore, *more)
            picks = [np.copy(each) for each in more]
            assert work(*states, plain.lore, *more) == first
            assert all(np.array_equal(ours, theirs) for ours, theirs in zip(picks, more, strict=True))
            assert interpreted(view.game, work)(quick.states, quick.array, quick.lore, *more) == first
            assert all(np.array_equal(ours, theirs) for ours, theirs in zip(picks, more, strict=True))
            for field in view.game.desk.names or ():
                assert np.array_equal(compiled[field], plain[field]), (work.__name__, field, view.to_json())
                assert np.array_equal(compiled[field], quick[field]), (work.__name__, field, view.to_json())


@pytest.mark.parametrize("level", ["apprentice", "trader", "merchant:playouts=32"])
@pytest.mark.parametrize("name", names())
def test_a_bot_chooses_the_same_before_anything_is_compiled(name: str, level: str, monkeypatch: Any) -> None:
    """When what it thinks with has been compiled, it takes over, and nobody can tell."""
    bot = souk.bot(f"{level}{',' if ':' in level else ':'}seed=5")
    for view, seat in decisions((name, souk.game(name).players[-1], {}), 3):
        expected = bot.choose(view, seat)
        with monkeypatch.context() as patch, at_once():
            patch.setattr(interpreting, "_compiled", set())  # as in a process that has just been started
            assert bot.choose(view, seat) == expected


def test_bazaar_is_studied_without_a_compiler_to_the_same_last_bit() -> None:
    view, _ = next(decisions(("bazaar", 3, {}), 1))
    expected = bazaar.study(view.array)
    frame = np.zeros(1, view.game.dtype)
    for field in ("equations", "wares", "rates"):
        frame[field] = view.array[field]
    frame["players"] = 2
    worths = np.zeros((2, study.HANDS, study.ROW), np.float32)
    interpreted(view.game, study.work_out)(frame, np.zeros(1, study.WORKINGS), worths[0], worths[1])
    assert np.array_equal(worths.reshape(-1), expected)


@pytest.mark.parametrize("variant", [each for each in VARIANTS if souk.game(each[0]).secrets], ids=variant_name)
def test_secret_choices_looked_at_together(variant: tuple[str, int, dict[str, Any]]) -> None:
    name, players, options = variant
    found = [r.position for r in random_game(name, players, options, SEED) if len(r.position.actors) > 1]
    for view in found[:: len(found) // 3][:3]:
        compiled, interpreted = Desk(view, 1, SEED), Desk(view, 1, SEED)
        for desk in (compiled, interpreted):
            desk.array["swayed"][:, 0], desk.array["habits"][:, 0, 1] = 0.5, 1.0
        edges, other_edges = np.zeros(64, EDGE), np.zeros(64, EDGE)
        kernel(view.game, weigh_together)(compiled.states, compiled.array, edges, compiled.lore, 3)
        weigh_together(*interpreted.interpreted(), views(other_edges), interpreted.lore, 3)
        for array, other in ((compiled.array, interpreted.array), (edges, other_edges)):
            for field in array.dtype.names or ():
                assert np.array_equal(array[field], other[field]), (field, view.to_json())


@pytest.mark.parametrize("rugs", [1, 2])
@pytest.mark.parametrize("variant", [each for each in VARIANTS if each[0] == "suleika"], ids=variant_name)
def test_an_ending_played_out_in_full(variant: tuple[str, int, dict[str, Any]], rugs: int) -> None:
    decisions = [r.position.copy() for r in random_game(*variant, SEED) if r.position.actors]
    view = [pos for pos in decisions if pos.array["left"].sum() == rugs][1 - rugs]
    found = []
    for compiled in (True, False):
        ending = Ending(view, 0)
        if compiled:
            n = kernel(view.game, play_out_in_full)(*ending.arrays, 1000)
        else:
            states, desks = ending.desk.interpreted()
            n = play_out_in_full(states, desks, *map(views, ending.arrays[2:6]), ending.desk.lore, 1000)
        found.append((n, ending.looked_at, ending.desk["reasons"].tolist(), ending.levels["out"][0].tolist()))
    assert found[0] == found[1]
    assert found[0][0] == len(view.moves(view.actors[0]))
