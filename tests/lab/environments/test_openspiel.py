"""The OpenSpiel games: OpenSpiel's own tests, information states, and its algorithms."""

import importlib
import json
import random
import runpy
import sys
from pathlib import Path
from typing import Any

import pyspiel
import pytest

import souk
from souk.games import names
from souk.lab.openspiel import load, packed
from tests.support.play import play_out

EXAMPLES = Path(__file__).parents[3] / "examples"
SECRETIVE = ["basari", "basari-cards"]
TABLES = [
    (name, players)
    for name in names()
    for players in (souk.game(name).players[0], souk.game(name).players[-1])
]


def random_step(state: Any, rng: random.Random) -> None:
    """Take a random action, or a possible outcome."""
    if state.is_simultaneous_node():
        state.apply_actions(
            [rng.choice(state.legal_actions(seat)) for seat in range(state.num_players())]
        )
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def secret_choice(name: str) -> souk.Position:
    """The first position of a game in which all seats choose."""
    path = play_out(souk.game(name).start(players=3), 1)
    return next(pos for pos in path if len(pos.actors) == 3)


# ---------------------------------------------------------------- OpenSpiel API


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_openspiel_finds_nothing_wrong(name: str, players: int) -> None:
    game = load(name, players=players)
    assert game.get_type().short_name == f"souk_{name.replace('-', '_')}"
    assert game.num_players() == players
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", SECRETIVE)
def test_openspiel_finds_nothing_wrong_where_choices_are_made_in_turn(name: str) -> None:
    game = pyspiel.load_game_as_turn_based(f"souk_{name.replace('-', '_')}", {"players": 4})
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", names())
def test_a_playthrough_tells_a_whole_game_and_is_the_same_for_a_seed(name: str) -> None:
    short = f"souk_{name.replace('-', '_')}"
    playthrough = importlib.import_module(
        "open_spiel.python.algorithms.generate_playthrough"
    ).playthrough  # takes seconds
    text = playthrough(short, None, seed=7)
    assert "IsTerminal() = True" in text
    assert text == playthrough(short, None, seed=7)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_happens_is_what_our_rules_say(name: str, players: int) -> None:
    """A random game, in OpenSpiel and in parallel as a Position."""
    game, rng = load(name, players=players), random.Random(3)
    state, pos = game.new_initial_state(), souk.game(name).start(players=players)
    while not state.is_terminal():
        assert state.position == pos
        if state.is_chance_node():
            chances = {
                state.action_to_string(action): chance for action, chance in state.chance_outcomes()
            }
            assert chances == pytest.approx(pos.chances())
            action = rng.choice(state.legal_actions())
            pos.resolve(state.action_to_string(action))
            state.apply_action(action)
        else:
            actions = [0] * players
            for seat in pos.actors:
                listed = [
                    state.action_to_string(seat, action) for action in state.legal_actions(seat)
                ]
                assert listed == pos.moves(seat)[: len(listed)]
                actions[seat] = rng.randrange(len(listed))
            together = state.is_simultaneous_node()
            assert together == (len(pos.actors) > 1)
            assert together or state.current_player() == pos.actors[0]
            for seat in pos.actors:
                pos.play(seat, state.action_to_string(seat, actions[seat]))
            if together:
                state.apply_actions(actions)
            else:
                state.apply_action(actions[state.current_player()])
    assert pos.over
    assert json.loads(str(state)) == pos.to_json()
    if players > 1:
        assert [value > 0 for value in state.returns()] == [
            seat in pos.winners for seat in range(players)
        ]
        assert sum(state.returns()) == pytest.approx(0)
    else:
        assert state.returns() == [-pos.scores[0]]


# ---------------------------------------------------------------- information


@pytest.mark.parametrize("name", SECRETIVE)
def test_a_choice_is_not_seen_before_all_have_chosen(name: str) -> None:
    root = pyspiel.convert_to_turn_based(
        load(name, position=secret_choice(name))
    ).new_initial_state()
    after = [root.child(action) for action in root.legal_actions()]
    assert {state.current_player() for state in after} == {1}
    for seat in (1, 2):
        assert len({state.information_state_string(seat) for state in after}) == 1
    assert len({state.information_state_string(0) for state in after}) == len(after)
    revealed = [state.child(0).child(0) for state in after]
    assert len({state.information_state_string(1) for state in revealed}) == len(after)


def test_an_observation_is_a_seats_view_in_words_and_in_numbers() -> None:
    pos = secret_choice("basari")
    state = load("basari", position=pos).new_initial_state()
    assert json.loads(state.observation_string(2)) == pos.to_json(seat=2)
    observer = state.get_game().make_py_observer()
    observer.set_from(state, 2)
    points = pos.to_json()["points"]
    assert observer.dict["points"].tolist()[:3] == [points[2], points[0], points[1]]
    assert state.observation_tensor(2) == observer.tensor.tolist()


