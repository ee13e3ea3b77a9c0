"""The cards of a report's page: what a game's room declares (`souk.core.reporting`), with the figures of every kind of play."""

from collections.abc import Sequence
from html import escape

from souk.core.reporting import (
    Beside,
    Card,
    Columns,
    Content,
    Every,
    FieldMap,
    FigureLine,
    Folded,
    Hill,
    Lines,
    PairGrid,
    Paragraph,
    chance_of,
    mean_of,
)
from souk.games.art.plots import chip
from souk.lab.report.measuring import Measured
from souk.lab.report.plots import Row, column_plot, grid_plot, hill_plot, map_plot
from souk.lab.statistics import Figure
from souk.lab.wording import interval, told

Plays = Sequence[Measured]  # kinds of play, the strongest last as a rule


def card_html(plays: Plays, card: Card) -> str:
    note = card.note.replace("{last}", plays[-1].table.bot)
    note += "".join(_note_on(plays, content) for content in card.content if isinstance(content, FieldMap))
    return framed(card.title, note, "".join(_content(plays, each) for each in card.content))


def framed(title: str, note: str, content: str) -> str:
    """A card round some HTML."""
    return f'<section class="card"><h3>{escape(title)}</h3><p>{escape(note)}</p>{content}</section>'


def _content(plays: Plays, content: Content) -> str:
    match content:
        case Lines():
            return _lines(plays, content)
        case Columns():
            return _columns(plays, content)
        case FieldMap():
            return _maps(plays, content)
        case Hill(title, name, beside, counts, per):
            return hill_plot(title, [(Row(0, name, beside), counts)], per)
        case PairGrid(title, values):
            return grid_plot(title, values)
        case Paragraph(text):
            return f"<p>{escape(text)}</p>"
        case Folded(summary, lines):
            return _folded(summary, _lines(plays, lines))


def _folded(summary: str, content: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


# ---------------------------------------------------------------- plots


def rows_of(plays: Plays, beside: Beside) -> list[Row]:
    return [Row(i, measured.table.bot, _beside(measured, beside)) for i, measured in enumerate(plays)]


def _beside(measured: Measured, beside: Beside) -> str:
    if beside.figure:
        figure = told(measured.read(beside.figure), beside.figure.share)
    elif beside.cases:
        known = (measured.read(reading) for reading in beside.cases)
        figure = f"{sum(each.cases for each in known if each):,}"
    else:
        figure = f"{sum(each.value for each in measured.tally.means(beside.sum_of).values()):.1f}"
    return beside.text.replace("{}", figure)


def _columns(plays: Plays, columns: Columns) -> str:
    rows = list(zip(rows_of(plays, columns.beside), (_known(each, columns) for each in plays), strict=True))
    labels = [each for each in columns.figures if not columns.known_only or any(each in known for _, known in rows)]
    share = all(reading.share for reading in columns.figures.values())
    return column_plot(columns.title, rows, labels, share=share, even=columns.even)


def _known(measured: Measured, columns: Columns) -> dict[str, Figure]:
    figures = {label: measured.read(reading) for label, reading in columns.figures.items()}
    return {label: figure for label, figure in figures.items() if figure is not None}


def _maps(plays: Plays, field_map: FieldMap) -> str:
    figures = ""
    for each in plays:
        bot = escape(each.table.bot)
        shares = each.tally.shares(field_map.name)
        plot = map_plot(f"{field_map.title}, {bot}", shares, field_map)
        figures += f"<figure>{plot}<figcaption>{bot}</figcaption></figure>"
    return f'<div class="boards">{figures}</div>'


def _note_on(plays: Plays, field_map: FieldMap) -> str:
    """What stands under every map."""
    widest = max(100 * figure.half for each in plays for figure in each.tally.shares(field_map.name).values())
    return f" A field's interval is about ± {widest:.1f} at most; pointing at a field tells its own."


# ---------------------------------------------------------------- tables


def _lines(plays: Plays, lines: Lines) -> str:
    every = [line for each in lines.lines for line in _spelt_out(plays, each)]
    if lines.most is None or len(every) <= lines.most:
        return _table(plays, every)
    rest = _folded(f"The rest of {lines.rest}", _table(plays, every[lines.most :]))
    return _table(plays, every[: lines.most]) + rest


def _spelt_out(plays: Plays, line: FigureLine | Every) -> list[FigureLine]:
    if isinstance(line, FigureLine):
        return [line]
    if not line.ranked_by:
        names = sorted({name for each in plays for name in each.tally.names() if name.startswith(line.prefix)})
        return [line.line(rest) for name in names if line.only(rest := name.removeprefix(line.prefix))]
    tally, read = plays[-1].tally, chance_of if line.ranked_by == "chance" else mean_of
    found: dict[str, float] = {}
    for name in tally.names():
        rest = name.removeprefix(line.prefix)
        figure = tally.read(read(name)) if name.startswith(line.prefix) and line.only(rest) else None
        if figure is not None:
            found[rest] = figure.value
    return [line.line(rest) for rest in sorted(found, key=lambda rest: -found[rest])]


def _table(plays: Plays, lines: Sequence[FigureLine]) -> str:
    """A line for each figure, a column for each kind of play. Lines of which nothing is known are left out."""
    heads = "".join(f'<th scope="col">{_badge(i)}{escape(each.table.bot)}</th>' for i, each in enumerate(plays))
    body = "\n".join(row for line in lines if (row := _line(plays, line)))
    head = f'<thead><tr><th scope="col" class="who"></th>{heads}</tr></thead>'
    return f'<table class="figures">{head}\n<tbody>\n{body}\n</tbody></table>'


def _badge(i: int) -> str:
    return f'<svg viewBox="-9 -9 18 18" aria-hidden="true">{chip(i)}</svg>'


def _line(plays: Plays, line: FigureLine) -> str:
    figures = [measured.read(line.reading) for measured in plays]
    if not any(figures):
        return ""
    share = line.reading.share
    cells = "".join(_cell(each.table.bot, figure, share) for each, figure in zip(plays, figures, strict=True))
    return f'<tr><th scope="row" class="who">{escape(line.about)}</th>{cells}</tr>'


def _cell(play: str, figure: Figure | None, share: bool) -> str:
    label = f'data-label="{escape(play)}"'
    if figure is None:
        return f"<td {label}><span>–</span></td>"
    return f"<td {label}><span><b>{told(figure, share)}</b><small>{interval(figure, share)}</small></span></td>"
