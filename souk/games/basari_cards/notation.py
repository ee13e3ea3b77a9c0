"""Basari, the card game, as text and JSON: moves, cards, positions."""

from functools import lru_cache
from typing import Any, Literal

from souk.core.errors import IllegalMove
from souk.core.json_fields import Fields, brief
from souk.core.messages import Message
from souk.core.parsing import letters, read_letters, split, unreadable
from souk.games.basari_cards import rules
from souk.games.basari_cards.box import POINTS, card_text, read_card, workers_needed
from souk.games.basari_common import notation as haggle_notation
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.notation import Gems, HagglingPosition
from souk.kernel.bitset import count

ACTIONS = ("A", "B", "C", "D")
PHASES = ("deal", "choose", "haggle", "draw", "give", "take", "over")
SETTLING = (rules.HAGGLE, rules.DRAW, rules.GIVE, rules.TAKE)
# In constructed positions, like the most points; in play a deal ends long before.
MOST_WORKERS = 999
# K41, K43: points of one seat at the end of a deal.
MOST_SCORED = rules.WORKERS_POINTS + sum(haggling.MAJORITY_POINTS)
_MANY = 31  # more gems than exist of a colour, and the most a move has room for


def gems_on(s: Any, card: int) -> Gems:
    """K2: the gems on a card, by colour."""
    return [rules.gems_on(s, card, colour) for colour in range(haggling.COLOURS)]


# ---------------------------------------------------------------- moves


def move_text(s: Any, move: int) -> str:
    if move <= rules.D:
        return ACTIONS[move]
    if move < rules.TAKE_GEMS:
        return haggle_notation.haggle_move_text(move)
    gems = [haggling.part(move, colour) for colour in range(haggling.COLOURS)]
    return ("give " if move >= rules.GIVE_GEM else "take ") + letters(gems, haggle_notation.GEMS)


def read_move(s: Any, text: str) -> int:
    word, rest = split(text, "offer", "give", "take")
    if word.upper() in ACTIONS and not rest:
        return ACTIONS.index(word.upper())
    move = haggle_notation.read_haggle_move(word, rest)
    if move is not None:
        return move
    gems = read_letters(rest, haggle_notation.GEMS) if word in ("give", "take") else None
    if gems is None or not any(gems):
        raise unreadable(text, _moves_now(s))
    bag: int = haggling.pack(*(min(n, _MANY) for n in gems))
    return bag + (rules.GIVE_GEM if word == "give" else rules.TAKE_GEMS)


def _moves_now(s: Any) -> Message:
    if s.phase == rules.CHOOSE:
        return Message("basari-cards.reason.choices", actions=list(_actions(s)))
    if s.phase == rules.HAGGLE:
        return haggle_notation.moves_now(s)
    return Message(
        "basari-cards.reason.gives" if s.phase == rules.GIVE else "basari-cards.reason.takes"
    )


def _actions(s: Any) -> tuple[str, ...]:
    """K3: the actions at this table."""
    return ACTIONS[: rules.actions(s)]


# ---------------------------------------------------------------- chance


def outcome_text(s: Any, outcome: int) -> str:
    return card_text(s.deck[outcome])


def read_outcome(s: Any, text: str) -> int:
    card = read_card(text)
    if card is None:
        raise unreadable(text, Message("basari-cards.reason.cards"))
    deck = list(s.deck)
    if card not in deck:
        raise IllegalMove(Message("basari-cards.reason.no_such_card", card=card_text(card)))
    return deck.index(card)


# ---------------------------------------------------------------- positions


def field_names(players: int) -> tuple[list[str], list[str]]:
    held = ["points", "workers", "gems", "supply", "cards", "seen"]
    return ["phase", "turn", *held, "choices", "haggle", "pending", "deals"], ["ready"]


class CardsPosition(HagglingPosition):
    phase: Literal["deal", "choose", "haggle", "draw", "give", "take", "over"]
    workers: list[int]
    cards: list[str | None]  # by seat: the card dealt this round, such as "2/5/RYBB"
    seen: list[str]  # all cards turned up in this deal
    deals: int


@lru_cache(256)
def _cards_of(cards: int, deck: bytes) -> list[str]:
    """Some cards of a deck as text. Cached: they change only when one is turned up."""
    return [
        card_text(card)
        for number, card in enumerate(memoryview(deck).cast("H"))
        if cards >> number & 1
    ]


def position(s: Any) -> CardsPosition:
    choosing, speaking = s.phase == rules.CHOOSE, s.phase == rules.HAGGLE
    return CardsPosition(
        phase=PHASES[s.phase],  # type: ignore[arg-type]
        workers=list(s.workers[: s.players]),
        cards=[
            None if card == haggling.NONE else card_text(s.deck[card])
            for card in s.card[: s.players]
        ],
        seen=[*_cards_of(s.seen, s.deck.tobytes())],
        deals=s.deals,
        **haggle_notation.shared_fields(
            s, ACTIONS, rules.is_lost, choosing=choosing, speaking=speaking
        ),
    )


