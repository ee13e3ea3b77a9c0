"""Settings of self-play, of learning, and of a whole training run."""

from dataclasses import dataclass

import msgspec

from souk.nets import loader

# Former names of settings, as in training.json files and options of `souk train`.
FORMER_NAMES = {
    "begin": "initial_net",
    "belief": "correction_scale",
    "hindsight": "td_lambda",
    "reviews": "bootstrap_passes",
    "scramble": "random_opening",
    "tilts": "win_head",
    "trust": "search_weight",
    "wild": "epsilon",
}


@dataclass(frozen=True)
class SelfPlaySettings:
    """How training games are played."""

    # playouts of a search whose position is kept
    playouts: int = 96
    # playouts of any other search
    quick: int = 24
    # probability of keeping a quiet position
    kept: float = 0.5
    # probability of a random move
    epsilon: float = 0.02
    # maximum number of random decisions at the start
    random_opening: int = 0


class LearningSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Training hyperparameters."""

    epochs: float = 3.0
    batch: int = 8192
    rate: float = 3e-3
    decay: float = 1e-5
    # weight of the search result against the final result as target
    search_weight: float = 0.0
    # whether win chances may depend on more than the scores
    win_head: bool = True
    # number of passes with targets bootstrapped from the net's own evaluations
    bootstrap_passes: int = 2
    # in those passes: weight of the later outcome against the evaluation of the next position
    td_lambda: float = 0.4
    # scale of the net's score corrections after training
    correction_scale: float = 1.0
    # share of games held out
    held_out: float = 0.05
    seed: int = 0


class TrainingSettings(LearningSettings, frozen=True, kw_only=True):
    """The game and the hyperparameters of a training run."""

    game: str
    players: int
    # per round
    positions: int = 1_000_000
    # number of recent rounds to learn from
    window: int = 3
    # how games are played, as in SelfPlaySettings
    playouts: int = 24
    quick: int = 24
    kept: float = 0.5
    epsilon: float = 0.04
    random_opening: int = 32
    # whether games are played on a GPU
    gpu_games: bool = False
    match_playouts: int = 100
    # maximum game pairs of a match
    most_pairs: int = 2000
    # whether a new net must win its match to be kept
    gated: bool = True
    # net of the first round: a file, none, or "" for the game's own
    initial_net: str = loader.NONE

    @property
    def selfplay_settings(self) -> SelfPlaySettings:
        return SelfPlaySettings(
            self.playouts, self.quick, self.kept, self.epsilon, self.random_opening
        )
