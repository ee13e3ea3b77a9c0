"""How good the measure of a study is: every figure of docs/study.md.

    python bench/study.py [PART ...] [--games NAME ...] [--processes N] [--minutes M] [--share S] [--first N] [--playouts N] [--bot NAME] [--folder DIR]

Parts: sum (random games: does everything add up?), fair (equal bots: is luck worth nothing on average, and how much less does a result without its luck
vary?), skill (a vizier among apprentices: has it the fewest errors?), seeds (do two seeds call the same moves blunders?), depth (decisions
against a search of a hundred times the playouts), time (a whole game at quick). All of them if none is named; each keeps what it found in a
JSON file of the folder (docs/study by default), and `python bench/pages.py` writes the page from them.

With --minutes a part stops when that time is over; run it again on the same commit and it goes on where it was. With `--share 0.1` a tenth of the usual games
are looked at; with `--first 10000` others than usual, so that a count can be tried on games that nobody looked at when it was chosen. What is finished is kept in --journals, one line for each game.
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
from pedigree import DOCS, commit, place, write_figures

import souk
from souk.bots.registry import named
from souk.games import names
from souk.lab.statistics import independent_share, t_quantile
from souk.lab.workers import Processes, Workers
from souk.study.looking import Concealed, Look, Outdone, look_at, pieces
from souk.study.weighing import PLAYOUTS as USUAL
from souk.study.weighing import Effort

FEW = 16  # playouts where only the sum matters
PLAYOUTS = 200  # a decision, where many games matter more than each of them
QUICK = 150  # as the table has it
DEEPER = 100  # times
EQUAL, STRONG, WEAK = "vizier:playouts=200", "vizier:playouts=5000", "apprentice"
SEATS = 4
DECISIONS_A_GAME = 5
ALIKE = 3  # games of a kind that are timed

Row = dict[str, Any]
Rows = list[Row]


class Task(NamedTuple):
    """A game to be played and looked at."""

    part: str
    game: str
    players: int
    number: int
    playouts: int
    bot: str = EQUAL  # who sits on every seat, where all are equal


# ---------------------------------------------------------------- games


def played(game: str, players: int, seed: int, bots: list[str]) -> souk.Record:
    """A game between bots, by seat."""
    rng, record = random.Random(seed), souk.Record(game, players)
    seated = [named(name, seed=rng.getrandbits(32)) for name in bots]
    while not (pos := record.position).over:
        if not pos.actors:
            record.draw(rng)
            continue
        seat = pos.actors[0]
        record.play(seat, seated[seat].choose(pos, seat, record.noticed).move)
    return record


def at_random(game: str, players: int, seed: int) -> souk.Record:
    rng, record = random.Random(seed), souk.Record(game, players)
    while not (pos := record.position).over:
        record.play(pos.actors[0], rng.choice(pos.moves(pos.actors[0]))) if pos.actors else record.draw(rng)
    return record


# ---------------------------------------------------------------- what is looked at in one game


def sum_of(task: Task) -> Row:
    """How far start, luck, own and others' errors are from the result, at most."""
    study = souk.analyse(at_random(task.game, task.players, task.number), playouts=task.playouts, seed=task.number)
    gaps = [abs(seat.start + seat.luck + seat.own + seat.others - seat.result) for seat in study.seats]
    return {"gap": max(gaps), "seats": len(gaps)}


def fair(task: Task) -> Row:
    """A game of equals: everybody's luck and result."""
    record = played(task.game, task.players, task.number, [task.bot] * task.players)
    study = souk.analyse(record, playouts=task.playouts, seed=task.number)
    return {"luck": [seat.luck for seat in study.seats], "result": [seat.result for seat in study.seats]}


def skill(task: Task) -> Row:
    """A vizier among apprentices: what everybody gave away."""
    seat = task.number % task.players
    bots = [STRONG if each == seat else WEAK for each in range(task.players)]
    record = played(task.game, task.players, task.number, bots)
    study = souk.analyse(record, playouts=task.playouts, seed=task.number)
    chosen = [study.decisions(each) for each in range(task.players)]
    return {
        "vizier": seat,
        "a_decision": [sum(step.loss for step in steps) / max(1, len(steps)) for steps in chosen],
        "of_stake": [lost or 0.0 for lost in study.share_lost],
        "won": seat in record.position.winners,
    }


