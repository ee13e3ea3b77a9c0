"""Basari, the card game, as text: moves, cards, positions, and what happened."""

from typing import Any

from souk.core.errors import IllegalMove
from souk.core.fields import Fields, shown
from souk.core.message import Message, Seat
from souk.core.reading import letters, read_letters, split, unreadable
from souk.games.basari_cards import rules
from souk.games.basari_cards.box import GEM_LETTERS, card_text, read_card
from souk.games.haggling import notation as haggle_words
from souk.games.haggling import rules as haggling
from souk.kernel.bits import count

ACTIONS = ("A", "B", "C", "D")
PHASES = ("deal", "choose", "haggle", "draw", "give", "take", "over")
SETTLING = (rules.HAGGLE, rules.DRAW, rules.GIVE, rules.TAKE)
CLAUSES = {"own": "K21", "raise": "K22", "accept": "K22"}
MOST_WORKERS = 999  # in a made-up position, like the most points; in play a deal has ended long before
_MANY = 31  # more gems than there are of a colour, and the most that a move has room for

# ---------------------------------------------------------------- moves


def move_text(s: Any, move: int) -> str:
    if move <= rules.D:
        return ACTIONS[move]
    if move < rules.TAKE_GEMS:
        return haggle_words.haggle_move_text(move)
    gems = [haggling.part(move, colour) for colour in range(haggling.COLOURS)]
    return ("give " if move >= rules.GIVE_GEM else "take ") + letters(gems, haggle_words.GEMS)


def read_move(s: Any, text: str) -> int:
    word, rest = split(text, "offer", "give", "take")
    if word.upper() in ACTIONS and not rest:
        return ACTIONS.index(word.upper())
    move = haggle_words.read_haggle_move(word, rest)
    if move is not None:
        return move
    gems = read_letters(rest, haggle_words.GEMS) if word in ("give", "take") else None
    if gems is None or not any(gems):
        raise unreadable(text, _moves_now(s))
    bag: int = haggling.pack(*(min(n, _MANY) for n in gems))
    return bag + (rules.GIVE_GEM if word == "give" else rules.TAKE_GEMS)


def _moves_now(s: Any) -> Message:
    if s.phase == rules.CHOOSE:
        return Message("reason.basari-cards.choices", actions=list(_actions(s)))
    if s.phase == rules.HAGGLE:
        return haggle_words.haggle_moves(s)
    return Message("reason.basari-cards.gives" if s.phase == rules.GIVE else "reason.basari-cards.takes")


def _actions(s: Any) -> tuple[str, ...]:
    """K3: the actions of this table."""
    return ACTIONS[: rules.actions(s)]


def refusal(s: Any, seat: int, move: int) -> tuple[Message, str | None]:
    if s.phase == rules.CHOOSE:
        if move == rules.D:
            return Message("reason.basari-cards.d_with_five"), "K3"
        return Message("reason.basari-cards.choose_now"), "K11"
    if s.phase == rules.HAGGLE:
        if move <= rules.D or move >= rules.TAKE_GEMS:
            return Message("reason.haggle.haggle_now", action=ACTIONS[s.action]), "K16"
        return haggle_words.haggle_refusal(s, seat, move, CLAUSES | {"pass": "K22" if s.offer else "K21"})
    return _give_refusal(move) if s.phase == rules.GIVE else _take_refusal(s, move)


def _give_refusal(move: int) -> tuple[Message, str]:
    if move < rules.GIVE_GEM:
        return Message("reason.basari-cards.return_first"), "K31"
    if haggling.size(move) != 1:
        return Message("reason.basari-cards.return_one"), "K31"
    return Message("reason.basari-cards.return_your_own"), "K31"


def _take_refusal(s: Any, move: int) -> tuple[Message, str]:
    alone = count(haggling.chose(s, rules.D)) == 1
    clause, wanted, due = "K31" if alone else "K32", haggling.size(move), rules.gems_to_take(s)
    if not rules.TAKE_GEMS <= move < rules.GIVE_GEM:
        return Message("reason.basari-cards.take_now"), clause
    if alone and due < wanted == 2:
        return Message("reason.basari-cards.one_gem_left"), "K33"
    if wanted != due:
        return Message("reason.basari-cards.take_exactly", n=due), clause
    return Message("reason.basari-cards.not_in_supply"), "K33"


# ---------------------------------------------------------------- chance


def outcome_text(s: Any, outcome: int) -> str:
    return card_text(s.deck[outcome])


def read_outcome(s: Any, text: str) -> int:
    card = read_card(text)
    if card is None:
        raise unreadable(text, Message("reason.basari-cards.cards"))
    deck = list(s.deck)
    if card not in deck:
        raise IllegalMove(Message("reason.basari-cards.no_such_card", card=card_text(card)))
    return deck.index(card)


