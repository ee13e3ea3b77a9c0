"""The evaluation of a decision, as sent between processes."""

import msgspec

REPEATS = 6  # independent searches per decision, each with its own dice


class Spoken(msgspec.Struct, omit_defaults=True):
    """The one sentence about a decision, as JSON messages; their places are marked on the board."""

    sentence: list[object] | None = None  # None: no reason holds
    further: list[object] | None = None  # a second reason, of another cause
    equal: bool = False  # the moves compared are equally good
    key: str = ""  # of the reason


class JudgedMove(msgspec.Struct):
    """A move with its evaluation."""

    move: str
    share: float  # secret choices: how often it should be chosen
    win: float  # chance to win
    score: float  # expected final score
    # What it loses against the best move (or the mixed strategy): win chance, or score when alone.
    loss: float
    error: float  # standard error of the loss
    reasons: list[list[object]] = []  # pros and cons, as JSON messages
    told: list[list[object]] = []  # its effect, as JSON messages
    name: list[object] = []  # in a few words, as a JSON message


class Judgement(msgspec.Struct):
    """All evaluated moves of a decision."""

    moves: list[JudgedMove]  # best first; secret choices by share
    mixed: bool  # a secret choice, answered by a mixed strategy
    exact: bool
    playouts: int
    # About the best move and the one asked about, or else the next best.
    spoken: Spoken | None = None

    def of(self, move: str) -> JudgedMove | None:
        """The evaluation of a move, or None if it was not evaluated."""
        return next((judged for judged in self.moves if judged.move == move), None)
