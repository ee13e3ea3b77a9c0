"""Bazaar as text: moves, outcomes, positions, and what happened."""

import re
from typing import Any

from souk.core.errors import IllegalMove
from souk.core.fields import Fields, shown
from souk.games.bazaar import rules
from souk.games.bazaar.box import COLOURS, EQUATIONS, RATE_CARDS, WARES, bag_text, counts_in, pack, read_bag
from souk.games.text import number, split, squeeze, unreadable

COLOUR_NAMES = ("white", "blue", "green", "red", "yellow")
FACES = (*COLOUR_NAMES, "choice")
PHASES = ("rates", "stalls", "first", "act", "die", "choice", "buy", "reveal", "return", "over")
NOBODYS = (rules.RATES, rules.STALLS, rules.FIRST, rules.OVER)  # phases that are nobody's turn
HIGHEST_POINTS = MOST_QUIET_ALONE = 9999  # in a made-up position
MOST_BOUGHT = 20
MOST_IN_A_BAG = 63  # chips: more of a colour would run over into the next

# ---------------------------------------------------------------- trades and wares


def trade_text(s: Any, trade: int) -> str:
    return f"{bag_text(rules.side(s, trade))}>{bag_text(rules.side(s, trade ^ 1))}"


def ware_text(s: Any, ware: int) -> str:
    return bag_text(s.wares[ware])


def find_ware(s: Any, text: object) -> int | None:
    """The ware of a text such as "WWWRR" in any order, case and spacing, or None."""
    bag = read_bag(text, rules.PRICE) if isinstance(text, str) else None
    prices = [ware & rules.BAG for ware in s.wares[:WARES]]
    return prices.index(bag) if bag in prices else None


# ---------------------------------------------------------------- moves


def move_text(s: Any, move: int) -> str:
    if move == rules.ROLL:
        return "roll"
    if move < rules.TAKE:
        return f"trade {trade_text(s, move - rules.TRADE)}"
    if move < rules.BUY_ONE:
        return f"take {COLOURS[move - rules.TAKE]}"
    if move < rules.DONE:
        return "buy " + " ".join(str(stall + 1) for stall in _stalls_of(move))
    return "done" if move == rules.DONE else f"return {COLOURS[move - rules.GIVE_BACK]}"


def _stalls_of(move: int) -> list[int]:
    """The stalls that a purchase names."""
    if move < rules.BUY_TWO:
        return [move - rules.BUY_ONE]
    return list(divmod(move - rules.BUY_TWO, 4))


def read_move(s: Any, text: str) -> int:
    word, rest = split(text, "roll", "trade", "take", "buy", "done", "return")
    colour = COLOURS.find(rest.upper()) if len(rest) == 1 else -1
    if word == "roll" and not rest:
        return rules.ROLL
    if word == "trade" and rest.count(">") == 1:
        return _read_trade(s, text, *rest.split(">"))
    if word == "take" and colour >= 0:
        return rules.TAKE + colour
    if word == "buy" and re.fullmatch("[0-9]{1,2}", squeeze(rest)):
        return _read_purchase(s, squeeze(rest))
    if word == "done" and not rest:
        return rules.DONE
    if word == "return" and colour >= 0:
        return rules.GIVE_BACK + colour
    raise unreadable(text, 'A move is "roll", "trade R>WW", "take W", "buy 2", "done" or "return W".')


def _read_trade(s: Any, text: str, gives: str, gets: str) -> int:
    given, got = read_bag(gives, MOST_IN_A_BAG), read_bag(gets, MOST_IN_A_BAG)
    if given is None or got is None:
        raise unreadable(text, f'A trade is such as "trade R>WW", its colours {", ".join(COLOURS)}.')
    for trade in range(2 * 2 * EQUATIONS):
        if (given, got) == (rules.side(s, trade), rules.side(s, trade ^ 1)):
            return rules.TRADE + trade
    raise IllegalMove(f"rate cards {s.rates[0]} and {s.rates[1]} have no such equation", "Z11")


def _read_purchase(s: Any, digits: str) -> int:
    stalls = [int(digit) - 1 for digit in digits]
    for stall in stalls:
        if not 0 <= stall < rules.stalls(s):
            problem = "there is one ware alone: buy 1" if s.players == 1 else "the stalls are 1 to 4"
            raise IllegalMove(f"there is no stall {stall + 1}; {problem}", "Z42" if s.players == 1 else "Z5")
    if len(stalls) == 1:
        return rules.BUY_ONE + stalls[0]
    return rules.BUY_TWO + 4 * stalls[0] + stalls[1]


