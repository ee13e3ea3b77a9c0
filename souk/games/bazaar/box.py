"""Bazaar's rate cards, ware cards and start options."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from souk.core.box_data import Bounds, BoxData, BoxPart, DataFile
from souk.core.json_fields import brief, is_whole
from souk.core.messages import Message
from souk.core.parsing import letters, read_letters
from souk.games.bazaar import rules

COLOURS = "WBGRY"
RATE_CARDS, EQUATIONS = 10, 5
WARES, STARRED = 45, 15

Options = dict[str, Any]


class Cards(NamedTuple):
    """The cards of a data file, packed as in the state."""

    equations: list[tuple[int, int]]
    wares: list[int]


# ---------------------------------------------------------------- bags as text


def pack(counts: list[int]) -> int:
    """A bag from its five counts."""
    return sum(count * rules.chip(colour) for colour, count in enumerate(counts))


def counts_in(bag: int) -> list[int]:
    """The five counts of a bag; bits above the bag are ignored."""
    return [*_counts(bag)]


@lru_cache(4096)
def _counts(bag: int) -> tuple[int, ...]:
    return tuple(rules.dots(bag, colour) for colour in range(len(COLOURS)))


@lru_cache(4096)
def bag_text(bag: int) -> str:
    """A bag as letters, such as "WWWRR"."""
    return letters(counts_in(bag), COLOURS)


@lru_cache(4096)
def read_bag(text: str, most: int) -> int | None:
    """A bag of 1 to `most` chips from letters in any order, case and spacing; None if invalid."""
    counts = read_letters(text, COLOURS)
    return pack(counts) if counts and 1 <= sum(counts) <= most else None


# ---------------------------------------------------------------- options


def defaults(players: int) -> Options:
    if players == 1:
        return {"rates": None, "ware": None}
    return {"rates": None, "first": None, "double_purchase": False}


def extra() -> Options:
    return {"cards": "souk"}


def check(players: int, options: Options) -> Options:
    """Z3: the rate cards.

    Z6: the seat that begins. Z40: double purchases. Z42: the solitaire ware.
    """
    cards = _cards(DATA.from_options(options))
    chosen = options | {"rates": _check_rates(options["rates"])}
    if players == 1:
        return chosen | {"ware": _check_ware(options["ware"], cards)}
    first, double_purchase = options["first"], options["double_purchase"]
    if first is not None and not (is_whole(first) and 0 <= first < players):
        raise ValueError(
            f"first: must be a seat from 0 to {players - 1}, or None for any, not {brief(first)}"
        )
    if not isinstance(double_purchase, bool):
        raise ValueError(f"double_purchase: must be true or false, not {brief(double_purchase)}")
    return chosen


def _check_rates(rates: object) -> tuple[int, int] | None:
    if rates is None:
        return None
    if (
        isinstance(rates, list | tuple)
        and len(rates) == 2
        and all(is_whole(card) for card in rates)
    ):
        one, other = rates
        if one != other and set(rates) <= set(range(1, RATE_CARDS + 1)):
            return one, other
    form = f"two different numbers from 1 to {RATE_CARDS}, such as (1, 2), or None for any"
    raise ValueError(f"rates: must be {form}, not {brief(rates)}")


def _check_ware(ware: object, cards: Cards) -> str | None:
    if ware is None:
        return None
    bag = read_bag(ware, rules.PRICE) if isinstance(ware, str) else None
    if bag is None or bag not in _prices(cards):
        raise ValueError(
            f'ware: must be one of the ware cards, such as "WWWRR", or None for any, '
            f"not {brief(ware)}"
        )
    return bag_text(bag)


def _prices(cards: Cards) -> list[int]:
    return [ware & rules.BAG for ware in cards.wares]


def fill(s: Any, options: Options) -> None:
    cards = _cards(DATA.from_options(options))
    for i, (left, right) in enumerate(cards.equations):
        s.equations[1 + i // EQUATIONS, i % EQUATIONS] = rules.pair(left, right)
    for i, ware in enumerate(cards.wares):
        s.wares[i] = ware
    s.wares[rules.NO_WARE] = rules.BAG
    for i, card in enumerate(options["rates"] or ()):
        s.rates[i] = card
    for stall in range(4):
        s.top[stall] = rules.NO_WARE
    if s.players == 1:
        s.first = 0
        if options["ware"] is not None:
            s.top[0] = _prices(cards).index(read_bag(options["ware"], rules.PRICE) or 0)
    else:
        s.first = -1 if options["first"] is None else options["first"]
        s.double_purchase = options["double_purchase"]


def rated_from(players: int) -> int:
    """A player makes about 35 moves in a game of two, about 15 in a game of six."""
    return {2: 7, 3: 5, 4: 4}.get(players, 3)


# ---------------------------------------------------------------- data files


@lru_cache(4)  # the shipped file is read once
def _cards(file: DataFile) -> Cards:
    return Cards(_equations(file), _wares(file))


def _equations(file: DataFile) -> list[tuple[int, int]]:
    """Z3: ten rate cards of five equations, both sides packed."""
    equations: list[tuple[int, int]] = []
    for index, text in file.entries(RATES):
        sides = [read_bag(side, SIDE.most) for side in text.split("=")]
        if len(sides) != 2 or sides[0] is None or sides[1] is None:
            file.wrong(
                RATES.key, index, Message("bazaar.printed.not_an_equation", text=brief(text))
            )
            continue
        left, right = sides[0], sides[1]
        for colour, letter in enumerate(COLOURS):
            if rules.dots(left, colour) and rules.dots(right, colour):
                problem = Message("bazaar.printed.both_sides", text=brief(text), chip=letter)
                file.wrong(RATES.key, index, problem)
        if (left, right) in equations or (right, left) in equations:
            problem = Message(
                "bazaar.printed.equation_twice", equation=f"{bag_text(left)}={bag_text(right)}"
            )
            file.wrong(RATES.key, index, problem)
        equations.append((left, right))
    return equations


def _wares(file: DataFile) -> list[int]:
    """Z4: the 45 ware cards, packed, 15 of them starred."""
    wares: list[int] = []
    for index, text in file.entries(GOODS):
        match = re.fullmatch(r"([^*]*)(\*?)\s*", text)
        bag = read_bag(match[1], rules.PRICE) if match else None
        if match is None or bag is None or len(bag_text(bag)) != rules.PRICE:
            file.wrong(GOODS.key, index, Message("bazaar.printed.not_a_ware", text=brief(text)))
            continue
        if bag in [ware & rules.BAG for ware in wares]:
            file.wrong(GOODS.key, index, Message("bazaar.printed.ware_twice", ware=bag_text(bag)))
        wares.append(bag | len(match[2]) << rules.STAR)
    stars = sum(ware >> rules.STAR for ware in wares)
    if stars != STARRED and len(wares) == WARES:
        file.wrong(GOODS.key, None, Message("bazaar.printed.stars", starred=STARRED, stars=stars))
    return wares


SIDE, _DOTS = Bounds("side", 1, 4), Bounds("dots", rules.PRICE, rules.PRICE)
RATES = BoxPart("rates", RATE_CARDS * EQUATIONS, "R=WW", EQUATIONS, (SIDE,))
GOODS = BoxPart("wares", WARES, "WWWRR", bounds=(_DOTS,))
DATA = BoxData("cards", Path(__file__).parent, (RATES, GOODS), _cards)
