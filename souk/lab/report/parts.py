"""What a report's page is put together from: cards with a plot or a table in them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from souk.lab.pages.plots import chip
from souk.lab.report.measure import Measured
from souk.lab.report.plots import Row
from souk.lab.report.tally import Figure


@dataclass(frozen=True)
class Card:
    """Something told on the page."""

    title: str
    note: str
    content: str  # HTML
    wide: bool = False


@dataclass(frozen=True)
class Line:
    """A line of a table: what it is about, and where its figure is found for each kind of play."""

    about: str
    read: Callable[[Measured], Figure | None]
    share: bool = True


def chance(about: str, name: str) -> Line:
    return Line(about, lambda measured: measured.tally.chance(name))


def kind(about: str, name: str, of: object) -> Line:
    return Line(about, lambda measured: measured.tally.share(name, of))


def mean(about: str, name: str) -> Line:
    return Line(about, lambda measured: measured.tally.mean(name), share=False)


def part(about: str, name: str) -> Line:
    """A mean of parts of a whole, told as a share."""

    def read(measured: Measured) -> Figure | None:
        found = measured.tally.mean(name)
        return found and found._replace(low=max(0.0, found.low), high=min(1.0, found.high))

    return Line(about, read)


# ---------------------------------------------------------------- figures as text


def number(value: float, share: bool) -> str:
    """A figure as one reads it: small shares with more digits."""
    if share:
        digits = 1 if abs(value) >= 0.0095 or value == 0 else 2
        return f"{100 * value:.{digits}f}"
    return f"{value:,.{1 if abs(value) >= 99.95 else 2}f}"


def told(figure: Figure | None, share: bool) -> str:
    return "–" if figure is None else number(figure.value, share) + (" %" if share else "")


def spread(figure: Figure, share: bool) -> str:
    """The interval, and of how many cases."""
    if not math.isfinite(figure.half):
        return f"n = {figure.cases:,}"
    return f"{number(figure.low, share)} to {number(figure.high, share)}, n = {figure.cases:,}"


# ---------------------------------------------------------------- tables


def rows_of(plays: Sequence[Measured], tell: Callable[[Measured], str]) -> list[Row]:
    return [Row(i, measured.table.bot, tell(measured)) for i, measured in enumerate(plays)]


def table(plays: Sequence[Measured], lines: Sequence[Line]) -> str:
    """A line for each figure, a column for each kind of play. Lines of which nothing is known are left out."""
    heads = "".join(f'<th scope="col">{_badge(i)}{escape(each.table.bot)}</th>' for i, each in enumerate(plays))
    body = "\n".join(row for line in lines if (row := _line(plays, line)))
    head = f'<thead><tr><th scope="col" class="who"></th>{heads}</tr></thead>'
    return f'<table class="figures">{head}\n<tbody>\n{body}\n</tbody></table>'


def _badge(i: int) -> str:
    return f'<svg viewBox="-9 -9 18 18" aria-hidden="true">{chip(i)}</svg>'


def _line(plays: Sequence[Measured], line: Line) -> str:
    figures = [line.read(measured) for measured in plays]
    if not any(figures):
        return ""
    cells = "".join(_cell(each.table.bot, figure, line.share) for each, figure in zip(plays, figures, strict=True))
    return f'<tr><th scope="row" class="who">{escape(line.about)}</th>{cells}</tr>'


def _cell(play: str, figure: Figure | None, share: bool) -> str:
    label = f'data-label="{escape(play)}"'
    if figure is None:
        return f"<td {label}><span>–</span></td>"
    return f"<td {label}><span><b>{told(figure, share)}</b><small>{spread(figure, share)}</small></span></td>"


def more(summary: str, content: str) -> str:
    """Something long that is folded up until somebody asks."""
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"