def refusal(s: Any, seat: int, move: int) -> tuple[str, str | None]:
    surplus = "Z42" if s.players == 1 else "Z15"
    if s.phase == rules.RETURN:
        if move < rules.GIVE_BACK:
            return "the surplus chip must go back to the bank first", surplus
        return f"there is no {COLOUR_NAMES[move - rules.GIVE_BACK]} chip to return", surplus
    if move >= rules.GIVE_BACK:
        return "a chip goes back only where somebody holds 11", surplus
    if rules.TAKE <= move < rules.BUY_ONE:
        if s.phase == rules.CHOICE:
            return f"the bank has no {COLOUR_NAMES[move - rules.TAKE]} chip", "Z13"
        return "a chip is chosen only when the die shows Choice", "Z10"
    if s.phase == rules.ACT:
        return _refuse_action(s, seat, move)
    if move < rules.TAKE:
        return "you have rolled or traded already in this turn", "Z11"
    if s.phase == rules.CHOICE:
        return "first take a chip for the Choice you rolled", "Z10"
    if move == rules.DONE:
        return f"with {rules.held(s, seat)} chips you must buy", "Z14"
    return _refuse_purchase(s, seat, move)


def _refuse_action(s: Any, seat: int, move: int) -> tuple[str, str]:
    if move == rules.DONE:
        return "a turn begins with a roll or a trade, never with neither", "Z11"
    if move >= rules.BUY_ONE:
        return "roll or trade before you buy", "Z12"
    gives, gets = rules.side(s, move - rules.TRADE), rules.side(s, (move - rules.TRADE) ^ 1)
    if not rules.covers(s.chips[seat], gives):
        return f"this needs the chips {bag_text(gives)}, and you have not all of them", "Z11"
    if not rules.covers(s.bank, gets):
        return f"the bank cannot pay {bag_text(gets)}", "Z13"
    if s.players == 1:
        return f"alone a trade may not end above {rules.LIMIT} chips", "Z42"
    return f"a trade may end above {rules.LIMIT} chips only if you can then buy a ware", "Z14"


def _refuse_purchase(s: Any, seat: int, move: int) -> tuple[str, str]:
    stalls = _stalls_of(move)
    if len(stalls) == 2 and not s.double_purchase:
        return "two wares at once are bought only with the option double_purchase", "Z40"
    if len(stalls) == 2 and stalls[0] == stalls[1]:
        return "two wares at once come from two different stalls", "Z40"
    for stall in stalls:
        if s.top[stall] == rules.NO_WARE:
            return f"stall {stall + 1} is empty", "Z12"
        if not rules.payable(s, s.chips[seat], stall):
            return f"the ware in stall {stall + 1} costs {bag_text(rules.price(s, stall))}", "Z12"
    return "you cannot pay both: that takes all ten chips they show", "Z40"


# ---------------------------------------------------------------- chance


def outcome_text(s: Any, outcome: int) -> str:
    if s.phase == rules.DIE:
        return FACES[outcome]
    if s.phase == rules.RATES:
        return f"rate {outcome}"
    return f"first {outcome}" if s.phase == rules.FIRST else ware_text(s, outcome)


def read_outcome(s: Any, text: str) -> int:
    word, rest = split(text)
    if s.phase == rules.DIE:
        if word in FACES and not rest:
            return FACES.index(word)
        raise unreadable(text, f"The die shows {', '.join(FACES)}.")
    if s.phase in (rules.RATES, rules.FIRST):
        expected, what = ("rate", "a rate card") if s.phase == rules.RATES else ("first", "a seat")
        if word != expected:
            raise unreadable(text, f'What is drawn is {what}, such as "{expected} 3".')
        return number(rest, what)
    ware = find_ware(s, text)
    if ware is None:
        raise unreadable(text, 'A ware is turned up: one of the ware cards, such as "WWWRR".')
    return ware


def due(s: Any) -> str:
    if s.phase == rules.DIE:
        return f"the die of seat {s.turn}"
    if s.phase == rules.RATES:
        return "a rate card"
    return "the roll for who begins" if s.phase == rules.FIRST else f"a ware for stall {rules.unfilled_stall(s) + 1}"


# ---------------------------------------------------------------- positions


def field_names(players: int) -> tuple[list[str], list[str]]:
    fields = ["phase", "turn", "chips", "bank", "points", "bought", "rates", "stalls", "seen", "turns_without_purchase"]
    return fields + ["actions"] * (players == 1), []


