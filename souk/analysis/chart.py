"""SVG graph of the win chances through a game: one patterned band per seat, and turning points."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from souk.analysis.narration import Narrator
from souk.analysis.study import Step, Study
from souk.drawing.plots import line, scale, text, ticks

WIDE, NARROW = (960, 300), (360, 240)
_LEFT, _TOP, _BELOW, _RIGHT = 44, 26, 24, 8
_SAME = 1e-4  # smaller differences are not drawn


def graph(narrator: Narrator, points: Sequence[int], size: tuple[int, int] = WIDE) -> str:
    """Stacked win chances of all seats; in solitaire the expected number of actions."""
    width, height = size
    plot = Plot(narrator.study, width, height)
    parts = plot.actions() if narrator.alone else plot.bands()
    labels = plot.action_axis() if narrator.alone else plot.chance_axis(narrator)
    marks = [plot.mark(number, narrator.words("study.page.number", n=number)) for number in points]
    title = narrator.words("study.page.expected" if narrator.alone else "study.page.chances")
    drawn = "".join([*parts, *labels, plot.steps_axis(), *marks])
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">{drawn}</svg>'
    )


def weaves(seats: Sequence[int]) -> str:
    """The fill patterns of the bands: each seat's mark in its colour."""
    patterns = "".join(map(_weave, seats))
    return (
        f'<svg width="0" height="0" aria-hidden="true" class="hidden"><defs>{patterns}</defs></svg>'
    )


def _weave(seat: int) -> str:
    ground = '<rect width="22" height="22"/>'
    marks = "".join(
        f'<use href="#mark{seat}" transform="translate({x} {y})"/>'
        for x, y in ((5.5, 5.5), (16.5, 16.5))
    )
    return (
        f'<pattern id="weave{seat}" width="22" height="22" patternUnits="userSpaceOnUse" '
        f'class="weave c{seat % 6}">{ground}{marks}</pattern>'
    )


class Plot:
    """A graph of a study."""

    def __init__(self, study: Study, width: int, height: int) -> None:
        self.study, self.width = study, width
        self.top, self.foot = _TOP, height - _BELOW
        self.x = scale(0, max(1, len(study.steps)), _LEFT, width - _RIGHT)

    def bands(self) -> list[str]:
        """A band for each seat, the first at the bottom."""
        shares = [self.study.start, *(step.after for step in self.study.steps)]
        y = scale(0, 1, self.foot, self.top)
        polygons, low = [], [0.0] * len(shares)
        for seat in range(len(self.study.start)):
            high = [below + share[seat] for below, share in zip(low, shares, strict=True)]
            upper = " ".join(f"{self.x(k):.1f},{y(high[k]):.1f}" for k in _corners(high))
            lower = " ".join(f"{self.x(k):.1f},{y(low[k]):.1f}" for k in reversed(_corners(low)))
            polygons.append(f'<polygon points="{upper} {lower}" class="band{seat}"/>')
            low = high
        return polygons

    def chance_axis(self, narrator: Narrator) -> list[str]:
        y = scale(0, 1, self.foot, self.top)
        elements = []
        for share in (0.0, 0.5, 1.0):
            elements.append(line(_LEFT, y(share), self.width - _RIGHT, y(share), "grid"))
            elements.append(
                text(_LEFT - 5, y(share) + 4, narrator.words("{n:%}", n=share), "tick", "end")
            )
        return elements

    def _expected(self) -> list[float]:
        """The expected number of actions at the start and after each step."""
        values = [-self.study.seats[0].start]
        for step in self.study.steps:
            values.append(values[-1] - _change(step))
        return values

    def _height(self) -> tuple[float, list[float]]:
        values = self._expected()
        return max(values) * 1.1 or 1.0, values

    def actions(self) -> list[str]:
        most, values = self._height()
        y = scale(0, most, self.foot, self.top)
        points = " ".join(
            f"{self.x(k):.1f},{y(a):.1f} {self.x(k + 1):.1f},{y(a):.1f} "
            f"{self.x(k + 1):.1f},{y(b):.1f}"
            for k, (a, b) in enumerate(pairwise(values))
        )
        return [f'<polyline points="{points}" class="curve c0"/>']

    def action_axis(self) -> list[str]:
        most, _ = self._height()
        y = scale(0, most, self.foot, self.top)
        elements = []
        for tick in ticks(0, most, 4):
            elements.append(line(_LEFT, y(tick), self.width - _RIGHT, y(tick), "grid"))
            elements.append(text(_LEFT - 5, y(tick) + 4, f"{tick:g}", "tick", "end"))
        return elements

    def steps_axis(self) -> str:
        every = ticks(0, len(self.study.steps), max(3, self.width // 110))
        return "".join(
            text(self.x(tick), self.foot + 17, f"{tick:.0f}", "tick", "middle") for tick in every
        )

    def mark(self, number: int, title: str) -> str:
        """The marker of a step, linked to its description on the page."""
        x = self.x(number)
        flag = f'<circle cx="{x:.1f}" cy="{self.top - 8:.1f}" r="5"/>'
        drawn = f"<title>{escape(title)}</title>{line(x, self.top - 3, x, self.foot, 'turn')}{flag}"
        return f'<a href="#step-{number}" class="turned">{drawn}</a>'


def _corners(values: Sequence[float]) -> list[int]:
    """The points where a line bends; points between two equal values are dropped."""
    last = len(values) - 1
    return [
        k
        for k, value in enumerate(values)
        if k in (0, last)
        or abs(values[k - 1] - value) > _SAME
        or abs(values[k + 1] - value) > _SAME
    ]


def _change(step: Step) -> float:
    return step.luck[0] + step.gifts[0]
