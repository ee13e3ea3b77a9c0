"""Measures nodes/s of random play on one core, beside OpenSpiel's C++ MCTS bot on backgammon.

    python -m bench.speed.openspiel [SECONDS] [--json FILE]

OpenSpiel's nodes are simulations times the moves and chance outcomes of a random game; the tree
above a rollout is short. Needs pip install '.[lab]'.
"""

import random
import time

import pyspiel

from bench.support.provenance import figures_parser, write_figures
from souk.games import game, names
from souk.kernel.batch_play import cpu_kernel
from souk.lab.simulate.speed import events_per_second

_SIMULATIONS = 200
_GAMES = 100  # random, to measure their length
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
    """Simulations/s of OpenSpiel's MCTS bot with random rollouts, and mean nodes of each."""
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
    parser = figures_parser(__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=5.0)
    args = parser.parse_args()
    for name in names():
        cpu_kernel(game(name))
    simulations, nodes = openspiel_simulations(args.seconds)
    total, rows = simulations * nodes, []
    print(f"OpenSpiel, backgammon: {simulations:,.0f} simulations/s of {nodes:.0f} nodes")
    for name in names():
        players = game(name).players[-1]
        ours = events_per_second(game(name), players, args.seconds)
        rows.append({"game": name, "players": players, "nodes_per_second": ours})
        print(f"Souk, {name}, {players} players: {ours:,.0f} nodes/s, {ours / total:,.0f} times")
    if args.json:
        openspiel = {
            "simulations_per_second": simulations,
            "nodes": nodes,
            "nodes_per_second": total,
        }
        figures = {"openspiel": openspiel, "rows": rows}
        of = "random games of backgammon to measure their length"
        write_figures(args.json, figures, n=_GAMES, of=of)


if __name__ == "__main__":
    main()
