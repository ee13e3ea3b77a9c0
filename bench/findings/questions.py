"""Pairs of positions that differ in one thing, about which nets are asked.

A question takes a position at the start of a turn or round and yields pairs with and without
something for one seat. Seats, squares and colours are random where there is a choice.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from souk.core.position import Position
from souk.games.basari import rules as board
from souk.games.basari_cards import rules as cards
from souk.games.basari_common.rules import COLOURS
from souk.games.bazaar import rules as bazaar
from souk.games.suleika.heuristics import STOPS
from souk.games.suleika.rules import LEFT, SIDE, STRAIGHT, connected, owner, turned, walker
from souk.kernel.state import StateArray

COLOUR_NAMES = ("red", "yellow", "green", "blue")


class Pair(NamedTuple):
    """A case: two positions, one of which has something more for a seat."""

    case: str
    seat: int
    having: StateArray
    lacking: StateArray


Pairs = Iterator[Pair]
Question = Callable[[Position, Random], Pairs]


def changed(pos: Position, change: Callable[[Any], object]) -> StateArray:
    """The position after a change."""
    array = pos.array.copy()
    change(pos.game.state(array))
    return array


# ---------------------------------------------------------------- Suleika

SQUARES = frozenset(range(SIDE * SIDE))
PIASTRES = 4
LARGE = 5  # squares of an area


def members(squares: int) -> set[int]:
    return {square for square in SQUARES if squares >> square & 1}


def stage(pos: Position) -> str:
    """The quarter of the rugs that is being laid."""
    left, total = sum(pos.state.left), 45 if pos.players == 3 else 48
    return f"quarter {min(4, 1 + 4 * (total - left) // total)}"


def free_squares(s: Any) -> tuple[set[int], set[int]]:
    """Empty squares: possible next stops of Omar, and the rest."""
    free = SQUARES - {int(s.omar)}
    for colour in range(4):
        free -= members(s.cover[colour])
    stops = {
        int(stop)
        for way in range(LEFT, STRAIGHT + 1)
        for stop in STOPS[s.omar, turned(s.facing, way)]
    }
    return set(free & stops), set(free - stops)


def area_with(s: Any, colour: int, square: int) -> int:
    """The size of the area that a half on an empty square would belong to."""
    return int(connected(s.cover[colour] | 1 << square, square)).bit_count()


def half_on(pos: Position, colour: int, square: int) -> StateArray:
    def lay(s: Any) -> None:
        s.cover[colour] |= 1 << square
        s.last += 1
        s.rug[square] = s.last

    return changed(pos, lay)


def rival_colour(pos: Position, rng: Random) -> int:
    """A colour whose owner does not walk Omar next."""
    s = pos.state
    return rng.choice([c for c in range(3 if pos.players == 3 else 4) if owner(s, c) != walker(s)])


def near_omar(pos: Position, rng: Random) -> Pairs:
    """A half on a possible next stop or elsewhere, in areas of the same size."""
    s, colour = pos.state, rival_colour(pos, rng)
    near, far = free_squares(s)
    sizes = {area_with(s, colour, square) for square in near}
    for size in sorted(sizes):
        near_squares, far_squares = (
            sorted(f for f in some if area_with(s, colour, f) == size) for some in (near, far)
        )
        if far_squares:
            case = "large area" if size >= LARGE else "small area" if size < 3 else "middling area"
            halves = (
                half_on(pos, colour, rng.choice(some)) for some in (near_squares, far_squares)
            )
            yield Pair(case, int(owner(s, colour)), *halves)


def joined(pos: Position, rng: Random) -> Pairs:
    """A half joining a large area or alone, out of Omar's way."""
    s, colour = pos.state, rival_colour(pos, rng)
    far = free_squares(s)[1]
    sizes = {square: area_with(s, colour, square) for square in sorted(far)}
    alone = [square for square, size in sizes.items() if size == 1]
    large = [square for square, size in sizes.items() if size >= LARGE]
    if alone and large:
        halves = (half_on(pos, colour, rng.choice(some)) for some in (large, alone))
        yield Pair("all", int(owner(s, colour)), *halves)


