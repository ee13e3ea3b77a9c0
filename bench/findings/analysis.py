"""Measures the analysis of games: figures of docs/play/analysis.md.

    python -m bench.findings.analysis [PART ...] [--games NAME ...] [--processes N] [--minutes M]
        [--share S] [--first N] [--playouts N] [--bot NAME] [--folder DIR]

Parts: sum (do the parts add up?), fair (mean luck, variance without it), errors (does a vizier
among apprentices lose least?), seeds (do two seeds agree on blunders?), depth (against a hundred
times the playouts), time (at quick). A part stops after `--minutes` and continues when run again
on the same commit. `--first` selects other games.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import souk
from bench.support.provenance import commit, journals_parser, write_figures
from souk.analysis.events import (
    AnalysisTask,
    BetterMove,
    EventAnalysis,
    SecretChoice,
    analysis_tasks,
    run_task,
)
from souk.analysis.win_chances import PLAYOUTS as USUAL
from souk.analysis.win_chances import Effort
from souk.bots.registry import make_bot
from souk.games import names
from souk.lab.statistics import independent_share, t_quantile
from souk.lab.workers import Processes, Workers

PLAYOUTS = 200  # per decision
QUICK = 150  # as the tables' default
DEEPER = 100  # times
EQUAL, STRONG, WEAK = "vizier:playouts=200", "vizier:playouts=5000", "apprentice"
SEATS = 4
DECISIONS_PER_GAME = 5
TIMED_GAMES = 3  # per game and number of players

Row = dict[str, Any]
Rows = list[Row]


class Task(NamedTuple):
    """A game to play and analyse."""

    part: str
    game: str
    players: int
    number: int
    playouts: int
    bot: str = EQUAL  # on every seat, in parts with equal bots


# ---------------------------------------------------------------- games


def play_bots(game: str, players: int, seed: int, bots: list[str]) -> souk.Record:
    rng, record = random.Random(seed), souk.Record(game, players)
    seated = [make_bot(name, seed=rng.getrandbits(32)) for name in bots]
    while not (pos := record.position).over:
        if not pos.actors:
            record.draw(rng)
            continue
        seat = pos.actors[0]
        record.play(seat, seated[seat].choose(pos, seat, record.noticed).move)
    return record


def play_at_random(game: str, players: int, seed: int) -> souk.Record:
    rng, record = random.Random(seed), souk.Record(game, players)
    while not (pos := record.position).over:
        if pos.actors:
            record.play(pos.actors[0], rng.choice(pos.moves(pos.actors[0])))
        else:
            record.draw(rng)
    return record


# ---------------------------------------------------------------- one game


def sum_of(task: Task) -> Row:
    """The largest gap between the sum of all parts and the result."""
    record = play_at_random(task.game, task.players, task.number)
    study = souk.analyse(record, playouts=task.playouts, seed=task.number)
    gaps = [
        abs(seat.start + seat.luck + seat.own + seat.others - seat.result) for seat in study.seats
    ]
    return {"gap": max(gaps), "seats": len(gaps)}


def fair(task: Task) -> Row:
    """Luck and results of equal bots."""
    record = play_bots(task.game, task.players, task.number, [task.bot] * task.players)
    study = souk.analyse(record, playouts=task.playouts, seed=task.number)
    return {
        "luck": [seat.luck for seat in study.seats],
        "result": [seat.result for seat in study.seats],
    }


def errors(task: Task) -> Row:
    """Losses of a vizier and three apprentices."""
    seat = task.number % task.players
    bots = [STRONG if each == seat else WEAK for each in range(task.players)]
    record = play_bots(task.game, task.players, task.number, bots)
    study = souk.analyse(record, playouts=task.playouts, seed=task.number)
    decisions = [study.decisions(player) for player in range(task.players)]
    return {
        "vizier": seat,
        "a_decision": [
            sum(step.loss for step in steps) / max(1, len(steps)) for steps in decisions
        ],
        "of_stake": [lost or 0.0 for lost in study.share_lost],
        "won": seat in record.position.winners,
    }


def seeds(task: Task) -> Row:
    """Blunders by two seeds of the analysis."""
    record = play_bots(task.game, task.players, task.number, [WEAK] * task.players)
    marks = [
        [step.mark for step in souk.analyse(record, playouts=task.playouts, seed=seed).steps]
        for seed in (1, 2)
    ]
    called = [(one, other) for one, other in zip(*marks, strict=True) if "blunder" in (one, other)]
    both = sum(one == other for one, other in called)
    worse = sum({one, other} <= {"mistake", "blunder"} for one, other in called)
    return {
        "called": 2 * both + (len(called) - both),
        "agreed": 2 * both,
        "nearly": 2 * both + (worse - both),
    }


def depth(task: Task) -> Row:
    """Losses of some decisions by a shallow and a deep analysis, with errors."""

    def is_choice(piece: AnalysisTask) -> bool:
        seat = piece.events[0][0]
        return seat is not None and len(piece.position.moves(seat)) > 1

    record = play_bots(task.game, task.players, task.number, [WEAK] * task.players)
    choices = list(filter(is_choice, analysis_tasks(record)))
    decisions = []
    for piece in random.Random(task.number).sample(choices, min(DECISIONS_PER_GAME, len(choices))):
        event = random.Random(task.number).randrange(len(piece.events))
        losses: list[float] = []
        for k, playouts in enumerate((task.playouts, DEEPER * task.playouts)):
            analysis = run_task(piece, Effort(playouts, task.number + k))[event]
            losses += _loss(analysis, piece.events[event][0])
        decisions.append(losses)
    return {"decisions": decisions}


def _loss(look: EventAnalysis, seat: int | None) -> tuple[float, float]:
    """A decision's loss and its standard error."""
    if isinstance(look, SecretChoice):
        gain, error = look.round.gain(look.place)
        return max(0.0, -float(gain[seat])), error
    return (
        (max(0.0, float(look.advantage.chances[seat])), look.advantage.error)
        if isinstance(look, BetterMove)
        else (0.0, 0.0)
    )