def to_json(s: Any) -> dict[str, Any]:
    tops = [None if ware == rules.NO_WARE else ware_text(s, ware) for ware in s.top[: rules.stalls(s)]]
    json = {
        "phase": PHASES[s.phase],
        "turn": s.turn if s.turn >= 0 else None,
        "chips": [counts_in(bag) for bag in s.chips[: s.players]],
        "bank": counts_in(s.bank),
        "points": list(s.points[: s.players]),
        "bought": list(s.bought[: s.players]),
        "rates": [card for card in s.rates if card],
        "stalls": [{"top": top, "left": s.left[stall]} for stall, top in enumerate(tops)],
        "seen": [ware_text(s, ware) for ware in s.seen[: s.turned]],
        "turns_without_purchase": s.quiet,
    }
    return json | ({"actions": s.actions} if s.players == 1 else {})


def from_json(s: Any, fields: Fields) -> None:
    phases = [phase for phase in PHASES if s.players > 1 or phase not in ("first", "reveal")]
    s.phase = PHASES.index(fields.word("phase", phases))
    _read_turn(s, fields)
    _read_rates(s, fields)
    _read_seen(s, fields)
    _read_stalls(s, fields)
    _read_chips(s, fields)
    _read_counts(s, fields)
    if s.phase == rules.BUY and not rules.can_buy(s, s.chips[s.turn]):
        raise fields.wrong("phase", f"seat {s.turn} cannot buy anything")


def _read_turn(s: Any, fields: Fields) -> None:
    if s.phase in NOBODYS:
        fields.nothing("turn", f'in phase "{PHASES[s.phase]}"')
        s.turn = -1
    else:
        s.turn = fields.seat("turn", s.players)


def _read_rates(s: Any, fields: Fields) -> None:
    """Two rate cards, or in phase "rates" those that have been drawn."""
    count = 2
    if s.phase == rules.RATES:
        count = 1 if fields["rates"] else 0
    cards = fields.wholes("rates", count, 1, RATE_CARDS)
    if len(set(cards)) != len(cards):
        raise fields.wrong("rates", f"card {cards[0]} is there twice")
    for i in range(2):
        s.rates[i] = cards[i] if i < count else 0


def _read_ware(s: Any, fields: Fields, name: str, text: object) -> int:
    ware = find_ware(s, text)
    if ware is None or text != ware_text(s, ware):
        raise fields.wrong(name, f"{shown(text)} is not one of the wares")
    return ware


def _read_seen(s: Any, fields: Fields) -> None:
    texts = fields["seen"]
    if not isinstance(texts, list) or len(texts) > WARES:
        raise fields.wrong("seen", f"must be a list of at most {WARES} wares, not {shown(texts)}")
    for text in texts:
        ware = _read_ware(s, fields, "seen", text)
        if ware in list(s.seen[: s.turned]):
            raise fields.wrong("seen", f"{text} is there twice")
        rules.note_seen(s, ware)


def _read_stalls(s: Any, fields: Fields) -> None:
    for stall, item in enumerate(fields.items("stalls", rules.stalls(s))):
        inner = Fields(item, ["top", "left"], inside=f"stalls.{stall + 1}")
        s.left[stall] = inner.whole("left", 0, rules.IN_A_STALL if s.players > 1 else 1)
        s.top[stall] = rules.NO_WARE
        if inner["top"] is not None:
            ware = _read_ware(s, inner, "top", inner["top"])
            if ware in list(s.top[:stall]):
                raise inner.wrong("top", f"{inner['top']} lies in two stalls")
            if ware not in list(s.seen[: s.turned]):
                raise inner.wrong("top", f"{inner['top']} is not among those seen")
            if s.left[stall] == 0:
                raise inner.wrong("left", "the top card counts too")
            s.top[stall] = ware
    if s.phase != rules.OVER:
        _check_stalls(s, fields)


def _check_stalls(s: Any, fields: Fields) -> None:
    """Z5, Z30: whether the game can go on with these stalls."""
    if rules.empty_stalls(s) >= min(s.players, 2):
        raise fields.wrong("stalls", "the game is over when so many are empty")
    unfilled = rules.unfilled_stall(s)
    if s.phase in (rules.STALLS, rules.REVEAL) and unfilled < 0:
        raise fields.wrong("stalls", "no ware is to be turned up")
    if s.phase not in (rules.RATES, rules.STALLS, rules.REVEAL) and unfilled >= 0:
        raise fields.wrong("stalls", f"the top card of stall {unfilled + 1} must be seen")
    hidden = sum(s.left) - sum(ware != rules.NO_WARE for ware in s.top)
    if s.turned + hidden > WARES:
        raise fields.wrong("seen", f"{hidden} more wares lie in the stalls, and there are {WARES} in all")