def half_more(pos: Position, rng: Random) -> Pairs:
    """A half more, alone and out of Omar's way."""
    s, colour = pos.state, rival_colour(pos, rng)
    alone = [square for square in sorted(free_squares(s)[1]) if area_with(s, colour, square) == 1]
    if alone:
        yield Pair(
            stage(pos), int(owner(s, colour)), half_on(pos, colour, rng.choice(alone)), pos.array
        )


def piastres(pos: Position, rng: Random) -> Pairs:
    """A few piastres more."""
    seat = rng.randrange(pos.players)

    def pay(s: Any) -> None:
        s.money[seat] += PIASTRES

    yield Pair(stage(pos), seat, changed(pos, pay), pos.array)


# ---------------------------------------------------------------- Basari games


def moved_gems(seat: int, gems: dict[int, int]) -> Callable[[Any], None]:
    """Move gems from the supply to a seat, as far as it lasts."""

    def move(s: Any) -> None:
        for colour, n in gems.items():
            taken = min(n, s.supply[colour])
            s.gems[seat, colour] += taken
            s.supply[colour] -= taken

    return move


def with_points(seat: int, n: int) -> Callable[[Any], None]:
    def score(s: Any) -> None:
        s.points[seat] += n

    return score


def lead(s: Any, seat: int, colour: int) -> int:
    """A seat's lead in gems of a colour over the best opponent."""
    return int(
        s.gems[seat, colour]
        - max(s.gems[other, colour] for other in range(s.players) if other != seat)
    )


def a_gem(near: Callable[[Any], bool]) -> Question:
    """A gem more shortly before a scoring, by the lead in its colour, and by colour if tied."""

    def ask(pos: Position, rng: Random) -> Pairs:
        s, seat = pos.state, rng.randrange(pos.players)
        if not near(s):
            return
        for colour in range(COLOURS):
            ahead = lead(s, seat, colour)
            if s.supply[colour] > 0 and -2 <= ahead <= 2:
                more = changed(pos, moved_gems(seat, {colour: 1}))
                yield Pair(f"lead {ahead:+d}", seat, more, pos.array)
                if ahead == 0:
                    yield Pair(COLOUR_NAMES[colour], seat, more, pos.array)

    return ask


def spread(pos: Position, rng: Random) -> Pairs:
    """Three gems of one colour, or of three."""
    s, seat = pos.state, rng.randrange(pos.players)
    many = [colour for colour in range(COLOURS) if s.supply[colour] >= 3]
    some = [colour for colour in range(COLOURS) if s.supply[colour] >= 1]
    if many and len(some) >= 3:
        colour = rng.choice(many)
        others = rng.sample([each for each in some if each != colour], 2)
        one = changed(pos, moved_gems(seat, {colour: 3}))
        yield Pair(
            "all", seat, one, changed(pos, moved_gems(seat, dict.fromkeys([colour, *others], 1)))
        )


# ---------------------------------------------------------------- Basari

LAPS = ("first", "second", "last")
STEPS = 3


def arches_left(s: Any) -> int:
    """Arches until the leader completes the lap."""
    return int(board.ARCHES - max(s.walked[seat] for seat in range(s.players)))


def lap_ends(s: Any) -> bool:
    return arches_left(s) <= 7


def arch_gems_or_points(pos: Position, rng: Random) -> Pairs:
    """The gems of the own arch, or its points."""
    s, seat = pos.state, rng.randrange(pos.players)
    arch = s.figure[seat]
    gems = {colour: int(board.arch_gems(s, arch, colour)) for colour in range(COLOURS)}
    pair = (
        changed(pos, moved_gems(seat, gems)),
        changed(pos, with_points(seat, int(board.arch_number(s, arch)))),
    )
    yield Pair(f"{LAPS[s.scorings]} lap", seat, *pair)


def steps_ahead(pos: Position, rng: Random) -> Pairs:
    """A few arches further in the lap, at the same place on the board."""
    s, seat = pos.state, rng.randrange(pos.players)

    def move_disc(s: Any) -> None:
        s.walked[seat] += STEPS
        s.disc[seat] = (s.disc[seat] - STEPS) % board.ARCHES

    if s.walked[seat] + STEPS < board.ARCHES:
        furthest = max(s.walked[other] for other in range(s.players) if other != seat)
        place = "in front" if s.walked[seat] >= furthest else "behind"
        case = "early in the lap" if arches_left(s) > 14 else f"late in the lap, {place}"
        yield Pair(case, seat, changed(pos, move_disc), pos.array)


