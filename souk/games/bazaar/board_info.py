"""Bazaar on the table: what the rules say about the chips and wares that lie there, for those who draw it.

Bags are letters such as "WWR", stalls are numbered from 1 as in moves.
"""

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import msgspec

from souk.core.facts import Fact
from souk.core.position import Position
from souk.games.bazaar import rules
from souk.games.bazaar.box import EQUATIONS, RATE_CARDS, SIDE, WARES, bag_text, counts_in, pack
from souk.games.bazaar.facts import Sold
from souk.games.bazaar.notation import swaps, ware_text
from souk.kernel.bits import write_members
from souk.kernel.interpreting import quick

_trades, _payable, _after_trade = quick(rules.trades), quick(rules.payable), quick(rules.after_trade)

# ---------------------------------------------------------------- what does not change


class BazaarBox(msgspec.Struct):
    rates: list[list[tuple[str, str]]]  # the equations of every rate card, from number 1 on: both sides
    starred: list[str]  # the wares with a star
    values: list[list[int]]  # points by stars, and by chips left over up to 3
    limit: int  # chips a seat may hold at the end of a turn
    in_a_stall: int  # cards at the start
    chips: int  # of each colour
    most_actions: int  # alone
    double: bool  # whether two wares may be bought at once


def box(pos: Position) -> BazaarBox:
    s = pos.state
    return BazaarBox(
        rates=[[_equation(s, card, i) for i in range(EQUATIONS)] for card in range(1, RATE_CARDS + 1)],
        starred=[ware_text(s, ware) for ware in range(WARES) if s.wares[ware] >> rules.STAR],
        values=[[rules.points_for(stars, rest) for rest in range(4)] for stars in range(3)],
        limit=rules.LIMIT,
        in_a_stall=rules.IN_A_STALL,
        chips=rules.CHIPS,
        most_actions=rules.ACTIONS,
        double=bool(s.double_purchase),
    )


def choices(pos: Position) -> dict[str, Any]:
    """What there is to choose from before a game: the rate cards from number 1 on, and the wares of the puzzle."""
    return {"rates": box(pos).rates, "ware": [ware_text(pos.state, ware) for ware in range(WARES)]}


def _equation(s: Any, card: int, i: int) -> tuple[str, str]:
    equation = s.equations[card, i]
    return bag_text(equation & rules.BAG), bag_text(equation >> rules.SECOND)


# ---------------------------------------------------------------- what lies there now


class Prospect(msgspec.Struct, omit_defaults=True):
    """Of a stall: the stars that count now, and the points of a purchase where one could pay. Nothing of an empty one."""

    stars: int | None = None
    points: int | None = None


class BazaarScene(msgspec.Struct, omit_defaults=True):
    whose: int  # whose chips it is about
    lack: list[
        list[int | None]
    ]  # by seat and stall: how many chips are missing for the ware, null where none lies there
    stalls: list[Prospect] = []
    trades: int = 0  # those open to one as a set: bit 2 × i for equation i of the ten in play from left to right, the next for the way back
    reach: dict[str, dict[str, int]] = {}  # the trades after which one could buy, with the stalls and their points then
    pairs: dict[str, list[int]] = {}  # the double purchases open to one now, with the points of each ware
    picker: int | None = None  # who would pick the eleventh chip
    sales_left: int | None = None  # at least, before the bazaar closes
    quiet_left: int | None = None  # turns without a sale, likewise


def scene(pos: Position, seat: int) -> BazaarScene:
    """What a seat could do with its chips, and how near the end is. A spectator sees it for whoever is on turn."""
    s = pos.state
    whose = seat if seat >= 0 else int(s.turn)
    found = BazaarScene(whose, lacks(s))
    if whose >= 0 and s.phase != rules.RATES:
        found.trades, found.stalls, found.reach = _open_to(
            s.players,
            s.chips[whose],
            _enough(s.bank),
            *map(bytes, (s.rates, s.equations, s.wares, s.top, s.left)),
        )
        found.pairs = _pairs(pos, whose)
    if s.phase in (rules.ACT, rules.DIE, rules.RETURN) and rules.held(s, s.turn) >= rules.LIMIT:
        found.picker = rules.neighbour(s)
    if s.players > 1:
        found.sales_left, found.quiet_left = sum(sorted(s.left)[:2]), rules.QUIET_TURNS * s.players - s.idle
    return found


