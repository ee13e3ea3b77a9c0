"""Bazaar for the board display: what the rules say about the chips and wares on the table.

Bags are letters such as "WWR"; stalls are numbered from 1 as in moves.
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
from souk.kernel.bitset import write_members
from souk.kernel.interpreter import fast_rule

_trades, _payable, _after_trade = (
    fast_rule(rules.trades),
    fast_rule(rules.payable),
    fast_rule(rules.after_trade),
)

# ---------------------------------------------------------------- fixed for a game


class BazaarBox(msgspec.Struct):
    # The equations of every rate card, from number 1 on: both sides.
    rates: list[list[tuple[str, str]]]
    starred: list[str]  # wares with a star
    values: list[list[int]]  # points by stars, and by chips left over up to 3
    limit: int  # chips a seat may hold at the end of a turn
    in_a_stall: int  # cards at the start
    chips: int  # of each colour
    most_actions: int  # solitaire
    double: bool  # whether two wares may be bought at once


def box(pos: Position) -> BazaarBox:
    s = pos.state
    return BazaarBox(
        rates=[
            [_equation(s, card, i) for i in range(EQUATIONS)] for card in range(1, RATE_CARDS + 1)
        ],
        starred=[ware_text(s, ware) for ware in range(WARES) if s.wares[ware] >> rules.STAR],
        values=[[rules.points_for(stars, rest) for rest in range(4)] for stars in range(3)],
        limit=rules.LIMIT,
        in_a_stall=rules.IN_A_STALL,
        chips=rules.CHIPS,
        most_actions=rules.ACTIONS,
        double=bool(s.double_purchase),
    )


def choices(pos: Position) -> dict[str, Any]:
    """Choices before a game: the rate cards from number 1 on, and the wares for solitaire."""
    return {"rates": box(pos).rates, "ware": [ware_text(pos.state, ware) for ware in range(WARES)]}


def _equation(s: Any, card: int, i: int) -> tuple[str, str]:
    equation = s.equations[card, i]
    return bag_text(equation & rules.BAG), bag_text(equation >> rules.SECOND)


# ---------------------------------------------------------------- the position


class Prospect(msgspec.Struct, omit_defaults=True):
    """A stall's current stars, and the points of buying it if payable. Empty for an empty stall."""

    stars: int | None = None
    points: int | None = None


class BazaarScene(msgspec.Struct, omit_defaults=True):
    whose: int  # the seat whose chips are considered
    # By seat and stall: number of chips missing for the ware, null without a ware.
    lack: list[list[int | None]]
    stalls: list[Prospect] = []
    # The seat's legal trades as a bit set: bit 2 × i for equation i of the ten in play from left to
    # right, the next bit for right to left.
    trades: int = 0
    # Trades after which the seat could buy, with the stalls and their points then.
    reach: dict[str, dict[str, int]] = {}
    # Double purchases open to the seat, with the points of each ware.
    pairs: dict[str, list[int]] = {}
    picker: int | None = None  # the seat that would pick the eleventh chip
    sales_left: int | None = None  # minimum number until the bazaar closes
    quiet_left: int | None = None  # turns without a sale, likewise


def scene(pos: Position, seat: int) -> BazaarScene:
    """What a seat could do with its chips, and how near the end is.

    Spectators see the seat on turn.
    """
    s = pos.state
    whose = seat if seat >= 0 else int(s.turn)
    info = BazaarScene(whose, lacks(s))
    if whose >= 0 and s.phase != rules.RATES:
        info.trades, info.stalls, info.reach = _open_to(
            s.players,
            s.chips[whose],
            _enough(s.bank),
            *map(bytes, (s.rates, s.equations, s.wares, s.top, s.left)),
        )
        info.pairs = _pairs(pos, whose)
    if s.phase in (rules.ACT, rules.DIE, rules.RETURN) and rules.held(s, s.turn) >= rules.LIMIT:
        info.picker = rules.neighbour(s)
    if s.players > 1:
        info.sales_left, info.quiet_left = (
            sum(sorted(s.left)[:2]),
            rules.QUIET_TURNS * s.players - s.idle,
        )
    return info


