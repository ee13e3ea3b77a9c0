"""What a sentence about Suleika claims, counted again from moves, facts and JSON alone."""

from collections.abc import Iterator
from fractions import Fraction
from statistics import fmean
from typing import NamedTuple

from souk.core.facts import Fact
from souk.core.position import Position
from souk.games.suleika.facts import Laid, OmarWalked, Paid

COLUMNS = "abcdefg"
Fields = dict[str, str]  # by visible field: its colour's initial


class Roll(NamedTuple):
    """One outcome of a walk."""

    chance: float
    paid: int
    to: int
    at: str
    then: Position  # before a rug is laid


# ---------------------------------------------------------------- the board


def visible(pos: Position) -> Fields:
    rows = pos.to_json()["board"]
    return {
        COLUMNS[column] + str(7 - k): text[0]
        for k, row in enumerate(rows)
        for column, text in enumerate(row)
        if text
    }


def letters(pos: Position, seat: int) -> str:
    return ("ry", "bg")[seat] if pos.players == 2 else "rybg"[seat]


def laid_letter(pos: Position, seat: int) -> str:
    """The colour of the rug that the seat lays this turn."""
    return pos.to_json()["rug"] or letters(pos, seat)


def beside(field: str) -> list[str]:
    column, row = COLUMNS.index(field[0]), int(field[1])
    around = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return [COLUMNS[c] + str(r) for c, r in around if 0 <= c < 7 and 1 <= r <= 7]


def carpets(fields: Fields, of: str) -> list[set[str]]:
    """Connected fields of one colour, for each of some colours, by flood fill."""
    found: list[set[str]] = []
    for letter in of:
        rest = {field for field, colour in fields.items() if colour == letter}
        while rest:
            carpet, edge = set(), [rest.pop()]
            while edge:
                field = edge.pop()
                carpet.add(field)
                near = [other for other in beside(field) if other in rest]
                rest -= set(near)
                edge += near
            found.append(carpet)
    return found


def pieces(carpet: set[str], fields: Fields, letter: str) -> int:
    """In how many pieces a carpet is still visible."""
    left = {field: letter for field in carpet if fields.get(field) == letter}
    return len(carpets(left, letter))


def worst_split(before: Position, after: Position, seat: int) -> int:
    """The most pieces that one of a seat's carpets falls into."""
    return max(
        (
            pieces(carpet, visible(after), letter)
            for letter in letters(before, seat)
            for carpet in carpets(visible(before), letter)
        ),
        default=0,
    )


def halves(pos: Position, seat: int) -> int:
    return sum(colour in letters(pos, seat) for colour in visible(pos).values())


def leads(pos: Position, seat: int, over: int) -> bool:
    return pos.scores[seat] > pos.scores[over]


# ---------------------------------------------------------------- playing on


def after(pos: Position, seat: int, move: str) -> Position:
    then = pos.copy()
    then.play(seat, move)
    return then


def laid(pos: Position, seat: int, move: str) -> Laid:
    facts: list[Fact] = []
    pos.copy().play(seat, move, facts.append)
    return next(fact for fact in facts if isinstance(fact, Laid))


def rolls(pos: Position) -> Iterator[Roll]:
    """Every walk from a position that waits for a card or a die."""
    for outcome, chance in pos.chances().items():
        then, facts = pos.copy(), list[Fact]()
        then.resolve(outcome, facts.append)
        walked = [fact for fact in facts if isinstance(fact, OmarWalked)]
        if not walked:  # a rug came up first
            yield from (roll._replace(chance=chance * roll.chance) for roll in rolls(then))
            continue
        paid = [fact for fact in facts if isinstance(fact, Paid) and fact.paid]
        amount, to = (paid[0].paid, paid[0].to) if paid else (0, -1)
        yield Roll(chance, amount, to, walked[0].at, then)


def walks(pos: Position, seat: int, move: str) -> list[Roll]:
    return [*rolls(after(pos, seat, move))]


