"""Log lines, prompts and refusals shared by both Basari games."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from souk.core.facts import Fact
from souk.core.game_modules import DefaultMessages
from souk.core.messages import Message, Seat
from souk.games.basari_common import facts
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.notation import GEM_NAMES, counts


def describe(fact: Fact, game: str, lost: Mapping[str, str]) -> list[Message]:
    """Describe a fact both games share, for one of them; `lost`: text keys for lost actions."""
    action = partial(action_name, game)
    match fact:
        case facts.Revealed(choices):
            chosen = [
                Message("basari-common.told.choice", who=Seat(seat), action=action(choice))
                for seat, choice in enumerate(choices)
            ]
            return [Message("basari-common.told.all_have_chosen", choices=chosen)]
        case facts.Lost(lost_action, seats):
            count = Message(f"word.number.{len(seats)}")
            return [
                Message(lost[lost_action], count=count, who=[Seat(seat) for seat in seats]).at(
                    *choices_of(*seats)
                )
            ]
        case facts.HaggleCalled(contested, [one, other]):
            both = [Seat(one), Seat(other)]
            what = wanted(game, contested)
            return [
                Message("basari-common.told.opens", both=both, who=Seat(one), what=what).at(
                    *choices_of(one, other)
                )
            ]
        case facts.Offered(seat, gems):
            return [
                Message("basari-common.told.offers", who=Seat(seat), gems=gems_in_words(gems)).at(
                    f"seat {seat}"
                )
            ]
        case facts.HaggleEnded():
            return [_agreement(fact, action(fact.action))]
        case facts.GemsTaken():
            return [_taken(fact)]
        case facts.PointsScored(seat, points):
            return [
                Message("basari-common.told.scores", who=Seat(seat), n=points).at(f"seat {seat}")
            ]
        case facts.MajorityScored():
            return _majority(fact)
    return DefaultMessages().describe(fact)


def choices_of(*seats: int) -> list[str]:
    """Table locations of the seats' choices."""
    return [f"choice {seat}" for seat in seats]


def action_name(game: str, action: str) -> Message:
    """A game's name for one of its actions."""
    return Message(f"{game}.action.{action}")


def wanted(game: str, action: str) -> Message:
    """The same after "wants"."""
    return Message(f"{game}.wanted.{action}")


def _agreement(fact: facts.HaggleEnded, action: Message) -> Message:
    who, other, places = (
        Seat(fact.loser),
        Seat(fact.winner),
        (f"seat {fact.loser}", f"seat {fact.winner}"),
    )
    if any(fact.gems):
        gems = gems_in_words(fact.gems)
        return Message(
            "basari-common.told.accepts", who=who, other=other, action=action, gems=gems
        ).at(*places)
    return Message("basari-common.told.passes", who=who, other=other, action=action).at(*places)


def _taken(fact: facts.GemsTaken) -> Message:
    """Gems taken and, if fewer than due, why."""
    who, gems, wanted, place = (
        Seat(fact.seat),
        gems_in_words(fact.gems),
        gems_in_words(fact.wanted),
        f"seat {fact.seat}",
    )
    if fact.gems == fact.wanted:
        return Message("basari-common.told.takes", who=who, gems=gems).at(place)
    if gems:
        return Message("basari-common.told.takes_short", who=who, gems=gems, wanted=wanted).at(
            place
        )
    return Message("basari-common.told.takes_nothing", who=who, wanted=wanted).at(place)


def _majority(fact: facts.MajorityScored) -> list[Message]:
    """Who was paid for a colour, and what was returned."""
    colour = GEM_NAMES[fact.colour]
    gem, back = Message(f"basari-common.gem_most.{colour}"), sum(fact.back)
    names, places = (
        [Seat(seat) for seat in fact.seats],
        [f"gem {colour}", *(f"seat {seat}" for seat in fact.seats)],
    )
    if not names:
        return []
    key = "basari-common.told.majority" if len(names) == 1 else "basari-common.told.majority_shared"
    return [Message(key, who=names, gem=gem, n=fact.points, back=back).at(*places)]


# ---------------------------------------------------------------- prompts


def prompt(haggles: bool, moves: Sequence[int], otherwise: str) -> Message:
    """Prompt for a seat.

    In a haggle: open it, with or without the right to pass, or answer an offer.
    """
    if not haggles:
        return Message(otherwise)
    offers = any(move >= haggling.OFFER for move in moves)
    if haggling.ACCEPT in moves:
        return Message("basari-common.todo.answer" if offers else "basari-common.todo.accept")
    if haggling.PASS in moves:
        return Message("basari-common.todo.open_or_pass" if offers else "basari-common.todo.pass")
    return Message("basari-common.todo.open")


# ---------------------------------------------------------------- gems


def in_words(offer: int) -> list[Message]:
    """An offer in words: "1 red and 2 blue gems"."""
    return gems_in_words(counts(offer))


def gems_in_words(gems: Sequence[int]) -> list[Message]:
    """Gems offered, taken, given or held, omitting colours without any."""
    some = [(n, name) for n, name in zip(gems, GEM_NAMES, strict=True) if n]
    first = [Message(f"basari-common.gems_given.{name}", n=n) for n, name in some[:-1]]
    return first + [Message(f"basari-common.gems_given_last.{name}", n=n) for n, name in some[-1:]]


def gems_listed(gems: Sequence[int]) -> list[Message]:
    """Gems as listed on a card; some languages inflect them differently."""
    return [
        Message(f"basari-common.gems.{name}", n=n)
        for n, name in zip(gems, GEM_NAMES, strict=True)
        if n
    ]


# ---------------------------------------------------------------- refusals


def haggle_refusal(s: Any, seat: int, move: int, clauses: dict[str, str]) -> tuple[Message, str]:
    """Why a haggle move is refused.

    `clauses`: the game's own for "own", "raise", "accept" and "pass".
    """
    if move == haggling.ACCEPT:
        return Message("basari-common.reason.nothing_to_accept"), clauses["accept"]
    if move == haggling.PASS:
        reason = Message(
            "basari-common.reason.only_opener_passes"
            if s.offer
            else "basari-common.reason.must_offer"
        )
        return reason, clauses["pass"]
    if not haggling.owned(s, seat, move - haggling.OFFER):
        held = gems_in_words([s.gems[seat, colour] for colour in range(haggling.COLOURS)])
        reason = (
            Message("basari-common.reason.only_own_gems", held=held)
            if held
            else Message("basari-common.reason.no_gems")
        )
        return reason, clauses["own"]
    return Message("basari-common.reason.not_more", gems=in_words(s.offer)), clauses["raise"]
