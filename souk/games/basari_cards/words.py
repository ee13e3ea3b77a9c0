"""Basari, the card game, as text: moves, cards, positions, and what happened."""

from typing import Any

from souk.core.errors import IllegalMove
from souk.core.fields import Fields, shown
from souk.games import haggle_words, haggling
from souk.games.basari_cards import rules
from souk.games.basari_cards.box import card_text, read_card
from souk.games.text import letters, read_letters, split, unreadable

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


def _moves_now(s: Any) -> str:
    if s.phase == rules.CHOOSE:
        return f"The choice is {', '.join(_actions(s))}."
    if s.phase == rules.HAGGLE:
        return f'One offers, such as "offer 1r2b", or says "{"accept" if s.offer else "pass"}".'
    if s.phase == rules.GIVE:
        return 'A gem is returned with "give r".'
    return 'Gems are taken from the supply with "take y", two with "take yb".'


def _actions(s: Any) -> tuple[str, ...]:
    """K3: the actions of this table."""
    return ACTIONS[: rules.actions(s)]


def refusal(s: Any, seat: int, move: int) -> tuple[str, str | None]:
    if s.phase == rules.CHOOSE:
        if move == rules.D:
            return "action D is there only with five players", "K3"
        return "now everybody chooses an action", "K11"
    if s.phase == rules.HAGGLE:
        if move <= rules.D or move >= rules.TAKE_GEMS:
            return f"two have chosen {ACTIONS[s.action]}: now they haggle for it", "K16"
        return haggle_words.haggle_refusal(s, seat, move, CLAUSES | {"pass": "K22" if s.offer else "K21"})
    return _give_refusal(move) if s.phase == rules.GIVE else _take_refusal(s, move)


def _give_refusal(move: int) -> tuple[str, str]:
    if move < rules.GIVE_GEM:
        return "who is alone on D first returns a gem to the supply", "K31"
    if haggling.size(move) != 1:
        return "exactly one gem is returned", "K31"
    return "one can only return a gem one holds", "K31"


def _take_refusal(s: Any, move: int) -> tuple[str, str]:
    alone = haggling.count_seats(haggling.chose(s, rules.D)) == 1
    clause, wanted, due = "K31" if alone else "K32", haggling.size(move), rules.gems_to_take(s)
    if not rules.TAKE_GEMS <= move < rules.GIVE_GEM:
        return "now gems are taken from the supply", clause
    if alone and due < wanted == 2:
        return "the supply has only one gem left", "K33"
    if wanted != due:
        return f"one takes exactly {'one gem' if due == 1 else 'two gems'} here", clause
    return "the supply does not have that", "K33"


# ---------------------------------------------------------------- chance


def outcome_text(s: Any, outcome: int) -> str:
    return card_text(s.deck[outcome])


def read_outcome(s: Any, text: str) -> int:
    card = read_card(text)
    if card is None:
        raise unreadable(text, 'A card is its workers, points and gems, such as "2/5/RYBB".')
    deck = list(s.deck)
    if card not in deck:
        raise IllegalMove(f"there is no card {card_text(card)} in this deck")
    return deck.index(card)


def due(s: Any) -> str:
    return f"a card for seat {s.turn}"


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
    n = haggling.count_seats(haggling.chose(s, s.action))
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


def tell(before: Any, after: Any, seat: int | None, text: str) -> str:
    return " ".join([_deed(before, seat, text), *_effects(before, after, seat, text)])


def _deed(before: Any, seat: int | None, text: str) -> str:
    """What was done. A choice is not told before all have chosen."""
    if seat is None:
        return f"{{{before.turn}}} {'is dealt' if before.phase == rules.DEAL else 'draws'} {text}."
    if before.phase == rules.CHOOSE:
        if haggling.yet_to_choose(before) != 1 << seat:
            return f"{{{seat}}} has chosen."
        choices = haggle_words.choices_json(before, ACTIONS)
        choices[seat] = text
        revealed = ", ".join(f"{{{each}}} {choice}" for each, choice in enumerate(choices))
        return f"All reveal their choice: {revealed}."
    move = read_move(before, text)
    if before.phase == rules.HAGGLE and move < haggling.OFFER:
        does = "accepts" if move == haggling.ACCEPT else "has nothing to offer"
        return f"{{{seat}}} {does}: {ACTIONS[before.action]} is for {{{haggling.partner(before, seat)}}}."
    verb = "offers" if before.phase == rules.HAGGLE else "returns" if before.phase == rules.GIVE else "takes"
    return f"{{{seat}}} {verb} {haggle_words.in_words(move)}."


def _effects(before: Any, after: Any, seat: int | None, text: str) -> list[str]:
    """What came of it by itself: points and gems of B and C, and the scoring of a deal."""
    scored = [after.points[each] - before.points[each] for each in range(after.players)]
    if after.deals > before.deals:
        gained = ", ".join(f"{{{each}}} {points:+}" for each, points in enumerate(scored) if points)
        return [f"Deal {after.deals} is over" + (f": {gained}." if gained else ".")]
    told = [f"{{{each}}} scores {points}." for each, points in enumerate(scored) if points]
    if before.phase in (rules.GIVE, rules.TAKE):
        return told
    for each in range(after.players):
        gems = [after.gems[each, colour] - before.gems[each, colour] for colour in range(haggling.COLOURS)]
        if text == "accept" and each in (before.opener, before.other):
            sign = -1 if each == seat else 1  # what was handed over is told already
            gems = [n + sign * haggling.part(before.offer, colour) for colour, n in enumerate(gems)]
        if any(gems):
            told.append(f"{{{each}}} takes {haggle_words.in_words(haggling.pack(*gems))}.")
    return told