# ---------------------------------------------------------------- all games


def sum_row(rows: Rows) -> Row:
    return {
        "games": len(rows),
        "seats": sum(row["seats"] for row in rows),
        "gap": max(row["gap"] for row in rows),
    }


def fair_row(rows: Rows) -> Row:
    luck, result = (np.array([row[name] for row in rows]) for name in ("luck", "result"))
    half = t_quantile(max(1, len(rows) - 1)) * luck.std(axis=0, ddof=1) / len(rows) ** 0.5
    raw, without = (values.var(axis=0, ddof=1).mean() for values in (result, result - luck))
    return {
        "games": len(rows),
        "luck": luck.mean(axis=0).tolist(),
        "half": half.tolist(),
        "spread": float(luck.std()),
        "variance": float(without / raw) if raw else 0.0,
    }


def errors_row(rows: Rows) -> Row:
    summary: Row = {"games": len(rows), "won": statistics.fmean(row["won"] for row in rows)}
    for name in ("of_stake", "a_decision"):
        losses = [(row["vizier"], row[name]) for row in rows]
        seen = sum(lost.index(min(lost)) == vizier for vizier, lost in losses)
        share = independent_share(seen / len(rows), len(rows))
        others = (loss for vizier, lost in losses for k, loss in enumerate(lost) if k != vizier)
        summary[name] = {
            "seen": seen,
            "low": share.low,
            "high": share.high,
            "vizier": statistics.fmean(lost[vizier] for vizier, lost in losses),
            "apprentice": statistics.fmean(others),
        }
    return summary


def seeds_row(rows: Rows) -> Row:
    called, agreed, nearly = (
        sum(row[name] for row in rows) for name in ("called", "agreed", "nearly")
    )
    return {"games": len(rows), "called": called, "agreed": agreed, "nearly": nearly}


def depth_row(rows: Rows) -> Row:
    losses = np.array([losses for row in rows for losses in row["decisions"]]).reshape(-1, 4)
    shallow, error, deep, deep_error = losses.T
    reach = 2 * np.hypot(error, deep_error) + 0.005
    varies = shallow.std() * deep.std() > 0
    return {
        "games": len(rows),
        "decisions": len(losses),
        "difference": float(np.abs(shallow - deep).mean()),
        "bias": float((shallow - deep).mean()),
        "within": float((np.abs(shallow - deep) <= reach).mean()),
        "together": float(np.corrcoef(shallow, deep)[0, 1]) if varies else 0.0,
    }


# ---------------------------------------------------------------- time


