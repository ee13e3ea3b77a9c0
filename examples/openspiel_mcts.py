"""OpenSpiel's MCTS plays the second half of games of Suleika against random moves.

To run it: pip install souk[lab]; python examples/openspiel_mcts.py
"""

import random

import numpy as np
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.bots.uniform_random import UniformRandomBot

import souk
from souk.lab.openspiel import load

GAMES, SIMULATIONS, EVENTS = 6, 25, 120


def half_a_game(seed: int) -> souk.Position:
    """Where a game of random moves stands after so many moves, dice and cards."""
    rng, position = random.Random(seed), souk.game("suleika").start(players=2)
    for _ in range(EVENTS):
        if position.actors:
            seat = position.actors[0]
            position.play(seat, rng.choice(position.moves(seat)))
        else:
            position.draw(rng)
    return position


def main() -> None:
    numbers, won = np.random.RandomState(1), 0.0
    for number in range(GAMES):
        game, seat = load("suleika", position=half_a_game(number)), number % 2
        evaluator = RandomRolloutEvaluator(n_rollouts=1, random_state=numbers)
        bots = [UniformRandomBot(each, numbers) for each in range(2)]
        bots[seat] = MCTSBot(game, uct_c=2, max_simulations=SIMULATIONS, evaluator=evaluator, random_state=numbers)
        result = evaluate_bots(game.new_initial_state(), bots, numbers)[seat]
        won += (1 + result) / 2
        print(f"from {game.start.scores}: MCTS on seat {seat} {'won' if result > 0 else 'did not win'}")
    print(f"MCTS won {won:g} of {GAMES} games")


if __name__ == "__main__":
    main()
