"""What the coach, the analysis and the puzzles say about a move: one sentence, for each its start.

Whether a move is better is settled by a search; `choose_reason` finds why.
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from souk.analysis.choose_reason import Comparison, Likely, chosen, compare
from souk.bots.judgement import Spoken
from souk.core.messages import Message
from souk.core.position import Position

_MOSTLY = 0.6  # a share of a mix that is called "mostly"
_APART = 0.2  # shares that differ by less are called even


class Lead(NamedTuple):
    """The search's verdict on two moves: the lead in win chance (alone: actions), and its error."""

    lead: float
    error: float


def hint(
    view: Position,
    seat: int,
    better: str,
    other: str,
    lead: Lead,
    said: Collection[str] = (),
) -> Spoken:
    """Why the best move is better than the next: only a reason, beside the move."""
    comparison = compare(view, seat, better, other, *lead, said)
    if comparison.equal:
        return equally_good(view, better, other)
    sentence = comparison.sentence if comparison.reason else None
    return _spoken(sentence, comparison)


def equally_good(view: Position, one: str, other: str) -> Spoken:
    names = {"one": _name(view, one), "other": _name(view, other)}
    return Spoken(Message("lead_in.equal", **names).to_json(), equal=True)


def warning(view: Position, seat: int, better: str, other: str, lead: Lead) -> Spoken:
    return _with_move("warning", view, better, compare(view, seat, better, other, *lead))


def better_move(view: Position, seat: int, better: str, other: str, lead: Lead) -> Spoken:
    """What an analysis says about a mistake."""
    return _with_move("better", view, better, compare(view, seat, better, other, *lead))


def verdict(view: Position, seat: int, better: str, other: str, lead: Lead, answer: str) -> Spoken:
    """What is said about the answer to a puzzle; "" if it was given up."""
    comparison = compare(view, seat, better, other, *lead)
    key = "best" if not answer else "right" if answer == better else "not_quite"
    return _with_move(key, view, better, comparison)


def habit(view: Position, seat: int, shares: Mapping[str, float], likely: Likely) -> Spoken:
    """A secret choice is spoken of as a habit, because the best answer is a mix."""
    ordered = sorted(shares, key=lambda move: -shares[move])
    first, second = ordered[0], (ordered[1:] or ordered)[0]
    one, other = _name(view, first), _name(view, second)
    if first == second:
        return Spoken(Message("lead_in.mostly_alone", move=one).to_json())
    if shares[first] < _MOSTLY and shares[first] - shares[second] < _APART:
        even = Message("lead_in.evenly", one=one, other=other)
        return Spoken(even.to_json(), equal=True)
    found = chosen(view, seat, first, second, likely=likely)
    values: dict[str, Any] = {"one": one, "other": other}
    key = "more_often"
    if shares[first] >= _MOSTLY:
        key, values = "mostly", {"move": one}
    if not found:
        return Spoken(Message(f"lead_in.{key}_alone", **values).to_json())
    why = found[0].reason.message
    return Spoken(Message(f"lead_in.{key}", **values, why=why).at(*why.about).to_json())


def _with_move(key: str, view: Position, better: str, comparison: Comparison) -> Spoken:
    """A sentence that begins with the better move."""
    move, why = _name(view, better), comparison.sentence
    values = {} if key == "right" else {"move": move}
    if why is None:
        return _spoken(Message(f"lead_in.{key}_alone", **values), comparison)
    return _spoken(Message(f"lead_in.{key}", **values, why=why).at(*why.about), comparison)


def _spoken(sentence: Message | None, comparison: Comparison) -> Spoken:
    further = comparison.further
    return Spoken(
        sentence.to_json() if sentence else None,
        further.to_json() if further else None,
        equal=comparison.equal,
        key=comparison.key,
    )


def _name(view: Position, move: str) -> Message:
    return view.game.explanations.name_move(view, move)
