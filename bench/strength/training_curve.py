"""Measures the strength of a net by seconds of training, against no net and the shipped net.

    python -m bench.strength.training_curve [GAME ...] [--players N] [--positions N] [--rounds N]
        [--pairs N] [--playouts N] [--device cuda|cpu] [--processes N] [--json FILE]

Trains from nothing with the smallest number of players. Seconds exclude the matches, which are
played with equal playouts. The last row of a game is the shipped net.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.strength.strength import fewest_and_most
from bench.support.provenance import figures_parser, write_figures
from souk.games import names
from souk.lab.statistics import mean_over
from souk.lab.training.loop import Progress, Training, find_device
from souk.lab.training.selfplay import Side, compile_selfplay, match
from souk.lab.training.settings import TrainingSettings
from souk.lab.workers import Processes, Workers

SEED = 1_000_000  # of the matches; no training uses it
SHIPPED = ""
OPPONENTS = {"no_net": Side(), "shipped": Side(SHIPPED)}

Row = dict[str, Any]


@dataclass
class Evaluation:
    """Plays matches against the opponents after each round of a training."""

    workers: Workers
    game: str
    players: int
    pairs: int
    playouts: int

    def rows(self, training: Training, rounds: int) -> list[Row]:
        rows = []
        for latest in training.run(rounds=rounds):
            history = training.state.rounds
            row: Row = {"game": self.game, "players": self.players, "round": latest.number}
            row["positions"] = sum(each.positions for each in history)
            times = [each.seconds for each in history]
            row["seconds"] = sum(seconds["play"] + seconds["learn"] for seconds in times)
            net = str(training.folder / f"net-{latest.number:03}.safetensors")
            rows.append(row | {"score": latest.score} | self.strength(net))
            print(rows[-1], flush=True)
        row = {"game": self.game, "players": self.players, "round": 0}
        rows.append(row | self.strength(SHIPPED))
        print(rows[-1], flush=True)
        return rows

    def strength(self, net: str) -> Row:
        """Shares of wins by opponent, with their intervals."""
        return {
            name: self._share(Side(net), other)
            for name, other in OPPONENTS.items()
            if other.net != net
        }

    def _share(self, one: Side, other: Side) -> list[float]:
        sides = one, other
        shares = match(
            self.workers, self.game, self.players, sides, self.playouts, SEED, self.pairs
        )
        share = mean_over(shares, np.ones(len(shares)))
        return [float(share.value), float(share.low), float(share.high)]


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", choices=[*names(), []])
    parser.add_argument("--players", type=int)
    parser.add_argument("--positions", type=int, default=200_000, help="per round")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--pairs", type=int, default=400, help="of games per match")
    parser.add_argument("--playouts", type=int, default=100, help="per move of a match")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--processes", type=int)
    args = parser.parse_args()
    device, rows = find_device(args.device), list[Row]()
    with tempfile.TemporaryDirectory() as folder, Processes(args.processes) as workers:
        for game in args.games or names():
            players = args.players or fewest_and_most(game)[0]
            settings = TrainingSettings(
                game=game,
                players=players,
                positions=args.positions,
                window=args.rounds,
                most_pairs=2,
                gated=False,
            )
            compile_selfplay(game, players)  # not part of the measured training
            training = Training(settings, Path(folder) / game, device, workers, Progress())
            evaluation = Evaluation(workers, game, players, args.pairs, args.playouts)
            rows += evaluation.rows(training, args.rounds)
            if args.json:  # after every game, in case of an interruption
                n = 2 * args.pairs * sum(name in row for row in rows for name in OPPONENTS)
                machine: Row = {"cores": workers.parallelism, "gpu": device == "cuda"}
                write_figures(args.json, {"rows": rows}, n=n, of="games", **machine)


if __name__ == "__main__":
    main()
