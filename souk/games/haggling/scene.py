"""What both Basari games show at a table: who holds the majorities and what they would bring, what may be said in a haggle, and which
gems move from whom to whom.

Nothing is reckoned here that the rules reckon: they score, hand over and carry out on copies, and the differences are shown.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from souk.core.position import Position
from souk.games.haggling import notation as haggle_words
from souk.games.haggling import rules as haggling

SUPPLY = -1  # in the place of a seat, where gems come from the supply or go back to it
_MORE = (1, 2)  # by how many gems the larger raises are higher than what lies on the table

Rule = Callable[[Any], object]


class Payout(NamedTuple):
    """What a colour brings at a scoring: to whom, how much to each, and what each of them gives back."""

    seats: list[int]
    points: int
    back: list[int]


def box() -> dict[str, Any]:
    """What the most of each colour is worth, and the colours from the highest to the lowest."""
    return {"colours": list(haggle_words.GEM_NAMES), "majority": list(haggling.MAJORITY_POINTS)}


def copied(s: Any) -> Any:
    return type(s)(s.record.copy())


def counts(gems: int) -> list[int]:
    return [haggling.part(gems, colour) for colour in range(haggling.COLOURS)]


# ---------------------------------------------------------------- a scoring, if it came now


def gains(s: Any, score: Rule) -> list[int]:
    """By seat, the points that a rule brings."""
    scored = copied(s)
    score(scored)
    return [scored.points[seat] - s.points[seat] for seat in range(s.players)]


def payouts(s: Any, score_majorities: Rule) -> list[Payout]:
    """By colour, what its majority would bring now: the rule is asked about a table where there are no other gems."""
    return [_payout(s, colour, score_majorities) for colour in range(haggling.COLOURS)]


def _payout(s: Any, colour: int, score_majorities: Rule) -> Payout:
    alone = copied(s)
    for seat in range(s.players):
        for other in range(haggling.COLOURS):
            if other != colour:
                alone.gems[seat, other] = 0
    score_majorities(alone)
    points = [alone.points[seat] - s.points[seat] for seat in range(s.players)]
    seats = [seat for seat in range(s.players) if points[seat]]
    back = [s.gems[seat, colour] - alone.gems[seat, colour] for seat in seats]
    return Payout(seats, max(points), back)


def scoring_now(s: Any, score: Rule, score_majorities: Rule) -> dict[str, Any]:
    """`most`: by colour who would be paid for it and how much each, `scoring`: by seat all that a scoring would bring."""
    open_to_all = copied(s)
    haggling.forget_choices(open_to_all)  # of which each seat sees another part, and which change nothing here
    kind: Any = type(s)
    return dict(_scoring_now(kind, open_to_all.record.dtype, open_to_all.record.tobytes(), score, score_majorities))


@lru_cache(maxsize=256)
def _scoring_now(state: Any, dtype: Any, record: bytes, score: Rule, score_majorities: Rule) -> dict[str, Any]:
    """The same is shown to every seat at a table, one after the other: it is worked out once."""
    s = state(np.frombuffer(record, dtype).copy())
    most = [[payout.seats, payout.points] for payout in payouts(s, score_majorities)]
    return {"most": most, "scoring": gains(s, score)}


# ---------------------------------------------------------------- the haggle


def raises(s: Any, seat: int) -> list[int]:
    """A few offers a seat may make, from the lowest: the cheapest raise, the one after it, and the lowest with more gems."""
    held = haggling.hand(s, seat)
    cheapest = haggling.next_offer(held, s.offer)
    found = {cheapest, haggling.next_offer(held, cheapest) if cheapest else 0}
    for more in _MORE:
        n = haggling.size(s.offer) + more
        if n <= haggling.size(held):
            found.add(haggling.lowest_offer(held, n, 0))
    return sorted(found - {0}, key=lambda offer: (haggling.size(offer), offer))


def haggle_now(
    s: Any, seat: int, free_to_pass: bool, carry_out: Callable[[Any, int, int], object], score: Rule
) -> dict[str, Any]:
    """For the seat that is to speak: `deals`, moves that it may make (to stop, and some raises from the cheapest on), each with what
    a scoring would bring it were the haggle to end so."""
    if s.opener == haggling.NONE or s.turn != seat:
        return {}
    stop = haggling.may_stop(s, seat, free_to_pass)
    moves = [*([stop] if stop else []), *(haggling.OFFER + offer for offer in raises(s, seat))]
    return {
        "deals": [
            [haggle_words.haggle_move_text(move), _scoring_then(s, seat, move, carry_out, score)] for move in moves
        ]
    }


def _scoring_then(s: Any, seat: int, move: int, carry_out: Callable[[Any, int, int], object], score: Rule) -> int:
    """What a scoring would bring a seat once its move has ended the haggle: an offer by being accepted."""
    then = copied(s)
    other, action = haggling.partner(s, seat), s.action
    if move >= haggling.OFFER:
        haggling.speak(then, seat, move)
        seat_to_stop, stop = other, haggling.ACCEPT
    else:
        seat_to_stop, stop = seat, move
    winner = haggling.speak(then, seat_to_stop, stop)
    carry_out(then, action, winner)
    return gains(then, score)[seat]


def stakes(s: Any, brings: Callable[[Any, int], dict[str, Any]], action: str) -> dict[str, Any]:
    """What the action they haggle for would bring the opener and the other, where that is known: points, or gems by colour."""
    worth = [brings(s, seat).get(action) for seat in (s.opener, s.other)]
    return {"stakes": worth} if any(each is not None for each in worth) else {}


# ---------------------------------------------------------------- what an event shows


def settled(before: Position, seat: int | None, text: str, postpone: Rule) -> Position:
    """The position after an event, but before the scoring it may have led to: replayed where, by `postpone`, none is due."""
    pos = before.copy()
    postpone(pos.state)
    if seat is None:
        pos.resolve(text)
    else:
        pos.play(seat, text)
    return pos


def revealed(before: Position, seat: int, text: str) -> dict[str, Any]:
    """With the last choice: everybody's, and the actions lost because too many have chosen them. Before it nothing."""
    s = copied(before.state)
    words = before.game.words
    s.choice[seat] = words.read_move(s, text)
    if haggling.yet_to_choose(s):
        return {}
    s.action = 0
    shown = words.to_json(s)
    lost = sorted(set(shown["choices"]) - set(shown["pending"]))
    return {"choices": shown["choices"]} | ({"lost": lost} if lost else {})


