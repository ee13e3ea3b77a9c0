"""PettingZoo and Gymnasium environments: API tests, secrets, action spaces, rendering, refusals."""

import re
import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, performance_benchmark, seed_test

import souk.lab.gymnasium
import souk.lab.pettingzoo
from souk.games import game, names

_TABLES = [(name, game(name).players[-1]) for name in names()]


def play_at_random(env: Any, seed: int, steps: int | None = None) -> list[tuple[str, int]]:
    """Play random actions, to the end or for some steps; return who took which."""
    rng = np.random.default_rng(seed)
    taken: list[tuple[str, int]] = []
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, _, ended, *_ = env.last()
        if len(taken) == steps or ended:
            break
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        taken.append((agent, action))
        env.step(action)
    return taken


@pytest.mark.parametrize(("name", "players"), _TABLES)
@pytest.mark.parametrize("actions", ["composed", "raw"])
def test_passes_pettingzoos_own_tests(name: str, players: int, actions: str) -> None:
    def make() -> Any:
        return souk.lab.pettingzoo.env(name, players=players, actions=actions)

    with warnings.catch_warnings():
        # a warning about dictionary observations
        warnings.filterwarnings("ignore", "Observation")
        api_test(make(), num_cycles=100)
    seed_test(make, num_cycles=50)


def test_pettingzoos_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(souk.lab.pettingzoo.env("suleika", players=4))
    [turns] = re.findall(r"([\d.]+) turns per second", capsys.readouterr().out)
    assert float(turns) > 0


@pytest.mark.parametrize(("name", "players"), _TABLES)
def test_a_whole_game(name: str, players: int) -> None:
    env = souk.lab.pettingzoo.env(name, players=players)
    play_at_random(env, seed=3)
    table = env.unwrapped
    assert table.position.over
    assert all(env.terminations.values())
    assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-6)
    winners = {f"seat_{seat}" for seat in table.position.winners}
    assert {agent for agent, reward in env.rewards.items() if reward > 0} == winners


def test_secret_choices_come_in_turn_and_stay_secret() -> None:
    """Whatever seat 0 chooses, the others observe the same until all have chosen."""
    views = []
    for choice in (28, 29, 30):
        env = souk.lab.pettingzoo.env("basari", players=4)
        env.reset(seed=1)
        for _ in range(4):
            env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        assert env.agent_selection == "seat_0"
        env.step(choice)
        assert env.agent_selection == "seat_1"
        views.append(
            [env.observe(agent)["observation"].tolist() for agent in ("seat_1", "seat_2", "seat_3")]
        )
    assert views[0] == views[1] == views[2]


def test_raw_actions_are_the_moves() -> None:
    env = souk.lab.pettingzoo.env("basari", players=3, actions="raw")
    env.reset(seed=4)
    table, rng, haggles = env.unwrapped, np.random.default_rng(4), 0
    while not table.position.over:
        moves = table.position.moves(table.position.actors[0])
        assert env.last()[0]["action_mask"].sum() == len(moves)
        action = int(rng.integers(min(3, len(moves))))
        assert table.action_text(action) == moves[action]
        haggles += moves[-1].startswith("offer")
        env.step(action)
    assert haggles > 10


@pytest.mark.parametrize(("name", "players"), _TABLES)
def test_pictures(name: str, players: int) -> None:
    as_text = souk.lab.pettingzoo.env(name, players=players, render_mode="ansi")
    as_colours = souk.lab.pettingzoo.env(name, players=players, render_mode="rgb_array")
    for env in (as_text, as_colours):
        play_at_random(env, seed=5, steps=30)
    assert "seat 1" in as_text.render()
    picture = as_colours.render()
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert picture.shape[2] == 3
    # not blank
    assert picture.std() > 10


def test_an_action_that_is_not_allowed_is_refused() -> None:
    env = souk.lab.pettingzoo.env("suleika", players=3)
    env.reset(seed=1)
    before = env.unwrapped.position
    for wrong in (19, 99, -1, None, "left"):
        with pytest.raises(
            ValueError, match=r"^action: .* is illegal; action_mask shows the legal actions"
        ):
            env.step(wrong)
    assert env.unwrapped.position == before


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"actions": "all"}, r"^actions: must be .composed. or .raw., not 'all'"),
        ({"render_mode": "human"}, r'^render_mode: must be "ansi", "rgb_array" or None'),
        ({"players": 9}, r"^players: Suleika is for 2 to 4"),
        ({"first": 9}, r"^first: "),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        souk.lab.pettingzoo.env("suleika", **({"players": 2} | settings))
    with pytest.raises(ValueError, match=message):
        souk.lab.gymnasium.Env("suleika", **({"players": 2} | settings))


# ---------------------------------------------------------------- Gymnasium


@pytest.mark.parametrize(("name", "players"), _TABLES)
def test_passes_gymnasiums_own_test(name: str, players: int) -> None:
    title = name.title().replace("-", "")
    env = gymnasium.make(f"souk/{title}-v0", players=players, opponents="random", seat=1)
    check_env(env.unwrapped)


def play_one_game(env: Any, seed: int) -> tuple[float, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed)
    while True:
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        observation, reward, ended, cut, info = env.step(action)
        assert env.observation_space.contains(observation)
        assert not cut
        if ended:
            return reward, info


@pytest.mark.parametrize(
    ("name", "opponents"), [("suleika", "greedy"), ("basari", ["trader", "random"])]
)
def test_a_game_against_bots(name: str, opponents: Any) -> None:
    env = souk.lab.gymnasium.Env(name, players=3, opponents=opponents, seat=2)
    reward, info = play_one_game(env, 8)
    assert -0.5 <= reward <= 1
    assert (reward > 0) == (max(info["scores"]) == info["scores"][2])
    assert play_one_game(env, 8) == (reward, info)
    env.close()


def test_an_action_that_is_not_allowed_loses() -> None:
    env = souk.lab.gymnasium.Env("suleika", players=2, opponents="random")
    env.reset(seed=1)
    _, reward, ended, _, info = env.step(19)
    assert (reward, ended) == (-1.0, True)
    assert "action_mask" in info["refused"]
    with pytest.raises(ValueError, match=r"^action: the game is over; reset\(\) begins the next"):
        env.step(0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opponents": "wizard"}, r"^bot: there is no bot"),
        ({"opponents": ["random"]}, r"^opponents: must be one bot or 2, not 1"),
        ({"seat": 3}, r"^seat: must be a whole number from 0 to 2, not 3"),
    ],
)
def test_opponents_that_make_no_sense(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        souk.lab.gymnasium.Env("suleika", players=3, **settings)


def test_found_without_an_import_of_its_own() -> None:
    code = (
        "import souk; print(souk.lab.pettingzoo.env('suleika', players=2), "
        "souk.lab.gymnasium.env('suleika', 2, opponents='random'))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "souk_suleika_v0" in run.stdout
    assert "Env" in run.stdout


@pytest.mark.parametrize("package", ["pettingzoo", "gymnasium"])
def test_says_what_is_missing(package: str) -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = sys.modules['pettingzoo'] = None; "
        f"import souk.lab.{package}"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stderr.strip().endswith("is missing: pip install 'souk-games[lab]'")
