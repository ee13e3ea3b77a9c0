"""Verifies the puzzles: playable, shortest solution, and the same best move by other searches."""

from collections.abc import Iterator

from souk.analysis.puzzles.compare_moves import is_clear
from souk.analysis.puzzles.daily import (
    Attempt,
    PositionPuzzle,
    PuzzleLine,
    SoloPuzzle,
    fewest_actions,
)
from souk.analysis.puzzles.generate import DEEP, rank_again
from souk.core.errors import IllegalMove
from souk.core.game import Game


def find_faults(game: Game, line: PuzzleLine, playouts: int = DEEP) -> Iterator[str]:
    """Describe the faults of a day's puzzles; `playouts` are for the search, 0 skips it."""
    for grade, solo in line.solos.items():
        yield from (f"day {line.day}, {grade}: {fault}" for fault in _solo_faults(game, solo))
    if line.position:
        yield from (
            f"day {line.day}: {fault}" for fault in _position_faults(game, line.position, playouts)
        )
    if bool(line.solos) == bool(line.position):
        yield f"day {line.day}: there must be either solitaire puzzles or a position"


def _solo_faults(game: Game, solo: SoloPuzzle) -> Iterator[str]:
    try:
        attempt = Attempt.of(solo, game).play_all(solo.way)
    except (IllegalMove, ValueError) as error:
        yield f"the solution cannot be played: {error}"
        return
    if not attempt.position.winners:
        yield "the solution does not finish the game"
    again = SoloPuzzle(
        solo.options, solo.coming, game.puzzles.shortest(solo.start(game), solo.coming)
    )
    if (short := fewest_actions(again, game)) != fewest_actions(solo, game):
        yield f"the solution takes {fewest_actions(solo, game)} actions, but {short} are enough"


def _position_faults(game: Game, puzzle: PositionPuzzle, playouts: int) -> Iterator[str]:
    try:
        pos = puzzle.start(game)
        illegal = [
            ranked.move for ranked in puzzle.weighed if not pos.is_legal(puzzle.seat, ranked.move)
        ]
    except ValueError as error:
        yield str(error)
        return
    if illegal:
        yield f"not legal: {', '.join(illegal)}"
    elif not is_clear(puzzle.weighed, 0.0):
        yield "no move is clearly the best"
    elif playouts:
        moves = [ranked.move for ranked in puzzle.weighed]
        again = rank_again(pos, puzzle.seat, moves, puzzle.seed, playouts)
        if again[0].move != puzzle.best:
            yield f"a search finds {again[0].move} better than {puzzle.best}"
        elif not is_clear(again, 0.0):
            yield f"{puzzle.best} is not clearly better than {again[1].move}"
