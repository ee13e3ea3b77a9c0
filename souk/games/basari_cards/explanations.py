"""Basari, the card game: what speaks for a choice, an offer or an exchange."""

from souk.core.message import Message, Seat
from souk.core.position import Position
from souk.games.basari_cards import rules
from souk.games.basari_cards.scene import PROSPECTS, pile
from souk.games.haggling import reasons as haggling


def reasons(pos: Position, seat: int, move: str) -> list[Message]:
    s = pos.state
    code = pos.game.notation.read_move(s, move)
    if s.phase == rules.HAGGLE:
        return haggling.of_words(PROSPECTS, pos, seat, code)
    if s.phase in (rules.GIVE, rules.TAKE):
        return _of_an_exchange(pos, seat, code)
    if code == rules.D:
        return []  # what it brings is for a later move
    drawn = [_of_a_card(pos, seat)] if code == rules.A else []
    return [*drawn, *haggling.of_an_action(PROSPECTS, pos, seat, code)]


def _of_a_card(pos: Position, seat: int) -> Message:
    """K13: the workers of another card, on average."""
    cards = pile(pos.state)
    workers = sum(n * times for n, times in enumerate(cards, 1)) / max(1, sum(cards))
    have = int(pos.state.workers[seat])
    return Message("basari-cards.speaks.workers", who=Seat(seat), n=round(workers, 2), now=have)


def _of_an_exchange(pos: Position, seat: int, code: int) -> list[Message]:
    """K31–K33: what gems given back or taken mean."""
    rule, gems = (
        (rules.give, code - rules.GIVE_GEM) if pos.state.phase == rules.GIVE else (rules.take, code - rules.TAKE_GEMS)
    )
    then, _ = pos.game.trial(pos.state, rule, seat, gems)
    return haggling.of_gems(PROSPECTS, pos, seat, then)