def due(s: Any) -> Message:
    return Message("reason.basari-cards.a_card_for", who=Seat(s.turn))


# ---------------------------------------------------------------- positions


def field_names(players: int) -> tuple[list[str], list[str]]:
    held = ["points", "workers", "gems", "supply", "cards", "seen"]
    return ["phase", "turn", *held, "choices", "haggle", "pending", "deals"], ["ready"]


def to_json(s: Any) -> dict[str, Any]:
    return {
        "phase": PHASES[s.phase],
        "turn": haggle_words.turn_json(s, s.phase == rules.CHOOSE),
        "points": list(s.points[: s.players]),
        "workers": list(s.workers[: s.players]),
        "gems": haggle_words.gems_json(s),
        "supply": list(s.supply),
        "cards": [None if card == haggling.NONE else card_text(s.deck[card]) for card in s.card[: s.players]],
        "seen": [card_text(card) for number, card in enumerate(s.deck) if s.seen >> number & 1],
        "choices": haggle_words.choices_json(s, ACTIONS),
        "ready": haggle_words.ready_json(s, s.phase == rules.CHOOSE),
        "haggle": haggle_words.haggle_json(s, ACTIONS, True),
        "pending": _pending(s),
        "deals": s.deals,
    }


def _pending(s: Any) -> list[str]:
    """K12, K16, K30: the actions still to be settled, the present one first; what three have chosen is lost, but not D."""
    chosen = haggle_words.to_settle(s, len(ACTIONS))
    return [ACTIONS[action] for action, seats in chosen if seats in (1, 2) or (action == rules.D and seats)]


def from_json(s: Any, fields: Fields) -> None:
    s.phase = PHASES.index(fields.word("phase", PHASES if s.players == 5 else [*PHASES[:4], "over"]))
    for seat, points in enumerate(fields.wholes("points", s.players, 0, haggle_words.MOST_POINTS)):
        s.points[seat] = points
    for seat, workers in enumerate(fields.wholes("workers", s.players, 0, MOST_WORKERS)):
        s.workers[seat] = workers
    haggle_words.read_gems(s, fields, rules.GEMS_OF_EACH)
    s.deals = fields.whole("deals", 0, rules.DEALS)
    if s.deals == rules.DEALS and s.phase != rules.OVER:
        raise fields.wrong("deals", "the game is over after the third")
    haggle_words.read_choices(s, fields, _actions(s), s.phase == rules.CHOOSE, s.phase in SETTLING)
    _read_seen(s, fields)
    s.action = haggling.NONE
    s.turn = haggling.NONE
    haggling.end_haggle(s)
    _read_turn(s, fields)
    _read_cards(s, fields)
    if fields["pending"] != _pending(s):
        raise fields.wrong("pending", f"must be {shown(_pending(s))} here, not {shown(fields['pending'])}")


def _number(s: Any, fields: Fields, name: str, text: object) -> int:
    """The number of a card of the deck, by its text."""
    for number, card in enumerate(s.deck):
        if text == card_text(card):
            return number
    raise fields.wrong(name, f"{shown(text)} is not a card of this deck")


def _read_seen(s: Any, fields: Fields) -> None:
    if not isinstance(fields["seen"], list):
        raise fields.wrong("seen", f"must be a list of cards, not {shown(fields['seen'])}")
    for text in fields["seen"]:
        card = _number(s, fields, "seen", text)
        if s.seen >> card & 1:
            raise fields.wrong("seen", f"the card {text} is there twice")
        s.seen |= 1 << card
    if s.phase in (rules.DEAL, rules.DRAW) and rules.pile_is_empty(s):
        raise fields.wrong("seen", "a card is due, and the pile is empty")


def _read_cards(s: Any, fields: Fields) -> None:
    """The cards of this round: of those seen, each with one seat, and while they are dealt only before the seat on turn."""
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
    """Whose turn it is, and what is being settled."""
    if s.phase == rules.HAGGLE:
        haggle_words.read_haggle(s, fields, ACTIONS[: rules.D])
        haggle_words.read_speaker(s, fields)
        return
    fields.nothing("haggle", f"in phase {PHASES[s.phase]}")
    if s.phase in (rules.CHOOSE, rules.OVER):
        haggle_words.check_turn(s, fields, s.phase == rules.CHOOSE)
        return
    s.turn = fields.seat("turn", s.players)
    if s.phase != rules.DEAL:
        _read_settler(s, fields)