def changed(before: Any, after: Any, seat: int | None, text: str) -> dict[str, Any]:
    """`gems`: what changes hands, each as [from, to, counts]; `points`: what is gained, each as [seat, points]."""
    gems = _moved(before, after, seat, text)
    points = [[each, after.points[each] - before.points[each]] for each in range(after.players)]
    points = [gain for gain in points if gain[1]]
    return ({"gems": gems} if gems else {}) | ({"points": points} if points else {})


def _moved(before: Any, after: Any, seat: int | None, text: str) -> list[list[Any]]:
    """An offer accepted first, then gems from the supply and back to it."""
    found: list[list[Any]] = []
    since = copied(before)
    if seat is not None and text == "accept":
        giver = haggling.partner(before, seat)
        haggling.hand_over(since, giver, seat)
        found.append([giver, seat, counts(before.offer)])
    for each in range(after.players):
        change = [after.gems[each, colour] - since.gems[each, colour] for colour in range(haggling.COLOURS)]
        if any(n > 0 for n in change):
            found.append([SUPPLY, each, [max(n, 0) for n in change]])
        if any(n < 0 for n in change):
            found.append([each, SUPPLY, [max(-n, 0) for n in change]])
    return found


def scoring_shown(before: Any, after: Any, score_majorities: Rule) -> dict[str, Any]:
    """A scoring between two states: by colour [seats, points for each, what each gives back], and [seat, points] for what
    came besides the majorities."""
    majorities = gains(before, score_majorities)
    besides = [[seat, after.points[seat] - before.points[seat] - majorities[seat]] for seat in range(after.players)]
    return {
        "colours": [list(payout) for payout in payouts(before, score_majorities)],
        "besides": [gain for gain in besides if gain[1]],
    }
