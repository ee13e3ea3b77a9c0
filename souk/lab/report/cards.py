"""Renders a report's cards: a game's declarations (`souk.core.report_spec`) with figures."""

from collections.abc import Sequence
from html import escape

from souk.core.report_spec import (
    BarChart,
    Caption,
    Card,
    Collapsible,
    Content,
    Distribution,
    EveryMatching,
    FieldMap,
    FigureLine,
    FigureTable,
    PairGrid,
    Paragraph,
    chance_of,
    mean_of,
)
from souk.drawing.html_page import badge
from souk.lab.formatting import figure_text, interval
from souk.lab.report.measure import Measurement
from souk.lab.report.plots import Row, column_plot, grid_plot, hill_plot, map_plot
from souk.lab.statistics import Figure

# kinds of play, usually the strongest last
Plays = Sequence[Measurement]


def card_html(plays: Plays, card: Card) -> str:
    note = card.note.replace("{last}", plays[-1].table.bot)
    note += "".join(
        _note_on(plays, content) for content in card.content if isinstance(content, FieldMap)
    )
    return framed(card.title, note, "".join(_content(plays, content) for content in card.content))


def framed(title: str, note: str, content: str) -> str:
    """A card around HTML content."""
    return f'<section class="card"><h3>{escape(title)}</h3><p>{escape(note)}</p>{content}</section>'


def _content(plays: Plays, content: Content) -> str:
    match content:
        case FigureTable():
            return _lines(plays, content)
        case BarChart():
            return _columns(plays, content)
        case FieldMap():
            return _maps(plays, content)
        case Distribution(title, name, beside, counts, per):
            return hill_plot(title, [(Row(0, name, beside), counts)], per)
        case PairGrid(title, values):
            return grid_plot(title, values)
        case Paragraph(text):
            return f"<p>{escape(text)}</p>"
        case Collapsible(summary, lines):
            return _folded(summary, _lines(plays, lines))


def _folded(summary: str, content: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


# ---------------------------------------------------------------- plots


def rows_of(plays: Plays, beside: Caption) -> list[Row]:
    return [
        Row(i, measured.table.bot, _beside(measured, beside)) for i, measured in enumerate(plays)
    ]


def _beside(measured: Measurement, beside: Caption) -> str:
    if beside.figure:
        figure = figure_text(measured.read(beside.figure), beside.figure.share)
    elif beside.cases:
        figures = (measured.read(statistic) for statistic in beside.cases)
        figure = f"{sum(figure.cases for figure in figures if figure):,}"
    else:
        means = measured.tally.means(beside.sum_of).values()
        figure = f"{sum(mean.value for mean in means):.1f}"
    return beside.text.replace("{}", figure)


def _columns(plays: Plays, columns: BarChart) -> str:
    rows = list(
        zip(
            rows_of(plays, columns.beside),
            (_known(measured, columns) for measured in plays),
            strict=True,
        )
    )
    labels = [
        label
        for label in columns.figures
        if not columns.known_only or any(label in figures for _, figures in rows)
    ]
    share = all(reading.share for reading in columns.figures.values())
    return column_plot(columns.title, rows, labels, share=share, even=columns.even)


def _known(measured: Measurement, columns: BarChart) -> dict[str, Figure]:
    figures = {label: measured.read(reading) for label, reading in columns.figures.items()}
    return {label: figure for label, figure in figures.items() if figure is not None}


def _maps(plays: Plays, field_map: FieldMap) -> str:
    html = ""
    for measured in plays:
        bot = escape(measured.table.bot)
        shares = measured.tally.shares(field_map.name)
        plot = map_plot(f"{field_map.title}, {bot}", shares, field_map)
        html += f"<figure>{plot}<figcaption>{bot}</figcaption></figure>"
    return f'<div class="boards">{html}</div>'


def _note_on(plays: Plays, field_map: FieldMap) -> str:
    """The note on the precision of a map."""
    widest = max(
        100 * figure.half
        for measured in plays
        for figure in measured.tally.shares(field_map.name).values()
    )
    return f" A field's interval is about ± {widest:.1f} at most; hover over a field for its own."


# ---------------------------------------------------------------- tables


def _lines(plays: Plays, lines: FigureTable) -> str:
    expanded = [line for item in lines.lines for line in _expanded(plays, item)]
    if lines.most is None or len(expanded) <= lines.most:
        return _table(plays, expanded)
    rest = _folded(f"The rest of {lines.rest}", _table(plays, expanded[lines.most :]))
    return _table(plays, expanded[: lines.most]) + rest


def _expanded(plays: Plays, line: FigureLine | EveryMatching) -> list[FigureLine]:
    if isinstance(line, FigureLine):
        return [line]
    if not line.ranked_by:
        names = sorted(
            {
                name
                for measured in plays
                for name in measured.tally.names()
                if name.startswith(line.prefix)
            }
        )
        return [
            line.line(rest) for name in names if line.only(rest := name.removeprefix(line.prefix))
        ]
    tally, read = plays[-1].tally, chance_of if line.ranked_by == "chance" else mean_of
    values: dict[str, float] = {}
    for name in tally.names():
        rest = name.removeprefix(line.prefix)
        figure = (
            tally.read(read(name)) if name.startswith(line.prefix) and line.only(rest) else None
        )
        if figure is not None:
            values[rest] = figure.value
    return [line.line(rest) for rest in sorted(values, key=lambda rest: -values[rest])]


def _table(plays: Plays, lines: Sequence[FigureLine]) -> str:
    """A row per figure, a column per kind of play; rows without any figure are left out."""
    heads = "".join(
        f'<th scope="col">{badge(i)}{escape(measured.table.bot)}</th>'
        for i, measured in enumerate(plays)
    )
    body = "\n".join(row for line in lines if (row := _line(plays, line)))
    head = f'<thead><tr><th scope="col" class="who"></th>{heads}</tr></thead>'
    return f'<table class="figures">{head}\n<tbody>\n{body}\n</tbody></table>'


def _line(plays: Plays, line: FigureLine) -> str:
    figures = [measured.read(line.reading) for measured in plays]
    if not any(figures):
        return ""
    share = line.reading.share
    cells = "".join(
        _cell(measured.table.bot, figure, share)
        for measured, figure in zip(plays, figures, strict=True)
    )
    return f'<tr><th scope="row" class="who">{escape(line.about)}</th>{cells}</tr>'


def _cell(play: str, figure: Figure | None, share: bool) -> str:
    label = f'data-label="{escape(play)}"'
    if figure is None:
        return f"<td {label}><span>–</span></td>"
    value = f"<b>{figure_text(figure, share)}</b><small>{interval(figure, share)}</small>"
    return f"<td {label}><span>{value}</span></td>"
