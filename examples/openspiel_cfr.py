"""OpenSpiel's CFR+ finds how to choose in the last round of a game of Basari, where three choose in secret.

To run it: pip install souk[lab]; python examples/openspiel_cfr.py

A random game is played up to its last choice. What can happen from there is a tree small enough to be walked through again and
again, as long as nobody raises an offer by more than the least (offers=1). The three choose one after
the other here, but OpenSpiel's `convert_to_turn_based` keeps each choice out of the others' information states.
"""

import random

import pyspiel

from souk import Position
from souk.lab.openspiel import load

SEED, ROUNDS = 23, 10


def last_choice(seed: int) -> Position:
    """Where a random game of three players comes to its last secret choice."""
    rng, state = random.Random(seed), load("basari", players=3).new_initial_state()
    found: Position | None = None
    while not state.is_terminal():
        if state.is_simultaneous_node():
            found = state.position
            state.apply_actions([rng.choice(state.legal_actions(seat)) for seat in range(3)])
        elif state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    assert found is not None
    return found


def main() -> None:
    position = last_choice(SEED)
    print(f"points {position.scores}, gems {position.to_json()['gems']}")
    in_turn = pyspiel.convert_to_turn_based(load("basari", position=position, offers=1))
    game = pyspiel.convert_to_cached_tree(in_turn)  # our rules are asked once, then OpenSpiel is among itself
    solver = pyspiel.CFRPlusSolver(game)
    for number in range(1, ROUNDS + 1):
        solver.evaluate_and_update_policy()
        if number in (1, 3, ROUNDS):
            gain = pyspiel.nash_conv(game, solver.average_policy())
            print(f"round {number}: by choosing better, each for itself, the three could gain {gain:.4f}")
    policy, state = solver.average_policy(), game.new_initial_state()
    for seat in range(3):
        shares = policy.action_probabilities(state)
        print(f"seat {seat}:", ", ".join(f"{state.action_to_string(a)} {shares[a]:.0%}" for a in sorted(shares)))
        state.apply_action(0)  # whatever it is, the next one does not see it


if __name__ == "__main__":
    main()
