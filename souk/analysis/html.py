"""A study as a self-contained web page, and in short for a notebook."""

import re
from html import escape
from pathlib import Path

from souk.analysis.chart import NARROW, WIDE, graph, weaves
from souk.analysis.narration import Narrator
from souk.analysis.study import Study
from souk.core.seat_view import SeatView
from souk.drawing import palette
from souk.drawing.html_page import whole_page
from souk.drawing.plots import chip, marks

_POINTS = 6  # turning points shown
_BOARD = 480  # width of their boards
_SPECTATOR = -1
_SMALL = 0.0005
_BALANCE = ("start", "luck", "own", "others", "result")


def page(study: Study, language: str = "en") -> str:
    """The full page: graph, turning points with boards, luck and skill, and every step."""
    narrator = Narrator(study, language)
    facts = [narrator.record.date, ", ".join(narrator.names), narrator.effort()]
    listed = "".join(f"<li>{escape(fact)}</li>" for fact in facts)
    head = f'<ul class="facts">{listed}</ul><p class="lead">{escape(narrator.result())}</p>'
    points = sorted(narrator.turning_points(_POINTS))
    cards = [
        _graph_card(narrator, points),
        _seats_card(narrator),
        _points_card(narrator, points),
        _steps_card(narrator),
    ]
    body = f'<div class="souk-study">{weaves(narrator.seats)}{"".join(cards)}</div>'
    return whole_page(narrator.title, head, body, "Souk", language, _style())


def in_short(study: Study) -> str:
    """The notebook view: graph, turning points in words, luck and skill."""
    narrator = Narrator(study)
    points = sorted(narrator.turning_points(_POINTS))
    cards = [
        _graph_card(narrator, points),
        _points_card(narrator, points, boards=False),
        _seats_card(narrator),
    ]
    shapes = _shared_style() + _style()
    colours = "".join(f"--{name}:{palette.BY_NIGHT[name]};" for name in _colours(shapes))
    style = f".souk-study{{{colours}}}\n{shapes}"
    title = f"<h2>{escape(narrator.title)}</h2><p>{escape(narrator.result())}</p>"
    return (
        f'<div class="souk-study"><style>{style}</style>{marks()}{weaves(narrator.seats)}'
        f"{title}{''.join(cards)}</div>"
    )


def _style() -> str:
    return Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def _shared_style() -> str:
    """The part of the shared page style that a notebook needs, scoped to the study."""
    return (
        ".souk-study{max-width:1000px;padding:4px 14px 14px;border-radius:16px;overflow-x:auto;"
        "background:var(--ground);color:var(--text)}"
        ".souk-study *{box-sizing:border-box}.souk-study .hidden{position:absolute}"
        ".souk-study h2,.souk-study h3{margin:0;color:var(--heading);font-family:Georgia,serif}"
        ".souk-study .card{padding:14px;border:1px solid var(--line);border-radius:14px;"
        "background:var(--panel)}"
        ".souk-study table{width:100%;border-collapse:collapse;background:none}"
        ".souk-study th,.souk-study td{padding:6px 10px;text-align:right;color:inherit;"
        "background:none}"
        ".souk-study .who{text-align:left}"
        ".souk-study svg text{fill:var(--text);font-size:12px}"
        ".souk-study svg .tick{fill:var(--text-2)}"
        ".souk-study .grid{stroke:var(--grid)}"
        ".souk-study .curve{fill:none;stroke:var(--c);stroke-width:2}"
        ".souk-study .chip circle{fill:var(--c)}"
        ".souk-study .chip use{fill:var(--on-seat);stroke:var(--on-seat)}"
        '.souk-study .chip use[href="#mark0"],.souk-study .chip use[href="#mark2"]{fill:none}'
        + "".join(f".souk-study .c{k}{{--c:var(--seat-{k})}}" for k in range(6))
    )


def _colours(shapes: str) -> list[str]:
    return sorted(set(re.findall(r"var\(--([\w-]+)\)", shapes)) & palette.BY_NIGHT.keys())


# ---------------------------------------------------------------- cards


def _chip(seat: int) -> str:
    return f'<svg viewBox="-9 -9 18 18" class="chip-of" aria-hidden="true">{chip(seat)}</svg>'


def _graph_card(narrator: Narrator, points: list[int]) -> str:
    words = narrator.words
    title = words("study.page.expected" if narrator.alone else "study.page.chances")
    names = "".join(
        f"<li>{_chip(seat)}{escape(narrator.names[seat])}</li>" for seat in reversed(narrator.seats)
    )
    drawn = "".join(
        f'<div class="{css}">{graph(narrator, points, size)}</div>'
        for css, size in (("wide-graph", WIDE), ("narrow-graph", NARROW))
    )
    return (
        f'<section class="card graph"><h2>{escape(title)}</h2>'
        f"<p>{escape(words('study.page.chances_note'))}</p>"
        f'{drawn}<ul class="legend">{names}</ul></section>'
    )


def _points_card(narrator: Narrator, points: list[int], *, boards: bool = True) -> str:
    title = escape(narrator.words("study.page.turning_points"))
    articles = "".join(_point(narrator, number, boards) for number in points)
    nothing = "" if points else f"<p>{escape(narrator.words('study.page.none'))}</p>"
    return (
        f'<section><h2 class="part">{title}</h2>{nothing}'
        f'<div class="points">{articles}</div></section>'
    )