def _read_settler(s: Any, fields: Fields) -> None:
    """The seat on turn draws for A, or gives or takes for D: it must have chosen that, and be able to."""
    s.action = rules.A if s.phase == rules.DRAW else rules.D
    n = count(haggling.chose(s, s.action))
    if s.phase == rules.DRAW and n > 2:
        raise fields.wrong("choices", "A is lost when more than two choose it, so nobody draws a card")
    if s.phase == rules.GIVE and n > 1:
        raise fields.wrong("choices", "only who is alone on D returns a gem")
    if s.choice[s.turn] != s.action:
        raise fields.wrong("turn", f"seat {s.turn} has not chosen {ACTIONS[s.action]}")
    if s.phase == rules.GIVE and haggling.hand(s, s.turn) == 0:
        raise fields.wrong("gems", f"seat {s.turn} is to return a gem and has none")
    if s.phase == rules.TAKE and rules.in_supply(s) == 0:
        raise fields.wrong("supply", f"seat {s.turn} is to take a gem and there is none")


# ---------------------------------------------------------------- what happened


def pieces(s: Any) -> dict[str, int]:
    """The gems. (Cards are in the deck, seen or not; workers and points come and go.)"""
    return {
        f"{name} gems": s.supply[colour] + sum(s.gems[seat, colour] for seat in range(s.players))
        for colour, name in enumerate(haggle_words.GEM_NAMES)
    }


def tell(before: Any, after: Any, seat: int | None, text: str) -> list[Message]:
    return [_deed(before, seat, text), *_effects(before, after, seat, text)]


def _deed(before: Any, seat: int | None, text: str) -> Message:
    """What was done. A choice is not told before all have chosen."""
    if seat is None:
        key = "told.basari-cards.is_dealt" if before.phase == rules.DEAL else "told.basari-cards.draws"
        return Message(key, who=Seat(before.turn), card=_card(text))
    if before.phase == rules.CHOOSE:
        last = haggling.yet_to_choose(before) == 1 << seat
        return _told_choices(before, seat, text) if last else Message("told.core.has_chosen", who=Seat(seat))
    move = read_move(before, text)
    if before.phase == rules.HAGGLE:
        return _told_haggle(before, seat, move)
    key = "told.basari-cards.returns" if before.phase == rules.GIVE else "told.basari-cards.takes"
    return Message(key, who=Seat(seat), gems=haggle_words.in_words(move))


def _card(text: str) -> Message:
    workers, points, gems = text.split("/")
    counts = [gems.count(letter) for letter in GEM_LETTERS]
    return Message(
        "told.basari-cards.card", workers=int(workers), points=int(points), gems=haggle_words.gems_in_words(counts)
    )


def _told_choices(before: Any, last: int, choice: str) -> Message:
    """What all have chosen, now that the last one has."""
    choices = haggle_words.choices_json(before, ACTIONS)
    choices[last] = choice
    chosen = [Message("told.haggle.choice", who=Seat(seat), action=each) for seat, each in enumerate(choices)]
    return Message("told.basari-cards.all_reveal", choices=chosen)


def _told_haggle(before: Any, seat: int, move: int) -> Message:
    if move >= haggling.OFFER:
        return haggle_words.told_offer(seat, move - haggling.OFFER)
    key = "told.basari-cards.accepts" if move == haggling.ACCEPT else "told.basari-cards.has_nothing"
    return Message(key, who=Seat(seat), action=ACTIONS[before.action], other=Seat(haggling.partner(before, seat)))


def _effects(before: Any, after: Any, seat: int | None, text: str) -> list[Message]:
    """What came of it by itself: points and gems of B and C, and the scoring of a deal."""
    scored = [after.points[each] - before.points[each] for each in range(after.players)]
    if after.deals > before.deals:
        return [_told_scoring(after.deals, scored)]
    told = [
        Message("told.basari-cards.scores", who=Seat(each), n=points) for each, points in enumerate(scored) if points
    ]
    if before.phase in (rules.GIVE, rules.TAKE):
        return told
    for each in range(after.players):
        gems = [after.gems[each, colour] - before.gems[each, colour] for colour in range(haggling.COLOURS)]
        if text == "accept" and each in (before.opener, before.other):
            sign = -1 if each == seat else 1  # what was handed over is told already
            gems = [n + sign * haggling.part(before.offer, colour) for colour, n in enumerate(gems)]
        if any(gems):
            told.append(Message("told.basari-cards.takes", who=Seat(each), gems=haggle_words.gems_in_words(gems)))
    return told


def _told_scoring(deal: int, scored: list[int]) -> Message:
    gained = [
        Message("told.basari-cards.gained", who=Seat(seat), n=points) for seat, points in enumerate(scored) if points
    ]
    if not gained:
        return Message("told.basari-cards.deal_over", n=deal)
    return Message("told.basari-cards.deal_scored", n=deal, gained=gained)
