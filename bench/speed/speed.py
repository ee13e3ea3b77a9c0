"""How fast the four games run on this machine: interpreted, on one core, on all cores. Random play, measured in one run.

    python bench/speed.py [SECONDS] [--json FILE]        (as `souk bench --seconds SECONDS`; then every player count)

A speed is the moves and chance outcomes of whole random games by the seconds they took.
"""

import os
import random
import time
from typing import Any

from pedigree import settings, write_figures
from rich.console import Console

from souk.cli.progress import compile_with_progress
from souk.cli.speeds import show_speeds
from souk.core.game import Game
from souk.games import game as find_game
from souk.games import names
from souk.lab.simulate.speed import ROUNDS, Speed, events_per_second


def position_events_per_second(game: Game, players: int, seconds: float) -> float:
    """Random play as a Python program does it: through `Position`, with texts."""
    rng = random.Random(1)
    begin, events, took = time.perf_counter(), 0, 0.0
    position = game.start(players)
    while took < seconds:
        if position.over:
            position = game.start(players)
        if actors := position.actors:
            listed = position.move_codes(actors[0], max(9, game.widest))
            position.play(actors[0], game.notation.move_text(position.state, rng.choice(listed)))
        else:
            position.draw(rng)
        events += 1
        took = time.perf_counter() - begin
    return events / took


def more_about(speed: Speed, seconds: float) -> dict[str, Any]:
    """A game's speeds, with those that `souk bench` does not measure."""
    found = find_game(speed.game)
    return {
        "game": speed.game,
        "players": speed.players,
        "bytes": found.dtype.itemsize,
        "interpreted": speed.interpreted,
        "one_core": speed.one_core,
        "all_cores": speed.all_cores,
        "position": position_events_per_second(found, speed.players, seconds),
        "by_players": {players: events_per_second(found, players, seconds / 2) for players in found.players},
    }


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=3.0)
    given = parser.parse_args()
    console = Console(width=140, highlight=False)
    games = [find_game(name) for name in names()]
    compile_with_progress(Console(stderr=True), games)
    rows = [more_about(speed, given.seconds) for speed in show_speeds(console, games, given.seconds, gpu=False)]
    for row in rows:
        ratio = row["one_core"] / row["position"]
        by_players = "  ".join(f"{players}: {speed / 1e6:.1f}" for players, speed in row["by_players"].items())
        console.print(
            f"{row['game']}: record {row['bytes']} bytes; one core, millions a second by players: {by_players}"
        )
        console.print(f"  through Position {row['position']:,.0f} a second, 1/{ratio:,.0f} of one core compiled")
    if given.json:
        write_figures(given.json, {"rows": rows}, n=ROUNDS, of="rounds", cores=os.cpu_count() or 1)


if __name__ == "__main__":
    main()
