"""Self-play on a GPU: openings, and results where there is a GPU."""

import numpy as np
import pytest

import souk
from souk.lab.training.selfplay import SelfPlayTask, Side, kernel_arguments
from souk.lab.training.selfplay_cuda import openings_of, selfplay_on_gpu
from souk.lab.training.selfplay_kernels import START
from souk.lab.training.settings import SelfPlaySettings

SEED, LAUNCH = 3, 4
MANNER = SelfPlaySettings(3, 2, 0.5, 0.05, 8)


@pytest.mark.parametrize(("name", "players"), [("suleika", 2), ("basari", 3), ("bazaar", 4)])
def test_tables_begin_as_on_cores(name: str, players: int) -> None:
    found = openings_of(name, players, Side(), MANNER, SEED, LAUNCH)
    many = len(found.states)
    for table in (0, 1, many - 1):
        number = LAUNCH * many + table
        _, arrays = kernel_arguments(
            SelfPlayTask(name, players, SEED, number, 2, (Side(),), (0,) * players, MANNER)
        )
        assert found.states[table].tobytes() == arrays[0][START].tobytes()
        assert found.lookup[table].tobytes() == arrays[4].tobytes()
    assert len({state.tobytes() for state in found.states}) > 1


def test_all_variants_are_played() -> None:
    found = openings_of("suleika", 2, Side(), MANNER, SEED, LAUNCH)
    assert set(found.states["turn_at_end"]) == {0, 1}
    assert len(np.unique(found.lookup, axis=0)) == 2


def test_every_launch_has_dice_of_its_own() -> None:
    seeds = [
        openings_of("suleika", 2, Side(), MANNER, SEED, launch).plan["seed"][0] for launch in (1, 2)
    ]
    again = openings_of("suleika", 2, Side(), MANNER, SEED, 1).plan["seed"][0]
    assert seeds[0] == again != seeds[1]


@pytest.mark.gpu
def test_games_on_a_gpu_are_played_to_their_end() -> None:
    first, second = selfplay_on_gpu("suleika", 2, Side(), MANNER, SEED, range(2))
    again = next(selfplay_on_gpu("suleika", 2, Side(), MANNER, SEED, range(1)))
    text = ["game", "n", "evaluation", "found_score", "score"]
    assert all(np.array_equal(first[field], again[field]) for field in text)
    assert not np.array_equal(first["score"][:100], second["score"][:100])
    assert np.allclose(first["found_wins"].sum(1), 1.0, atol=1e-5)
    assert np.allclose(first["wins"].sum(1), 1.0)
    seen = [sample["seen"][: sample["n"]] for sample in first[:1000]]
    assert min(each.min() for each in seen) >= 0
    assert max(each.max() for each in seen) < souk.game("suleika").net_features.ROWS
