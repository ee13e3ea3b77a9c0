"""An environment's `render_mode="ansi"`: the picture that a game's room has for terminals, as text. Imported only when it is asked for."""

import io

from rich.console import Console

from souk.core.position import Position

_COLUMNS = 100


def as_text(position: Position) -> str:
    """A position with its colours; of a game that has no such picture, its fields."""
    terminal = position.game.terminal
    if terminal is None:
        return "".join(f"{name}: {value}\n" for name, value in position.to_json().items())
    lines = io.StringIO()
    console = Console(file=lines, width=_COLUMNS, force_terminal=True, color_system="truecolor", legacy_windows=False)
    console.print(terminal.picture(position.state, [f"seat {seat}" for seat in range(position.players)], "en"))
    return lines.getvalue()
