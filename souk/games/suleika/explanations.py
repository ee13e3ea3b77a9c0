"""Suleika: a direction or a rug placement in numbers, and why one is better than another."""

from souk.core.facts import Fact
from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.suleika import rules
from souk.games.suleika.explanations_market import Market
from souk.games.suleika.explanations_rugs import compare_rugs
from souk.games.suleika.explanations_ways import compare_sends, compare_ways, heading
from souk.games.suleika.facts import Laid, Paid
from souk.games.suleika.notation import field_name

POINT = 0.02  # win chance that a piastre is worth, by the search


def name_move(pos: Position, move: str) -> Message:
    """A direction by compass, or the fields of a rug."""
    code = pos.game.notation.read_move(pos.state, move)
    if pos.state.phase == rules.TURN:
        return heading(Market(pos.state).turned(code))
    fields = [field_name(half(code)) for half in (rules.near_half, rules.far_half)]
    return Message("{fields}", fields=fields).at(*(f"field {field}" for field in fields))


def compare(pos: Position, seat: int, better: str, other: str) -> list[Reason]:
    """Everything that speaks for one move against another, most specific first."""
    market = Market(pos.state)
    moves = [pos.game.notation.read_move(pos.state, move) for move in (better, other)]
    if market.phase == rules.RUG:
        return compare_rugs(market, seat, *moves)
    if market.walker == seat:
        return compare_ways(market, seat, *moves)
    return compare_sends(market, seat, *moves)


def reasons(pos: Position, seat: int, move: str) -> list[Message]:
    then = pos.copy()
    facts: list[Fact] = []
    then.play(seat, move, facts.append)
    if pos.state.phase == rules.TURN:
        return _of_a_way(pos, then)
    laid = next(fact for fact in facts if isinstance(fact, Laid))
    return _of_a_place(pos, then, laid)


# ---------------------------------------------------------------- directions


def _of_a_way(pos: Position, then: Position) -> list[Message]:
    """S13: what the walker would pay, over all faces of the die."""
    who, tolls = rules.walker(pos.state), _tolls(then)
    average = sum(chance * paid for chance, paid, _ in tolls)
    free = sum(chance for chance, paid, _ in tolls if not paid)
    worst = max(paid for _, paid, _ in tolls)
    return [
        Message("suleika.speaks.price", who=Seat(who), n=round(average, 2)),
        *([Message("suleika.speaks.worst", who=Seat(who), n=worst)] if worst else []),
        Message("suleika.speaks.free", n=round(free, 3)),
    ]


def _tolls(pos: Position) -> list[tuple[float, int, int]]:
    """Toll and payee for every outcome until Omar has walked, each with its probability."""
    tolls = []
    for outcome, chance in pos.chances().items():
        then, facts = pos.copy(), list[Fact]()
        then.resolve(outcome, facts.append)
        if then.state.phase == rules.DIE:  # a rug came up first
            tolls += [(chance * further, paid, to) for further, paid, to in _tolls(then)]
        else:
            paid = [(fact.paid, fact.to) for fact in facts if isinstance(fact, Paid)]
            tolls.append((chance, *(paid[0] if paid else (0, -1))))
    return tolls


# ---------------------------------------------------------------- rug placements


def _of_a_place(pos: Position, then: Position, laid: Laid) -> list[Message]:
    """S13, S18, S31: size of the area, halves hidden, and the toll the next player can expect."""
    seat = laid.seat
    before, after = int(rules.halves(pos.state, seat)), int(rules.halves(then.state, seat))
    fields = [f"field {field}" for field in laid.fields]
    return [
        Message("suleika.speaks.area", who=Seat(seat), n=laid.area).at(*fields),
        *_of_what_it_hides(laid),
        *_of_the_next(then, seat),
        Message("suleika.speaks.shown", who=Seat(seat), n=after, now=before),
    ]


def _of_what_it_hides(laid: Laid) -> list[Message]:
    return [
        Message("suleika.speaks.hides", who=Seat(owner), n=laid.hides.count(owner))
        for owner in sorted(set(laid.hides))
    ]


def _of_the_next(then: Position, seat: int) -> list[Message]:
    """What the next walker would pay this seat on average, all directions being equally likely."""
    if then.over or (then.state.phase == rules.TURN and then.state.turn == seat):
        return []  # or the same seat turns Omar and controls the way itself
    ways = _ways(then)
    if not ways:
        return []
    tolls = [sum(chance * paid for chance, paid, to in _tolls(way) if to == seat) for way in ways]
    average = round(sum(tolls) / len(tolls), 2)
    return [
        Message("suleika.speaks.next", who=Seat(int(then.state.turn)), to=Seat(seat), n=average)
    ]


def _ways(pos: Position) -> list[Position]:
    """The positions after every direction Omar may be given.

    The rug that comes up first is irrelevant.
    """
    if pos.state.phase == rules.CARD:
        pos = pos.copy()
        pos.resolve(next(iter(pos.chances())))
    positions = []
    for move in pos.moves(int(pos.state.turn)):
        then = pos.copy()
        then.play(int(pos.state.turn), move)
        positions.append(then)
    return positions
