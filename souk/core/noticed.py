"""What everybody at a table has seen the others choose, of choices that were secret until all had chosen."""

from collections.abc import Sequence
from dataclasses import dataclass, field

Chosen = Sequence[dict[str, int]]  # by seat: how often it was seen to choose each move


@dataclass(slots=True)
class Noticed:
    """What has been revealed in a game so far, counted; what is still hidden is not among it."""

    chosen: list[dict[str, int]]
    hidden: list[tuple[int, str]] = field(default_factory=list)  # seats and moves, in the order in which they were made

    @classmethod
    def nothing(cls, players: int) -> "Noticed":
        return cls([{} for _ in range(players)])

    def copy(self) -> "Noticed":
        return Noticed([dict(each) for each in self.chosen], list(self.hidden))

    def moved(self, seat: int, move: str, secret: bool) -> None:
        """A seat has made a move, after which there are secrets or not. The one that leaves none, after choices that were, reveals them
        all and is one of them."""
        if secret or self.hidden:
            self.hidden.append((seat, move))
        if not secret:
            for each, choice in self.hidden:
                self.chosen[each][choice] = self.chosen[each].get(choice, 0) + 1
            self.hidden = []

    def took_back(self) -> None:
        """The last choice, which is still hidden, was taken back."""
        self.hidden.pop()
