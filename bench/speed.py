"""How fast the four games run on this machine: interpreted, on one core, on all cores. Random play, measured in one run.

    python bench/speed.py [SECONDS]        (as `souk bench --seconds SECONDS`; then every player count)

Prints the README's table. A speed is the moves and chance outcomes of whole random games by the seconds they took.
"""

import random
import sys
import time

from rich.console import Console

from souk.cli.progress import compile_with_progress
from souk.cli.speeds import show_speeds
from souk.core.game import Game
from souk.games import game as find_game
from souk.games import names
from souk.lab.simulate.speed import events_per_second


def position_events_per_second(game: Game, players: int, seconds: float) -> float:
    """Random play as a Python program does it: through `Position`, with texts."""
    rng = random.Random(1)
    begin, events = time.perf_counter(), 0
    position = game.start(players)
    while (took := time.perf_counter() - begin) < seconds:
        if position.over:
            position = game.start(players)
        if actors := position.actors:
            listed = position.move_codes(actors[0], max(9, game.widest))
            position.play(actors[0], game.notation.move_text(position.state, rng.choice(listed)))
        else:
            position.draw(rng)
        events += 1
    return events / took


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    console = Console(width=140, highlight=False)
    games = [find_game(name) for name in names()]
    compile_with_progress(Console(stderr=True), games)
    for speed in show_speeds(console, games, seconds, gpu=False):
        through_position = position_events_per_second(find_game(speed.game), speed.players, seconds)
        ratio = speed.one_core / through_position
        console.print(
            f"{speed.game}: through Position {through_position:,.0f} a second, 1/{ratio:,.0f} of one core compiled"
        )
    console.print("\nOne core, millions a second, by number of players:")
    for found in games:
        speeds = [f"{players}: {events_per_second(found, players, seconds / 2) / 1e6:.1f}" for players in found.players]
        console.print(f"  {found.name:<14} {'  '.join(speeds)}   record {found.dtype.itemsize} bytes")


if __name__ == "__main__":
    main()
