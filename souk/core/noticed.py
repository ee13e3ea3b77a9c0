"""What everybody at a table has seen the others choose, of choices that were secret until all had chosen."""

from collections.abc import Sequence
from dataclasses import dataclass

Chosen = Sequence[dict[str, int]]  # by seat: how often it was seen to choose each move


_NOTHING: dict[str, int] = {}


@dataclass(slots=True)
class Noticed:
    """What has been revealed in a game so far, counted; what is still hidden is not among it. Nothing of it is changed in place, so that copies, of which every move
    makes one, share it all; nor do tables hold more than one emptiness together."""

    chosen: tuple[dict[str, int], ...]
    hidden: tuple[tuple[int, str], ...] = ()  # seats and moves, in the order in which they were made

    @classmethod
    def nothing(cls, players: int) -> "Noticed":
        return cls((_NOTHING,) * players)

    def copy(self) -> "Noticed":
        return Noticed(self.chosen, self.hidden)

    def moved(self, seat: int, move: str, secret: bool) -> None:
        """A seat has made a move, after which there are secrets or not. The one that leaves none, after choices that were, reveals them
        all and is one of them."""
        if secret or self.hidden:
            self.hidden = (*self.hidden, (seat, move))
        if not secret and self.hidden:
            chosen = list(self.chosen)
            for each, choice in self.hidden:
                chosen[each] = chosen[each] | {choice: chosen[each].get(choice, 0) + 1}
            self.chosen, self.hidden = tuple(chosen), ()

    def took_back(self) -> None:
        """The last choice, which is still hidden, was taken back."""
        self.hidden = self.hidden[:-1]
