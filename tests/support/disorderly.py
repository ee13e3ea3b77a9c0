"""A Suleika that lists moves in the order of a set of strings, which varies by process."""

from types import SimpleNamespace
from typing import Any

from souk.core.game import Game
from souk.games.suleika import box, notation, rules


def moves(s: Any, seat: int, out: Any) -> int:
    n = int(rules.moves(s, seat, out))
    texts = {notation.move_text(s, move) for move in out[:n]}
    for index, text in enumerate(texts):
        out[index] = notation.read_move(s, text)
    return n


GAME = Game(
    "suleika", range(2, 5), SimpleNamespace(**(vars(rules) | {"moves": moves})), notation, box
)
