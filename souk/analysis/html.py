"""A study as a web page that needs nothing else, and in short for a notebook."""

import re
from html import escape
from pathlib import Path

from souk.core.view import SeatView
from souk.games.art import palette
from souk.games.art.page import whole_page
from souk.games.art.plots import chip, marks
from souk.study.graph import NARROW, WIDE, graph, weaves
from souk.study.study import Study
from souk.study.telling import Teller

_POINTS = 6  # turning points that are shown
_BOARD = 480  # how wide their boards are
_SPECTATOR = -1
_SMALL = 0.0005
_BALANCE = ("start", "luck", "own", "others", "result")


def page(study: Study, language: str = "en") -> str:
    """All of a study as HTML: graph, turning points with their boards, everybody's balance, and every step."""
    teller = Teller(study, language)
    facts = [teller.record.date, ", ".join(teller.names), teller.effort()]
    listed = "".join(f"<li>{escape(fact)}</li>" for fact in facts)
    head = f'<ul class="facts">{listed}</ul><p class="lead">{escape(teller.result())}</p>'
    points = sorted(teller.turning_points(_POINTS))
    cards = [_graph_card(teller, points), _seats_card(teller), _points_card(teller, points), _steps_card(teller)]
    body = f'<div class="souk-study">{weaves(teller.seats)}{"".join(cards)}</div>'
    return whole_page(teller.title, head, body, "Souk", language, _style())


def in_short(study: Study) -> str:
    """A study for a notebook: graph, turning points in words, everybody's balance."""
    teller = Teller(study)
    points = sorted(teller.turning_points(_POINTS))
    cards = [_graph_card(teller, points), _points_card(teller, points, boards=False), _seats_card(teller)]
    shapes = _shared_style() + _style()
    colours = "".join(f"--{name}:{palette.BY_NIGHT[name]};" for name in _colours(shapes))
    style = f".souk-study{{{colours}}}\n{shapes}"
    title = f"<h2>{escape(teller.title)}</h2><p>{escape(teller.result())}</p>"
    return f'<div class="souk-study"><style>{style}</style>{marks()}{weaves(teller.seats)}{title}{"".join(cards)}</div>'


def _style() -> str:
    return Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def _shared_style() -> str:
    """What a notebook needs of the style that all pages have, for this drawing alone."""
    return (
        ".souk-study{max-width:1000px;padding:4px 14px 14px;border-radius:16px;overflow-x:auto;background:var(--ground);color:var(--text)}"
        ".souk-study *{box-sizing:border-box}.souk-study .hidden{position:absolute}"
        ".souk-study h2,.souk-study h3{margin:0;color:var(--heading);font-family:Georgia,serif}"
        ".souk-study .card{padding:14px;border:1px solid var(--line);border-radius:14px;background:var(--panel)}"
        ".souk-study table{width:100%;border-collapse:collapse;background:none}.souk-study th,.souk-study td{padding:6px 10px;text-align:right;color:inherit;background:none}"
        ".souk-study .who{text-align:left}.souk-study svg text{fill:var(--text);font-size:12px}.souk-study svg .tick{fill:var(--text-2)}"
        ".souk-study .grid{stroke:var(--grid)}.souk-study .curve{fill:none;stroke:var(--c);stroke-width:2}"
        ".souk-study .chip circle{fill:var(--c)}.souk-study .chip use{fill:var(--on-seat);stroke:var(--on-seat)}"
        '.souk-study .chip use[href="#mark0"],.souk-study .chip use[href="#mark2"]{fill:none}'
        + "".join(f".souk-study .c{k}{{--c:var(--seat-{k})}}" for k in range(6))
    )


def _colours(shapes: str) -> list[str]:
    return sorted(set(re.findall(r"var\(--([\w-]+)\)", shapes)) & palette.BY_NIGHT.keys())


# ---------------------------------------------------------------- cards


def _chip(seat: int) -> str:
    return f'<svg viewBox="-9 -9 18 18" class="chip-of" aria-hidden="true">{chip(seat)}</svg>'


def _graph_card(teller: Teller, points: list[int]) -> str:
    words = teller.words
    title = words("study.page.expected" if teller.alone else "study.page.chances")
    names = "".join(f"<li>{_chip(seat)}{escape(teller.names[seat])}</li>" for seat in reversed(teller.seats))
    drawn = "".join(
        f'<div class="{css}">{graph(teller, points, size)}</div>'
        for css, size in (("wide-graph", WIDE), ("narrow-graph", NARROW))
    )
    return (
        f'<section class="card graph"><h2>{escape(title)}</h2><p>{escape(words("study.page.chances_note"))}</p>'
        f'{drawn}<ul class="legend">{names}</ul></section>'
    )


def _points_card(teller: Teller, points: list[int], *, boards: bool = True) -> str:
    title = escape(teller.words("study.page.turning_points"))
    told = "".join(_point(teller, number, boards) for number in points)
    nothing = "" if points else f"<p>{escape(teller.words('study.page.none'))}</p>"
    return f'<section><h2 class="part">{title}</h2>{nothing}<div class="points">{told}</div></section>'


