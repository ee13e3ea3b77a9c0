"""A training's plots, put together from `souk.games.art.plots`."""

from collections.abc import Callable, Sequence
from itertools import accumulate

from souk.games.art import plots
from souk.lab.training.annals import Round, strength
from souk.lab.wording import long_time, percent

_HEIGHT, _LEFT, _RIGHT, _TOP = 220.0, 46.0, 340.0, 10.0
_BOTTOM = _HEIGHT - 30
_EVEN = 0.5
_WORK = ("play", "learn", "match")  # what a round does, in this order

Curve = Sequence[tuple[float, float]]
Say = Callable[[float], str]


def loss_plot(last: Round) -> str:
    """The loss on the way through the batches of a round."""
    way = max(1, len(last.losses) - 1)
    curve = [(100 * k / way, loss) for k, loss in enumerate(last.losses)]
    return _curves("Loss from the first batch to the last", [curve], lambda tick: f"{tick:.0f} %", [0, 100])


def error_plot(rounds: Sequence[Round], what: str) -> str:
    """How far off positions are judged that were held out, round by round: by the outlook alone, and by the new mind."""
    before = [(each.number, getattr(each, f"{what}_before")) for each in rounds]
    after = [(each.number, getattr(each, what)) for each in rounds]
    title = f"Error of the {what} in each round, of the outlook alone and of the new mind"
    return _curves(title, [before, after], "{:.0f}".format, _numbers(rounds))


def strength_plot(rounds: Sequence[Round]) -> str:
    """What the minds that were kept have gained, added up."""
    gains = accumulate(strength(each.share) if each.kept else 0.0 for each in rounds)
    curve = [(0.0, 0.0), *((float(each.number), gained) for each, gained in zip(rounds, gains, strict=True))]
    return _curves("Strength gained up to each round, in points of Elo", [curve], "{:.0f}".format, _numbers(rounds))


def share_plot(rounds: Sequence[Round]) -> str:
    """Shares of wins against the best so far, with their intervals, beside the half that is even."""
    low = max(0.0, min(0.45, *(each.low for each in rounds)))
    high = min(1.0, max(0.55, *(each.high for each in rounds)))
    across = plots.scale(rounds[0].number - 0.5, rounds[-1].number + 0.5, _LEFT, _RIGHT)
    up = plots.scale(low, high, _BOTTOM, _TOP)
    parts = [_levels(plots.ticks(low, high), up, lambda tick: f"{100 * tick:.0f} %")]
    parts += [_feet(_numbers(rounds), across, "{:.0f}".format), plots.line(_LEFT, up(_EVEN), _RIGHT, up(_EVEN), "even")]
    for each in rounds:
        x, ink = across(each.number), plots.colour(_ink(each))
        ends = up(max(0.0, each.low)), up(min(1.0, each.high))
        parts += [
            plots.bar(x - 3, ends[1], 6, ends[0] - ends[1], f"band {ink}", ' rx="3"'),
            *(plots.line(x - 6, y, x + 6, y, f"cap {ink}") for y in ends),
            plots.chip(_ink(each), x, up(each.share)),
        ]
    return plots.svg(
        _HEIGHT, "Share of wins of each new mind against the best before it, with its 95 % interval", parts
    )


def time_plot(rounds: Sequence[Round]) -> str:
    """How long playing, learning and the matches took in all."""
    sums = [sum(each.seconds.get(what, 0.0) for each in rounds) for what in _WORK]
    at = plots.scale(0, max(*sums, 0.001))
    parts = []
    for number, (what, seconds) in enumerate(zip(_WORK, sums, strict=True)):
        y = 44 * number + 24
        share = percent(seconds / (sum(sums) or 1.0))
        parts += [
            plots.row_title(number, y, what, f"{long_time(seconds)}, {share}"),
            plots.bar(plots.LEFT, y + 8, at(seconds) - plots.LEFT, 10, f"band {plots.colour(number)}", ' rx="3"'),
        ]
    return plots.svg(44 * len(_WORK) + 12, "Seconds of playing, learning and matches", parts)


# ---------------------------------------------------------------- what they are made of


def _ink(each: Round) -> int:
    """The number of its chip: one for minds that were kept, another for those that were not."""
    return 0 if each.kept else 2


def _numbers(rounds: Sequence[Round]) -> list[float]:
    """The rounds that are named below a plot."""
    first, last = rounds[0].number, rounds[-1].number
    return [float(first)] if first == last else [tick for tick in plots.ticks(first, last) if tick == int(tick)]


def _levels(ticks: Sequence[float], up: plots.Scale, say: Say) -> str:
    return "".join(
        plots.line(_LEFT, up(tick), _RIGHT, up(tick), "grid")
        + plots.text(_LEFT - 6, up(tick) + 4, say(tick), "tick", "end")
        for tick in ticks
    )


def _feet(ticks: Sequence[float], across: plots.Scale, say: Say) -> str:
    return "".join(plots.text(across(tick), _HEIGHT - 10, say(tick), "tick", "middle") for tick in ticks)


def _curves(title: str, curves: Sequence[Curve], say: Say, feet: Sequence[float]) -> str:
    """Curves over the same ground, each with its chip at its end."""
    xs, ys = ([point[axis] for curve in curves for point in curve] for axis in range(2))
    low, high = min(ys), max(ys)
    room = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    begin, end = min(*xs, *feet), max(*xs, *feet)
    alone = 0.5 * (begin == end)  # a single round stands in the middle
    across = plots.scale(begin - alone, end + alone, _LEFT + 8, _RIGHT - 10)
    up = plots.scale(low - room, high + room, _BOTTOM, _TOP)
    parts = [_levels(plots.ticks(low - room, high + room), up, "{:g}".format), _feet(feet, across, say)]
    for number, curve in enumerate(curves):
        ink, places = plots.colour(number), [(across(x), up(y)) for x, y in curve]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        parts += [f'<path d="M{path}" class="curve {ink} dash{number}"/>', plots.chip(number, *places[-1])]
    return plots.svg(_HEIGHT, title, parts)
