"""What is to be said about a decision, as it goes from process to process."""

import msgspec

TIMES = 6  # that a decision is thought over, with other dice each time


class JudgedMove(msgspec.Struct):
    """A move, and what is to be thought of it."""

    move: str
    share: float  # of a secret choice: how often it should be chosen
    win: float  # the chance to win
    score: float  # the final score expected
    loss: float  # what it gives away against the best, or against the mix: of the chance to win; alone: in score
    error: float  # the standard error of that
    reasons: list[list[object]] = []  # what speaks for it and against it: messages as JSON
    told: list[list[object]] = []  # what it would do, likewise


class Judgement(msgspec.Struct):
    """All that is to be said about a decision."""

    moves: list[JudgedMove]  # the best first; of secret choices those first that should be chosen most
    mixed: bool  # a secret choice, to be mixed
    exact: bool
    playouts: int

    def of(self, move: str) -> JudgedMove | None:
        """What is to be thought of a move, where it was looked at."""
        return next((each for each in self.moves if each.move == move), None)
