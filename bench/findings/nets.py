"""Asks nets about pairs of positions that differ in one thing (bench/findings/questions.py).

The positions begin turns or rounds of games between quick bots. Intervals are over games. Some
pairs are also played to the end with common dice, by bots without nets, as an independent check.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

import souk
from bench.findings.questions import QUESTIONS, Pair
from souk.bots.bot import Bot
from souk.bots.kernels.value import judge_with_net
from souk.bots.workspace import Workspace
from souk.core.game import Game
from souk.core.position import Position
from souk.kernel.interpreter import load_kernel
from souk.kernel.rule import i64, rule
from souk.kernel.state import Array, StateArray
from souk.lab.statistics import mean_over
from souk.lab.workers import Workers

SEARCH = "search:net=none,playouts=24"
BOTS = {"suleika": "merchant", "basari": SEARCH, "basari-cards": SEARCH, "bazaar": SEARCH}
PLAYERS = {"suleika": (2, 4), "basari": (3, 4), "basari-cards": (3, 4), "bazaar": (2, 4)}
GAMES = 400  # of each game and number of players
# Questions and cases that are also played to the end, with four players.
CHECKED = {
    ("suleika", "joined"): ("all",),
    ("basari", "gems or points"): ("first lap", "last lap"),
    ("bazaar", "a chip"): ("0 or 1 in hand", "6 or 7 in hand"),
    ("bazaar", "left over"): ("one instead of none",),
}
CHECKED_WITH = 4
PLAYED = 3  # pairs per game
RANDOM_MOVES = 0.03  # so that games differ

# Sums of differences in win chance and score, and their number, by question and case.
Sums = dict[tuple[str, str], list[float]]


@dataclass(frozen=True)
class Task:
    """One game to play and ask about."""

    game: str
    players: int
    seed: int


@rule
def judge_all(states, workspaces, lookup, nets, wins, values):  # type: ignore[no-untyped-def]
    """Evaluate positions with a net."""
    workspace = workspaces[0]
    for k in range(len(states)):
        judge_with_net(states[k], workspace, lookup, nets[0])
        for seat in range(i64(states[k].players)):
            wins[k, seat] = workspace.wins[seat]
            values[k, seat] = workspace.values[seat]


# ---------------------------------------------------------------- playing


def move_on(pos: Position, bot: Bot, rng: Random, dice: Random, random_moves: float) -> None:
    """Play the next die, or every actor's move."""
    if not pos.actors:
        pos.draw(dice)
        return
    for seat in pos.actors:
        if rng.random() < random_moves:
            pos.play(seat, rng.choice(pos.moves(seat)))
        else:
            pos.play(seat, bot.choose(pos.seen_by(seat), seat).move)


def quiet_positions(game: Game, task: Task) -> list[Position]:
    """Positions of a game at which a turn or round begins."""
    rng, bot = Random(task.seed), souk.bot(f"{BOTS[task.game]}{seed_setting(task)}")
    pos, positions = game.start(task.players), []
    while not pos.over:
        if game.rules.is_quiet(pos.state):
            positions.append(pos.copy())
        move_on(pos, bot, rng, rng, RANDOM_MOVES)
    return positions


def seed_setting(task: Task) -> str:
    return f"{',' if ':' in BOTS[task.game] else ':'}seed={task.seed}"


def play_out(
    pos: Position, array: StateArray, bot: Bot, seed: str, seat: int
) -> tuple[float, float]:
    """A seat's share of the win and its score after playing on to the end."""
    table = Position(pos.game, pos.options, array.copy())
    rng, dice = Random(seed), Random(seed)
    while not table.over:
        move_on(table, bot, rng, dice, 0.0)
    won = 1.0 / len(table.winners) if seat in table.winners else 0.0
    return won, float(table.scores[seat])


# ---------------------------------------------------------------- asking


def evaluate(workspace: Workspace, arrays: list[StateArray]) -> tuple[Array, Array]:
    """Win chances and scores of positions, by seat."""
    states = np.concatenate(arrays)
    wins, values = (np.zeros((len(states), workspace.game.players[-1])) for _ in range(2))
    load_kernel(workspace.game, judge_all)(
        states, workspace.array, workspace.lookup, workspace.net, wins, values
    )
    return wins, values


def add(sums: Sums, question: str, case: str, win: float, score: float) -> None:
    entry = sums.setdefault((question, case), [0.0, 0.0, 0.0])
    for k, more in enumerate((win, score, 1.0)):
        entry[k] += more


def ask(workspace: Workspace, question: str, pairs: list[Pair], sums: Sums) -> None:
    wins, values = evaluate(
        workspace, [array for pair in pairs for array in (pair.having, pair.lacking)]
    )
    for k, pair in enumerate(pairs):
        win, score = (
            chances[2 * k, pair.seat] - chances[2 * k + 1, pair.seat] for chances in (wins, values)
        )
        add(sums, question, pair.case, float(win), float(score))


def play_both(pos: Position, question: str, pair: Pair, task: Task, sums: Sums) -> None:
    bot = souk.bot(f"{BOTS[task.game]}{seed_setting(task)}")
    having, lacking = (
        play_out(pos, array, bot, f"{task.seed} {question}", pair.seat)
        for array in (pair.having, pair.lacking)
    )
    add(sums, f"{question}, played", pair.case, having[0] - lacking[0], having[1] - lacking[1])


def ask_all(task: Task) -> Sums:
    """Ask all questions about one game."""
    game, rng, sums = souk.game(task.game), Random(f"questions {task.seed}"), Sums()
    positions = quiet_positions(game, task)
    workspace = Workspace(positions[0], 0, net="")
    for question, put in QUESTIONS[task.game].items():
        pairs = [(pos, pair) for pos in positions for pair in put(pos, rng)]
        if pairs:
            ask(workspace, question, [pair for _, pair in pairs], sums)
        checked = CHECKED.get((task.game, question), ()) if task.players == CHECKED_WITH else ()
        some = [(pos, pair) for pos, pair in pairs if pair.case in checked]
        for pos, pair in rng.sample(some, min(PLAYED, len(some))):
            play_both(pos, question, pair, task, sums)
    return sums


# ---------------------------------------------------------------- figures


def figures(workers: Workers, game: str, players: int, games: int) -> list[dict[str, Any]]:
    """Differences by question and case at one table."""
    results = list(workers.in_order(ask_all, [Task(game, players, seed) for seed in range(games)]))
    rows = []
    for question, case in dict.fromkeys(key for sums in results for key in sums):
        win, score, n = np.array(
            [sums.get((question, case), (0.0, 0.0, 0.0)) for sums in results]
        ).T
        about = {"game": game, "players": players, "question": question, "case": case}
        rows.append(about | {"win": list(mean_over(win, n)), "score": list(mean_over(score, n))})
    return rows


def all_figures(workers: Workers, games: int, names: list[str]) -> list[dict[str, Any]]:
    rows = []
    for game in names:
        for players in PLAYERS[game]:
            rows += figures(workers, game, players, games)
            print(f"{game}, {players} players: {games} games asked about", flush=True)
    return rows
