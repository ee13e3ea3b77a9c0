"""Souk beside OpenSpiel on this machine, in one run: nodes a second on one core.

    pip install souk[lab]; python bench/peers.py [SECONDS] [--json FILE]

OpenSpiel plays its C++ MCTS bot (random rollouts) from the start of backgammon. Its nodes are counted as simulations times
the moves and chance outcomes of a random game, which is what a simulation plays; the tree above a rollout is short. Souk plays
random games, one core; a node is a move or a chance outcome there too.
"""

import random
import time

import pyspiel
from pedigree import settings, write_figures

from souk.games import game, names
from souk.kernel.batches import cpu_kernel
from souk.lab.simulate.speed import events_per_second

_SIMULATIONS = 200
_GAMES = 100  # random ones, to tell how long they are
_UCT = 2.0


def events_of_random_game(state: pyspiel.State, rng: random.Random) -> int:
    events = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
        events += 1
    return events


def openspiel_simulations(seconds: float) -> tuple[float, float]:
    """Simulations a second of OpenSpiel's MCTS bot on backgammon, with random rollouts, and how many nodes they have on average."""
    backgammon = pyspiel.load_game("backgammon")
    rng = random.Random(1)
    root = backgammon.new_initial_state()
    while root.is_chance_node():
        root.apply_action(rng.choice(root.chance_outcomes())[0])
    mean = sum(events_of_random_game(root.clone(), rng) for _ in range(_GAMES)) / _GAMES
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(backgammon, evaluator, _UCT, _SIMULATIONS, 256, False, 1, False)
    begin, steps = time.perf_counter(), 0
    while (took := time.perf_counter() - begin) < seconds:
        bot.step(root)
        steps += 1
    return steps * _SIMULATIONS / took, mean


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=5.0)
    given = parser.parse_args()
    for name in names():
        cpu_kernel(game(name))
    simulations, nodes = openspiel_simulations(given.seconds)
    theirs, rows = simulations * nodes, []
    print(f"OpenSpiel MCTS, backgammon: {simulations:,.0f} simulations/s of {nodes:.0f} nodes on average")
    print(f"OpenSpiel MCTS, backgammon: {theirs:,.0f} nodes/s")
    for name in names():
        players = game(name).players[-1]
        ours = events_per_second(game(name), players, given.seconds)
        rows.append({"game": name, "players": players, "nodes_per_second": ours})
        print(f"Souk, {name}, {players} players: {ours:,.0f} nodes/s, {ours / theirs:,.0f} times")
    if given.json:
        openspiel = {"simulations_per_second": simulations, "nodes": nodes, "nodes_per_second": theirs}
        figures = {"openspiel": openspiel, "rows": rows}
        write_figures(given.json, figures, n=_GAMES, of="random games of backgammon to tell their length")


if __name__ == "__main__":
    main()