def sixths(walk: list[Roll]) -> int:
    """How many of six rolls."""
    share = sum(Fraction(roll.chance).limit_denominator(10_000) for roll in walk) * 6
    assert abs(share - round(share)) < Fraction(1, 100), share
    return round(share)


def paying(walk: list[Roll], to: int | None = None) -> list[Roll]:
    return [roll for roll in walk if roll.paid and to in (None, roll.to)]


def mean(walk: list[Roll], to: int | None = None) -> float:
    return sum(roll.chance * roll.paid for roll in paying(walk, to))


def next_walks(pos: Position) -> list[list[Roll]]:
    """All ways of whoever turns Omar next."""
    if not pos.actors:
        pos = pos.copy()
        pos.resolve(next(iter(pos.chances())))
        if not pos.actors:  # the way is set already
            return [[*rolls(pos)]]
    seat = pos.actors[0]
    return [walks(pos, seat, move) for move in pos.moves(seat)]


def mean_of_next(pos: Position, to: int) -> float:
    """What a seat gets on the next walk, all ways alike."""
    return fmean(mean(walk, to) for walk in next_walks(pos))


# ---------------------------------------------------------------- rugs after a walk


def rug_moves(roll: Roll) -> list[str]:
    return roll.then.moves(roll.then.actors[0])


def can_hide(roll: Roll, owner: int) -> bool:
    mover = roll.then.actors[0]
    return any(owner in laid(roll.then, mover, rug).hides for rug in rug_moves(roll))


def can_join(roll: Roll, letter: str) -> bool:
    """Whether a rug can touch a field that already shows its colour."""
    mover, own = roll.then.actors[0], visible(roll.then)
    for rug in rug_moves(roll):
        placed = laid(roll.then, mover, rug).fields
        near = {field for half in placed for field in beside(half)} - set(placed)
        if any(own.get(field) == letter for field in near):
            return True
    return False


def largest_area(roll: Roll) -> int:
    mover = roll.then.actors[0]
    return max(laid(roll.then, mover, rug).area for rug in rug_moves(roll))


def best_trap(roll: Roll, seat: int) -> float:
    """The most that a rug can make the next player pay, all ways alike."""
    return max(mean_of_next(after(roll.then, seat, rug), seat) for rug in rug_moves(roll))


def harm(walk: list[Roll], seat: int) -> float:
    """What the walker's best rug takes from a seat, on average over a walk."""
    return sum(roll.chance * _worst(roll, seat) for roll in walk)


def _worst(roll: Roll, seat: int) -> float:
    walker = roll.then.actors[0]
    unchanged = _holding(visible(roll.then), roll.then, seat)
    rest = []
    for rug in rug_moves(roll):
        covered = laid(roll.then, walker, rug).fields
        fields = {at: colour for at, colour in visible(roll.then).items() if at not in covered}
        rest.append(_holding(fields, roll.then, seat))
    return unchanged - min(rest)


def _holding(fields: Fields, pos: Position, seat: int) -> float:
    """Visible halves, and carpets by how often they are stepped on and what that costs."""
    own = carpets(fields, letters(pos, seat))
    counts = pos.to_json()["left"]
    by_seat = [sum(n) if isinstance(n, list) else n for n in counts]
    turns = sum(by_seat)
    worth = 0.025 * (turns - 1) ** 0.5 * (1 - by_seat[seat] / turns)
    return sum(len(carpet) + worth * len(carpet) ** 2 for carpet in own)


def placements(fields: tuple[str, str]) -> int:
    """From how many places beside Omar, over all his fields, a rug covers each of two fields."""
    pairs = [
        (near, far)
        for omar in (column + str(row) for column in COLUMNS for row in range(1, 8))
        for near in beside(omar)
        for far in beside(near)
        if far != omar
    ]
    return sum(field in pair for pair in pairs for field in fields)
