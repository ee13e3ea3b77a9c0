"""Advice on a decision, from several independent searches that give a standard error."""

import statistics
from collections.abc import Callable, Sequence

from souk.analysis import voice
from souk.analysis.explanations import as_seen, effects_of
from souk.analysis.win_chances import Effort, advantage, after_move
from souk.bots.bot import Bot, Choice, Considered
from souk.bots.judgement import REPEATS, JudgedMove, Judgement, Spoken
from souk.bots.search import SearchBot
from souk.core.position import Position
from souk.core.revealed_choices import ChoiceCounts

EXPLAINED = 3  # moves that get reasons and a description
_PLAYOUTS = 1500  # for a move that the search did not consider
_LEAST_SHARE = 0.01  # smaller shares of a mix are dropped


def advise(
    pos: Position, seat: int, asked: str, new_bot: Callable[[], Bot], noticed: ChoiceCounts = ()
) -> Judgement:
    """Evaluate the moves of a seat, using only what it may see.

    `asked` is a move to include in any case, or ""; `new_bot` makes a bot for one search.
    """
    view = as_seen(pos, seat)
    choices: list[Choice] = []
    while len(choices) < REPEATS and not (choices and choices[0].exact):
        bot = new_bot()
        choices.append(bot.choose(view, seat, noticed))
    mixed = len(view.actors) > 1
    moves = _compare(choices, mixed, alone=view.players == 1)
    playouts = sum(choice.playouts for choice in choices)
    judgement = Judgement(moves, mixed, choices[0].exact, playouts)
    if asked and not judgement.of(asked) and not mixed and isinstance(bot, SearchBot):
        moves.append(_compare_with_best(view, seat, asked, moves[0]))
    for judged in [
        *moves[:EXPLAINED],
        *(judged for judged in moves[EXPLAINED:] if judged.move == asked),
    ]:
        _explain(view, seat, judged)
    judgement.spoken = _spoken(view, seat, asked, judgement, new_bot)
    return judgement


def _spoken(
    view: Position, seat: int, asked: str, judgement: Judgement, new_bot: Callable[[], Bot]
) -> Spoken | None:
    """The sentence of a hint or, if a move is asked about that is not the best, of a warning."""
    best, others = judgement.moves[0], judgement.moves[1:]
    if judgement.mixed:
        shares = {judged.move: judged.share for judged in judgement.moves}
        return voice.habit(view, seat, shares, _likely(view, seat, new_bot))
    judged = judgement.of(asked)
    if judged is not None and judged is not best:
        lead = voice.Lead(judged.loss, judged.error)
        return voice.warning(view, seat, best.move, judged.move, lead)
    if not others:
        return None
    lead = voice.Lead(others[0].loss, others[0].error)
    return voice.hint(view, seat, best.move, others[0].move, lead)


def _likely(view: Position, seat: int, new_bot: Callable[[], Bot]) -> dict[int, dict[str, float]]:
    """How likely the secret choices of the others are, by a search from each one's seat."""
    return {
        rival: {entry.move: entry.share for entry in new_bot().choose(view, rival).considered}
        for rival in view.actors
        if rival != seat
    }


def _compare_with_best(view: Position, seat: int, move: str, best: JudgedMove) -> JudgedMove:
    """Evaluate a move that the search did not consider, such as a strange offer."""
    better = advantage(
        after_move(view, seat, best.move), after_move(view, seat, move), seat, Effort(_PLAYOUTS)
    )
    loss = float(better.chances[seat])
    return JudgedMove(
        move, 0.0, max(0.0, best.win - loss), best.score, max(0.0, loss), better.error
    )


def _explain(view: Position, seat: int, judged: JudgedMove) -> None:
    """Add the reasons and the description of a move."""
    judged.reasons = [
        message.to_json() for message in view.game.explanations.reasons(view, seat, judged.move)
    ]
    judged.name = view.game.explanations.name_move(view, judged.move).to_json()
    judged.told = [message.to_json() for message in effects_of(view, seat, judged.move)[:1]]


def _compare(choices: Sequence[Choice], mixed: bool, alone: bool) -> list[JudgedMove]:
    """The moves that every run has tried.

    Losses are taken run by run: with the same dice most of the luck cancels out.
    """
    runs = [{entry.move: entry for entry in choice.considered} for choice in choices]
    moves = [move for move in runs[0] if all(move in run for run in runs)]
    if not moves:  # among very many offers each run may have tried different ones
        return _compare(choices[:1], mixed, alone)
    sign = -1.0 if alone else 1.0
    values = {move: [sign * _value(run[move], alone) for run in runs] for move in moves}
    share = {move: statistics.fmean(run[move].share for run in runs) for move in moves}
    # By share first, not by value: a move that was hardly tried may look good by luck.
    moves.sort(key=lambda move: (-round(share[move], 2), -statistics.fmean(values[move])))
    best = _mix_values(values, share) if mixed else values[moves[0]]
    return [
        _judged(move, [run[move] for run in runs], share[move], best, values[move])
        for move in moves
    ]


def _value(considered: Considered, alone: bool) -> float:
    return considered.score if alone else considered.win


def _mix_values(values: dict[str, list[float]], share: dict[str, float]) -> list[float]:
    """The value of the mixed strategy in each run."""
    total = sum(share.values()) or 1.0
    runs = range(len(next(iter(values.values()))))
    return [sum(share[move] * of_move[k] for move, of_move in values.items()) / total for k in runs]


def _judged(
    move: str,
    runs: Sequence[Considered],
    share: float,
    best: Sequence[float],
    values: Sequence[float],
) -> JudgedMove:
    differences = [one - other for one, other in zip(best, values, strict=True)]
    error = statistics.stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else 0.0
    win, score = (
        statistics.fmean(getattr(entry, name) for entry in runs) for name in ("win", "score")
    )
    loss = max(0.0, statistics.fmean(differences))
    return JudgedMove(move, share if share >= _LEAST_SHARE else 0.0, win, score, loss, error)
