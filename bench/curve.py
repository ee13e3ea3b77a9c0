"""How soon a mind is strong: rounds of a training from nothing, and after each a match against the vizier without a mind and against the mind that is shipped.

    python bench/curve.py [GAME …] [--players N] [--positions N] [--rounds N] [--pairs N] [--playouts N] [--device cuda|cpu] [--processes N] [--json FILE]

The smallest number of players, unless another is named. Seconds are those of playing and learning, without these matches, in which both sides make the same number of playouts for a
move. The last row of each game is the mind that is shipped, against the same opponent.
"""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from pedigree import settings, write_figures
from strength import counts

from souk.games import names
from souk.lab.statistics import mean_over
from souk.lab.training.annals import Curriculum
from souk.lab.training.selfplay import Side, compile_here, match
from souk.lab.training.training import Progress, Training, find_device
from souk.lab.workers import Processes, Workers

SEED = 1_000_000  # of the matches: none of a training has it
OWN = ""  # the mind that is shipped
AGAINST = {"mindless": Side(), "shipped": Side(OWN)}


class Course:
    """Trains one game's mind, and sees how strong it is by then."""

    def __init__(self, workers: Workers, game: str, players: int, pairs: int, playouts: int) -> None:
        self.workers, self.game, self.players, self.pairs, self.playouts = workers, game, players, pairs, playouts

    def rows(self, training: Training, rounds: int) -> list[dict[str, Any]]:
        found = []
        for each in training.go_on(rounds=rounds):
            seconds = sum(one.seconds[what] for one in training.state.rounds for what in ("play", "learn"))
            made = {"round": each.number, "positions": sum(one.positions for one in training.state.rounds)}
            mind = str(training.folder / f"mind-{each.number:03}.safetensors")
            found.append(made | {"seconds": seconds, "score": each.score} | self.strength(mind))
            print(self.game, self.players, found[-1], flush=True)
        found.append({"round": 0} | self.strength(OWN))
        print(self.game, self.players, found[-1], flush=True)
        return [{"game": self.game, "players": self.players} | row for row in found]

    def strength(self, mind: str) -> dict[str, Any]:
        """Shares of wins with their intervals."""
        return {name: self._share(Side(mind), other) for name, other in AGAINST.items() if other.mind != mind}

    def _share(self, one: Side, other: Side) -> list[float]:
        shares = match(self.workers, self.game, self.players, (one, other), self.playouts, SEED, self.pairs)
        found = mean_over(shares, np.ones(len(shares)))
        return [float(found.value), float(found.low), float(found.high)]


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", choices=[*names(), []])
    parser.add_argument("--players", type=int)
    parser.add_argument("--positions", type=int, default=200_000, help="a round")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--pairs", type=int, default=400, help="of games in a match")
    parser.add_argument("--playouts", type=int, default=100, help="for a move, in a match")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--processes", type=int)
    given = parser.parse_args()
    device, rows = find_device(given.device), list[dict[str, Any]]()
    with tempfile.TemporaryDirectory() as folder, Processes(given.processes) as workers:
        for game in given.games or names():
            players = given.players or counts(game)[0]
            wanted = Curriculum(
                game=game, players=players, positions=given.positions, window=given.rounds, most_pairs=2, gated=False
            )
            compile_here(game, players)  # once, and no part of a training
            training = Training(wanted, Path(folder) / game, device, workers, Progress())
            rows += Course(workers, game, players, given.pairs, given.playouts).rows(training, given.rounds)
            if given.json:  # after every game: so much is kept, should the time be over
                matches = sum(name in row for row in rows for name in AGAINST)
                n = 2 * given.pairs * matches
                write_figures(given.json, {"rows": rows}, n=n, of="games", cores=workers.at_once, gpu=device == "cuda")


if __name__ == "__main__":
    main()
