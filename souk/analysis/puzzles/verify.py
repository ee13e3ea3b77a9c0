"""Checking the puzzles: that each can be played, that the way is a shortest one, and that a deep search with other seeds finds the same move."""

from collections.abc import Iterator

from souk.core.errors import IllegalMove
from souk.core.game import Game
from souk.study.puzzles.making import DEEP, weigh_again
from souk.study.puzzles.weighing import is_clear
from souk.study.puzzles.year import Attempt, PositionPuzzle, PuzzleLine, SoloPuzzle, fewest


def faults(game: Game, line: PuzzleLine, playouts: int = DEEP) -> Iterator[str]:
    """What is wrong with a day's puzzles, in words. `playouts`: of the search for the best move; 0 for none."""
    for grade, solo in line.solos.items():
        yield from (f"day {line.day}, {grade}: {fault}" for fault in _solo_faults(game, solo))
    if line.position:
        yield from (f"day {line.day}: {fault}" for fault in _position_faults(game, line.position, playouts))
    if bool(line.solos) == bool(line.position):
        yield f"day {line.day}: there must be either errands or a position"


def _solo_faults(game: Game, solo: SoloPuzzle) -> Iterator[str]:
    try:
        attempt = Attempt.of(solo, game).play_all(solo.way)
    except (IllegalMove, ValueError) as error:
        yield f"the way cannot be gone: {error}"
        return
    if not attempt.position.winners:
        yield "the way does not lead to the end"
    again = SoloPuzzle(solo.options, solo.coming, game.puzzles.shortest(solo.start(game), solo.coming))
    if (short := fewest(again, game)) != fewest(solo, game):
        yield f"the way takes {fewest(solo, game)} actions, and {short} are enough"


def _position_faults(game: Game, puzzle: PositionPuzzle, playouts: int) -> Iterator[str]:
    try:
        pos = puzzle.start(game)
        illegal = [each.move for each in puzzle.weighed if not pos.is_legal(puzzle.seat, each.move)]
    except ValueError as error:
        yield str(error)
        return
    if illegal:
        yield f"not legal: {', '.join(illegal)}"
    elif not is_clear(puzzle.weighed, 0.0):
        yield "no move is clearly the best"
    elif playouts:
        moves = [each.move for each in puzzle.weighed]
        again = weigh_again(pos, puzzle.seat, moves, puzzle.seed, playouts)
        if again[0].move != puzzle.best:
            yield f"a search finds {again[0].move} better than {puzzle.best}"
        elif not is_clear(again, 0.0):
            yield f"{puzzle.best} is not clearly better than {again[1].move}"