def _point(narrator: Narrator, number: int, boards: bool) -> str:
    """A turning point in words, next to the board before it."""
    drawing = narrator.record.game.drawing if boards else None
    board = ""
    if drawing is not None:
        view = SeatView.of(narrator.before(number), _SPECTATOR)
        board = f"<div>{drawing.draw(view, narrator.names, _BOARD)}</div>"
    return (
        f'<article class="card point{"" if board else " plain"}" id="step-{number}">'
        f"<div>{_heading(narrator, number)}"
        f"{_judgement(narrator, number)}{_moved(narrator, number)}</div>{board}</article>"
    )


def _heading(narrator: Narrator, number: int) -> str:
    step, words = narrator.step(number), narrator.words
    who = (
        escape(words("study.page.nobody"))
        if step.seat is None
        else _chip(step.seat) + escape(narrator.who(number))
    )
    title = escape(words("study.page.number", n=number))
    return f"<h3><small>{title}</small>{who}{_mark(narrator, number)}</h3>"


def _mark(narrator: Narrator, number: int) -> str:
    mark = narrator.mark(number)
    return f'<span class="mark {narrator.step(number).mark}">{escape(mark)}</span>' if mark else ""


def _judgement(narrator: Narrator, number: int) -> str:
    """The event, the better move, and the cost."""
    better = "study.page.mixed_is" if narrator.step(number).mix else "study.page.better_is"
    lines = [("", "", narrator.what(number)), ("better", better, narrator.better(number))]
    lines += [
        ("aside", "", narrator.why(number)),
        ("aside", "study.page.given_away", narrator.cost(number)),
    ]
    lines += [("aside", "study.page.effect_was", narrator.effect(number))]
    lines += [("aside", "study.page.luck_was", narrator.fortune(number))]
    return "".join(
        f'<p class="{css}">{escape(narrator.words(key, what=text) if key else text)}</p>'
        for css, key, text in lines
        if text
    )


def _moved(narrator: Narrator, number: int) -> str:
    """Win chances before and after."""
    if narrator.alone:
        return ""
    step = narrator.step(number)
    rows = []
    for seat, (before, after) in enumerate(zip(step.before, step.after, strict=True)):
        change = f"{narrator.words('{n:%}', n=before)} → <b>{narrator.words('{n:%}', n=after)}</b>"
        rows.append(
            f'<li title="{escape(narrator.names[seat])}">{_chip(seat)}<span>{change}</span></li>'
        )
    label = escape(narrator.words("study.page.chances"))
    return f'<ul class="moved" aria-label="{label}">{"".join(rows)}</ul>'


def _seats_card(narrator: Narrator) -> str:
    words = narrator.words
    parts = [part for part in _BALANCE if not (narrator.alone and part == "others")]
    heads = [words(f"study.page.{part}") for part in (*parts, "accuracy", "seat_marks")]
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    rows = "".join(_seat_row(narrator, seat, parts, heads) for seat in narrator.seats)
    notes = escape(f"{narrator.sum_note()} {narrator.accuracy_note()}")
    return (
        f'<section class="card"><h2>{escape(words("study.page.luck_and_skill"))}</h2><p>{notes}</p>'
        f'<table class="balance"><thead><tr><th class="who"></th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></section>"
    )


def _seat_row(narrator: Narrator, seat: int, parts: list[str], heads: list[str]) -> str:
    balance = narrator.study.seats[seat]
    cells = []
    for part, head in zip(parts, heads, strict=False):
        value, ends = getattr(balance, part), part in ("start", "result")
        css = "" if ends or abs(value) < _SMALL else "up" if value > 0 else "down"
        figure = narrator.figure(abs(value), sign=False) if ends else narrator.figure(value)
        cells.append(f'<td class="{css}" data-label="{escape(head)}">{figure}</td>')
    counts = " · ".join(map(str, narrator.marks(seat)))
    for said, head in zip(
        (f"<b>{narrator.accuracy(seat)}</b>", counts), heads[len(parts) :], strict=True
    ):
        cells.append(f'<td data-label="{escape(head)}">{said}</td>')
    name = f'<td class="who">{_chip(seat)}{escape(narrator.names[seat])}</td>'
    return f"<tr>{name}{''.join(cells)}</tr>"


def _steps_card(narrator: Narrator) -> str:
    words = narrator.words
    heads = [
        words(f"study.page.{part}") for part in ("step", "what", "better", "came_to", "chances")
    ]
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    rows = "".join(
        _step_row(narrator, number, heads) for number in range(1, len(narrator.study.steps) + 1)
    )
    summary = escape(words("study.page.every_step", n=len(narrator.study.steps)))
    return (
        f'<section class="card"><details><summary>{summary}</summary>'
        f'<table class="long"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></details></section>"
    )


def _step_row(narrator: Narrator, number: int, heads: list[str]) -> str:
    step = narrator.step(number)
    came_to = [escape(narrator.cost(number)), escape(narrator.fortune(number))]
    chances = (
        ""
        if narrator.alone
        else " · ".join(narrator.words("{n:%}", n=share) for share in step.after)
    )
    cells = [
        str(number),
        escape(narrator.what(number)),
        escape(narrator.better(number)),
        _mark(narrator, number) + " ".join(filter(None, came_to)),
        chances,
    ]
    css = ("", "what", "better", "", "")
    return (
        "<tr>"
        + "".join(
            f'<td class="{name}" data-label="{escape(head)}">{cell}</td>'
            for name, head, cell in zip(css, heads, cells, strict=True)
        )
        + "</tr>"
    )