def measure_time(workers: Workers, games: list[str], share: float) -> Rows:
    """Seconds for a whole game at quick, with everything loaded."""

    def analyse(record: souk.Record, seed: int) -> float:
        begin = time.perf_counter()
        if record.start.players == 1:
            souk.analyse(record)
        else:
            work = partial(run_task, effort=Effort(QUICK, seed))
            list(workers.in_order(work, analysis_tasks(record)))
        return time.perf_counter() - begin

    rows = []
    for game in games:
        for players in souk.game(game).players:
            numbers = range(max(1, round(share * TIMED_GAMES)) + 1)
            records = [play_bots(game, players, number, ["trader"] * players) for number in numbers]
            seconds = [analyse(record, number) for number, record in enumerate(records)][1:]
            row: Row = {"game": game, "players": players, "games": len(seconds)}
            row["processes"] = workers.parallelism
            row["events"] = statistics.fmean(len(record.events) for record in records[1:])
            row |= {"seconds": statistics.median(seconds), "most": max(seconds)}
            rows.append(row)
    return rows


# ---------------------------------------------------------------- parts


class Part(NamedTuple):
    """How one game is measured and all are summarised."""

    measure: Callable[[Task], Row]
    summarise: Callable[[Rows], Row]
    games: int  # per game
    of: str = "games"
    playouts: int = PLAYOUTS
    all_player_counts: bool = False


PARTS = {
    "sum": Part(sum_of, sum_row, 200, playouts=16, all_player_counts=True),
    "fair": Part(fair, fair_row, 400),
    "errors": Part(errors, errors_row, 200, playouts=1000),
    "seeds": Part(seeds, seeds_row, 40, playouts=USUAL),
    "depth": Part(depth, depth_row, 50, "decisions"),
}
TIME = "time"


def tasks(name: str, game: str, numbers: range, playouts: int, bot: str) -> list[Task]:
    counts = [SEATS]
    if PARTS[name].all_player_counts:
        counts = [players for players in souk.game(game).players if players > 1]
    return [
        Task(name, game, counts[number % len(counts)], number, playouts, bot) for number in numbers
    ]


class Journal:
    """Finished tasks, one per line of a file."""

    def __init__(self, folder: Path, part: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / f"{part}.jsonl"
        lines = self._file.read_text(encoding="utf-8").splitlines() if self._file.is_file() else []
        self.rows: dict[Task, Row] = {Task(*task): row for task, row in map(json.loads, lines)}

    def add(self, task: Task, row: Row) -> None:
        self.rows[task] = row
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps([task, row]) + "\n")


def measure_part(name: str, workers: Workers, args: argparse.Namespace) -> Iterator[Row]:
    """A row per game. Games progress together, so that an early end leaves them level."""
    end = time.time() + 60 * args.minutes
    part, journal = PARTS[name], Journal(args.journals / commit(), name)
    games, playouts = max(2, round(args.share * part.games)), args.playouts or part.playouts
    numbers = range(args.first, args.first + games)
    by_game = {game: tasks(name, game, numbers, playouts, args.bot) for game in args.games}
    in_turn = [task for several in zip(*by_game.values(), strict=True) for task in several]
    left = [task for task in in_turn if task not in journal.rows]
    batch = 4 * workers.parallelism
    for at in range(0, len(left), batch):
        if time.time() >= end:
            break
        for task, row in workers.as_completed(part.measure, left[at : at + batch]):
            journal.add(task, row)
    for game, wanted in by_game.items():
        if rows := [journal.rows[task] for task in wanted if task in journal.rows]:
            players = 0 if part.all_player_counts else SEATS
            about = {"game": game, "players": players, "playouts": playouts, "bot": args.bot}
            yield about | part.summarise(rows)


def main() -> None:
    parser = journals_parser(__doc__, [*PARTS, TIME], "analysis", names())
    parser.add_argument("--first", type=int, default=0, help="number (seed) of the first game")
    parser.add_argument("--playouts", type=int, help="per decision")
    parser.add_argument("--bot", default=EQUAL, help="for games of equal bots")
    args = parser.parse_args()
    for name in args.games:
        souk.bots.prepare(souk.game(name))
    with Processes(args.processes) as workers:
        for name in args.parts or [*PARTS, TIME]:
            if name == TIME:
                rows, of = measure_time(workers, args.games, args.share), "games"
            else:
                rows, of = list(measure_part(name, workers, args)), PARTS[name].of
            for row in rows:
                print(name, row, flush=True)
            if n := sum(row[of] for row in rows):
                file = args.folder / f"{name}.json"
                write_figures(file, {"rows": rows}, n=n, of=of, cores=workers.parallelism)


if __name__ == "__main__":
    main()
