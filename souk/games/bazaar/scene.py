"""Bazaar on the table: what the rules say about the chips and wares that lie there, for those who draw it.

Bags are letters such as "WWR", stalls are numbered from 1 as in moves. `scene` gives the trades open to a seat as the rules' set:
bit 2 × i for equation i of the ten in play from left to right, the bit above it for the way back.
"""

from collections import Counter
from typing import Any

from souk.core.position import Position
from souk.core.reading import letters
from souk.games.bazaar import rules
from souk.games.bazaar.box import COLOURS, EQUATIONS, RATE_CARDS, WARES, bag_text, counts_in
from souk.games.bazaar.words import trade_text, ware_text

Facts = dict[str, Any]


# ---------------------------------------------------------------- what does not change


def box(pos: Position) -> Facts:
    """The rate cards, which wares have a star, and the table of values."""
    s = pos.state
    return {
        "rates": [[_equation(s, card, i) for i in range(EQUATIONS)] for card in range(1, RATE_CARDS + 1)],
        "starred": [ware_text(s, ware) for ware in range(WARES) if s.wares[ware] >> rules.STAR],
        "values": [list(rules.VALUES[4 * stars : 4 * stars + 4]) for stars in range(3)],
        "limit": rules.LIMIT,
        "in_a_stall": rules.IN_A_STALL,
        "chips": rules.CHIPS,
        "most_actions": rules.ACTIONS,
        "double": bool(s.double_purchase),
    }


def choices(pos: Position) -> Facts:
    """What there is to choose from before a game: the rate cards from number 1 on, and the wares of the puzzle."""
    return {"rates": box(pos)["rates"], "ware": [ware_text(pos.state, ware) for ware in range(WARES)]}


def _equation(s: Any, card: int, i: int) -> list[str]:
    equation = s.equations[card, i]
    return [bag_text(equation & rules.BAG), bag_text(equation >> rules.SECOND)]


# ---------------------------------------------------------------- what lies there now


def scene(pos: Position, seat: int) -> Facts:
    """What a seat could do with its chips, and how near the end is. A spectator sees it for whoever is on turn."""
    s = pos.state
    whose = seat if seat >= 0 else int(s.turn)
    facts: Facts = {"whose": whose, "lack": _lacks(s)}
    if whose >= 0 and s.phase != rules.RATES:
        trades = rules.trades(s, whose)
        facts["stalls"] = [_prospect(s, whose, stall) for stall in range(rules.stalls(s))]
        facts["trades"] = trades
        facts["reach"] = _reached(s, whose, trades, facts["lack"][whose])
        if pairs := _pairs(pos, whose):
            facts["pairs"] = pairs
    if s.phase in (rules.ACT, rules.DIE, rules.RETURN) and rules.held(s, s.turn) >= rules.LIMIT:
        facts["picker"] = rules.neighbour(s)
    return facts if s.players == 1 else facts | _end(s)


def _prospect(s: Any, seat: int, stall: int) -> Facts:
    """Z12, Z20–Z21: the stars that count now, and the points of a purchase where a seat could pay."""
    if s.top[stall] == rules.NO_WARE:
        return {}
    facts: Facts = {"stars": rules.starred(s, stall) + (rules.empty_stalls(s) > 0)}
    if rules.payable(s, s.chips[seat], stall):
        facts["points"] = _worth(s, stall, s.chips[seat])
    return facts


def _worth(s: Any, stall: int, hand: int) -> int:
    """Z20: the points for a ware bought out of a hand. Z42: alone there are none."""
    return int(rules.value(s, stall, rules.size(hand) - rules.PRICE)) if s.players > 1 else 0


def _lacks(s: Any) -> list[list[int | None]]:
    """By seat and stall: how many chips are missing for the ware, None where none lies there."""
    prices = [None if ware == rules.NO_WARE else counts_in(s.wares[ware]) for ware in s.top[: rules.stalls(s)]]
    hands = [counts_in(bag) for bag in s.chips[: s.players]]
    return [[None if price is None else sum(_more(price, hand)) for price in prices] for hand in hands]


def _more(counts: list[int], others: list[int]) -> list[int]:
    """By colour: how many more there are than of the others."""
    return [max(0, one - other) for one, other in zip(counts, others, strict=True)]


def _reached(s: Any, seat: int, trades: int, lack: list[int | None]) -> dict[str, dict[str, int]]:
    """Z12: the trades after which a seat could buy, each with the stalls and their points then."""
    found: dict[str, dict[str, int]] = {}
    for trade in range(4 * EQUATIONS):
        if trades >> trade & 1:
            gets = rules.side(s, trade ^ 1)
            hand = s.chips[seat] - rules.side(s, trade) + gets
            near = [stall for stall, n in enumerate(lack) if n is not None and n <= rules.size(gets)]
            if bought := {str(stall + 1): _worth(s, stall, hand) for stall in near if rules.payable(s, hand, stall)}:
                found[trade_text(s, trade)] = bought
    return found