# ---------------------------------------------------------------- Basari, the card game

DEALS = ("first", "second", "last")


def deal_ends(s: Any) -> bool:
    return bool(cards.ENOUGH_WORKERS - max(s.workers[seat] for seat in range(s.players)) <= 4)


def a_worker(pos: Position, rng: Random) -> Pairs:
    """A worker more, by the number held."""
    s, seat = pos.state, rng.randrange(pos.players)
    held = int(s.workers[seat])

    def hire(s: Any) -> None:
        s.workers[seat] += 1

    if held + 1 < cards.ENOUGH_WORKERS:
        case = "up to 7" if held <= 6 else "8 to 11" if held <= 10 else "12 to 14"
        yield Pair(case, seat, changed(pos, hire), pos.array)


def card_gems_or_points(pos: Position, rng: Random) -> Pairs:
    """The gems of a card from the pile, or its points."""
    s, seat = pos.state, rng.randrange(pos.players)
    pile = int(cards.pile(s))
    if pile:
        card = rng.choice([card for card in range(cards.CARDS) if pile >> card & 1])
        gems = {colour: int(cards.gems_on(s, card, colour)) for colour in range(COLOURS)}
        pair = (
            changed(pos, moved_gems(seat, gems)),
            changed(pos, with_points(seat, int(cards.points_on(s, card)))),
        )
        yield Pair(f"{DEALS[s.deals]} deal", seat, *pair)


# ---------------------------------------------------------------- Bazaar


def given_chip(pos: Position, seat: int, rng: Random, points: int = 0) -> StateArray:
    """A chip more, of any colour in the bank, for `points` less."""
    colour = rng.choice([c for c in range(bazaar.COLOURS) if bazaar.dots(pos.state.bank, c) > 0])

    def give(s: Any) -> None:
        bazaar.exchange(s, seat, 0, bazaar.chip(colour))
        s.points[seat] -= points

    return changed(pos, give)


def a_chip(pos: Position, rng: Random) -> Pairs:
    """A chip more, by the number held."""
    seat = rng.randrange(pos.players)
    held = int(bazaar.held(pos.state, seat))
    if held < bazaar.LIMIT:
        case = f"{held // 2 * 2} or {held // 2 * 2 + 1} in hand"
        yield Pair(case, seat, given_chip(pos, seat, rng), pos.array)


def left_over(pos: Position, rng: Random) -> Pairs:
    """After a purchase that left no or one chip: one more left over, for the points it costs."""
    s = pos.state
    seat = (s.turn - 1) % pos.players
    rest = int(bazaar.held(s, seat))
    if s.idle == 0 and s.bought[seat] > 0 and rest < 2:
        cost = bazaar.VALUES[rest] - bazaar.VALUES[rest + 1]
        case = ("one instead of none", "two instead of one")[rest]
        yield Pair(case, seat, given_chip(pos, seat, rng, cost), pos.array)


def the_turn(pos: Position, _: Random) -> Pairs:
    """To be on turn rather than last."""
    s = pos.state
    lefts = sorted(s.left[stall] for stall in range(bazaar.MOST_STALLS))
    seat = int(s.turn)

    def skip(s: Any) -> None:
        s.turn = bazaar.neighbour(s)

    case = (
        "a purchase may end the game"
        if lefts[0] == 0 and lefts[1] == 1
        else "no stall empty"
        if lefts[0]
        else ""
    )
    if case:
        yield Pair(case, seat, pos.array, changed(pos, skip))


QUESTIONS: dict[str, dict[str, Question]] = {
    "suleika": {
        "near Omar": near_omar,
        "joined": joined,
        "a half": half_more,
        "piastres": piastres,
    },
    "basari": {
        "a gem": a_gem(lap_ends),
        "gems or points": arch_gems_or_points,
        "steps": steps_ahead,
    },
    "basari-cards": {
        "a gem": a_gem(deal_ends),
        "gems or points": card_gems_or_points,
        "a worker": a_worker,
        "spread": spread,
    },
    "bazaar": {"a chip": a_chip, "left over": left_over, "the turn": the_turn},
}
