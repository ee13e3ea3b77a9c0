"""What bots choose in secret in both Basari games: how often too many want the same, how often a haggle comes of it, and what they make of somebody
who always chooses the same.

    python bench/choices.py [--games N] [--bots NAME ...] [--processes N]

Four alike sit at a table. Then one of them always chooses gems, as people like to at first, and otherwise plays as before: how often do the
three others choose them, if they are not told what was revealed before, and if they are? `python bench/strength.py choices` keeps the figures.
"""

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import souk
from souk.core.facts import Fact
from souk.core.record import Record
from souk.games.haggling.facts import HaggleCalled, Lost, Revealed
from souk.lab.statistics import share_figure, spread_over
from souk.lab.workers import Processes, Workers

PLAYERS = 4
GEMS = {"basari": "gems", "basari-cards": "C"}  # what somebody who always chooses the same chooses
BOTS = ("apprentice", "trader", "merchant")
GAMES = 400
BESIDE = 0.25  # of as many games, in which one seat always chooses the same


class Sitting(NamedTuple):
    """One game: who plays, whether one of them always chooses the same, and whether the others are told what was revealed."""

    game: str
    bot: str
    number: int
    stubborn: bool = False
    told: bool = True


class Counts(NamedTuple):
    """What came of a game, counted in rounds; and what was chosen."""

    rounds: int
    lost: int
    haggles: int
    alike: int
    gems: int  # choices of those who may choose as they like
    choices: int
    late_gems: int  # the same, of the second half of the rounds
    late_choices: int


def play(sitting: Sitting) -> Counts:
    """Play one game, and count."""
    rng = random.Random(sitting.number)
    record = Record(sitting.game, PLAYERS)
    bots = [
        souk.bot(f"{sitting.bot}{':' if ':' not in sitting.bot else ','}seed={rng.getrandbits(63)}")
        for _ in range(PLAYERS)
    ]
    events: list[list[Fact]] = []
    while not (position := record.position).over:
        facts: list[Fact] = []
        if seats := position.actors:
            same = sitting.stubborn and seats[0] == 0 and position.is_legal(0, GEMS[sitting.game])
            noticed = record.noticed if sitting.told else ()
            move = GEMS[sitting.game] if same else bots[seats[0]].choose(position, seats[0], noticed).move
            record.play(seats[0], move, facts.append)
        else:
            record.draw(rng, facts.append)
        events.append(facts)
    return counted([fact for facts in events for fact in facts], GEMS[sitting.game], int(sitting.stubborn))


def counted(facts: Sequence[Fact], gems: str, first: int) -> Counts:
    """The counts of a game; choices are those from a seat on."""
    rounds: list[list[Fact]] = []
    for fact in facts:
        if isinstance(fact, Revealed):
            rounds.append([])
        if rounds:
            rounds[-1].append(fact)
    chosen = [each.choices for facts in rounds for each in facts if isinstance(each, Revealed)]
    free = [choices[first:] for choices in chosen]
    late = free[len(free) // 2 :]
    return Counts(
        len(rounds),
        sum(any(isinstance(each, Lost) for each in facts) for facts in rounds),
        sum(any(isinstance(each, HaggleCalled) for each in facts) for facts in rounds),
        sum(len(set(choices)) == 1 for choices in chosen),
        sum(Counter(choices)[gems] for choices in free),
        sum(map(len, free)),
        sum(Counter(choices)[gems] for choices in late),
        sum(map(len, late)),
    )


def measure(workers: Workers, games: int = GAMES, bots: Sequence[str] = BOTS) -> list[dict[str, Any]]:
    found = []
    for game in GEMS:
        for bot in bots:
            alike = [Sitting(game, bot, number) for number in range(games)]
            some = range(max(1, round(BESIDE * games)))
            beside = [[Sitting(game, bot, number, True, told) for number in some] for told in (False, True)]
            found.append(_row(game, bot, *(list(workers.in_order(play, each)) for each in (alike, *beside))))
            print(told(found[-1]), flush=True)
    return found


def _row(game: str, bot: str, alike: list[Counts], untold: list[Counts], told: list[Counts]) -> dict[str, Any]:
    counts = np.array(alike)
    rounds, total = counts[:, 0], Counts(*counts.sum(axis=0))
    lost, haggle = (share_figure(spread_over(counts[:, k], rounds)) for k in (1, 2))
    before, after = (Counts(*np.array(each).sum(axis=0)) for each in (untold, told))
    return {
        "game": game,
        "players": PLAYERS,
        "bot": bot,
        "games": len(alike),
        "rounds": int(total.rounds),
        "lost": [lost.value, lost.low, lost.high],
        "haggle": [haggle.value, haggle.low, haggle.high],
        "alike": total.alike / total.rounds,
        "gems": total.gems / total.choices,
        "beside": {
            "games": len(told),
            "untold": before.late_gems / before.late_choices,
            "gems": after.late_gems / after.late_choices,
            "lost": after.lost / after.rounds,
            "haggle": after.haggles / after.rounds,
        },
    }


def told(row: dict[str, Any]) -> str:
    return (
        f"{row['game']}, {row['games']} games of four {row['bot']}s: in {row['lost'][0]:.1%} of the rounds an action is lost, in "
        f"{row['haggle'][0]:.1%} there is a haggle; {row['gems']:.0%} choose gems; beside one who always does {row['beside']['untold']:.0%}, and {row['beside']['gems']:.0%} where they notice"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--bots", metavar="NAME", nargs="+", default=BOTS)
    parser.add_argument("--processes", type=int)
    given = parser.parse_args()
    for game in GEMS:
        souk.bots.prepare(souk.game(game))
    with Processes(given.processes) as workers:
        measure(workers, given.games, given.bots)


if __name__ == "__main__":
    main()
