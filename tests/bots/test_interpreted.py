"""Bot kernels, interpreted and compiled: the same bytes in workspace and tree."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import souk
from souk.bots.endgame import EndgameSearch
from souk.bots.kernels.endgame import solve_endgame
from souk.bots.kernels.one_ply import beginner_scores, likely_moves, look_ahead
from souk.bots.kernels.search import memory_type, think
from souk.bots.kernels.simultaneous import improve_strategies
from souk.bots.kernels.tree import EDGE, NODE
from souk.bots.workspace import Workspace, kernel
from souk.games import names
from souk.games.bazaar import heuristics as bazaar
from souk.games.bazaar import ware_values as study
from souk.kernel import interpreter as interpreting
from souk.kernel.interpreter import interpreted_kernel, without_compiling
from souk.kernel.state import States, state_class
from tests.support.random_games import VARIANTS, random_game, variant_name

SEED = 77
PLAYOUTS = 40
variants = pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)


def decisions(
    variant: tuple[str, int, dict[str, Any]], times: int
) -> Iterator[tuple[souk.Position, int]]:
    """Some positions of a random game, each with a seat to move."""
    name, players, options = variant
    found = [
        r.position.copy() for r in random_game(name, players, options, SEED) if r.position.actors
    ]
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
            workspace, nodes, edges = (
                Workspace(view, seat, SEED),
                np.zeros(256, NODE),
                np.zeros(8192, EDGE),
            )
            memory = np.zeros(PLAYOUTS - 1, memory_type(view.game))
            workspace["guided"], workspace["exploration"] = guided, 0.3
            workspace.array["swayed"][:, 0], workspace.array["habits"][:, 0, 1] = 0.5, 1.0
            if compiled:
                arrays = workspace.states, workspace.array, nodes, edges
                kernel(view.game, think)(*arrays, workspace.lookup, workspace.net, PLAYOUTS, memory)
            else:
                think(
                    *workspace.interpreted(),
                    views(nodes),
                    views(edges),
                    workspace.lookup,
                    views(workspace.net),
                    PLAYOUTS,
                    views(memory),
                )
            assert workspace["played"] == PLAYOUTS
            found.append((workspace, nodes, edges, memory))
        (ours, *tree), (theirs, *other_tree) = found
        for array, other in zip([ours.array, *tree], [theirs.array, *other_tree], strict=True):
            for field in array.dtype.names:
                assert np.array_equal(array[field], other[field]), (field, view.to_json())


@variants
def test_a_look_ahead_whims_and_temptations(variant: tuple[str, int, dict[str, Any]]) -> None:
    for view, seat in decisions(variant, 6):
        compiled, plain, quick = (
            Workspace(view, seat, SEED),
            Workspace(view, seat, SEED),
            Workspace(view, seat, SEED),
        )
        arrays, states = (compiled.states, compiled.array), plain.interpreted()
        for work, *more in (
            (look_ahead, 3),
            (likely_moves, np.zeros(5, np.int32)),
            (beginner_scores,),
        ):
            first = kernel(view.game, work)(*arrays, compiled.lookup, *more)
            picks = [np.copy(each) for each in more]
            assert work(*states, plain.lookup, *more) == first
            assert all(
                np.array_equal(ours, theirs) for ours, theirs in zip(picks, more, strict=True)
            )
            assert (
                interpreted_kernel(view.game, work)(quick.states, quick.array, quick.lookup, *more)
                == first
            )
            assert all(
                np.array_equal(ours, theirs) for ours, theirs in zip(picks, more, strict=True)
            )
            for field in view.game.workspace.names or ():
                assert np.array_equal(compiled[field], plain[field]), (
                    work.__name__,
                    field,
                    view.to_json(),
                )
                assert np.array_equal(compiled[field], quick[field]), (
                    work.__name__,
                    field,
                    view.to_json(),
                )


@pytest.mark.parametrize("level", ["apprentice", "trader", "merchant:playouts=32"])
@pytest.mark.parametrize("name", names())
def test_a_bot_chooses_the_same_before_anything_is_compiled(
    name: str, level: str, monkeypatch: Any
) -> None:
    """Interpreted and compiled bots cannot be told apart."""
    bot = souk.bot(f"{level}{',' if ':' in level else ':'}seed=5")
    for view, seat in decisions((name, souk.game(name).players[-1], {}), 3):
        expected = bot.choose(view, seat)
        with monkeypatch.context() as patch, without_compiling():
            patch.setattr(interpreting, "_compiled", set())  # as in a fresh process
            assert bot.choose(view, seat) == expected


def test_bazaar_is_studied_without_a_compiler_to_the_same_last_bit() -> None:
    view, _ = next(decisions(("bazaar", 3, {}), 1))
    expected = bazaar.build_lookup(view.array)
    frame = np.zeros(1, view.game.dtype)
    for field in ("equations", "wares", "rates"):
        frame[field] = view.array[field]
    frame["players"] = 2
    worths = np.zeros((2, study.HANDS, study.ROW), np.float32)
    interpreted_kernel(view.game, study.compute_values)(
        frame, np.zeros(1, study.SCRATCH), worths[0], worths[1]
    )
    assert np.array_equal(worths.reshape(-1), expected)


@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if souk.game(each[0]).secrets], ids=variant_name
)
def test_secret_choices_looked_at_together(variant: tuple[str, int, dict[str, Any]]) -> None:
    name, players, options = variant
    found = [
        r.position for r in random_game(name, players, options, SEED) if len(r.position.actors) > 1
    ]
    for view in found[:: len(found) // 3][:3]:
        compiled, interpreted = Workspace(view, 1, SEED), Workspace(view, 1, SEED)
        for workspace in (compiled, interpreted):
            workspace.array["swayed"][:, 0], workspace.array["habits"][:, 0, 1] = 0.5, 1.0
        edges, other_edges = np.zeros(64, EDGE), np.zeros(64, EDGE)
        kernel(view.game, improve_strategies)(
            compiled.states, compiled.array, edges, compiled.lookup, 3
        )
        improve_strategies(*interpreted.interpreted(), views(other_edges), interpreted.lookup, 3)
        for array, other in ((compiled.array, interpreted.array), (edges, other_edges)):
            for field in array.dtype.names or ():
                assert np.array_equal(array[field], other[field]), (field, view.to_json())


@pytest.mark.parametrize("rugs", [1, 2])
@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if each[0] == "suleika"], ids=variant_name
)
def test_an_ending_played_out_in_full(variant: tuple[str, int, dict[str, Any]], rugs: int) -> None:
    decisions = [r.position.copy() for r in random_game(*variant, SEED) if r.position.actors]
    view = [pos for pos in decisions if pos.array["left"].sum() == rugs][1 - rugs]
    found = []
    for compiled in (True, False):
        ending = EndgameSearch(view, 0)
        if compiled:
            n = kernel(view.game, solve_endgame)(*ending.arrays, 1000)
        else:
            states, desks = ending.workspace.interpreted()
            n = solve_endgame(
                states, desks, *map(views, ending.arrays[2:6]), ending.workspace.lookup, 1000
            )
        found.append(
            (
                n,
                ending.looked_at,
                ending.workspace["reasons"].tolist(),
                ending.levels["out"][0].tolist(),
            )
        )
    assert found[0] == found[1]
    assert found[0][0] == len(view.moves(view.actors[0]))
