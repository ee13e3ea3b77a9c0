"""Suleika's positions of the day: where to turn Omar, and where to lay a rug."""

from souk.core.message import Message, Seat
from souk.core.position import Position
from souk.games.suleika.rules import RUG, TURN
from souk.games.suleika.scene import Way, box, scene

TOPICS = ("rug", "turn")
_FEWEST_PLACES = 6  # for a rug


def topic(pos: Position, seat: int, _best: str) -> str:
    if pos.state.phase == TURN:
        return "turn"
    return "rug" if pos.state.phase == RUG and len(pos.move_codes(seat)) >= _FEWEST_PLACES else ""


def reasons(pos: Position, seat: int, best: str, other: str) -> list[Message]:
    """What Omar's ways cost; or the areas that rugs make, and whose they cover."""
    return _about_ways(pos, seat, best, other) if pos.state.phase == TURN else _about_rugs(pos, seat, best, other)


def _about_ways(pos: Position, seat: int, best: str, other: str) -> list[Message]:
    ways = scene(pos, seat).ways
    one, two = ways[best], ways[other]
    found = [Message("suleika.puzzle.costs", n=_average(pos, one), m=_average(pos, two))]
    most, others_most = max(one.pays, default=0), max(two.pays, default=0)
    return [*found, Message("suleika.puzzle.at_most", n=most, m=others_most)] if most != others_most else found


def _average(pos: Position, way: Way) -> float:
    """S6: what a way costs, over all faces of the die."""
    sixths = box(pos).sixths
    return sum(faces * pays for faces, pays in zip(sixths, way.pays, strict=False)) / sum(sixths)


def _about_rugs(pos: Position, seat: int, best: str, other: str) -> list[Message]:
    areas = dict(zip(pos.moves(seat), scene(pos, seat).areas, strict=True))
    found = [Message("suleika.puzzle.area", n=areas[best], m=areas[other])] if areas[best] != areas[other] else []
    covered, others_covered = _covered(pos, seat, best), _covered(pos, seat, other)
    return [
        *found,
        *(Message("suleika.puzzle.covers", who=Seat(whose), n=n) for whose, n in covered.items() if n),
        *(
            Message("suleika.puzzle.spares", n=n)
            for whose, n in others_covered.items()
            if n and not covered[whose] and whose == seat
        ),
    ]


def _covered(pos: Position, seat: int, move: str) -> dict[int, int]:
    """By seat: how many halves that could be seen a rug would cover."""
    after = pos.copy()
    after.play(seat, move)
    before, then = scene(pos, -1).halves, scene(after, -1).halves
    laid = [2 if each == seat else 0 for each in range(pos.players)]
    return {each: before[each] + laid[each] - then[each] for each in range(pos.players)}
