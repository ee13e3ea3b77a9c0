"""Basari, the card game: the figures of a choice, offer or exchange, and why one is better."""

from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.basari_cards import rules
from souk.games.basari_cards.board_info import PROSPECTS, pile
from souk.games.basari_cards.explanations_exchange import of_an_exchange
from souk.games.basari_cards.explanations_workers import (
    CardsCourt,
    nouns,
    of_the_deal,
    of_the_exchange,
    of_workers,
)
from souk.games.basari_cards.notation import ACTIONS
from souk.games.basari_common import explanations as haggling
from souk.games.basari_common import explanations_choices as choices
from souk.games.basari_common import explanations_haggle as haggles
from souk.games.basari_common.explanations_court import Likely
from souk.games.basari_common.messages import in_words

POINT = 0.02  # win chance that a point is worth
_LEAST = 0.15  # of reasons about what an action brings


def name_move(pos: Position, move: str) -> Message:
    """A choice, an offer or an exchange in a few words."""
    code = pos.game.notation.read_move(pos.state, move)
    if pos.state.phase == rules.HAGGLE:
        return haggling.name_of_words(code)
    if pos.state.phase == rules.GIVE:
        return Message("basari-cards.name.give", gems=in_words(code - rules.GIVE_GEM))
    if pos.state.phase == rules.TAKE:
        return Message("basari-cards.name.take", gems=in_words(code - rules.TAKE_GEMS))
    return Message(f"basari-cards.action.{ACTIONS[code]}")


def compare(
    pos: Position, seat: int, better: str, other: str, likely: Likely | None = None
) -> list[Reason]:
    """Everything that speaks for one move against another.

    Only where the estimate agrees: nearly every choice has something to be said for it. `likely` is
    how often rivals choose what at the same time; without it nothing is said of what they want.
    """
    s = pos.state
    one, two = (pos.game.notation.read_move(s, move) for move in (better, other))
    if s.phase in (rules.GIVE, rules.TAKE):
        return list(of_an_exchange(pos, seat, one, two))
    court = CardsCourt(pos)
    if s.phase == rules.HAGGLE:
        return haggles.compare(PROSPECTS, pos, court, seat, (better, other))
    wishes = choices.read_wishes(likely or {}, ACTIONS)
    choice = choices.compare(court, seat, one, two, wishes, nouns())
    if not choice.is_clear:
        return []
    more = max(choice.more, _LEAST)
    return [
        *choices.of_others(choice),
        *choices.of_points_and_gems(choice, more),
        *of_workers(choice, court, more),
        *of_the_deal(choice, court, more),
        *of_the_exchange(choice, court, more),
    ]


def reasons(pos: Position, seat: int, move: str) -> list[Message]:
    s = pos.state
    code = pos.game.notation.read_move(s, move)
    if s.phase == rules.HAGGLE:
        return haggling.of_words(PROSPECTS, pos, seat, code)
    if s.phase in (rules.GIVE, rules.TAKE):
        return _of_an_exchange(pos, seat, code)
    if code == rules.D:
        return []  # the benefit comes with a later move
    drawn = [_of_a_card(pos, seat)] if code == rules.A else []
    return [*drawn, *haggling.of_an_action(PROSPECTS, pos, seat, code)]


def _of_a_card(pos: Position, seat: int) -> Message:
    """K13: mean number of workers on another card."""
    cards = pile(pos.state)
    workers = sum(n * times for n, times in enumerate(cards, 1)) / max(1, sum(cards))
    have = int(pos.state.workers[seat])
    return Message("basari-cards.speaks.workers", who=Seat(seat), n=round(workers, 2), now=have)


def _of_an_exchange(pos: Position, seat: int, code: int) -> list[Message]:
    """K31–K33: the effect of gems returned or taken."""
    rule, gems = (
        (rules.give, code - rules.GIVE_GEM)
        if pos.state.phase == rules.GIVE
        else (rules.take, code - rules.TAKE_GEMS)
    )
    then, _ = pos.game.try_rule(pos.state, rule, seat, gems)
    return haggling.of_gems(PROSPECTS, pos, seat, then)