def seeds(task: Task) -> Row:
    """What two studies of one game call blunders."""
    record = played(task.game, task.players, task.number, [WEAK] * task.players)
    marks = [[step.mark for step in souk.analyse(record, playouts=task.playouts, seed=seed).steps] for seed in (1, 2)]
    called = [(one, other) for one, other in zip(*marks, strict=True) if "blunder" in (one, other)]
    both = sum(one == other for one, other in called)
    worse = sum({one, other} <= {"mistake", "blunder"} for one, other in called)
    return {"called": 2 * both + (len(called) - both), "agreed": 2 * both, "nearly": 2 * both + (worse - both)}


def depth(task: Task) -> Row:
    """Some decisions of a game, against a search of so many times the playouts."""
    record = played(task.game, task.players, task.number, [WEAK] * task.players)
    choosing = [piece for piece in pieces(record) if piece.events[0][0] is not None and len(piece.position.moves(piece.events[0][0])) > 1]  # fmt: skip
    found = []
    for piece in random.Random(task.number).sample(choosing, min(DECISIONS_A_GAME, len(choosing))):
        place_ = random.Random(task.number).randrange(len(piece.events))
        shallow, deep = (
            _loss(look_at(piece, Effort(playouts, task.number + k))[place_], piece.events[place_][0])
            for k, playouts in enumerate((task.playouts, DEEPER * task.playouts))
        )
        found.append([*shallow, *deep])
    return {"decisions": found}


def _loss(look: Look, seat: int | None) -> tuple[float, float]:
    """What a decision gave away by a look, and how far off that may be."""
    if isinstance(look, Concealed):
        gain, error = look.round.gain(look.place)
        return max(0.0, -float(gain[seat])), error
    return (max(0.0, float(look.lead.chances[seat])), look.lead.error) if isinstance(look, Outdone) else (0.0, 0.0)


# ---------------------------------------------------------------- what is told of all games


def told_sum(rows: Rows) -> Row:
    return {"games": len(rows), "seats": sum(row["seats"] for row in rows), "gap": max(row["gap"] for row in rows)}


def told_fair(rows: Rows) -> Row:
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


def told_skill(rows: Rows) -> Row:
    told: Row = {"games": len(rows), "won": statistics.fmean(row["won"] for row in rows)}
    for name in ("of_stake", "a_decision"):
        seen = sum(min(range(len(row[name])), key=row[name].__getitem__) == row["vizier"] for row in rows)
        share = independent_share(seen / len(rows), len(rows))
        mine = statistics.fmean(row[name][row["vizier"]] for row in rows)
        others = statistics.fmean(each for row in rows for seat, each in enumerate(row[name]) if seat != row["vizier"])
        told[name] = {"seen": seen, "low": share.low, "high": share.high, "vizier": mine, "apprentice": others}
    return told


def told_seeds(rows: Rows) -> Row:
    called, agreed, nearly = (sum(row[name] for row in rows) for name in ("called", "agreed", "nearly"))
    return {"games": len(rows), "called": called, "agreed": agreed, "nearly": nearly}


def told_depth(rows: Rows) -> Row:
    found = np.array([each for row in rows for each in row["decisions"]]).reshape(-1, 4)
    shallow, error, deep, deep_error = found.T
    reach = 2 * np.hypot(error, deep_error) + 0.005
    return {
        "games": len(rows),
        "decisions": len(found),
        "difference": float(np.abs(shallow - deep).mean()),
        "bias": float((shallow - deep).mean()),
        "within": float((np.abs(shallow - deep) <= reach).mean()),
        "together": float(np.corrcoef(shallow, deep)[0, 1]) if shallow.std() * deep.std() > 0 else 0.0,
    }


# ---------------------------------------------------------------- time


def timed(workers: Workers, games: list[str], some: Callable[[int], int], _end: float) -> Rows:
    """How long a whole game takes at quick, with everything loaded."""
    rows = []
    for game in games:
        for players in souk.game(game).players:
            seconds, events = [], []
            for number in range(some(ALIKE) + 1):
                record = played(game, players, number, ["trader"] * players)
                begin = time.perf_counter()
                if players == 1:
                    souk.analyse(record)
                else:
                    list(workers.in_order(partial(look_at, effort=Effort(QUICK, number)), pieces(record)))
                seconds.append(time.perf_counter() - begin)
                events.append(len(record.events))
            rows.append({"game": game, "players": players, "games": len(seconds) - 1, "processes": workers.at_once,
                         "events": statistics.fmean(events[1:]), "seconds": statistics.median(seconds[1:]), "most": max(seconds[1:])})  # fmt: skip
            print(rows[-1], flush=True)
    return rows