@lru_cache(maxsize=2048)
def _open_to(
    players: int, hand: int, bank: int, rates: bytes, equations: bytes, wares: bytes, top: bytes, left: bytes
) -> tuple[int, list[Prospect], dict[str, dict[str, int]]]:
    """The trades open to a hand, what each stall would bring it, and the trades after which it could buy. Of the state no more is given than what makes a
    difference: so it is mostly the same after what others do, and worked out once."""
    s = SimpleNamespace(players=players, chips=[hand], bank=bank, rates=rates, top=top, left=left)
    s.equations, s.wares = memoryview(equations).cast("q", (RATE_CARDS + 1, EQUATIONS)), memoryview(wares).cast("i")
    trades: int = _trades(s, 0)
    prospects = [_prospect(s, hand, stall) for stall in range(rules.stalls(s))]
    return trades, prospects, _reached(s, hand, trades)


@lru_cache(maxsize=4096)
def _enough(bank: int) -> int:
    """Of what the bank has, as much of each colour as a trade can ask for: whether there is more makes no difference."""
    return pack([min(chips, SIDE.most) for chips in counts_in(bank)])


def _prospect(s: Any, hand: int, stall: int) -> Prospect:
    """Z12, Z20–Z21: what a stall would bring a hand now."""
    if s.top[stall] == rules.NO_WARE:
        return Prospect()
    points = worth(s, stall, hand) if _payable(s, hand, stall) else None
    return Prospect(rules.stars_now(s, stall), points)


def worth(s: Any, stall: int, hand: int) -> int:
    """Z20: the points for a ware bought out of a hand. Z42: alone there are none."""
    return int(rules.value(s, stall, rules.size(hand) - rules.PRICE)) if s.players > 1 else 0


def lacks(s: Any) -> list[list[int | None]]:
    """By seat and stall: how many chips are missing for the ware, None where none lies there."""
    return [_lacking(s, hand) for hand in s.chips[: s.players]]


def _lacking(s: Any, hand: int) -> list[int | None]:
    tops = s.top[: rules.stalls(s)]
    return [None if ware == rules.NO_WARE else _lack(s.wares[ware], hand) for ware in tops]


@lru_cache(maxsize=8192)
def _lack(price: int, hand: int) -> int:
    """How many chips of a price are not in a hand."""
    return sum(max(0, one - other) for one, other in zip(counts_in(price), counts_in(hand), strict=True))


def _reached(s: Any, hand: int, trades: int) -> dict[str, dict[str, int]]:
    """Z12: the trades after which a hand could buy, each with the stalls and their points then."""
    found: dict[str, dict[str, int]] = {}
    known, lack, open_now = swaps(s), _lacking(s, hand), [0] * rules.TRADES
    for trade in open_now[: write_members(trades, open_now)]:
        got = rules.size(known[trade].gets)
        near = [stall for stall, n in enumerate(lack) if n is not None and n <= got]
        if near:
            then = _after_trade(s, hand, trade)
            if bought := {str(stall + 1): worth(s, stall, then) for stall in near if _payable(s, then, stall)}:
                found[known[trade].text] = bought
    return found


def _pairs(pos: Position, seat: int) -> dict[str, list[int]]:
    """Z40–Z41: the double purchases open to a seat now, with the points of each ware. One that closes the bazaar with its first
    ware brings that alone."""
    if not pos.state.double_purchase:
        return {}
    pairs = [move.partition(" ")[2] for move in pos.moves(seat) if move.startswith("buy") and move.count(" ") == 2]
    found: dict[str, list[int]] = {}
    for pair in pairs:
        facts: list[Fact] = []
        pos.copy().play(seat, f"buy {pair}", facts.append)
        found[pair] = [fact.points for fact in facts if isinstance(fact, Sold)]
    return found


# ---------------------------------------------------------------- what takes a while to work out


def aside(pos: Position) -> dict[str, Any]:
    """Z42: alone, the smallest expected number of actions, once the rates and the ware are known."""
    json = pos.to_json()
    if pos.players > 1 or "cards" in pos.options or len(json["rates"]) < 2 or not json["seen"]:
        return {}
    from souk.games.bazaar.solver import solve

    return {"par": round(solve(rates=tuple(json["rates"]), ware=json["seen"][0]).actions, 2)}
