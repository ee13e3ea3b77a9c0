"""Measures reasons: how often the one that would be said points to the better move.

    python -m bench.findings.reasons GAME [--players N] [--pairs N] [--playouts N] [--seed N]
        [--option NAME] [--show N]

Plays games between levels, lets the search compare its best move with one that a weaker level would
make, and counts only pairs with a clear verdict. Nearly every pair has something true to say for
either move, so the figure to read is "points to the better": 50 % is chance.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from statistics import fmean
from typing import NamedTuple

import souk
from souk.analysis.choose_reason import Chosen, choose, is_clear
from souk.analysis.explanations import as_seen
from souk.analysis.win_chances import Effort, advantage, after_move
from souk.bots.registry import make_bot
from souk.core.game import Game
from souk.core.position import Position
from souk.core.reasons import Reason

_ASKED = 0.35  # share of decisions that are compared
_SECRET_SEARCHES = 3
_EQUAL, _EQUAL_ERROR = 0.004, 0.003


class Pair(NamedTuple):
    """Two moves of a decision, the better one first, with the reasons for each."""

    pos: Position
    seat: int
    better: str
    other: str
    lead: float
    for_better: list[Reason]
    for_other: list[Reason]


def decisions(
    game: Game, players: int, options: dict[str, bool], rng: random.Random, playouts: int
) -> Iterator[tuple[Position, int, list[str]]]:
    """Positions with a choice, from games between levels, with what weaker levels would do."""
    strong = make_bot(f"vizier:playouts={playouts // 4}")
    weak = [make_bot(name) for name in ("apprentice", "trader", "merchant:playouts=64")]
    while True:
        pos = game.start(players, **options)
        while not pos.over:
            if not pos.actors:
                pos.draw(rng)
                continue
            seat = rng.choice(pos.actors)
            moves = pos.moves(seat)
            if len(moves) > 1 and rng.random() < _ASKED:
                yield pos.copy(), seat, [bot.choose(pos, seat).move for bot in weak]
            bot = rng.choice([strong, strong, strong, *weak])
            pos.play(seat, bot.choose(pos, seat).move if len(moves) > 1 else moves[0])


def compared(
    pos: Position, seat: int, others: list[str], playouts: int, seed: int
) -> Iterator[tuple[str, str, float, float]]:
    """The best move by search, another, its lead over that, and the standard error."""
    choice = make_bot(f"vizier:playouts={playouts}").choose(pos, seat)
    secret = len(pos.actors) > 1
    best = choice.considered[0].move if secret else choice.move
    again = [entry.move for entry in choice.considered[1:3]]
    for other in dict.fromkeys(move for move in [*others, *again] if move != best):
        if secret:
            yield best, other, *_secret_lead(pos, seat, best, other, 4 * playouts, seed)
        else:
            lead = advantage(
                after_move(pos, seat, best),
                after_move(pos, seat, other),
                seat,
                Effort(playouts, seed),
            )
            yield best, other, float(lead.chances[seat]), lead.error


def _secret_lead(
    pos: Position, seat: int, best: str, other: str, playouts: int, seed: int
) -> tuple[float, float]:
    leads = []
    for k in range(_SECRET_SEARCHES):
        bot = make_bot(f"vizier:playouts={playouts},seed={seed + k}")
        win = {entry.move: entry.win for entry in bot.choose(pos, seat).considered}
        leads.append(win.get(best, 0.0) - win.get(other, 0.0))
    mean = fmean(leads)
    return mean, max(abs(lead - mean) for lead in leads) / 2


# ---------------------------------------------------------------- the measurement


def measure(
    name: str, players: int, options: dict[str, bool], wanted: int, playouts: int, seed: int
) -> tuple[list[Pair], list[Pair]]:
    """Clear pairs, and pairs that are equal."""
    rng, game = random.Random(seed), souk.game(name)
    clear: list[Pair] = []
    equal: list[Pair] = []
    for pos, seat, others in decisions(game, players, options, rng, playouts):
        for best, other, lead, error in compared(pos, seat, others, playouts, seed):
            if is_clear(lead, error, alone=players == 1):
                clear.append(_pair(pos, seat, best, other, lead))
                break
            if abs(lead) < _EQUAL and error < _EQUAL_ERROR:
                equal.append(_pair(pos, seat, best, other, lead))
        if len(clear) >= wanted:
            return clear, equal
    raise AssertionError("games never end to be played")


def _pair(pos: Position, seat: int, better: str, other: str, lead: float) -> Pair:
    view = as_seen(pos, seat)
    compare = view.game.explanations.compare
    return Pair(
        pos,
        seat,
        better,
        other,
        lead,
        compare(view, seat, better, other),
        compare(view, seat, other, better),
    )


def _largest(reasons: list[Reason]) -> float:
    return max((reason.points for reason in reasons), default=0.0)


def said(pair: Pair) -> list[Chosen]:
    return choose(pair.for_better, pair.for_other, pair.pos.game.explanations.POINT)


def said_of_worse(pair: Pair) -> list[Chosen]:
    """What would be said if the worse move were taken for the better."""
    return choose(pair.for_other, pair.for_better, pair.pos.game.explanations.POINT)


def report(clear: list[Pair], equal: list[Pair]) -> None:
    n = len(clear)

    def line(label: str, count: int, of: int = n) -> None:
        print(f"{label:44} {count:5} {count / max(1, of):6.1%}")

    def own(one: list[Reason], other: list[Reason]) -> bool:
        return bool({reason.key for reason in one} - {reason.key for reason in other})

    print(f"{n} clear pairs, {len(equal)} equal ones")
    line("a reason holds", sum(own(pair.for_better, pair.for_other) for pair in clear))
    line("… for the worse move", sum(own(pair.for_other, pair.for_better) for pair in clear))
    line(
        "the largest reason points to the better",
        sum(
            bool(pair.for_better) and _largest(pair.for_better) >= _largest(pair.for_other)
            for pair in clear
        ),
    )
    line("a sentence is said", sum(bool(said(pair)) for pair in clear))
    line("… with a concession", sum(any(each.concedes for each in said(pair)) for pair in clear))
    argues = sum(
        bool(pair.for_other) and _largest(pair.for_other) > _largest(pair.for_better)
        for pair in clear
    )
    line("the largest argues for the worse", argues)
    line(
        "equal pairs that would be told apart", sum(bool(said(pair)) for pair in equal), len(equal)
    )
    _by_key(clear)


def _by_key(clear: list[Pair]) -> None:
    first = Counter(found[0].reason.key for pair in clear if (found := said(pair)))
    better = Counter(key for pair in clear for key in {reason.key for reason in pair.for_better})
    worse = Counter(key for pair in clear for key in {reason.key for reason in pair.for_other})
    print(f"{'reason':16} said  better  worse")
    for key in sorted(better | worse, key=lambda key: -better[key]):
        print(f"{key:16} {first[key]:4} {better[key]:7} {worse[key]:6}")


def show(pairs: list[Pair], count: int, rng: random.Random) -> None:
    """Print some sentences with their positions, to be read by a person."""
    names = ["Karim", "Amina", "Bilal", "Dunya", "Emir"]
    for pair in rng.sample(pairs, min(count, len(pairs))):
        print(pair.pos)
        print(f"seat {pair.seat}: {pair.better} over {pair.other}, {pair.lead:+.3f}")
        for sign, reasons in (("+", pair.for_better), ("-", pair.for_other)):
            for reason in sorted(reasons, key=lambda reason: -reason.points):
                print(f"  {sign} {reason.points:5.2f} {reason.key}: {reason.message.text(names)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--playouts", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], help="an option to switch on")
    parser.add_argument("--show", type=int, default=0, help="pairs to print")
    args = parser.parse_args()
    options = dict.fromkeys(args.option, True)
    clear, equal = measure(args.game, args.players, options, args.pairs, args.playouts, args.seed)
    report(clear, equal)
    show(clear, args.show, random.Random(args.seed))


if __name__ == "__main__":
    main()
