"""What both Basari games say alike: choices, haggles, gems, majorities; and why a move of a haggle is refused."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from souk.core.facts import Fact
from souk.core.furniture import PlainTelling
from souk.core.message import Message, Seat
from souk.games.haggling import facts as happened
from souk.games.haggling import rules as haggling
from souk.games.haggling.notation import GEM_NAMES, counts


def told(fact: Fact, game: str, lost: Mapping[str, str]) -> list[Message]:
    """A fact that both games know, told of one of them; `lost` has the texts about an action that too many wanted."""
    action = partial(action_name, game)
    match fact:
        case happened.Revealed(choices):
            chosen = [
                Message("haggling.told.choice", who=Seat(seat), action=action(each))
                for seat, each in enumerate(choices)
            ]
            return [Message("haggling.told.all_have_chosen", choices=chosen)]
        case happened.Lost(each, seats):
            count = Message(f"word.number.{len(seats)}")
            return [Message(lost[each], count=count, who=[Seat(seat) for seat in seats]).at(*choices_of(*seats))]
        case happened.HaggleCalled(each, [one, other]):
            both = [Seat(one), Seat(other)]
            what = wanted(game, each)
            return [Message("haggling.told.opens", both=both, who=Seat(one), what=what).at(*choices_of(one, other))]
        case happened.Offered(seat, gems):
            return [Message("haggling.told.offers", who=Seat(seat), gems=gems_in_words(gems)).at(f"seat {seat}")]
        case happened.HaggleEnded():
            return [_agreement(fact, action(fact.action))]
        case happened.GemsTaken():
            return [_taken(fact)]
        case happened.PointsScored(seat, points):
            return [Message("haggling.told.scores", who=Seat(seat), n=points).at(f"seat {seat}")]
        case happened.MajorityScored():
            return _majority(fact)
    return PlainTelling().told(fact)


def choices_of(*seats: int) -> list[str]:
    """Where the choices of seats lie, as places on the table."""
    return [f"choice {seat}" for seat in seats]


def action_name(game: str, action: str) -> Message:
    """What a game calls one of its actions."""
    return Message(f"{game}.action.{action}")


def wanted(game: str, action: str) -> Message:
    """The same after "wants"."""
    return Message(f"{game}.wanted.{action}")


def _agreement(fact: happened.HaggleEnded, action: Message) -> Message:
    who, other, places = Seat(fact.loser), Seat(fact.winner), (f"seat {fact.loser}", f"seat {fact.winner}")
    if any(fact.gems):
        gems = gems_in_words(fact.gems)
        return Message("haggling.told.accepts", who=who, other=other, action=action, gems=gems).at(*places)
    return Message("haggling.told.passes", who=who, other=other, action=action).at(*places)


def _taken(fact: happened.GemsTaken) -> Message:
    """What was taken, and where that is less than was to be had: why."""
    who, gems, wanted, place = (
        Seat(fact.seat),
        gems_in_words(fact.gems),
        gems_in_words(fact.wanted),
        f"seat {fact.seat}",
    )
    if fact.gems == fact.wanted:
        return Message("haggling.told.takes", who=who, gems=gems).at(place)
    if gems:
        return Message("haggling.told.takes_short", who=who, gems=gems, wanted=wanted).at(place)
    return Message("haggling.told.takes_nothing", who=who, wanted=wanted).at(place)


def _majority(fact: happened.MajorityScored) -> list[Message]:
    """Who was paid for a colour, and what went back for it."""
    colour = GEM_NAMES[fact.colour]
    gem, back = Message(f"haggling.gem_most.{colour}"), sum(fact.back)
    names, places = [Seat(seat) for seat in fact.seats], [f"gem {colour}", *(f"seat {seat}" for seat in fact.seats)]
    if not names:
        return []
    key = "haggling.told.majority" if len(names) == 1 else "haggling.told.majority_shared"
    return [Message(key, who=names, gem=gem, n=fact.points, back=back).at(*places)]


# ---------------------------------------------------------------- what is asked of a seat


def asked(haggles: bool, moves: Sequence[int], otherwise: str) -> Message:
    """What a seat is to do. In a haggle: open it, with or without the right to pass, or answer an offer, if it can."""
    if not haggles:
        return Message(otherwise)
    offers = any(move >= haggling.OFFER for move in moves)
    if haggling.ACCEPT in moves:
        return Message("haggling.todo.answer" if offers else "haggling.todo.accept")
    if haggling.PASS in moves:
        return Message("haggling.todo.open_or_pass" if offers else "haggling.todo.pass")
    return Message("haggling.todo.open")


# ---------------------------------------------------------------- gems


def in_words(offer: int) -> list[Message]:
    """An offer as one says it: "1 red and 2 blue gems"."""
    return gems_in_words(counts(offer))


def gems_in_words(gems: Sequence[int]) -> list[Message]:
    """Gems that somebody offers, takes, gives or has, without the colours of which there is none."""
    some = [(n, name) for n, name in zip(gems, GEM_NAMES, strict=True) if n]
    first = [Message(f"haggling.gems_given.{name}", n=n) for n, name in some[:-1]]
    return first + [Message(f"haggling.gems_given_last.{name}", n=n) for n, name in some[-1:]]


def gems_listed(gems: Sequence[int]) -> list[Message]:
    """Gems as a card shows them. (In some languages the words have another form.)"""
    return [Message(f"haggling.gems.{name}", n=n) for n, name in zip(gems, GEM_NAMES, strict=True) if n]


# ---------------------------------------------------------------- refusals


def haggle_refusal(s: Any, seat: int, move: int, clauses: dict[str, str]) -> tuple[Message, str]:
    """Why a haggle's move is not allowed. `clauses`: the game's own for "own", "raise", "accept" and "pass"."""
    if move == haggling.ACCEPT:
        return Message("haggling.reason.nothing_to_accept"), clauses["accept"]
    if move == haggling.PASS:
        reason = Message("haggling.reason.only_opener_passes" if s.offer else "haggling.reason.must_offer")
        return reason, clauses["pass"]
    if not haggling.owned(s, seat, move - haggling.OFFER):
        held = gems_in_words([s.gems[seat, colour] for colour in range(haggling.COLOURS)])
        reason = Message("haggling.reason.only_own_gems", held=held) if held else Message("haggling.reason.no_gems")
        return reason, clauses["own"]
    return Message("haggling.reason.not_more", gems=in_words(s.offer)), clauses["raise"]
