"""The plots of a training page."""

from collections.abc import Callable, Sequence
from itertools import accumulate

from souk.drawing import plots
from souk.lab.formatting import long_time, percent
from souk.lab.training.history import Round, strength

_HEIGHT, _LEFT, _RIGHT, _TOP = 220.0, 46.0, 340.0, 10.0
_BOTTOM = _HEIGHT - 30
_EVEN = 0.5
# activities of a round, in order
_ACTIVITIES = ("play", "learn", "match")

Curve = Sequence[tuple[float, float]]
Say = Callable[[float], str]


def loss_plot(last: Round) -> str:
    """The loss during the batches of a round."""
    steps = max(1, len(last.losses) - 1)
    curve = [(100 * k / steps, loss) for k, loss in enumerate(last.losses)]
    title = "Loss from the first batch to the last"
    return _curves(title, [curve], "{:.0f} %".format, [0, 100])


def error_plot(rounds: Sequence[Round], what: str) -> str:
    """Errors on held-out positions by round: of the heuristics alone, and of the new net."""
    before = [(finished.number, getattr(finished, f"{what}_before")) for finished in rounds]
    after = [(finished.number, getattr(finished, what)) for finished in rounds]
    title = f"Error of the {what} in each round, of heuristics alone and of the new net"
    return _curves(title, [before, after], "{:.0f}".format, _round_ticks(rounds))


def strength_plot(rounds: Sequence[Round]) -> str:
    """The cumulative strength gained by the nets that were kept."""
    gains = accumulate(strength(finished.share) if finished.kept else 0.0 for finished in rounds)
    numbers = [0.0, *(float(finished.number) for finished in rounds)]
    curve = list(zip(numbers, [0.0, *gains], strict=True))
    title = "Strength gained up to each round, in Elo points"
    return _curves(title, [curve], "{:.0f}".format, _round_ticks(rounds))


def share_plot(rounds: Sequence[Round]) -> str:
    """Shares of wins against the best net so far, with intervals and the even share."""
    low = max(0.0, min(0.45, *(finished.low for finished in rounds)))
    high = min(1.0, max(0.55, *(finished.high for finished in rounds)))
    across = plots.scale(rounds[0].number - 0.5, rounds[-1].number + 0.5, _LEFT, _RIGHT)
    up = plots.scale(low, high, _BOTTOM, _TOP)
    parts = [
        plots.levels(plots.ticks(low, high), up, _LEFT, _RIGHT, lambda tick: f"{100 * tick:.0f} %"),
        plots.labels(_round_ticks(rounds), across, _HEIGHT - 10, "{:.0f}".format),
        plots.line(_LEFT, up(_EVEN), _RIGHT, up(_EVEN), "even"),
    ]
    for finished in rounds:
        x, ink = across(finished.number), plots.colour(_ink(finished))
        ends = up(max(0.0, finished.low)), up(min(1.0, finished.high))
        parts += [
            plots.bar(x - 3, ends[1], 6, ends[0] - ends[1], f"band {ink}", ' rx="3"'),
            *(plots.line(x - 6, y, x + 6, y, f"cap {ink}") for y in ends),
            plots.chip(_ink(finished), x, up(finished.share)),
        ]
    title = "Share of wins of each new net against the best before it, with its 95 % interval"
    return plots.svg(_HEIGHT, title, parts)


def time_plot(rounds: Sequence[Round]) -> str:
    """The total time spent playing, learning and in matches."""
    sums = [
        sum(finished.seconds.get(activity, 0.0) for finished in rounds) for activity in _ACTIVITIES
    ]
    at = plots.scale(0, max(*sums, 0.001))
    parts = []
    for number, (activity, seconds) in enumerate(zip(_ACTIVITIES, sums, strict=True)):
        y, css = 44 * number + 24, f"band {plots.colour(number)}"
        share = percent(seconds / (sum(sums) or 1.0))
        parts += [
            plots.row_title(number, y, activity, f"{long_time(seconds)}, {share}"),
            plots.bar(plots.LEFT, y + 8, at(seconds) - plots.LEFT, 10, css, ' rx="3"'),
        ]
    return plots.svg(44 * len(_ACTIVITIES) + 12, "Seconds of playing, learning and matches", parts)


# ---------------------------------------------------------------- elements


def _ink(finished: Round) -> int:
    """The chip number of a kept or rejected net."""
    return 0 if finished.kept else 2


def _round_ticks(rounds: Sequence[Round]) -> list[float]:
    """The round numbers on the axis."""
    first, last = rounds[0].number, rounds[-1].number
    return (
        [float(first)]
        if first == last
        else [tick for tick in plots.ticks(first, last) if tick == int(tick)]
    )


def _curves(title: str, curves: Sequence[Curve], label: Say, x_ticks: Sequence[float]) -> str:
    """Curves on common axes, each ending in its chip."""
    xs, ys = ([point[axis] for curve in curves for point in curve] for axis in range(2))
    low, high = min(ys), max(ys)
    margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    begin, end = min(*xs, *x_ticks), max(*xs, *x_ticks)
    # centres a single round
    padding = 0.5 * (begin == end)
    across = plots.scale(begin - padding, end + padding, _LEFT + 8, _RIGHT - 10)
    up = plots.scale(low - margin, high + margin, _BOTTOM, _TOP)
    parts = [
        plots.levels(plots.ticks(low - margin, high + margin), up, _LEFT, _RIGHT, "{:g}".format),
        plots.labels(x_ticks, across, _HEIGHT - 10, label),
    ]
    for number, curve in enumerate(curves):
        places = [(across(x), up(y)) for x, y in curve]
        parts.append(plots.curve(places, f"{plots.colour(number)} dash{number}"))
        parts.append(plots.chip(number, *places[-1]))
    return plots.svg(_HEIGHT, title, parts)
