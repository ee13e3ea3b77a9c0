"""SVG rendering of a table, and of a whole game as a slide show.

A game's `svg.py` has a `DRAWING`: a `SheetDrawing` made of its draw function and the board's size.
"""

from collections.abc import Callable, Sequence
from typing import Any

from souk.core.facts import Fact
from souk.core.record import Record
from souk.core.seat_view import SeatView
from souk.drawing.notebook import step_through
from souk.drawing.svg_document import WIDTH, Sheet
from souk.drawing.table_svg import TableSheet


class SheetDrawing:
    """Renders a table from a function that draws the view of a `TableSheet`."""

    def __init__(self, draw: Callable[[TableSheet[Any]], None], board: tuple[float, float]) -> None:
        self._draw, self._board = draw, board

    def sheet(
        self, view: SeatView[Any, Any, Any], names: Sequence[str] = (), past: Sequence[Fact] = ()
    ) -> Sheet:
        """The table as a seat sees it. `past`: events known to have happened before, if any."""
        sheet = TableSheet(view, names, self._board, past)
        self._draw(sheet)
        return sheet

    def draw(
        self, view: SeatView[Any, Any, Any], names: Sequence[str] = (), width: float = WIDTH
    ) -> str:
        """The table as a self-contained SVG file."""
        return self.sheet(view, names).svg(width)

    def album(self, record: Record) -> str:
        """Every position of a game as HTML, to step through."""
        return step_through(record, self.sheet)
