"""OpenSpiel's MCTS plays the second half of games of Suleika against random moves.

To run it: pip install '.[lab]'; python examples/openspiel_mcts.py
"""

import numpy as np
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.bots.uniform_random import UniformRandomBot

from souk.lab.openspiel import SoukGame, SoukState, load

GAMES, SIMULATIONS, EVENTS = 6, 25, 120


def half_a_game(game: SoukGame, rng: np.random.RandomState) -> SoukState:
    """The state of a random game after EVENTS moves, dice and cards."""
    state = game.new_initial_state()
    for _ in range(EVENTS):
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=chances))
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


def main() -> None:
    game, rng, won = load("suleika", players=2), np.random.RandomState(3), 0.0
    for number in range(GAMES):
        start, seat = half_a_game(game, rng), number % 2
        evaluator = RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
        bots = [UniformRandomBot(player, rng) for player in range(2)]
        bots[seat] = MCTSBot(
            game, uct_c=2, max_simulations=SIMULATIONS, evaluator=evaluator, random_state=rng
        )
        result = evaluate_bots(start.clone(), bots, rng)[seat]
        won += (1 + result) / 2
        outcome = "won" if result > 0 else "did not win"
        print(f"from {start.position.scores}: MCTS on seat {seat} {outcome}")
    print(f"MCTS won {won:g} of {GAMES} games")


if __name__ == "__main__":
    main()
