"""Souk beside OpenSpiel on this machine, in one run: nodes a second on one core.

    pip install souk[lab]; python bench/peers.py [SECONDS]

OpenSpiel plays its C++ MCTS bot (random rollouts) from the start of backgammon. Its nodes are counted as simulations times
the moves and chance outcomes of a random game, which is what a simulation plays; the tree above a rollout is short. Souk plays
random games, one core; a node is a move or a chance outcome there too.
"""

import random
import sys
import time

import pyspiel

from souk.games import game, names
from souk.kernel.batches import cpu_kernel
from souk.lab.simulate.speed import events_per_second

_SIMULATIONS = 200
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


def openspiel_nodes_per_second(seconds: float) -> float:
    """Nodes a second of OpenSpiel's MCTS bot on backgammon, with random rollouts."""
    backgammon = pyspiel.load_game("backgammon")
    rng = random.Random(1)
    root = backgammon.new_initial_state()
    while root.is_chance_node():
        root.apply_action(rng.choice(root.chance_outcomes())[0])
    mean = sum(events_of_random_game(root.clone(), rng) for _ in range(100)) / 100
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(backgammon, evaluator, _UCT, _SIMULATIONS, 256, False, 1, False)
    begin, steps = time.perf_counter(), 0
    while (took := time.perf_counter() - begin) < seconds:
        bot.step(root)
        steps += 1
    print(
        f"OpenSpiel MCTS, backgammon: {steps * _SIMULATIONS / took:,.0f} simulations/s of {mean:.0f} nodes on average"
    )
    return steps * _SIMULATIONS * mean / took


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    for name in names():
        cpu_kernel(game(name))
    theirs = openspiel_nodes_per_second(seconds)
    print(f"OpenSpiel MCTS, backgammon: {theirs:,.0f} nodes/s")
    for name in names():
        found = game(name)
        ours = events_per_second(found, found.players[-1], seconds)
        print(f"Souk, {name}, {found.players[-1]} players: {ours:,.0f} nodes/s, {ours / theirs:,.0f} times")


if __name__ == "__main__":
    main()
