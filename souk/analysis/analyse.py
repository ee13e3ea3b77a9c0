"""Looking back at a whole game."""

from collections.abc import Callable, Sequence

from souk.core.fields import brief, is_whole
from souk.core.record import Record
from souk.study.alone import study_alone
from souk.study.folding import fold, plain
from souk.study.looking import Look, Piece, look_at, pieces
from souk.study.study import Study, balances
from souk.study.weighing import PLAYOUTS, Chances, Effort, playouts_in, worth
from souk.study.weighing import result as result_of

MOST_PLAYOUTS, MOST_SECONDS = 10_000_000, 3600  # a decision

Progress = Callable[[int, int], None]  # how much is done, of how much


def analyse(
    record: Record,
    *,
    playouts: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    unfinished: bool = False,
    progress: Progress | None = None,
) -> Study:
    """A game looked back at: what everybody gave away, what was luck. The same seed and playouts, the same study.

    So many playouts are spent on each decision, or as many as there are in so many seconds. A game that is not over is refused, unless
    `unfinished`: then the last chances stand for the result. `progress` is told how much is done, of how much."""
    check(record, unfinished)
    check_effort(playouts, seconds, seed)
    if record.start.players == 1:
        return study_alone(record, seed)
    effort = effort_for(record, playouts, seconds, seed)
    cut = pieces(record)
    looks: list[Look] = []
    for done, piece in enumerate(cut, 1):
        looks += look_at(piece, effort)
        if progress:
            progress(done, len(cut))
    return put_together(record, cut, looks, result_for(record, effort), effort)


def check(record: Record, unfinished: bool = False) -> None:
    """ValueError where a game cannot be looked back at."""
    if not isinstance(record, Record):
        raise ValueError(f"record: must be a souk.Record, as souk.load gives it, not {type(record).__name__}")
    if not record.position.over and not unfinished:
        raise ValueError("record: this game is not over; with unfinished=True the last chances stand for its result")


def check_effort(playouts: object, seconds: object, seed: object) -> None:
    """ValueError where it makes no sense to think so hard."""
    if playouts is not None and seconds is not None:
        raise ValueError("playouts, seconds: give one of them, not both")
    for name, value, low, high in (
        ("playouts", 1 if playouts is None else playouts, 1, MOST_PLAYOUTS),
        ("seed", seed, 0, 2**63 - 1),
    ):
        if not is_whole(value) or not low <= value <= high:  # type: ignore[operator]
            raise ValueError(f"{name}: must be a whole number from {low} to {high}, not {brief(value)}")
    if seconds is not None and not (_is_number(seconds) and 0 < seconds <= MOST_SECONDS):  # type: ignore[operator]
        raise ValueError(f"seconds: must be a number, more than 0 and at most {MOST_SECONDS}, not {brief(seconds)}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def effort_for(record: Record, playouts: int | None, seconds: float | None, seed: int) -> Effort:
    """How hard to think."""
    if seconds is None:
        return Effort(int(playouts or PLAYOUTS), seed)
    deciding = next((pos for pos in record.positions() if pos.actors), None)
    return Effort(playouts_in(deciding, seconds) if deciding else PLAYOUTS, seed)


def result_for(record: Record, effort: Effort) -> Chances:
    """What the game came to, or where it stands."""
    now = record.position
    return result_of(now) if now.over else worth(now, effort)


def put_together(record: Record, cut: Sequence[Piece], looks: Sequence[Look], result: Chances, effort: Effort) -> Study:
    secret = [piece.secret for piece in cut for _ in piece.events]
    steps = fold(record.events, looks, secret, result)
    start = steps[0].before if steps else plain(result)
    seats = balances(start, plain(result), steps)
    return Study(str(record), effort.playouts, effort.seed, start, steps, seats, not record.position.over)
