"""Both Basari games: reasons in a haggle: what gems given or taken do, and to whom."""

from collections.abc import Iterator
from typing import NamedTuple

from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.board_info import Deal, Prospects
from souk.games.basari_common.explanations_court import (
    GEMS,
    Court,
    colour_name,
    gem_place,
    reason,
)
from souk.games.basari_common.messages import gems_in_words
from souk.games.basari_common.notation import Gems

Reasons = Iterator[Reason]
# Least leads of the estimate. Accepting is right more often than it says, and going on so much less
# that nothing is said for it: whether it pays rests on the rival's answer. Between two offers, what
# the rival gains from the gems matters more than what they cost.
# By players: with five, those who go on are right more often.
LEAVE_CLEAR = (0.0, 0.0, -2.0, -2.0, -2.0, 2.0)
OFFER_CLEAR = 0.2
_OWN_COST = 0.5
_ENOUGH = 0.4  # of an action's worth to the rival, in gems: less is seldom accepted


class Terms(NamedTuple):
    """What a move in a haggle brings if it ends there: an offer if it is accepted."""

    wins: bool  # the seat gets the action
    gems: Gems  # that change hands, to whoever does not get the action
    majorities: dict[int, int]
    rival_majorities: dict[int, int]
    gem_worth: float
    rival_gem_worth: float
    action_worth: float  # to the seat, if it wins
    rival_action_worth: float

    @property
    def n(self) -> int:
        return sum(self.gems)


class Haggle(NamedTuple):
    """Two moves of a seat in a haggle, the first of which is to be explained."""

    court: Court
    seat: int
    rival: int
    action: int
    one: Terms
    other: Terms
    codes: tuple[int, int]
    opens: bool
    now: dict[int, int]  # majorities before the haggle

    @property
    def lead(self) -> float:
        return _total(self.one, self.court.edge) - _total(self.other, self.court.edge)

    @property
    def offers_lead(self) -> float:
        """The same between two offers, which win the same action."""
        one, other = self.one, self.other
        return (
            _OWN_COST * (one.gem_worth - other.gem_worth)
            - one.rival_gem_worth
            + other.rival_gem_worth
        )

    def lost(self, terms: Terms) -> list[int]:
        """Colours of which a deal costs the seat its majority, or its share of one."""
        return [colour for colour in self.now if colour not in terms.majorities]

    def gained(self, terms: Terms) -> list[int]:
        return [
            colour
            for colour, holders in terms.majorities.items()
            if holders < self.now.get(colour, 9)
        ]


def _total(terms: Terms, edge: float) -> float:
    return (
        terms.action_worth
        + terms.gem_worth
        - edge * (terms.rival_action_worth + terms.rival_gem_worth)
    )


def compare(
    prospects: Prospects, pos: Position, court: Court, seat: int, moves: tuple[str, str]
) -> list[Reason]:
    s = pos.state
    codes = [pos.game.notation.read_move(s, move) for move in moves]
    deals = [prospects.deal(pos.game, s, code, seat) for code in codes]
    rival, action = int(haggling.partner(s, seat)), int(s.action)
    one, other = (_terms(court, seat, rival, action, deal) for deal in deals)
    now = court.majorities(court.gems, seat)
    haggle = Haggle(court, seat, rival, action, one, other, (codes[0], codes[1]), not s.offer, now)
    if one.wins and other.wins:
        return list(_of_two_offers(haggle)) if haggle.offers_lead >= OFFER_CLEAR else []
    return (
        list(_of_leaving(haggle))
        if other.wins and haggle.lead >= LEAVE_CLEAR[court.players]
        else []
    )


def _terms(court: Court, seat: int, rival: int, action: int, deal: Deal) -> Terms:
    wins = deal.winner == seat
    giver, taker = (seat, rival) if wins else (rival, seat)
    less = [-n for n in deal.gems]
    change: dict[int, Gems] = {giver: less, taker: list(deal.gems)}
    if action == GEMS:
        shown = court.shown[giver]
        change[giver] = [n + more for n, more in zip(less, shown, strict=True)]
    then = court.with_gems(change)
    mine, theirs = (
        (0.0, 0.0)
        if action == GEMS
        else (
            court.worth(seat, action) if wins else 0.0,
            0.0 if wins else court.worth(rival, action),
        )
    )
    return Terms(
        wins,
        list(deal.gems),
        court.majorities(then, seat),
        court.majorities(then, rival),
        court.gain(then, seat),
        court.gain(then, rival),
        mine,
        theirs,
    )


# ---------------------------------------------------------------- taking the gems


