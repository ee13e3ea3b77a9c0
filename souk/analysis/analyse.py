"""Analysis of a whole game."""

from collections.abc import Callable, Sequence

from souk.analysis.attribution import as_tuple, attribute, balances
from souk.analysis.events import AnalysisTask, EventAnalysis, analysis_tasks, run_task
from souk.analysis.solitaire import analyse_solitaire
from souk.analysis.study import Study
from souk.analysis.win_chances import PLAYOUTS, Chances, Effort, playouts_in, win_chances
from souk.analysis.win_chances import result as result_of
from souk.core.json_fields import brief, is_whole
from souk.core.record import Record

MOST_PLAYOUTS, MOST_SECONDS = 10_000_000, 3600  # per decision

Progress = Callable[[int, int], None]  # done, total


def analyse(
    record: Record,
    *,
    playouts: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    unfinished: bool = False,
    progress: Progress | None = None,
) -> Study:
    """Analyse a game: what everybody gave away, and what was luck.

    Spends `playouts` on each decision, or as many as fit into `seconds`. The same seed and playouts
    give the same study. An unfinished game is refused, unless `unfinished`: then its last win
    chances stand for the result. `progress` is called with the work done and the total.
    """
    check(record, unfinished)
    check_effort(playouts, seconds, seed)
    if record.start.players == 1:
        return analyse_solitaire(record, seed)
    effort = effort_for(record, playouts, seconds, seed)
    tasks = analysis_tasks(record)
    analyses: list[EventAnalysis] = []
    for done, task in enumerate(tasks, 1):
        analyses += run_task(task, effort)
        if progress:
            progress(done, len(tasks))
    return assemble(record, tasks, analyses, result_for(record, effort), effort)


def check(record: Record, unfinished: bool = False) -> None:
    """Raise ValueError for a game that cannot be analysed."""
    if not isinstance(record, Record):
        raise ValueError(
            f"record: must be a souk.Record, as souk.load returns it, not {type(record).__name__}"
        )
    if not record.position.over and not unfinished:
        raise ValueError(
            "record: this game is not over; pass unfinished=True to take its last win chances "
            "for the result"
        )


def check_effort(playouts: object, seconds: object, seed: object) -> None:
    """Raise ValueError for invalid effort settings."""
    if playouts is not None and seconds is not None:
        raise ValueError("playouts, seconds: give one of them, not both")
    for name, value, low, high in (
        ("playouts", 1 if playouts is None else playouts, 1, MOST_PLAYOUTS),
        ("seed", seed, 0, 2**63 - 1),
    ):
        if not is_whole(value) or not low <= value <= high:  # type: ignore[operator]
            raise ValueError(
                f"{name}: must be a whole number from {low} to {high}, not {brief(value)}"
            )
    if seconds is not None and not (_is_number(seconds) and 0 < seconds <= MOST_SECONDS):  # type: ignore[operator]
        raise ValueError(
            f"seconds: must be a number, more than 0 and at most {MOST_SECONDS}, "
            f"not {brief(seconds)}"
        )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def effort_for(record: Record, playouts: int | None, seconds: float | None, seed: int) -> Effort:
    """The effort per decision; seconds are converted to playouts by a measurement."""
    if seconds is None:
        return Effort(int(playouts or PLAYOUTS), seed)
    deciding = next((pos for pos in record.positions() if pos.actors), None)
    return Effort(playouts_in(deciding, seconds) if deciding else PLAYOUTS, seed)


def result_for(record: Record, effort: Effort) -> Chances:
    """The final result, or the current win chances."""
    now = record.position
    return result_of(now) if now.over else win_chances(now, effort)


def assemble(
    record: Record,
    tasks: Sequence[AnalysisTask],
    analyses: Sequence[EventAnalysis],
    result: Chances,
    effort: Effort,
) -> Study:
    """Combine the analyses of all events into a study."""
    secret = [task.secret for task in tasks for _ in task.events]
    steps = attribute(record.events, analyses, secret, result)
    start = steps[0].before if steps else as_tuple(result)
    seats = balances(start, as_tuple(result), steps)
    return Study(
        str(record), effort.playouts, effort.seed, start, steps, seats, not record.position.over
    )
