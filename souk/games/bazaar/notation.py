"""Bazaar as text and JSON: moves, outcomes, positions."""

import re
from functools import lru_cache
from types import SimpleNamespace
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from souk.core.errors import IllegalMove
from souk.core.json_fields import Fields, brief
from souk.core.messages import Message
from souk.core.parsing import number, split, squeeze, unreadable
from souk.games.bazaar import rules
from souk.games.bazaar.box import (
    COLOURS,
    EQUATIONS,
    RATE_CARDS,
    WARES,
    bag_text,
    counts_in,
    pack,
    read_bag,
)

COLOUR_NAMES = ("white", "blue", "green", "red", "yellow")
FACES = (*COLOUR_NAMES, "choice")
PHASES = ("rates", "stalls", "first", "act", "die", "choice", "buy", "reveal", "return", "over")
NOBODYS = (rules.RATES, rules.STALLS, rules.FIRST, rules.OVER)  # phases without a seat on turn
HIGHEST_POINTS, MOST_QUIET_ALONE = 9999, 999  # in constructed positions
MOST_IN_A_BAG = 63  # chips: more of a colour would overflow into the next

Bag = Annotated[list[int], "Chips by colour: white, blue, green, red, yellow."]
Face = Literal["white", "blue", "green", "red", "yellow", "choice"]

# ---------------------------------------------------------------- trades and wares


class Swap(NamedTuple):
    """Z11: a trade: the bags given and got, and its text."""

    gives: int
    gets: int
    text: str


def swaps(s: Any) -> list[Swap]:
    """All trades, by number."""
    return _swaps(bytes(s.rates), bytes(s.equations))


@lru_cache(256)
def _swaps(rates: bytes, equations: bytes) -> list[Swap]:
    """The same for some rate cards. Cached: they last a whole game."""
    s = SimpleNamespace(
        rates=rates, equations=memoryview(equations).cast("q", (RATE_CARDS + 1, EQUATIONS))
    )
    sides = [(rules.side(s, trade), rules.side(s, trade ^ 1)) for trade in range(rules.TRADES)]
    return [Swap(gives, gets, f"{bag_text(gives)}>{bag_text(gets)}") for gives, gets in sides]


def trade_text(s: Any, trade: int) -> str:
    return swaps(s)[trade].text


def ware_text(s: Any, ware: int) -> str:
    return bag_text(s.wares[ware])


def find_ware(s: Any, text: object) -> int | None:
    """The ware a text such as "WWWRR" stands for, in any order, case and spacing, or None."""
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
        return "buy " + " ".join(str(stall + 1) for stall in stalls_of(move))
    return "done" if move == rules.DONE else f"return {COLOURS[move - rules.GIVE_BACK]}"


def stalls_of(move: int) -> list[int]:
    """The stalls a purchase names."""
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
    raise unreadable(text, Message("bazaar.reason.moves"))


def _read_trade(s: Any, text: str, gives: str, gets: str) -> int:
    given, got = read_bag(gives, MOST_IN_A_BAG), read_bag(gets, MOST_IN_A_BAG)
    if given is None or got is None:
        raise unreadable(text, Message("bazaar.reason.trades"))
    for trade, swap in enumerate(swaps(s)):
        if (swap.gives, swap.gets) == (given, got):
            return rules.TRADE + trade
    raise IllegalMove(
        Message("bazaar.reason.no_such_rate", one=s.rates[0], other=s.rates[1]), "Z11"
    )


def _read_purchase(s: Any, digits: str) -> int:
    stalls = [int(digit) - 1 for digit in digits]
    for stall in stalls:
        if not 0 <= stall < rules.stalls(s):
            alone = s.players == 1
            key = "bazaar.reason.no_such_stall_alone" if alone else "bazaar.reason.no_such_stall"
            raise IllegalMove(Message(key, stall=stall + 1), "Z42" if alone else "Z5")
    if len(stalls) == 1:
        return rules.BUY_ONE + stalls[0]
    return rules.BUY_TWO + 4 * stalls[0] + stalls[1]


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
        raise unreadable(text, Message("bazaar.reason.faces"))
    if s.phase == rules.RATES:
        if word != "rate":
            raise unreadable(text, Message("bazaar.reason.rates"))
        return number(rest, Message("bazaar.reason.a_rate_card"))
    if s.phase == rules.FIRST:
        if word != "first":
            raise unreadable(text, Message("bazaar.reason.firsts"))
        return number(rest, Message("reason.core.a_seat"))
    ware = find_ware(s, text)
    if ware is None:
        raise unreadable(text, Message("bazaar.reason.wares"))
    return ware


# ---------------------------------------------------------------- positions


def field_names(players: int) -> tuple[list[str], list[str]]:
    fields = [
        "phase",
        "turn",
        "chips",
        "bank",
        "points",
        "bought",
        "rates",
        "stalls",
        "seen",
        "turns_without_purchase",
    ]
    return fields + ["actions"] * (players == 1), []


class StallNow(msgspec.Struct):
    top: str | None  # the visible ware, such as "WWWRR"
    left: int  # cards in the stall, the top one included


class BazaarPosition(msgspec.Struct):
    phase: Literal[
        "rates", "stalls", "first", "act", "die", "choice", "buy", "reveal", "return", "over"
    ]
    turn: int | None
    chips: list[Bag]
    bank: Bag
    points: list[int]
    bought: list[int]  # cards, by seat
    rates: list[int]
    stalls: list[StallNow]
    seen: list[str]  # all wares turned up
    turns_without_purchase: int
    actions: int | msgspec.UnsetType = msgspec.UNSET  # solitaire: rolls and trades


