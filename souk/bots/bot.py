"""What every bot is: it is shown what its seat may see, and answers with a move and its reasons."""

from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from souk.core.game import Game
from souk.core.noticed import Chosen
from souk.core.position import Position


@dataclass(frozen=True)
class Considered:
    """A move a bot has thought about."""

    move: str
    share: float  # how often it would be chosen, 0 to 1
    win: float  # the chance to win that the bot gives it, 0 to 1
    score: float  # the final score it expects


@dataclass(frozen=True)
class Choice:
    """A bot's answer."""

    move: str
    considered: list[Considered]  # best first
    playouts: int = 0  # games played out in the bot's head
    exact: bool = False  # whether the figures are exact, and not found by sampling
    fallback: str = field(default="")  # why a bot's own answer could not be used and another had to move for it


class Bot:
    """A player. `choose` is what others call; a kind of bot writes `think`."""

    name: str
    hurried = False  # whoever asked waits no longer: a bot that searches looks at this, and answers as soon as it can
    noticed: Chosen = ()  # what the seats have been seen to choose in this game, by seat; empty where nobody has told

    def choose(self, pos: Position, seat: int, noticed: Chosen = ()) -> Choice:
        """A move for a seat that is to move; IllegalMove where it is not. Never changes `pos`, and looks at nothing that the
        seat may not see. `noticed` is what everybody at the table has seen the seats choose before (`Record.noticed`)."""
        pos.check_turn(seat)
        self.noticed = noticed
        return self.think(pos.seen_by(seat), seat)

    def think(self, view: Position, seat: int) -> Choice:
        """A move in a position of which the seat may see everything that is in it."""
        raise NotImplementedError

    def check(self, game: Game) -> None:
        """ValueError says why this bot cannot play a game, where that can be known before it is asked."""

    def close(self) -> None:
        """Let go of what the bot holds: a program it runs, for instance."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"souk.bot({self.name!r})"
