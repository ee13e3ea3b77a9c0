"""Who plays better, with the luck of dice and cards taken out of the results: a few hundred games tell what otherwise takes thousands.

    python bench/without_luck.py GAME PLAYERS ONE OTHER [--games N] [--minutes M] [--processes N] [--seed S] [--json FILE]

ONE and OTHER are how each side searches: `playouts=5000`, `playouts=11000,mind=none`, `playouts=5000,mind=FILE,weighs=1,exploration=0.1,patience=2,horizon=0`. Games are
played in pairs, with the same random numbers and changed seats, by the kernels that minds are trained with: no clock, no exact endings.

Before a die is thrown, or a card drawn, a short search judges what everybody's chances would be after every outcome. What really comes up, less the average of them all,
was luck, and is taken off the result. On average luck is nothing, however wrong these judgements are, so a share of wins stays what it is; the better they are,
the narrower becomes its interval.
"""

import random
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from pedigree import settings, write_figures

from souk.bots.desk import Desk
from souk.bots.kernels.tree import EDGE, NODE
from souk.bots.kernels.value import share_win
from souk.bots.searcher import manner_of
from souk.games import game as find_game
from souk.games import names
from souk.kernel.chance import draw, stream_start, stream_step
from souk.kernel.interpreting import entry
from souk.kernel.rule import i64, rule
from souk.kernel.verbs import actors, outcomes, over, random_outcome, resolve, standing
from souk.lab.statistics import Figure, mean_over
from souk.lab.training.kernels import START, STATES, TABLE, decide, plan_type, search_from
from souk.lab.training.selfplay import Side, line_ups
from souk.lab.workers import Processes
from souk.minds.shelf import mind_of

LOOKS = 300  # playouts by which an outcome is judged
EDGES = 24  # room for so many moves for every playout
WHOLE, REAL = {"playouts", "patience", "horizon", "weighs"}, {"exploration"}


def tally_type(wide: int, seats: int) -> np.dtype[np.void]:
    """What is noted of a game: how it ended and what was luck, by seat; and of the die that is due, every outcome."""
    return np.dtype(
        [
            ("wins", "f8", seats),
            ("luck", "f8", seats),
            ("outcome", "i8", wide),
            ("weight", "f8", wide),
            ("chances", "f8", (wide, seats)),
        ],
        align=True,
    )


@rule
def judge_outcome(states, desk, nodes, edges, lore, minds, plan, chances):
    """What everybody's chances are in the position on the table, by the first side's short search."""
    s = states[TABLE]
    if over(s):
        share_win(standing(s, desk.scores), s.players, chances)
    else:
        plan.now = LOOKS
        search_from(states, desk, nodes, edges, lore, minds[0], plan, 0)
        for seat in range(i64(s.players)):
            chances[seat] = plan.wins[seat]


@rule
def throw(states, desk, nodes, edges, lore, minds, plan, tally, x):
    """Let the die or card that is due come up, and note what was luck in it."""
    states[START] = states[TABLE]
    s = states[START]
    n = outcomes(s, desk.out, desk.weights)
    total = 0.0
    for k in range(n):
        tally.outcome[k] = desk.out[k]
        tally.weight[k] = desk.weights[k]
        total += desk.weights[k]
    for k in range(n):
        states[TABLE] = states[START]
        resolve(states[TABLE], i64(tally.outcome[k]))
        judge_outcome(states, desk, nodes, edges, lore, minds, plan, tally.chances[k])
    came = i64(random_outcome(s, x, desk.out, desk.weights))
    for k in range(n):
        more = (1.0 if tally.outcome[k] == came else 0.0) - tally.weight[k] / total
        for seat in range(i64(s.players)):
            tally.luck[seat] += more * tally.chances[k, seat]
    states[TABLE] = states[START]
    resolve(states[TABLE], came)


