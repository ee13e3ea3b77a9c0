"""OpenSpiel computes the best response to a player in the last turns of a game of Suleika.

To run it: pip install '.[lab]'; python examples/openspiel_best_response.py
"""

import random

import pyspiel
from open_spiel.python.algorithms.best_response import BestResponsePolicy
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.policy import Policy, UniformRandomPolicy

import souk
from souk.lab.openspiel import SoukState, load

SEED, RUGS = 45, 2


class BotPolicy(Policy):  # type: ignore[misc]
    """A Souk bot as an OpenSpiel policy."""

    def __init__(self, game: pyspiel.Game, name: str) -> None:
        super().__init__(game, list(range(game.num_players())))
        self._bot = souk.bot(name)

    def action_probabilities(
        self, state: SoukState, player_id: int | None = None
    ) -> dict[int, float]:
        seat = state.current_player() if player_id is None else player_id
        considered = self._bot.choose(state.position, seat).considered
        shares = {state.string_to_action(seat, option.move): option.share for option in considered}
        return {action: shares.get(action, 0.0) for action in state.legal_actions(seat)}


def ending(seed: int) -> souk.Position:
    """A position of a random game with RUGS rugs left, before a turn of Omar."""
    rng, position = random.Random(seed), souk.game("suleika").start(players=2)
    while position.to_json()["phase"] != "turn" or sum(map(sum, position.to_json()["left"])) > RUGS:
        if position.actors:
            seat = position.actors[0]
            position.play(seat, rng.choice(position.moves(seat)))
        else:
            position.draw(rng)
    return position


def main() -> None:
    position = ending(SEED)
    game = load("suleika", position=position)
    seat = position.actors[0]
    print(f"scores {position.scores}, {RUGS} rugs left, seat {seat} to move. Its value (-1 to 1):")
    for name, policy in {
        "random": UniformRandomPolicy(game),
        "merchant": BotPolicy(game, "merchant"),
    }.items():
        self_play = policy_value(game.new_initial_state(), [policy] * 2)[seat]
        response = BestResponsePolicy(game, seat, policy).value(game.new_initial_state())
        print(f"{name} against itself {self_play:+.4f}, best response to it {response:+.4f}")


if __name__ == "__main__":
    main()