def _point(teller: Teller, number: int, boards: bool) -> str:
    """A turning point in words, beside the board as it was before."""
    drawing = teller.record.game.drawing if boards else None
    board = ""
    if drawing is not None:
        board = f"<div>{drawing.draw(SeatView.of(teller.before(number), _SPECTATOR), teller.names, _BOARD)}</div>"
    return (
        f'<article class="card point{"" if board else " plain"}" id="step-{number}"><div>{_heading(teller, number)}'
        f"{_judgement(teller, number)}{_moved(teller, number)}</div>{board}</article>"
    )


def _heading(teller: Teller, number: int) -> str:
    step, words = teller.step(number), teller.words
    who = escape(words("study.page.nobody")) if step.seat is None else _chip(step.seat) + escape(teller.who(number))
    return f"<h3><small>{escape(words('study.page.number', n=number))}</small>{who}{_mark(teller, number)}</h3>"


def _mark(teller: Teller, number: int) -> str:
    mark = teller.mark(number)
    return f'<span class="mark {teller.step(number).mark}">{escape(mark)}</span>' if mark else ""


def _judgement(teller: Teller, number: int) -> str:
    """What happened, what was better, and what that came to."""
    better = "study.page.mixed_is" if teller.step(number).mix else "study.page.better_is"
    lines = [("", "", teller.what(number)), ("better", better, teller.better(number))]
    lines += [("aside", "", teller.why(number)), ("aside", "study.page.given_away", teller.cost(number))]
    lines += [("aside", "study.page.effect_was", teller.effect(number))]
    lines += [("aside", "study.page.luck_was", teller.fortune(number))]
    return "".join(
        f'<p class="{css}">{escape(teller.words(key, what=said) if key else said)}</p>'
        for css, key, said in lines
        if said
    )


def _moved(teller: Teller, number: int) -> str:
    """Everybody's chances before and after."""
    if teller.alone:
        return ""
    step = teller.step(number)
    rows = []
    for seat, (before, after) in enumerate(zip(step.before, step.after, strict=True)):
        change = f"{teller.words('{n:%}', n=before)} → <b>{teller.words('{n:%}', n=after)}</b>"
        rows.append(f'<li title="{escape(teller.names[seat])}">{_chip(seat)}<span>{change}</span></li>')
    return f'<ul class="moved" aria-label="{escape(teller.words("study.page.chances"))}">{"".join(rows)}</ul>'


def _seats_card(teller: Teller) -> str:
    words = teller.words
    parts = [part for part in _BALANCE if not (teller.alone and part == "others")]
    heads = [words(f"study.page.{part}") for part in (*parts, "accuracy", "seat_marks")]
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    rows = "".join(_seat_row(teller, seat, parts, heads) for seat in teller.seats)
    notes = escape(f"{teller.sum_note()} {teller.accuracy_note()}")
    return (
        f'<section class="card"><h2>{escape(words("study.page.luck_and_skill"))}</h2><p>{notes}</p>'
        f'<table class="balance"><thead><tr><th class="who"></th>{head}</tr></thead><tbody>{rows}</tbody></table></section>'
    )


def _seat_row(teller: Teller, seat: int, parts: list[str], heads: list[str]) -> str:
    balance = teller.study.seats[seat]
    cells = []
    for part, head in zip(parts, heads, strict=False):
        value, ends = getattr(balance, part), part in ("start", "result")
        css = "" if ends or abs(value) < _SMALL else "up" if value > 0 else "down"
        figure = teller.figure(abs(value), sign=False) if ends else teller.figure(value)
        cells.append(f'<td class="{css}" data-label="{escape(head)}">{figure}</td>')
    counts = " · ".join(map(str, teller.marks(seat)))
    for said, head in zip((f"<b>{teller.accuracy(seat)}</b>", counts), heads[len(parts) :], strict=True):
        cells.append(f'<td data-label="{escape(head)}">{said}</td>')
    name = f'<td class="who">{_chip(seat)}{escape(teller.names[seat])}</td>'
    return f"<tr>{name}{''.join(cells)}</tr>"


def _steps_card(teller: Teller) -> str:
    words = teller.words
    heads = [words(f"study.page.{part}") for part in ("step", "what", "better", "came_to", "chances")]
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    rows = "".join(_step_row(teller, number, heads) for number in range(1, len(teller.study.steps) + 1))
    summary = escape(words("study.page.every_step", n=len(teller.study.steps)))
    return (
        f'<section class="card"><details><summary>{summary}</summary><table class="long"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></details></section>"
    )


def _step_row(teller: Teller, number: int, heads: list[str]) -> str:
    step = teller.step(number)
    came_to = [escape(teller.cost(number)), escape(teller.fortune(number))]
    chances = "" if teller.alone else " · ".join(teller.words("{n:%}", n=share) for share in step.after)
    cells = [
        str(number),
        escape(teller.what(number)),
        escape(teller.better(number)),
        _mark(teller, number) + " ".join(filter(None, came_to)),
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
