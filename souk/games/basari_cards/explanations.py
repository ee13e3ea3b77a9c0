"""Basari, the card game: reasons for a choice, an offer or an exchange."""

from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.games.basari_cards import rules
from souk.games.basari_cards.board_info import PROSPECTS, pile
from souk.games.basari_common import explanations as haggling


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
