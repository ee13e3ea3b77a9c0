"""Number formatting for pages and terminal output."""

import math

from souk.lab.statistics import Figure


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def duration(seconds: float) -> str:
    """Seconds with two significant digits and a unit."""
    value, unit = (
        (seconds, "s")
        if seconds >= 1
        else (1000 * seconds, "ms")
        if seconds >= 0.001
        else (1e6 * seconds, "µs")
    )
    return f"{value:.0f} {unit}" if value >= 9.95 else f"{value:.2g} {unit}"


def long_time(seconds: float) -> str:
    """A duration that may be hours."""
    minutes = round(seconds / 60)
    if minutes < 2:
        return duration(seconds)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def plus_minus(figure: Figure, digits: int = 1) -> str:
    """A mean with half the width of its interval; the mean alone if the interval is unbounded."""
    half = f" ± {figure.half:.{digits}f}" if math.isfinite(figure.half) else ""
    return f"{figure.value:.{digits}f}{half}"


# ---------------------------------------------------------------- figures that may be shares


def number(value: float, share: bool) -> str:
    """A figure, or a share in percent; small shares get a second decimal."""
    if share:
        digits = 1 if abs(value) >= 0.0095 or value == 0 else 2
        return f"{100 * value:.{digits}f}"
    return f"{value:,.{1 if abs(value) >= 99.95 else 2}f}"


def figure_text(figure: Figure | None, share: bool) -> str:
    return "–" if figure is None else number(figure.value, share) + (" %" if share else "")


def interval(figure: Figure, share: bool) -> str:
    """The interval and the number of cases."""
    if not math.isfinite(figure.half):
        return f"n = {figure.cases:,}"
    return f"{number(figure.low, share)} to {number(figure.high, share)}, n = {figure.cases:,}"