# ---------------------------------------------------------------- the parts


class Part(NamedTuple):
    """What is looked at in a game, what is told of all of them, how many there are, and where that is kept."""

    look: Callable[[Task], Row]
    tell: Callable[[Rows], Row]
    games: int  # of each game
    file: str
    of: str = "games"
    playouts: int = PLAYOUTS
    every_number: bool = False  # of players, in turn


PARTS = {
    "sum": Part(sum_of, told_sum, 200, "sum", playouts=FEW, every_number=True),
    "fair": Part(fair, told_fair, 400, "fair"),
    "skill": Part(skill, told_skill, 200, "errors", playouts=1000),
    "seeds": Part(seeds, told_seeds, 40, "seeds", playouts=USUAL),
    "depth": Part(depth, told_depth, 50, "depth", of="decisions"),
}
TIME = "time"


def tasks(name: str, game: str, numbers: range, playouts: int, bot: str) -> list[Task]:
    counts = [players for players in souk.game(game).players if players > 1]
    part = PARTS[name]
    seats = counts if part.every_number else [SEATS]
    return [Task(name, game, seats[number % len(seats)], number, playouts, bot) for number in numbers]


class Journal:
    """What has been found, line by line, so that it can be gone on with."""

    def __init__(self, folder: Path, part: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / f"{part}.jsonl"
        lines = self._file.read_text(encoding="utf-8").splitlines() if self._file.is_file() else []
        self.found: dict[Task, Row] = {Task(*task): row for task, row in map(json.loads, lines)}

    def add(self, task: Task, row: Row) -> None:
        self.found[task] = row
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps([task, row]) + "\n")


def measured(name: str, workers: Workers, given: argparse.Namespace, end: float) -> Iterator[Row]:
    """A row for each game. All go ahead together, so that an early end leaves them about equally far."""
    part, journal = PARTS[name], Journal(given.journals / commit(), name)
    games, playouts = max(2, round(given.share * part.games)), given.playouts or part.playouts
    numbers = range(given.first, given.first + games)
    listed = [tasks(name, game, numbers, playouts, given.bot) for game in given.games]
    left = [task for several in zip(*listed, strict=True) for task in several if task not in journal.found]
    for at in range(0, len(left), 4 * workers.at_once):
        if time.time() >= end:
            break
        for task, row in workers.each(part.look, left[at : at + 4 * workers.at_once]):
            journal.add(task, row)
    for game, several in zip(given.games, listed, strict=True):
        if rows := [journal.found[task] for task in several if task in journal.found]:
            players = several[0].players if not part.every_number else 0
            yield {"game": game, "players": players, "playouts": playouts, "bot": given.bot, **part.tell(rows)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", metavar="PART", nargs="*", choices=[*PARTS, TIME, []], help=", ".join([*PARTS, TIME]))
    parser.add_argument("--games", metavar="NAME", nargs="+", default=names(), choices=names())
    parser.add_argument("--processes", type=int)
    parser.add_argument("--minutes", type=float, default=1e6, help="for each part")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game, from which its seeds come")
    parser.add_argument("--playouts", type=int, help="a decision")
    parser.add_argument("--bot", default=EQUAL, help="who plays where all are equal")
    parser.add_argument("--folder", type=place, default=DOCS / "study")
    parser.add_argument("--journals", type=Path, default=Path("study-games"), help="where games are kept to go on with")
    given = parser.parse_args()
    for name in given.games:
        souk.bots.prepare(souk.game(name))
    with Processes(given.processes) as workers:
        for name in given.parts or [*PARTS, TIME]:
            end = time.time() + 60 * given.minutes
            if name == TIME:
                rows, file, of = (
                    timed(workers, given.games, lambda n: max(1, round(given.share * n)), end),
                    TIME,
                    "games",
                )
            else:
                rows, file, of = list(measured(name, workers, given, end)), PARTS[name].file, PARTS[name].of
            for row in rows if name != TIME else ():
                print(name, row, flush=True)
            if n := sum(row[of] for row in rows):
                write_figures(given.folder / f"{file}.json", {"rows": rows}, n=n, of=of, cores=workers.at_once)


if __name__ == "__main__":
    main()
