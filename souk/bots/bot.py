"""The interface of every bot: it sees what its seat may see and answers with a move."""

from dataclasses import dataclass
from typing import Self

from souk.core.game import Game
from souk.core.position import Position
from souk.core.revealed_choices import ChoiceCounts


@dataclass(frozen=True)
class Considered:
    """A move that a bot has evaluated."""

    move: str
    share: float  # how often the bot would choose it, 0 to 1
    win: float  # estimated chance to win, 0 to 1
    score: float  # expected final score


@dataclass(frozen=True)
class Choice:
    """A bot's answer."""

    move: str
    considered: list[Considered]  # best first
    playouts: int = 0
    exact: bool = False  # the figures are exact, not sampled
    fallback: str = ""  # why another bot had to move instead; "" if none had to


class Bot:
    """Base class of all bots. Callers use `choose`; subclasses implement `think`."""

    name: str
    # Set from another thread when nobody waits for the answer any more: a search then stops early.
    hurried = False
    noticed: ChoiceCounts = ()  # revealed choices by seat; empty if unknown

    def choose(self, pos: Position, seat: int, noticed: ChoiceCounts = ()) -> Choice:
        """Choose a move for a seat to move; raise IllegalMove if it is not that seat's turn.

        Never changes `pos` and sees only what the seat may see. `noticed` counts the revealed
        choices of every seat so far (`Record.noticed`).
        """
        pos.check_turn(seat)
        self.noticed = noticed
        return self.think(pos.seen_by(seat), seat)

    def think(self, view: Position, seat: int) -> Choice:
        """Choose a move; the view holds nothing that the seat may not see."""
        raise NotImplementedError

    def check(self, game: Game) -> None:
        """Raise ValueError if this bot cannot play a game, as far as that is known in advance."""

    def close(self) -> None:
        """Release resources, for instance an external program."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"souk.bot({self.name!r})"