def from_json(s: Any, fields: Fields) -> None:
    s.phase = PHASES.index(
        fields.word("phase", PHASES if s.players == 5 else [*PHASES[:4], "over"])
    )
    haggle_notation.read_by_seat(s, fields, "workers", MOST_WORKERS)
    haggle_notation.read_holdings(s, fields, rules.GEMS_OF_EACH)
    s.deals = fields.whole("deals", 0, rules.DEALS)
    if s.deals == rules.DEALS and s.phase != rules.OVER:
        raise fields.wrong("deals", "the game is over after the third")
    haggle_notation.read_choices(
        s, fields, _actions(s), s.phase == rules.CHOOSE, s.phase in SETTLING
    )
    _read_seen(s, fields)
    _read_turn(s, fields)
    _read_cards(s, fields)
    haggle_notation.check_pending(s, fields, ACTIONS, rules.is_lost)
    if s.phase != rules.OVER:
        _check_room(s, fields)


def _check_room(s: Any, fields: Fields) -> None:
    """Leave room for the points and workers still to come."""
    unseen = _unseen_workers(s)
    for seat in range(s.players):
        fields.check_room("workers", s.workers[seat], unseen, MOST_WORKERS)
        haggle_notation.check_points(s, fields, seat, _points_to_come(s, seat))


def _points_to_come(s: Any, seat: int) -> int:
    """Upper bound of a seat's future points; K14 counts each card it holds or may be dealt once."""
    deals = rules.DEALS - s.deals
    in_hand = s.card[seat] != haggling.NONE and s.action <= rules.B
    cards = in_hand + count(rules.pile(s)) + (deals - 1) * rules.CARDS
    return int(cards * POINTS.most + deals * MOST_SCORED)


def _unseen_workers(s: Any) -> int:
    return sum(rules.workers_on(s, card) for card in range(rules.CARDS) if not s.seen >> card & 1)


def _number(s: Any, fields: Fields, name: str, text: object) -> int:
    """Number of a card of the deck, by its text."""
    for number, card in enumerate(s.deck):
        if text == card_text(card):
            return number
    raise fields.wrong(name, f"{brief(text)} is not a card of this deck")


def _read_seen(s: Any, fields: Fields) -> None:
    if not isinstance(fields["seen"], list):
        raise fields.wrong("seen", f"must be a list of cards, not {brief(fields['seen'])}")
    for text in fields["seen"]:
        card = _number(s, fields, "seen", text)
        if s.seen >> card & 1:
            raise fields.wrong("seen", f"the card {text} is there twice")
        s.seen |= 1 << card
    if s.phase in (rules.DEAL, rules.DRAW) and rules.pile_is_empty(s):
        raise fields.wrong("seen", "a card is due, and the pile is empty")
    if s.phase != rules.OVER:
        _check_deal_ends(s, fields)


def _check_deal_ends(s: Any, fields: Fields) -> None:
    """K40: a deal goes on until a player has 15 workers, so the cards to come must suffice."""
    held = s.workers[: s.players]
    unseen = _unseen_workers(s)
    needed = workers_needed(s.players)
    if max(held) < rules.ENOUGH_WORKERS and sum(held) + unseen < needed:
        workers = f"{sum(held)} workers are held and {unseen} are on unseen cards"
        problem = f"this deal might never end: {workers}"
        raise fields.wrong("seen", f"{problem}, and together they must be at least {needed}")


def _read_cards(s: Any, fields: Fields) -> None:
    """The cards of this round: seen ones, one seat each, and while dealing only before the
    seat on turn.
    """
    for seat, text in enumerate(fields.items("cards", s.players)):
        s.card[seat] = haggling.NONE
        if text is None:
            continue
        card = _number(s, fields, "cards", text)
        if s.phase == rules.OVER or (s.phase == rules.DEAL and seat >= s.turn):
            raise fields.wrong("cards", f"seat {seat} cannot have been dealt a card here")
        if not s.seen >> card & 1:
            raise fields.wrong("cards", f"the card {text} is not among those seen")
        if card in s.card[:seat]:
            raise fields.wrong("cards", f"the card {text} is dealt to two seats")
        s.card[seat] = card


def _read_turn(s: Any, fields: Fields) -> None:
    """The seat on turn, and the action being settled."""
    if s.phase == rules.HAGGLE:
        haggle_notation.read_haggle(s, fields, ACTIONS[: rules.D])
        haggle_notation.read_speaker(s, fields)
        return
    fields.nothing("haggle", f"in phase {PHASES[s.phase]}")
    if s.phase in (rules.CHOOSE, rules.OVER):
        haggle_notation.check_turn(s, fields, s.phase == rules.CHOOSE)
        return
    s.turn = fields.seat("turn", s.players)
    if s.phase != rules.DEAL:
        _read_settler(s, fields)


def _read_settler(s: Any, fields: Fields) -> None:
    """The seat that draws for A, or gives or takes for D: it must have chosen that and be
    able to.
    """
    s.action = rules.A if s.phase == rules.DRAW else rules.D
    n = count(haggling.chose(s, s.action))
    if s.phase == rules.DRAW and n > 2:
        raise fields.wrong(
            "choices", "A is lost when more than two choose it, so nobody draws a card"
        )
    if s.phase == rules.GIVE and n > 1:
        raise fields.wrong("choices", "only who is alone on D returns a gem")
    if s.choice[s.turn] != s.action:
        raise fields.wrong("turn", f"seat {s.turn} has not chosen {ACTIONS[s.action]}")
    if s.phase == rules.GIVE and haggling.hand(s, s.turn) == 0:
        raise fields.wrong("gems", f"seat {s.turn} is to return a gem and has none")
    if s.phase == rules.TAKE and rules.in_supply(s) == 0:
        raise fields.wrong("supply", f"seat {s.turn} is to take a gem and there is none")


def pieces(s: Any) -> dict[str, int]:
    return haggle_notation.pieces(s)