def _of_leaving(haggle: Haggle) -> Reasons:
    """To accept (or pass) rather than to offer."""
    one, other, lead = haggle.one, haggle.other, max(haggle.lead, 0.0)
    me, who = Seat(haggle.seat), Seat(haggle.rival)
    seat = f"seat {haggle.rival}"
    if not one.n:
        if other.n:
            gems = gems_in_words(other.gems)
            message = Message("basari-common.why.let_go", who=who, gems=gems).at(seat)
            yield reason("price", max(lead, 0.2), message)
        return
    gems = gems_in_words(one.gems)
    gained = haggle.gained(one)
    if one.gem_worth >= other.action_worth + other.gem_worth:
        if gained:
            colour = gained[0]
            values = {"gems": gems, "who": who, "me": me, "colour": colour_name(colour)}
            message = (
                Message("basari-common.why.accept_lead", **values)
                if one.majorities[colour] == 1
                else Message("basari-common.why.accept_tie", **values)
            )
            yield reason("gems", lead + 1, message.at(gem_place(colour), seat))
        else:
            message = Message("basari-common.why.accept_gems", gems=gems, me=me)
            yield reason("gems", lead + 0.5, message.at(seat))
    # With the action for gems the rival may end a majority either way.
    lost = haggle.lost(other)
    if kept := [colour for colour in lost if colour in one.majorities]:
        yield reason("price", lead + 0.8, _costs(haggle, kept[0]))
    elif not lost:
        message = Message("basari-common.why.enough", gems=gems, me=me, n=other.n)
        yield reason("price", max(lead, 0.2), message.at(seat))


def _costs(haggle: Haggle, colour: int) -> Message:
    """The other offer gives up a majority."""
    me, name = Seat(haggle.seat), colour_name(colour)
    if haggle.now[colour] == 1:
        message = Message("basari-common.why.keep_lead", me=me, colour=name)
    else:
        message = Message("basari-common.why.keep_share", me=me, colour=name)
    return message.at(gem_place(colour))


# ---------------------------------------------------------------- one offer or another


def _of_two_offers(haggle: Haggle) -> Reasons:
    one, other = haggle.one, haggle.other
    lost = haggle.lost(one)
    more_lost = [colour for colour in haggle.lost(other) if colour not in lost]
    if len(haggle.lost(other)) > len(lost):
        points = max(0.1, one.gem_worth - other.gem_worth)
        yield reason("keep", points, _costs(haggle, more_lost[0]))
    if one.n < other.n and _may_be_enough(haggle):
        message = (
            Message("basari-common.why.start_lower", n=one.n)
            if haggle.opens
            else Message("basari-common.why.raise_less")
        )
        yield reason("price", 0.5 + max(haggle.lead, 0.0), message)
    elif one.n == other.n:
        yield from _of_colours_offered(haggle, lost)
    yield from _of_the_rival(haggle)


def _may_be_enough(haggle: Haggle) -> bool:
    """Whether the rival gains about as much by accepting as the action is worth to them."""
    worth = haggle.court.worth(haggle.rival, haggle.action)
    return haggle.one.rival_gem_worth >= _ENOUGH * worth


def _of_colours_offered(haggle: Haggle, lost: list[int]) -> Reasons:
    """As many gems, but of other colours."""
    one, other, me = haggle.one, haggle.other, Seat(haggle.seat)
    colour = max(colour for colour, n in enumerate(one.gems) if n)
    cheaper = one.gem_worth - other.gem_worth
    spared = [held for held in haggle.now if one.gems[held] < other.gems[held]]
    if cheaper > 0 and spared and not haggle.lost(one):
        name = colour_name(spared[0])
        message = Message("basari-common.why.spare_colour", me=me, colour=name)
        yield reason("price", 0.5 * cheaper, message.at(gem_place(spared[0])))
    if haggle.codes[0] < haggle.codes[1] and not lost:
        message = Message("basari-common.why.low_colour", me=me, colour=colour_name(colour))
        yield reason("price", 0.4 + max(haggle.lead, 0.0), message.at(gem_place(colour)))


def _of_the_rival(haggle: Haggle) -> Reasons:
    """The other offer gives the rival a majority."""
    one, other = haggle.one, haggle.other
    gain = other.rival_gem_worth - one.rival_gem_worth
    before = one.rival_majorities
    front = [c for c, n in other.rival_majorities.items() if n == 1 and before.get(c) != 1]
    level = [c for c, n in other.rival_majorities.items() if n > 1 and c not in before]
    who, seat = Seat(haggle.rival), f"seat {haggle.rival}"
    if gain > 0.5 and front:
        message = Message("basari-common.why.not_to_rival", who=who, colour=colour_name(front[0]))
        yield reason("rival", gain / 2, message.at(gem_place(front[0]), seat))
    elif gain > 0.5 and level:
        message = Message("basari-common.why.not_level", who=who, colour=colour_name(level[0]))
        yield reason("rival", gain / 2, message.at(gem_place(level[0]), seat))