def _read_chips(s: Any, fields: Fields) -> None:
    chips = fields.table("chips", s.players, len(COLOURS), 0, rules.LIMIT + 3)
    bank = fields.wholes("bank", len(COLOURS), 0, rules.CHIPS)
    for seat, counts in enumerate(chips):
        acting = seat == s.turn
        most = rules.LIMIT + 3 if acting and s.phase == rules.BUY else rules.LIMIT
        if acting and s.phase == rules.RETURN:
            if sum(counts) != rules.LIMIT + 1:
                raise fields.wrong("chips", f"seat {seat} must hold {rules.LIMIT + 1}, one too many, not {sum(counts)}")
        elif sum(counts) > most:
            raise fields.wrong("chips", f"seat {seat} holds {sum(counts)}, and may hold {most} at most")
        s.chips[seat] = pack(counts)
    for colour, name in enumerate(COLOUR_NAMES):
        total = bank[colour] + sum(counts[colour] for counts in chips)
        if total != rules.CHIPS:
            raise fields.wrong("bank", f"with those of the seats there are {rules.CHIPS} {name} chips, not {total}")
    s.bank = pack(bank)


def _read_counts(s: Any, fields: Fields) -> None:
    alone, ended = s.players == 1, s.phase == rules.OVER
    points = fields.wholes("points", s.players, 0, 0 if alone else HIGHEST_POINTS)
    bought = fields.wholes("bought", s.players, 0, MOST_BOUGHT if not alone else 1 if ended else 0)
    for seat in range(s.players):
        s.points[seat] = points[seat]
        s.bought[seat] = bought[seat]
    limit = MOST_QUIET_ALONE if alone else rules.QUIET_TURNS * s.players
    s.quiet = fields.whole("turns_without_purchase", 0, limit if ended or alone else limit - 1)
    if alone:
        before = s.phase in (rules.RATES, rules.STALLS, rules.ACT)  # another action is still to come
        s.actions = fields.whole("actions", 0, rules.ACTIONS - before)


# ---------------------------------------------------------------- what happened


def pieces(s: Any) -> dict[str, int]:
    chips = {
        f"{name} chips": sum(rules.dots(bag, colour) for bag in (s.bank, *s.chips))
        for colour, name in enumerate(COLOUR_NAMES)
    }
    return chips | {"wares": sum(s.left) + sum(s.bought)}


def tell(before: Any, after: Any, seat: int | None, text: str) -> str:
    if seat is None:
        return _tell_outcome(before, after, text)
    who, rest = f"{{{seat}}}", text.partition(" ")[2]
    if before.phase == rules.RETURN:
        colour = COLOUR_NAMES[COLOURS.index(rest)]
        whose = "" if seat == before.turn else f"of {{{before.turn}}}'s "
        return f"{who} puts a {colour} chip {whose}back into the bank."
    if before.phase == rules.CHOICE:
        return f"{who} takes a {COLOUR_NAMES[COLOURS.index(rest)]} chip."
    if before.phase == rules.ACT:
        return f"{who} trades {rest.replace('>', ' for ')}." if rest else f"{who} rolls."
    if not rest:
        return f"{who} buys nothing."
    wares = [ware_text(before, before.top[int(stall) - 1]) for stall in rest.split()]
    sold = " and ".join(wares[: after.bought[seat] - before.bought[seat]])
    if after.players == 1:
        return f"{who} buys {sold} after {after.actions} actions."
    points = after.points[seat] - before.points[seat]
    closing = " The bazaar closes." if after.phase == rules.OVER else ""
    return f"{who} buys {sold} for {points} point{'s' * (points != 1)}.{closing}"


def _tell_outcome(before: Any, after: Any, text: str) -> str:
    if before.phase == rules.RATES:
        return f"Rate card {text.removeprefix('rate ')} is in play."
    if before.phase == rules.FIRST:
        return f"{{{text.removeprefix('first ')}}} begins."
    if before.phase != rules.DIE:
        return f"{text} comes up in stall {rules.unfilled_stall(before) + 1}."
    who = f"{{{before.turn}}}"
    if text == "choice":
        return f"The die shows Choice: {who} may take any chip."
    if after.bank == before.bank:
        return f"The die shows {text}, and the bank has no {text} chip for {who}."
    return f"The die shows {text}: {who} takes a {text} chip."
