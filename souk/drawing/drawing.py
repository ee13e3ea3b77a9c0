"""A game's drawing: what a seat sees as an SVG file, and a whole game to step through.

A game's `drawing.py` has a `DRAWING`, made of a function that draws a board and what everybody has on a sheet, and the board's size.
"""

from collections.abc import Callable, Sequence
from typing import Any

from souk.core.facts import Fact
from souk.core.record import Record
from souk.core.view import SeatView
from souk.games.art.album import step_through
from souk.games.art.sheet import WIDTH, Sheet
from souk.games.art.table import TableSheet


class SheetDrawing:
    """Made of a function that draws on a sheet what its view shows, and of how wide and high the board is."""

    def __init__(self, draw: Callable[[TableSheet[Any]], None], board: tuple[float, float]) -> None:
        self._draw, self._board = draw, board

    def sheet(self, view: SeatView[Any, Any, Any], names: Sequence[str] = (), past: Sequence[Fact] = ()) -> Sheet:
        """What a seat sees. `past`: what is known to have happened before, where that is."""
        sheet = TableSheet(view, names, self._board, past)
        self._draw(sheet)
        return sheet

    def draw(self, view: SeatView[Any, Any, Any], names: Sequence[str] = (), width: float = WIDTH) -> str:
        """The table as an SVG file that needs nothing else."""
        return self.sheet(view, names).svg(width)

    def album(self, record: Record) -> str:
        """Every position of a game, to step through, as HTML."""
        return step_through(record, self.sheet)
