"""OpenSpiel's CFR+ solves the last round of a game of Basari with three secret choices.

To run it: pip install '.[lab]'; python examples/openspiel_cfr.py

A random game is played up to its last choice. With minimal raises only (offers=1), the remaining
tree is small enough to traverse repeatedly. OpenSpiel's `convert_to_turn_based` lets the three
choose in turn, and keeps each choice out of the others' information states.
"""

import random

import pyspiel

from souk import Position
from souk.lab.openspiel import load

SEED, ROUNDS = 23, 10


def last_choice(seed: int) -> Position:
    """The last secret choice of a random game with three players."""
    rng, state = random.Random(seed), load("basari", players=3).new_initial_state()
    position: Position | None = None
    while not state.is_terminal():
        if state.is_simultaneous_node():
            position = state.position
            state.apply_actions([rng.choice(state.legal_actions(seat)) for seat in range(3)])
        elif state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    assert position is not None
    return position


def main() -> None:
    position = last_choice(SEED)
    print(f"points {position.scores}, gems {position.to_json()['gems']}")
    in_turn = pyspiel.convert_to_turn_based(load("basari", position=position, offers=1))
    # expanded once, so that solving does not call the rules
    game = pyspiel.convert_to_cached_tree(in_turn)
    solver = pyspiel.CFRPlusSolver(game)
    for number in range(1, ROUNDS + 1):
        solver.evaluate_and_update_policy()
        if number in (1, 3, ROUNDS):
            gain = pyspiel.nash_conv(game, solver.average_policy())
            print(f"round {number}: total gain from individual best responses {gain:.4f}")
    policy, state = solver.average_policy(), game.new_initial_state()
    for seat in range(3):
        shares = policy.action_probabilities(state)
        print(
            f"seat {seat}:",
            ", ".join(f"{state.action_to_string(a)} {shares[a]:.0%}" for a in sorted(shares)),
        )
        # any choice: the next player does not see it
        state.apply_action(0)


if __name__ == "__main__":
    main()