def position(s: Any) -> BazaarPosition:
    tops = [
        None if ware == rules.NO_WARE else ware_text(s, ware) for ware in s.top[: rules.stalls(s)]
    ]
    return BazaarPosition(
        phase=PHASES[s.phase],  # type: ignore[arg-type]
        turn=s.turn if s.turn >= 0 else None,
        chips=[counts_in(bag) for bag in s.chips[: s.players]],
        bank=counts_in(s.bank),
        points=list(s.points[: s.players]),
        bought=list(s.bought[: s.players]),
        rates=[card for card in s.rates if card],
        stalls=[StallNow(top, s.left[stall]) for stall, top in enumerate(tops)],
        seen=[ware_text(s, ware) for ware in s.seen[: s.turned]],
        turns_without_purchase=s.idle,
        actions=s.actions if s.players == 1 else msgspec.UNSET,
    )


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
    """Two rate cards, or in phase "rates" those drawn so far."""
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
        raise fields.wrong(name, f"{brief(text)} is not one of the wares")
    return ware


def _read_seen(s: Any, fields: Fields) -> None:
    texts = fields["seen"]
    if not isinstance(texts, list) or len(texts) > WARES:
        raise fields.wrong("seen", f"must be a list of at most {WARES} wares, not {brief(texts)}")
    for text in texts:
        ware = _read_ware(s, fields, "seen", text)
        if ware in list(s.seen[: s.turned]):
            raise fields.wrong("seen", f"{text} is there twice")
        rules.note_seen(s, ware)


def _in_a_stall(s: Any) -> int:
    """Z5: cards in a stall at the start. Z42: one in solitaire."""
    return rules.IN_A_STALL if s.players > 1 else 1


def _read_stalls(s: Any, fields: Fields) -> None:
    for stall, item in enumerate(fields.items("stalls", rules.stalls(s))):
        inner = Fields(item, ["top", "left"], inside=f"stalls.{stall + 1}")
        s.left[stall] = inner.whole("left", 0, _in_a_stall(s))
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
        raise fields.wrong(
            "seen", f"{hidden} more wares lie in the stalls, and there are {WARES} in all"
        )


def _read_chips(s: Any, fields: Fields) -> None:
    chips = fields.table("chips", s.players, len(COLOURS), 0, rules.LIMIT + 3)
    bank = fields.wholes("bank", len(COLOURS), 0, rules.CHIPS)
    for seat, counts in enumerate(chips):
        acting = seat == s.turn
        most = rules.LIMIT + 3 if acting and s.phase == rules.BUY else rules.LIMIT
        if acting and s.phase == rules.RETURN:
            if sum(counts) != rules.LIMIT + 1:
                raise fields.wrong(
                    "chips",
                    f"seat {seat} must hold {rules.LIMIT + 1}, one too many, not {sum(counts)}",
                )
        elif sum(counts) > most:
            raise fields.wrong(
                "chips", f"seat {seat} holds {sum(counts)}, and may hold {most} at most"
            )
        s.chips[seat] = pack(counts)
    for colour, name in enumerate(COLOUR_NAMES):
        total = bank[colour] + sum(counts[colour] for counts in chips)
        if total != rules.CHIPS:
            raise fields.wrong(
                "bank", f"with those of the seats there are {rules.CHIPS} {name} chips, not {total}"
            )
    s.bank = pack(bank)


def _read_counts(s: Any, fields: Fields) -> None:
    _read_bought(s, fields)
    ended, to_buy = s.phase == rules.OVER, sum(s.left)
    points = fields.wholes("points", s.players, 0, 0 if s.players == 1 else HIGHEST_POINTS)
    for seat in range(s.players):
        fields.check_room(
            "points", points[seat], 0 if ended else max(rules.VALUES) * to_buy, HIGHEST_POINTS
        )
        s.points[seat] = points[seat]
    if s.players == 1:
        _read_counts_alone(s, fields)
        return
    limit = rules.QUIET_TURNS * s.players
    s.idle = fields.whole("turns_without_purchase", 0, limit if ended else limit - 1)


def _read_bought(s: Any, fields: Fields) -> None:
    """Z5: the wares bought were in the stalls."""
    laid_out, in_stalls = rules.stalls(s) * _in_a_stall(s), sum(s.left)
    bought = fields.wholes(
        "bought", s.players, 0, 0 if s.players == 1 and s.phase != rules.OVER else laid_out
    )
    if sum(bought) + in_stalls > laid_out:
        most = laid_out - in_stalls
        problem = f"of {laid_out} wares {in_stalls} are still in the stalls, so at most {most}"
        raise fields.wrong("bought", f"{problem} can have been bought, not {sum(bought)}")
    for seat in range(s.players):
        s.bought[seat] = bought[seat]


def _read_counts_alone(s: Any, fields: Fields) -> None:
    """Z32: every turn is an action, and their number is limited."""
    between_turns = s.phase in (rules.RATES, rules.STALLS, rules.ACT)
    s.actions = fields.whole("actions", 0, rules.ACTIONS - between_turns)
    s.idle = fields.whole("turns_without_purchase", 0, MOST_QUIET_ALONE)
    if s.phase != rules.OVER:
        turns = rules.ACTIONS - s.actions + (not between_turns)
        fields.check_room("turns_without_purchase", s.idle, turns, MOST_QUIET_ALONE)


def pieces(s: Any) -> dict[str, int]:
    chips = {
        f"{name} chips": sum(rules.dots(bag, colour) for bag in (s.bank, *s.chips))
        for colour, name in enumerate(COLOUR_NAMES)
    }
    return chips | {"wares": sum(s.left) + sum(s.bought)}
