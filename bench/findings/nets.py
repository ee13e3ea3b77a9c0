"""What the minds say: win chances and scores of positions that differ in one thing (bench/findings_changes.py), and whether play agrees.

Positions are those at which a turn or round begins, in games that quick bots play against each other. The mind judges both positions of a pair, and what
counts is the difference; intervals are taken over games. Some pairs are played to the end as well, both with the same dice, by bots that
have no mind: what comes of them is independent of what the mind believes.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from findings_changes import QUESTIONS, Pair

import souk
from souk.bots.bot import Bot
from souk.bots.desk import Desk
from souk.bots.kernels.value import judge_with
from souk.core.game import Game
from souk.core.position import Position
from souk.kernel.interpreting import entry
from souk.kernel.rule import i64, rule
from souk.kernel.state import Array, StateArray
from souk.lab.statistics import mean_over
from souk.lab.workers import Workers

SEARCH = "search:mind=none,playouts=24"
BOTS = {"suleika": "merchant", "basari": SEARCH, "basari-cards": SEARCH, "bazaar": SEARCH}
PLAYERS = {"suleika": (2, 4), "basari": (3, 4), "basari-cards": (3, 4), "bazaar": (2, 4)}
GAMES = 400  # of each game and number of players
# What is played to the end as well, with four players: the cases of some questions, and how many pairs of each game.
CHECKED = {
    ("suleika", "joined"): ("all",),
    ("basari", "gems or points"): ("first lap", "last lap"),
    ("bazaar", "a chip"): ("0 or 1 in hand", "6 or 7 in hand"),
    ("bazaar", "left over"): ("one instead of none",),
}
CHECKED_WITH = 4
PLAYED = 3
WILD = 0.03  # how often just any move is made, so that games differ

Sums = dict[
    tuple[str, str], list[float]
]  # by question and case: the differences of win chance and score added up, and how many


@dataclass(frozen=True)
class Sitting:
    """One game to be played and asked about."""

    game: str
    players: int
    seed: int


@rule
def judge_all(states, desks, lore, minds, wins, values):  # type: ignore[no-untyped-def]
    """What a mind thinks of many positions of one table."""
    desk = desks[0]
    for k in range(len(states)):
        judge_with(states[k], desk, lore, minds[0])
        for seat in range(i64(states[k].players)):
            wins[k, seat] = desk.wins[seat]
            values[k, seat] = desk.values[seat]


# ---------------------------------------------------------------- playing


def move_on(pos: Position, bot: Bot, rng: Random, dice: Random, wild: float) -> None:
    """The next die, or everybody's next move."""
    if not pos.actors:
        pos.draw(dice)
        return
    for seat in pos.actors:
        if rng.random() < wild:
            pos.play(seat, rng.choice(pos.moves(seat)))
        else:
            pos.play(seat, bot.choose(pos.seen_by(seat), seat).move)


def quiet_positions(game: Game, sitting: Sitting) -> list[Position]:
    """A game's positions at which a turn or round begins."""
    rng, bot = Random(sitting.seed), souk.bot(f"{BOTS[sitting.game]}{_seed_of(sitting)}")
    pos, found = game.start(sitting.players), []
    while not pos.over:
        if game.rules.quiet(pos.state):
            found.append(pos.copy())
        move_on(pos, bot, rng, rng, WILD)
    return found


def _seed_of(sitting: Sitting) -> str:
    return f"{',' if ':' in BOTS[sitting.game] else ':'}seed={sitting.seed}"


def outcome(pos: Position, array: StateArray, bot: Bot, seed: str, seat: int) -> tuple[float, float]:
    """A seat's share of the win and its score, played from a position to the end."""
    table = Position(pos.game, pos.options, array.copy())
    rng, dice = Random(seed), Random(seed)
    while not table.over:
        move_on(table, bot, rng, dice, 0.0)
    won = 1.0 / len(table.winners) if seat in table.winners else 0.0
    return won, float(table.scores[seat])


# ---------------------------------------------------------------- asking


def judged(desk: Desk, arrays: list[StateArray]) -> tuple[Array, Array]:
    """The win chances and scores of positions, by seat."""
    states = np.concatenate(arrays)
    wins, values = (np.zeros((len(states), desk.game.players[-1])) for _ in range(2))
    entry(desk.game, judge_all)(states, desk.array, desk.lore, desk.mind, wins, values)
    return wins, values


def add(sums: Sums, question: str, case: str, win: float, score: float) -> None:
    so_far = sums.setdefault((question, case), [0.0, 0.0, 0.0])
    for k, more in enumerate((win, score, 1.0)):
        so_far[k] += more


def ask(desk: Desk, question: str, pairs: list[Pair], sums: Sums) -> None:
    wins, values = judged(desk, [array for pair in pairs for array in (pair.having, pair.lacking)])
    for k, pair in enumerate(pairs):
        win, score = (found[2 * k, pair.seat] - found[2 * k + 1, pair.seat] for found in (wins, values))
        add(sums, question, pair.case, float(win), float(score))


def play_both(pos: Position, question: str, pair: Pair, sitting: Sitting, sums: Sums) -> None:
    bot = souk.bot(f"{BOTS[sitting.game]}{_seed_of(sitting)}")
    having, lacking = (
        outcome(pos, array, bot, f"{sitting.seed} {question}", pair.seat) for array in (pair.having, pair.lacking)
    )
    add(sums, f"{question}, played", pair.case, having[0] - lacking[0], having[1] - lacking[1])


def asked(sitting: Sitting) -> Sums:
    """What one game has to say to all questions."""
    game, rng, sums = souk.game(sitting.game), Random(f"questions {sitting.seed}"), Sums()
    positions = quiet_positions(game, sitting)
    desk = Desk(positions[0], 0, mind="")
    for question, put in QUESTIONS[sitting.game].items():
        pairs = [(pos, pair) for pos in positions for pair in put(pos, rng)]
        if pairs:
            ask(desk, question, [pair for _, pair in pairs], sums)
        checked = CHECKED.get((sitting.game, question), ()) if sitting.players == CHECKED_WITH else ()
        some = [(pos, pair) for pos, pair in pairs if pair.case in checked]
        for pos, pair in rng.sample(some, min(PLAYED, len(some))):
            play_both(pos, question, pair, sitting, sums)
    return sums


# ---------------------------------------------------------------- figures


def figures(workers: Workers, game: str, players: int, games: int) -> list[dict[str, Any]]:
    """The differences of every question and case at one table, with intervals over its games."""
    every = list(workers.in_order(asked, [Sitting(game, players, seed) for seed in range(games)]))
    found = []
    for question, case in dict.fromkeys(key for sums in every for key in sums):
        win, score, n = np.array([sums.get((question, case), (0.0, 0.0, 0.0)) for sums in every]).T
        about = {"game": game, "players": players, "question": question, "case": case}
        found.append(about | {"win": list(mean_over(win, n)), "score": list(mean_over(score, n))})
    return found


def all_figures(workers: Workers, games: int, asked_of: list[str]) -> list[dict[str, Any]]:
    """Of some games, with all numbers of players."""
    found = []
    for game in asked_of:
        for players in PLAYERS[game]:
            found += figures(workers, game, players, games)
            print(f"{game}, {players} players: {games} games asked about", flush=True)
    return found