def test_states_of_different_positions_are_told_apart() -> None:
    game = load("suleika", players=2)
    path = play_out(souk.game("suleika").start(players=2), 1)
    states = [game.state_at(pos) for pos in path]
    assert [state.position for state in states] == path
    assert len({state.information_state_string(0) for state in states}) == len(path)
    assert states[3].clone().information_state_string(0) == states[3].information_state_string(0)


# ---------------------------------------------------------------- parameters


def test_options_are_parameters() -> None:
    game = pyspiel.load_game("souk_bazaar(players=4,rates=3 8,first=2,double_purchase=True)")
    assert game.start.options == {"rates": (3, 8), "first": 2, "double_purchase": True}
    assert (
        load("bazaar", players=4, rates=(3, 8), first=2, double_purchase=True).start == game.start
    )
    alone = pyspiel.load_game("souk_bazaar(players=1,rates=1 2,ware=WWWRR)")
    assert alone.start.options == {"rates": (1, 2), "ware": "WWWRR"}
    assert load("bazaar", first=None).start == pyspiel.load_game("souk_bazaar").start


@pytest.mark.parametrize("offers", [1, 3, 2000])
def test_so_many_offers_may_be_made(offers: int) -> None:
    game, rng = load("basari", players=4, offers=offers), random.Random(1)
    state, most = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.current_player() >= 0 and state.position.to_json()["phase"] == "haggle":
            all_moves = state.position.moves(state.current_player())
            listed = [state.action_to_string(action) for action in state.legal_actions()]
            # stopping is always legal here
            assert listed == all_moves[: offers + 1]
            most = max(most, len(listed))
        random_step(state, rng)
    assert most == offers + 1 if offers < 2000 else most > 100


@pytest.mark.parametrize("name", names())
def test_a_game_may_begin_anywhere(name: str) -> None:
    for pos in play_out(souk.game(name).start(players=3), 2)[::40]:
        if pos.seen_by(-1) != pos:
            # contains a secret choice
            continue
        game = load(name, position=pos)
        assert game.start == game.new_initial_state().position == pos
        again = pyspiel.load_game(str(game))
        assert again.start == pos
        assert again.get_parameters() == game.get_parameters()
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_nonsense_is_refused() -> None:
    chosen = secret_choice("basari")
    before = chosen.copy()
    chosen.play(1, "gems")
    with pytest.raises(ValueError, match="position: contains a secret choice"):
        load("basari", position=chosen)
    with pytest.raises(ValueError, match="position: contains a secret choice"):
        load("basari").state_at(chosen)
    with pytest.raises(ValueError, match="position: .* is not of souk_suleika"):
        load("suleika").state_at(before)
    with pytest.raises(ValueError, match='position: game: must be "suleika"'):
        load("suleika", position=before)
    with pytest.raises(ValueError, match="players: is set by the position"):
        load("basari", position=before, players=3)
    with pytest.raises(ValueError, match="players: is 3 in the position, not 4"):
        pyspiel.load_game("souk_basari", {"position": packed(before), "players": 4})
    with pytest.raises(ValueError, match="position: must be a result of souk.lab.openspiel.packed"):
        pyspiel.load_game("souk_basari(position=here)")
    with pytest.raises(ValueError, match="offers: must be a whole number from 1"):
        load("basari", offers=0)
    with pytest.raises(ValueError, match="players: Basari is for 3 to 4 players, not 2"):
        load("basari", players=2)
    with pytest.raises(ValueError, match="ware: there is no such choice with 2 players"):
        load("bazaar", ware="WWWRR")
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        load("chess")


def test_without_openspiel_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "souk.lab.openspiel")
    with pytest.raises(
        ModuleNotFoundError, match=r"OpenSpiel is not installed: pip install 'souk-games\[lab\]'"
    ):
        importlib.import_module("souk.lab.openspiel")


# ---------------------------------------------------------------- algorithms


def run_example(name: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    return capsys.readouterr().out.splitlines()


def test_mcts_beats_random_moves(capsys: pytest.CaptureFixture[str]) -> None:
    *games, last = run_example("openspiel_mcts", capsys)
    assert len(games) == 6
    assert float(last.split()[2]) >= 4


def test_cfr_learns_to_choose(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run_example("openspiel_cfr", capsys)
    gains = [float(line.split()[-1]) for line in lines if line.startswith("round")]
    assert len(gains) == 3
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 0.4
    assert gains[-1] < 0.02
    assert [line.split(":")[0] for line in lines[-3:]] == ["seat 0", "seat 1", "seat 2"]


def test_a_best_reply_is_no_worse_than_the_player_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    about, *lines = run_example("openspiel_best_response", capsys)
    assert about.startswith("scores [81, 80], 2 rugs left")
    found = {
        line.split()[0]: (float(line.split()[3].rstrip(",")), float(line.split()[-1]))
        for line in lines
    }
    assert found["random"] == (-0.055, 0.4938)
    assert found["merchant"][0] <= found["merchant"][1] <= 1
