"""Basari, the card game, in plain numbers for explanations, and reasons about its workers."""

import math
from collections.abc import Iterator

from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.basari_cards import rules
from souk.games.basari_cards.board_info import pile
from souk.games.basari_cards.notation import ACTIONS, gems_on
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.explanations_choices import Choice
from souk.games.basari_common.explanations_court import (
    EVERY_COLOUR,
    EXCHANGE,
    GEMS,
    POINTS,
    PROGRESS,
    Court,
    colour_name,
    gem_place,
    reason,
)

Reasons = Iterator[Reason]
_PACE = 3.6  # workers per round of the furthest seat
_MOST_ON_A_CARD = 4
# Workers count beyond the chance of fifteen that they bring now; the exchange is worth so many of
# its best gem, less what is given and shared. Both by the choices that a search makes.
_CARD, _PAIR, _GIVEN = 1.5, 1.7, 2.0


class CardsCourt(Court):
    def __init__(self, pos: Position) -> None:
        s = pos.state
        seats = range(int(s.players))
        self.workers = [int(s.workers[seat]) for seat in seats]
        self.pile = pile(s)  # cards by workers, from 1
        self.supply = [int(n) for n in s.supply]
        rounds = max(rules.ENOUGH_WORKERS - max(self.workers), 0) / _PACE + 0.6
        cards = [int(s.card[seat]) for seat in seats]
        points = [0 if card == haggling.NONE else int(rules.points_on(s, card)) for card in cards]
        shown = [
            [0] * haggling.COLOURS
            if card == haggling.NONE
            else [min(n, left) for n, left in zip(gems_on(s, card), self.supply, strict=True)]
            for card in cards
        ]
        self.deals = int(s.deals)
        later = max(rules.DEALS - 1 - self.deals, 0)
        super().__init__(pos, later, rounds, points, shown)

    @property
    def cards(self) -> int:
        return sum(self.pile)

    def enough(self, seat: int) -> int:
        """Cards of the pile that bring a seat to fifteen workers."""
        needed = rules.ENOUGH_WORKERS - self.workers[seat]
        return sum(times for n, times in enumerate(self.pile, 1) if n >= needed)

    def progress(self, seat: int) -> float:
        if not self.cards:
            return 0.0
        drawn = (
            sum(times * self._chance(seat, n) for n, times in enumerate(self.pile, 1)) / self.cards
        )
        more = _CARD if self.workers[seat] < rules.ENOUGH_WORKERS else 0.0
        return rules.WORKERS_POINTS * (drawn - self._chance(seat, 0)) + more

    def exchange(self, seat: int) -> float:
        single = [
            self.gem_worth(seat, [int(colour == other) for other in EVERY_COLOUR])
            for colour in EVERY_COLOUR
            if self.supply[colour]
        ]
        return _PAIR * max(single, default=0.0) - _GIVEN

    def _chance(self, seat: int, more: int) -> float:
        """Of fifteen workers at the end of the deal."""
        workers = self.workers[seat] + more
        if workers >= rules.ENOUGH_WORKERS:
            return 1.0
        furthest = max(n for other, n in enumerate(self.workers) if other != seat)
        behind = min(furthest, rules.ENOUGH_WORKERS) - workers
        return 1 / (1 + math.exp(behind / (2.0 + 0.2 * min(int(self.rounds + 0.5), 8))))


def nouns() -> list[Message]:
    """By action: its name as an object."""
    return [Message(f"basari-cards.why.noun.{action}") for action in ACTIONS]


def of_workers(choice: Choice, court: CardsCourt, points: float) -> Reasons:
    """For or against another card."""
    seat, me, place = choice.seat, Seat(choice.seat), f"card {choice.seat}"
    enough, needed = court.enough(seat), rules.ENOUGH_WORKERS - court.workers[seat]
    if choice.action == PROGRESS:
        if needed > 0 and enough == court.cards > 0:
            message = Message("basari-cards.why.fifteen_sure", me=me)
            yield reason("workers", points, message.at(place))
        elif needed > 0 and enough:
            message = Message("basari-cards.why.fifteen", me=me, n=enough, m=court.cards)
            yield reason("workers", points, message.at(place))
        elif needed > 0 and choice.worth_more > 0.3:
            message = Message("basari-cards.why.catch_up", me=me, n=needed)
            yield reason("workers", points, message.at(place))
    elif choice.other == PROGRESS:
        yield from _against_a_card(choice, court, points)


def _against_a_card(choice: Choice, court: CardsCourt, points: float) -> Reasons:
    seat, me, place = choice.seat, Seat(choice.seat), f"card {choice.seat}"
    if not court.cards:
        yield reason("workers", points, Message("basari-cards.why.no_pile"))
    elif court.workers[seat] >= rules.ENOUGH_WORKERS:
        message = Message("basari-cards.why.fifteen_done", me=me)
        yield reason("workers", points, message.at(place))
    elif not court.enough(seat):
        if choice.action == POINTS:
            message = Message("basari-cards.why.points_card", me=me, n=court.arch[seat])
            yield reason("points", points, message.at(place))
        else:
            message = Message("basari-cards.why.no_fifteen", me=me)
            yield reason("workers", 0.7 * points, message.at(place))


def of_the_deal(choice: Choice, court: CardsCourt, points: float) -> Reasons:
    """Gems count when the deal ends, and without a majority in the last one not at all."""
    seat = choice.seat
    gems = choice.action if choice.action == GEMS else choice.other
    if gems != GEMS:
        return
    then = court.with_gems({seat: court.shown[seat]})
    now, after = court.majorities(court.gems, seat), court.majorities(then, seat)
    changes = any(after[colour] < now.get(colour, 9) for colour in after)
    near = [
        other
        for other, workers in enumerate(court.workers)
        if other != seat and workers + _MOST_ON_A_CARD >= rules.ENOUGH_WORKERS
    ]
    if choice.action == GEMS and changes and near:
        first = max(near, key=lambda other: court.workers[other])
        message = Message("basari-cards.why.deal_ends", who=Seat(first)).at(f"card {first}")
        yield reason("deal", 0.8 * points, message)
    if choice.other == GEMS and choice.action == POINTS and not court.later and not changes:
        yield reason("points", points, Message("basari-cards.why.last_deal"))


def of_the_exchange(choice: Choice, court: CardsCourt, points: float) -> Reasons:
    """Two gems of a colour for one of another."""
    if choice.action != EXCHANGE:
        return
    seat, gems = choice.seat, court.gems
    for colour in EVERY_COLOUR:
        others = max(held[colour] for other, held in enumerate(gems) if other != seat)
        spare = sum(gems[seat]) - gems[seat][colour]
        leads = gems[seat][colour] > others
        if not leads and gems[seat][colour] + 2 > others and spare and court.supply[colour] >= 2:
            name = colour_name(colour)
            message = Message("basari-cards.why.exchange_lead", me=Seat(seat), colour=name)
            yield reason("colour", points, message.at(gem_place(colour)))
            return
