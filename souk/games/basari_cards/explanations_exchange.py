"""Basari, the card game: reasons for the gems given and taken in an exchange (K31-K33)."""

from collections.abc import Iterator

from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.basari_cards import rules
from souk.games.basari_cards.explanations_workers import CardsCourt
from souk.games.basari_common.explanations_choices import of_colours
from souk.games.basari_common.explanations_court import colour_name, gem_place, reason
from souk.games.basari_common.notation import Gems, counts

Reasons = Iterator[Reason]
_CLEAR = 0.1  # least lead of the estimate
_STRONG = ("lead_colour", "tie_colour", "safe_colour", "near_colour")


def of_an_exchange(pos: Position, seat: int, better: int, other: int) -> Reasons:
    court = CardsCourt(pos)
    gives = pos.state.phase == rules.GIVE
    base = rules.GIVE_GEM if gives else rules.TAKE_GEMS
    one, two = (counts(code - base) for code in (better, other))
    sign = -1 if gives else 1
    lead = court.gem_worth(seat, _times(one, sign)) - court.gem_worth(seat, _times(two, sign))
    if lead >= _CLEAR:
        yield from (_of_giving if gives else _of_taking)(court, seat, one, two, lead)


def _times(gems: Gems, sign: int) -> Gems:
    return [sign * n for n in gems]


def _of_giving(court: CardsCourt, seat: int, one: Gems, two: Gems, lead: float) -> Reasons:
    """A gem that costs no majority, rather than one that does."""
    me, now = Seat(seat), court.majorities(court.gems, seat)
    after, other = (
        court.majorities(court.with_gems({seat: _times(gems, -1)}), seat) for gems in (one, two)
    )
    given, wanted = one.index(1), two.index(1)
    if wanted in now and other.get(wanted, 9) > now[wanted] and given not in now:
        name = colour_name(wanted)
        message = (
            Message("basari-cards.why.give_lead", me=me, colour=name)
            if now[wanted] == 1
            else Message("basari-cards.why.give_share", me=me, colour=name)
        )
        yield reason("colour", lead, message.at(gem_place(wanted)))
    if after == now and given not in now:
        message = Message("basari-cards.why.give_spare", me=me, colour=colour_name(given))
        yield reason("spare", 0.8 * lead, message.at(gem_place(given)))


def _of_taking(court: CardsCourt, seat: int, one: Gems, two: Gems, lead: float) -> Reasons:
    """Gems that win, share or secure a majority."""
    best, other = (
        of_colours(court, seat, court.with_gems({seat: gems}), lead) for gems in (one, two)
    )
    if best.key in _STRONG and best.message != other.message:
        colours = [colour for colour, n in enumerate(one) if n == 2]
        if best.key == "lead_colour" and colours and gem_place(colours[0]) in best.message.about:
            name = colour_name(colours[0])
            message = Message("basari-cards.why.take_pair", me=Seat(seat), colour=name)
            yield reason("colour", 1.1 * lead, message.at(*best.message.about))
        yield best
