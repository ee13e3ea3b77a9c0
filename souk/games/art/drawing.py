"""A game's drawing: what a seat sees as an SVG file, and a whole game to step through."""

from collections.abc import Callable, Sequence

from souk.core.record import Record
from souk.games.art.album import step_through
from souk.games.art.sheet import WIDTH, Sheet, View, player_names


class SheetDrawing:
    """Made of a function that draws what a seat sees on a sheet; the players' names are given to it."""

    def __init__(self, sheet: Callable[[View, Sequence[str]], Sheet]) -> None:
        self._sheet = sheet

    def sheet(self, view: View, names: Sequence[str] = ()) -> Sheet:
        return self._sheet(view, player_names(view, names))

    def draw(self, view: View, names: Sequence[str] = (), width: float = WIDTH) -> str:
        """The table as an SVG file that needs nothing else."""
        return self.sheet(view, names).svg(width)

    def album(self, record: Record) -> str:
        """Every position of a game, to step through, as HTML."""
        return step_through(record, self.sheet)