@lru_cache(maxsize=2048)
def _open_to(
    players: int,
    hand: int,
    bank: int,
    rates: bytes,
    equations: bytes,
    wares: bytes,
    top: bytes,
    left: bytes,
) -> tuple[int, list[Prospect], dict[str, dict[str, int]]]:
    """A hand's legal trades, prospects of every stall, and trades after which it could buy.

    Takes only the parts of the state that matter, so that caching pays off: others' moves rarely
    change them.
    """
    s = SimpleNamespace(players=players, chips=[hand], bank=bank, rates=rates, top=top, left=left)
    s.equations, s.wares = (
        memoryview(equations).cast("q", (RATE_CARDS + 1, EQUATIONS)),
        memoryview(wares).cast("i"),
    )
    trades: int = _trades(s, 0)
    prospects = [_prospect(s, hand, stall) for stall in range(rules.stalls(s))]
    return trades, prospects, _reached(s, hand, trades)


@lru_cache(maxsize=4096)
def _enough(bank: int) -> int:
    """The bank's chips capped at the most a trade can ask for: more makes no difference."""
    return pack([min(chips, SIDE.most) for chips in counts_in(bank)])


def _prospect(s: Any, hand: int, stall: int) -> Prospect:
    """Z12, Z20–Z21: what a stall would bring a hand now."""
    if s.top[stall] == rules.NO_WARE:
        return Prospect()
    points = worth(s, stall, hand) if _payable(s, hand, stall) else None
    return Prospect(rules.stars_now(s, stall), points)


def worth(s: Any, stall: int, hand: int) -> int:
    """Z20: points for a ware bought from a hand. Z42: none in solitaire."""
    return int(rules.value(s, stall, rules.size(hand) - rules.PRICE)) if s.players > 1 else 0


def lacks(s: Any) -> list[list[int | None]]:
    """By seat and stall: number of chips missing for the ware, None without a ware."""
    return [_lacking(s, hand) for hand in s.chips[: s.players]]


def _lacking(s: Any, hand: int) -> list[int | None]:
    tops = s.top[: rules.stalls(s)]
    return [None if ware == rules.NO_WARE else _lack(s.wares[ware], hand) for ware in tops]


@lru_cache(maxsize=8192)
def _lack(price: int, hand: int) -> int:
    """Number of chips of a price missing in a hand."""
    return sum(
        max(0, one - other) for one, other in zip(counts_in(price), counts_in(hand), strict=True)
    )


def _reached(s: Any, hand: int, trades: int) -> dict[str, dict[str, int]]:
    """Z12: trades after which a hand could buy, each with the stalls and their points then."""
    reachable: dict[str, dict[str, int]] = {}
    all_trades, lack, open_now = swaps(s), _lacking(s, hand), [0] * rules.TRADES
    for trade in open_now[: write_members(trades, open_now)]:
        got = rules.size(all_trades[trade].gets)
        near = [stall for stall, n in enumerate(lack) if n is not None and n <= got]
        if near:
            then = _after_trade(s, hand, trade)
            if bought := {
                str(stall + 1): worth(s, stall, then) for stall in near if _payable(s, then, stall)
            }:
                reachable[all_trades[trade].text] = bought
    return reachable


def _pairs(pos: Position, seat: int) -> dict[str, list[int]]:
    """Z40–Z41: a seat's double purchases with the points of each ware.

    If the first ware closes the bazaar, only its points.
    """
    if not pos.state.double_purchase:
        return {}
    pairs = [
        move.partition(" ")[2]
        for move in pos.moves(seat)
        if move.startswith("buy") and move.count(" ") == 2
    ]
    points_by_pair: dict[str, list[int]] = {}
    for pair in pairs:
        facts: list[Fact] = []
        pos.copy().play(seat, f"buy {pair}", facts.append)
        points_by_pair[pair] = [fact.points for fact in facts if isinstance(fact, Sold)]
    return points_by_pair


# ---------------------------------------------------------------- slow to compute


def aside(pos: Position) -> dict[str, Any]:
    """Z42: in solitaire, the smallest expected number of actions once rates and ware are known."""
    json = pos.to_json()
    if pos.players > 1 or "cards" in pos.options or len(json["rates"]) < 2 or not json["seen"]:
        return {}
    from souk.games.bazaar.solitaire_solver import solve

    return {"par": round(solve(rates=tuple(json["rates"]), ware=json["seen"][0]).actions, 2)}