@rule
def play_fairly(states, desks, nodes, edges, lore, minds, plans, tallies, game):
    """One game from the position on the table to its end."""
    desk = desks[0]
    desk.guided = 1
    start = stream_start(plans[0].seed, game)
    step = stream_step(start)
    n = 0
    while not over(states[TABLE]):
        x = draw(start, step, n)
        n += 1
        if actors(states[TABLE]) == 0:
            throw(states, desk, nodes, edges, lore, minds, plans[0], tallies[0], x)
        else:
            decide(states, desk, nodes, edges, lore, minds, plans[0], x, True)
    share_win(standing(states[TABLE], desk.scores), states[TABLE].players, tallies[0].wins)


@dataclass(frozen=True)
class Meeting:
    """A game to be played: which pair it is of, and which side sits where."""

    game: str
    players: int
    sides: tuple[Side, Side]
    seats: tuple[int, ...]
    seed: int
    pair: int


def side_of(text: str) -> Side:
    """A side from the command line."""
    given: dict[str, Any] = dict(part.split("=", 1) for part in text.split(","))
    read = {
        name: int(value) if name in WHOLE else float(value) if name in REAL else value for name, value in given.items()
    }
    return Side(**{"mind": ""} | read)


def played(meeting: Meeting) -> tuple[float, float]:
    """The first side's share of the win, less its share of the seats, and how much of that was luck."""
    game, players = find_game(meeting.game), meeting.players
    rng = random.Random(meeting.seed * 1_000_003 + meeting.pair)
    pos = game.start(players)
    while not pos.actors:
        pos.draw(rng)
    desk = Desk(pos, pos.actors[0], states=STATES)
    minds = np.concatenate([mind_of(game, players, side.mind) for side in meeting.sides])
    plan, seats = np.zeros(1, plan_type(game.players[-1])), game.players[-1]
    plan["seed"], plan["side"][0, :players] = meeting.seed, meeting.seats
    for number, side in enumerate(meeting.sides):
        usual = manner_of(game, players, minds[number : number + 1])
        for field in ("horizon", "exploration", "patience", "weighs"):
            own = getattr(side, field)
            plan[field][0, number] = getattr(usual, field) if own is None else own
        plan["playouts"][0, number] = side.playouts or LOOKS
    most = max(LOOKS, int(plan["playouts"].max()))
    nodes, edges = np.zeros(1 << (2 * most + 64).bit_length(), NODE), np.zeros(EDGES * (most + 80), EDGE)
    tally = np.zeros(1, tally_type(max(64, game.widest), seats))
    entry(game, play_fairly)(desk.states, desk.array, nodes, edges, desk.lore, minds, plan, tally, meeting.pair)
    mine = np.array(meeting.seats) == 0
    return float(tally["wins"][0, :players][mine].sum() - mine.mean()), float(tally["luck"][0, :players][mine].sum())


def share(results: dict[int, list[float]]) -> Figure:
    """Of wins, over pairs that were played to the end."""
    pairs = np.array([0.5 + sum(each) / 2 for each in results.values() if len(each) == 2])
    return mean_over(pairs, np.ones(len(pairs)))


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("game", choices=names())
    parser.add_argument("players", type=int)
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    sides, end = (side_of(given.one), side_of(given.other)), time.time() + 60 * given.minutes
    meetings = [
        Meeting(given.game, given.players, sides, seats, given.seed, pair)
        for pair in range(-(-given.games // 2))
        for seats in line_ups(given.players)
    ]
    with_luck, without = dict[int, list[float]](), dict[int, list[float]]()
    with Processes(given.processes) as workers:
        for meeting, (result, luck) in workers.each(played, meetings):
            with_luck.setdefault(meeting.pair, []).append(result)
            without.setdefault(meeting.pair, []).append(result - luck)
            if time.time() > end:
                break
        cores = workers.at_once
    row: dict[str, Any] = {"game": given.game, "players": given.players, "one": given.one, "other": given.other}
    for name, found in (("with luck", share(with_luck)), ("without luck", share(without))):
        row[name] = [found.value, found.low, found.high]
        print(f"{name}: {found.value:.1%} ({found.low:.1%} to {found.high:.1%}) of {2 * found.cases} games", flush=True)
    if given.json:
        write_figures(given.json, {"rows": [row]}, n=2 * share(without).cases, of="games", cores=cores)


if __name__ == "__main__":
    main()
