"""Suleika: what speaks for a way of Omar's or for a place of a rug, counted by playing it out over every face of the die."""

from souk.core.facts import Fact
from souk.core.message import Message, Seat
from souk.core.position import Position
from souk.games.suleika import rules
from souk.games.suleika.facts import Laid, Paid


def reasons(pos: Position, seat: int, move: str) -> list[Message]:
    then = pos.copy()
    facts: list[Fact] = []
    then.play(seat, move, facts.append)
    if pos.state.phase == rules.TURN:
        return _of_a_way(pos, then)
    laid = next(fact for fact in facts if isinstance(fact, Laid))
    return _of_a_place(pos, then, laid)


# ---------------------------------------------------------------- a way


def _of_a_way(pos: Position, then: Position) -> list[Message]:
    """S13: what whoever walks Omar would pay, over all that the die may show."""
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
    """By all that may come up until Omar has walked: how likely that is, what is paid, and to whom."""
    found = []
    for outcome, chance in pos.chances().items():
        then, facts = pos.copy(), list[Fact]()
        then.resolve(outcome, facts.append)
        if then.state.phase == rules.DIE:  # a rug came up first
            found += [(chance * also, paid, to) for also, paid, to in _tolls(then)]
        else:
            paid = [(fact.paid, fact.to) for fact in facts if isinstance(fact, Paid)]
            found.append((chance, *(paid[0] if paid else (0, -1))))
    return found


# ---------------------------------------------------------------- a place


def _of_a_place(pos: Position, then: Position, laid: Laid) -> list[Message]:
    """S13, S18, S31: how large the carpet becomes, what it hides, and what whoever is next would pay for it."""
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
        Message("suleika.speaks.hides", who=Seat(each), n=laid.hides.count(each)) for each in sorted(set(laid.hides))
    ]


def _of_the_next(then: Position, seat: int) -> list[Message]:
    """What whoever walks Omar next would pay this seat on average, were all ways and faces of the die as likely."""
    if then.over or (then.state.phase == rules.TURN and then.state.turn == seat):
        return []  # or the same seat is to turn Omar: then it has the way in its own hand
    ways = _ways(then)
    if not ways:
        return []
    tolls = [sum(chance * paid for chance, paid, to in _tolls(way) if to == seat) for way in ways]
    average = round(sum(tolls) / len(tolls), 2)
    return [Message("suleika.speaks.next", who=Seat(int(then.state.turn)), to=Seat(seat), n=average)]


def _ways(pos: Position) -> list[Position]:
    """Every way that whoever is on turn may send Omar, before the die falls. (Which rug comes up first changes nothing about them.)"""
    if pos.state.phase == rules.CARD:
        pos = pos.copy()
        pos.resolve(next(iter(pos.chances())))
    found = []
    for move in pos.moves(int(pos.state.turn)):
        then = pos.copy()
        then.play(int(pos.state.turn), move)
        found.append(then)
    return found
