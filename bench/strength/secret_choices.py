"""Counts secret choices in both Basari games: lost actions, haggles, and a stubborn opponent.

Four equal bots play. Then one of them always chooses gems, as beginners do: how often do the others
choose gems, unaware and aware of what was revealed before?
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import souk
from souk.core.facts import Fact
from souk.core.record import Record
from souk.games.basari_common.facts import HaggleCalled, Lost, Revealed
from souk.lab.statistics import share_figure, spread_over
from souk.lab.workers import Workers

PLAYERS = 4
GEMS = {"basari": "gems", "basari-cards": "C"}  # the stubborn choice
BOTS = ("apprentice", "trader", "merchant")
STUBBORN_SHARE = 0.25  # games with a stubborn seat, of the number without


class Task(NamedTuple):
    """One game. A stubborn seat 0 always chooses gems; unaware bots see no history."""

    game: str
    bot: str
    number: int
    stubborn: bool = False
    aware: bool = True


class Counts(NamedTuple):
    """Rounds of a game by what happened, and choices of the free seats."""

    rounds: int
    lost: int
    haggles: int
    alike: int
    gems: int
    choices: int
    late_gems: int  # in the second half of the rounds
    late_choices: int


def play(task: Task) -> Counts:
    rng = random.Random(task.number)
    record = Record(task.game, PLAYERS)
    separator = "," if ":" in task.bot else ":"
    seeds = [rng.getrandbits(63) for _ in range(PLAYERS)]
    bots = [souk.bot(f"{task.bot}{separator}seed={seed}") for seed in seeds]
    facts: list[Fact] = []
    while not (position := record.position).over:
        if not position.actors:
            record.draw(rng, facts.append)
            continue
        seat, gems = position.actors[0], GEMS[task.game]
        if task.stubborn and seat == 0 and position.is_legal(0, gems):
            move = gems
        else:
            noticed = record.noticed if task.aware else ()
            move = bots[seat].choose(position, seat, noticed).move
        record.play(seat, move, facts.append)
    return count(facts, GEMS[task.game], int(task.stubborn))


def count(facts: Sequence[Fact], gems: str, first: int) -> Counts:
    """Count rounds, and choices of the seats from `first` on."""
    rounds: list[list[Fact]] = []
    for fact in facts:
        if isinstance(fact, Revealed):
            rounds.append([])
        if rounds:
            rounds[-1].append(fact)
    revealed = [fact.choices for facts in rounds for fact in facts if isinstance(fact, Revealed)]
    free = [choices[first:] for choices in revealed]
    late = free[len(free) // 2 :]
    return Counts(
        len(rounds),
        sum(any(isinstance(fact, Lost) for fact in facts) for facts in rounds),
        sum(any(isinstance(fact, HaggleCalled) for fact in facts) for facts in rounds),
        sum(len(set(choices)) == 1 for choices in revealed),
        sum(Counter(choices)[gems] for choices in free),
        sum(map(len, free)),
        sum(Counter(choices)[gems] for choices in late),
        sum(map(len, late)),
    )


def measure(workers: Workers, games: int, bots: Sequence[str]) -> list[dict[str, Any]]:
    rows = []
    for game in GEMS:
        for bot in bots:
            some = range(max(1, round(STUBBORN_SHARE * games)))
            tasks = [[Task(game, bot, number) for number in range(games)]]
            for aware in (False, True):
                tasks.append([Task(game, bot, number, True, aware) for number in some])
            rows.append(_row(game, bot, *(list(workers.in_order(play, part)) for part in tasks)))
            print(rows[-1], flush=True)
    return rows


def _row(
    game: str, bot: str, equal: list[Counts], unaware: list[Counts], aware: list[Counts]
) -> dict[str, Any]:
    counts = np.array(equal)
    rounds, total = counts[:, 0], Counts(*counts.sum(axis=0))
    lost, haggle = (share_figure(spread_over(counts[:, k], rounds)) for k in (1, 2))
    before, after = (Counts(*np.array(part).sum(axis=0)) for part in (unaware, aware))
    return {
        "game": game,
        "players": PLAYERS,
        "bot": bot,
        "games": len(equal),
        "rounds": int(total.rounds),
        "lost": [lost.value, lost.low, lost.high],
        "haggle": [haggle.value, haggle.low, haggle.high],
        "alike": total.alike / total.rounds,
        "gems": total.gems / total.choices,
        "beside": {
            "games": len(aware),
            "untold": before.late_gems / before.late_choices,
            "gems": after.late_gems / after.late_choices,
            "lost": after.lost / after.rounds,
            "haggle": after.haggles / after.rounds,
        },
    }