def _pairs(pos: Position, seat: int) -> dict[str, list[int]]:
    """Z40–Z41: the double purchases open to a seat now, with the points of each ware. One that closes the bazaar with its first
    ware brings that alone."""
    pairs = [move.partition(" ")[2] for move in pos.moves(seat) if move.startswith("buy") and move.count(" ") == 2]
    found: dict[str, list[int]] = {}
    for pair in pairs:
        after = pos.copy()
        after.play(seat, f"buy {pair}")
        found[pair] = [points for _, points in _sold(pos.state, after.state, seat, pair)]
    return found


def _end(s: Any) -> Facts:
    """Z30, Z32: how many sales at least, and how many quiet turns, are left before the bazaar closes."""
    return {"sales_left": sum(sorted(s.left)[:2]), "quiet_left": rules.QUIET_TURNS * s.players - s.idle}


# ---------------------------------------------------------------- what can be watched


def shown(before: Position, after: Position, seat: int | None, text: str) -> Facts:
    """What moves when something has happened: whose chips go to the bank and come from it, what the die or card shows, what is
    sold for how many points."""
    s, now = before.state, after.state
    if seat is None:
        return _shown_outcome(s, now, text)
    facts = _chips_moved(s, now, s.turn)
    if text.startswith("buy"):
        stalls = text.partition(" ")[2]
        facts["sold"] = [
            {"stall": stall + 1, "ware": ware_text(s, s.top[stall]), "points": points, "star": rules.starred(s, stall)}
            for stall, points in _sold(s, now, seat, stalls)
        ]
        facts["closes"] = after.over
    return facts


def _chips_moved(before: Any, after: Any, seat: int) -> Facts:
    then, now = counts_in(before.chips[seat]), counts_in(after.chips[seat])
    return {"seat": seat, "gives": letters(_more(then, now), COLOURS), "gets": letters(_more(now, then), COLOURS)}


def _sold(before: Any, after: Any, seat: int, stalls: str) -> list[tuple[int, int]]:
    """The stalls whose ware a purchase brought, each with its points."""
    one, *two = [int(stall) - 1 for stall in stalls.split()]
    gained = int(after.points[seat] - before.points[seat])
    if after.bought[seat] - before.bought[seat] == 1:
        return [(one, gained)]
    first = int(rules.value(before, one, rules.held(after, seat)))
    return [(one, first), (two[0], gained - first)]


def _shown_outcome(before: Any, after: Any, text: str) -> Facts:
    if before.phase == rules.DIE:
        return {"die": text} | _chips_moved(before, after, before.turn)
    if before.phase == rules.RATES:
        return {"rate": int(text.partition(" ")[2])}
    if before.phase == rules.FIRST:
        return {"first": int(text.partition(" ")[2])}
    return {"up": rules.unfilled_stall(before) + 1, "ware": text}


# ---------------------------------------------------------------- where the points came from


SOURCES = ("left_0", "left_1", "left_2", "left_3", "star", "empty_stall", "rolls", "trades")


def sources(positions: list[Position], events: list[tuple[int | None, str]]) -> list[dict[str, int]]:
    """By seat: the points of wares by the chips left over, what stars added to them, and what an empty stall added. Alone: rolls and
    trades, which are the score there. `positions[i]` is the one before `events[i]`, and the last is the end."""
    found: list[Counter[str]] = [Counter() for _ in range(positions[0].players)]
    for i, (seat, text) in enumerate(events):
        if seat is not None:
            found[seat].update(_gained(positions[i], positions[i + 1], seat, text))
    known = [name for name in SOURCES if any(counter[name] for counter in found)]
    return [{name: counter[name] for name in known} for counter in found]


def _gained(before: Position, after: Position, seat: int, text: str) -> dict[str, int]:
    if before.players == 1:
        kind = text.partition(" ")[0]
        return {f"{kind}s": 1} if kind in ("roll", "trade") else {}
    if not text.startswith("buy"):
        return {}
    found: Counter[str] = Counter()
    for stall, points in _sold(before.state, after.state, seat, text.partition(" ")[2]):
        found.update(_parts(before.state, stall, min(3, rules.held(after.state, seat)), points))
    return found


def _parts(s: Any, stall: int, rest: int, points: int) -> dict[str, int]:
    """Z20–Z21: the points of one ware: plain, by its own star, by the star that an empty stall gives."""
    plain, starred = rules.VALUES[rest], rules.VALUES[4 * rules.starred(s, stall) + rest]
    parts = {f"left_{rest}": plain, "star": starred - plain, "empty_stall": points - starred}
    return {name: value for name, value in parts.items() if value}


# ---------------------------------------------------------------- what takes a while to work out


def aside(pos: Position) -> Facts:
    """Z42: alone, the smallest expected number of actions, once the rates and the ware are known."""
    json = pos.to_json()
    if pos.players > 1 or "cards" in pos.options or len(json["rates"]) < 2 or not json["seen"]:
        return {}
    from souk.games.bazaar.solver import solve

    return {"par": round(solve(rates=tuple(json["rates"]), ware=json["seen"][0]).actions, 2)}
