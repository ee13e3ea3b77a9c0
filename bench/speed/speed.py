"""Measures random play: interpreted, on one core, on all cores, and through `Position`.

    python -m bench.speed.speed [SECONDS] [--json FILE]

Like `souk bench --seconds SECONDS`, plus every number of players. A speed counts moves and chance
outcomes of whole random games.
"""

import os
import random
import time
from typing import Any

from rich.console import Console

from bench.support.provenance import figures_parser, write_figures
from souk.cli.bench import show_speeds
from souk.cli.progress import compile_with_progress
from souk.core.game import Game
from souk.games import game as find_game
from souk.games import names
from souk.lab.simulate.speed import ROUNDS, Speed, events_per_second


def position_events_per_second(game: Game, players: int, seconds: float) -> float:
    """Random play through `Position`, with moves as text."""
    rng = random.Random(1)
    begin, events, took = time.perf_counter(), 0, 0.0
    position = game.start(players)
    while took < seconds:
        if position.over:
            position = game.start(players)
        if actors := position.actors:
            codes = position.move_codes(actors[0], max(9, game.widest))
            position.play(actors[0], game.notation.move_text(position.state, rng.choice(codes)))
        else:
            position.draw(rng)
        events += 1
        took = time.perf_counter() - begin
    return events / took


def row_of(speed: Speed, seconds: float) -> dict[str, Any]:
    """A game's row, with speeds that `souk bench` does not measure."""
    found = find_game(speed.game)
    return {
        "game": speed.game,
        "players": speed.players,
        "bytes": found.dtype.itemsize,
        "interpreted": speed.interpreted,
        "one_core": speed.one_core,
        "all_cores": speed.all_cores,
        "position": position_events_per_second(found, speed.players, seconds),
        "by_players": {
            players: events_per_second(found, players, seconds / 2) for players in found.players
        },
    }


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=3.0)
    args = parser.parse_args()
    console = Console(width=140, highlight=False)
    games = [find_game(name) for name in names()]
    compile_with_progress(Console(stderr=True), games)
    rows = [
        row_of(speed, args.seconds)
        for speed in show_speeds(console, games, args.seconds, gpu=False)
    ]
    for row in rows:
        ratio = row["one_core"] / row["position"]
        speeds = row["by_players"].items()
        by_players = "  ".join(f"{players}: {speed / 1e6:.1f}" for players, speed in speeds)
        console.print(
            f"{row['game']}: position of {row['bytes']} bytes; one core, million events/s by "
            f"players: {by_players}; through Position {row['position']:,.0f}, 1/{ratio:,.0f}"
        )
    if args.json:
        write_figures(args.json, {"rows": rows}, n=ROUNDS, of="rounds", cores=os.cpu_count() or 1)


if __name__ == "__main__":
    main()
