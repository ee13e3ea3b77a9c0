"""What the test games for two seats with two moves share."""

from types import SimpleNamespace
from typing import Any

from souk.core.game import Game
from souk.kernel.game_ops import actors
from souk.kernel.rule import rule


@rule
def moves(s, seat, out):
    if not (actors(s) >> seat) & 1:
        return 0
    out[0] = 0
    out[1] = 1
    return 2


@rule
def legal(s, seat, move):
    return (actors(s) >> seat) & 1 == 1 and 0 <= move <= 1


def make_game(name: str, module: dict[str, Any], words: tuple[str, str], **declared: bool) -> Game:
    """The game of a module's rules; `words` are the moves as text."""
    notation: Any = SimpleNamespace(
        move_text=lambda _, move: words[move], read_move=lambda _, text: words.index(text)
    )
    rules = SimpleNamespace(**module, moves=moves, legal=legal)
    return Game(name, range(2, 3), rules, notation, None, **declared)
