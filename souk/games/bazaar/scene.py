"""Bazaar on the table: what the rules say about the chips and wares that lie there, for those who draw it.

Bags are letters such as "WWR", stalls are numbered from 1 as in moves.
"""

from functools import lru_cache
from typing import Any

import msgspec

from souk.core.facts import Fact
from souk.core.game import Game
from souk.core.position import Position
from souk.games.bazaar import rules
from souk.games.bazaar.box import EQUATIONS, RATE_CARDS, WARES, bag_text, counts_in
from souk.games.bazaar.facts import Sold
from souk.games.bazaar.notation import swaps, ware_text
from souk.kernel.bits import write_members
from souk.kernel.interpreting import quick
from souk.kernel.state import forgetting

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
    bare = _bare(pos.packed)
    found = BazaarScene(whose, _lacks(pos.game, bare))
    if whose >= 0 and s.phase != rules.RATES:
        found.trades, found.stalls, found.reach = _open_to(pos.game, bare, whose)
        found.pairs = _pairs(pos, whose)
    if s.phase in (rules.ACT, rules.DIE, rules.RETURN) and rules.held(s, s.turn) >= rules.LIMIT:
        found.picker = rules.neighbour(s)
    if s.players > 1:
        found.sales_left, found.quiet_left = sum(sorted(s.left)[:2]), rules.QUIET_TURNS * s.players - s.idle
    return found


# A state without what changes nothing about chips and wares: so it is the same through some events, and for all who look on.
_bare = forgetting(rules.STATE, phase=rules.ACT, turn=0, idle=0, actions=0)


@lru_cache(maxsize=256)
def _lacks(game: Game, state: bytes) -> list[list[int | None]]:
    return lacks(game.quick_state(bytearray(state)))


@lru_cache(maxsize=1024)
def _open_to(game: Game, state: bytes, seat: int) -> tuple[int, list[Prospect], dict[str, dict[str, int]]]:
    """The trades open to a seat, what each stall would bring it, and the trades after which it could buy."""
    s: Any = game.quick_state(bytearray(state))
    trades: int = _trades(s, seat)
    prospects = [_prospect(s, seat, stall) for stall in range(rules.stalls(s))]
    return trades, prospects, _reached(s, seat, trades, _lacks(game, state)[seat])


def _prospect(s: Any, seat: int, stall: int) -> Prospect:
    """Z12, Z20–Z21: what a stall would bring a seat now."""
    if s.top[stall] == rules.NO_WARE:
        return Prospect()
    points = worth(s, stall, s.chips[seat]) if _payable(s, s.chips[seat], stall) else None
    return Prospect(rules.stars_now(s, stall), points)


def worth(s: Any, stall: int, hand: int) -> int:
    """Z20: the points for a ware bought out of a hand. Z42: alone there are none."""
    return int(rules.value(s, stall, rules.size(hand) - rules.PRICE)) if s.players > 1 else 0


def lacks(s: Any) -> list[list[int | None]]:
    """By seat and stall: how many chips are missing for the ware, None where none lies there."""
    prices = [None if ware == rules.NO_WARE else s.wares[ware] for ware in s.top[: rules.stalls(s)]]
    return [[None if price is None else _lack(price, hand) for price in prices] for hand in s.chips[: s.players]]


@lru_cache(maxsize=8192)
def _lack(price: int, hand: int) -> int:
    """How many chips of a price are not in a hand."""
    return sum(max(0, one - other) for one, other in zip(counts_in(price), counts_in(hand), strict=True))


def _reached(s: Any, seat: int, trades: int, lack: list[int | None]) -> dict[str, dict[str, int]]:
    """Z12: the trades after which a seat could buy, each with the stalls and their points then."""
    found: dict[str, dict[str, int]] = {}
    known, open_now = swaps(s), [0] * rules.TRADES
    for trade in open_now[: write_members(trades, open_now)]:
        got = rules.size(known[trade].gets)
        near = [stall for stall, n in enumerate(lack) if n is not None and n <= got]
        if near:
            hand = _after_trade(s, s.chips[seat], trade)
            if bought := {str(stall + 1): worth(s, stall, hand) for stall in near if _payable(s, hand, stall)}:
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
