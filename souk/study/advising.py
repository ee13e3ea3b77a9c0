"""Advice on a decision: it is thought over several times, with other dice each time, so that it can be told how sure it is which move is better."""

import statistics
from collections.abc import Callable, Sequence

from souk.bots.bot import Bot, Choice, Considered
from souk.bots.judging import TIMES, JudgedMove, Judgement
from souk.bots.searcher import Searcher
from souk.core.noticed import Chosen
from souk.core.position import Position
from souk.study.reasons import as_seen, told_of
from souk.study.weighing import Effort, after_move, lead

EXPLAINED = 3  # moves that are given reasons, and words
_PLAYOUTS = 1500  # for a move that no bot would think of
_LEAST_SHARE = 0.01  # of a mix, below which a choice does not count


def advise(pos: Position, seat: int, asked: str, thinker: Callable[[], Bot], noticed: Chosen = ()) -> Judgement:
    """What a seat could do, by what it may see. `asked`: a move that is looked at in any case, or "". `thinker`
    gives a bot that thinks once."""
    view = as_seen(pos, seat)
    choices: list[Choice] = []
    while len(choices) < TIMES and not (choices and choices[0].exact):
        bot = thinker()
        choices.append(bot.choose(view, seat, noticed))
    mixed = len(view.actors) > 1
    found = _compared(choices, mixed, alone=view.players == 1)
    judgement = Judgement(found, mixed, choices[0].exact, sum(each.playouts for each in choices))
    if asked and not judgement.of(asked) and not mixed and isinstance(bot, Searcher):
        found.append(_beside_the_best(view, seat, asked, found[0]))
    for weighed in [*found[:EXPLAINED], *(each for each in found[EXPLAINED:] if each.move == asked)]:
        _explain(view, seat, weighed)
    return judgement


def _beside_the_best(view: Position, seat: int, move: str, best: JudgedMove) -> JudgedMove:
    """A move that no bot would think of, such as a strange offer."""
    better = lead(after_move(view, seat, best.move), after_move(view, seat, move), seat, Effort(_PLAYOUTS))
    loss = float(better.chances[seat])
    return JudgedMove(move, 0.0, max(0.0, best.win - loss), best.score, max(0.0, loss), better.error)


def _explain(view: Position, seat: int, weighed: JudgedMove) -> None:
    """Add what speaks for a move, and what it does."""
    weighed.reasons = [message.to_json() for message in view.game.reasons.reasons(view, seat, weighed.move)]
    weighed.told = [message.to_json() for message in told_of(view, seat, weighed.move)[:1]]


def _compared(choices: Sequence[Choice], mixed: bool, alone: bool) -> list[JudgedMove]:
    """All moves that every look has looked at, each with its loss by the same looks: where dice were kind to one they mostly were to the other."""
    looks = [{each.move: each for each in choice.considered} for choice in choices]
    moves = [move for move in looks[0] if all(move in look for look in looks)]
    if not moves:  # of very many offers each look may have taken up others
        return _compared(choices[:1], mixed, alone)
    sign = -1.0 if alone else 1.0
    worth = {move: [sign * _value(look[move], alone) for look in looks] for move in moves}
    share = {move: statistics.fmean(look[move].share for look in looks) for move in moves}
    # What was hardly looked at may look good by luck: so what was liked most comes first, and not what came out best.
    moves.sort(key=lambda move: (-round(share[move], 2), -statistics.fmean(worth[move])))
    best = _mixture(worth, share) if mixed else worth[moves[0]]
    return [_weighed(move, [look[move] for look in looks], share[move], best, worth[move]) for move in moves]


def _value(considered: Considered, alone: bool) -> float:
    return considered.score if alone else considered.win


def _mixture(worth: dict[str, list[float]], share: dict[str, float]) -> list[float]:
    """What the mix is worth, look by look."""
    total = sum(share.values()) or 1.0
    looks = range(len(next(iter(worth.values()))))
    return [sum(share[move] * values[k] for move, values in worth.items()) / total for k in looks]


def _weighed(
    move: str, looks: Sequence[Considered], share: float, best: Sequence[float], worth: Sequence[float]
) -> JudgedMove:
    differences = [one - other for one, other in zip(best, worth, strict=True)]
    error = statistics.stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else 0.0
    win, score = (statistics.fmean(getattr(each, name) for each in looks) for name in ("win", "score"))
    loss = max(0.0, statistics.fmean(differences))
    return JudgedMove(move, share if share >= _LEAST_SHARE else 0.0, win, score, loss, error)
