"""A report as a self-contained web page."""

import math
import shlex
from collections.abc import Mapping, Sequence
from html import escape

from souk.core.report_spec import (
    BarChart,
    Caption,
    Card,
    FigureLine,
    FigureTable,
    Report,
    Statistic,
    result,
    table_card,
)
from souk.drawing.html_page import fact_list, whole_page
from souk.games import game as find_game
from souk.lab.formatting import figure_text, number
from souk.lab.report.cards import Plays, card_html, framed
from souk.lab.report.measure import Measurement
from souk.lab.report.plots import Row, hill_plot

# kinds of play by number of players
ByPlayers = Mapping[int, Plays]


def page(
    game: str,
    measured: ByPlayers,
    command: Sequence[str],
    extra_cards: Mapping[int, Sequence[Card]] | None = None,
) -> str:
    """The whole page as HTML.

    `command` makes the report again; `extra_cards` are cards computed without playing, by number of
    players.
    """
    rules = find_game(game)
    report = rules.report
    sections = "\n".join(
        _section(report, players, plays, (extra_cards or {}).get(players, []))
        for players, plays in measured.items()
    )
    body = f"{sections}\n{_method(measured, command)}"
    head = f'{_facts(measured)}\n<p class="lead">{_lead(report, measured)}</p>\n{_ways(measured)}'
    return whole_page(f"{rules.title}, by the numbers", head, body, "Made by Souk.")


def at_table(players: int) -> str:
    return f"{players} players" if players > 1 else "Alone"


# ---------------------------------------------------------------- the head


def _facts(measured: ByPlayers) -> str:
    plays = next(iter(measured.values()))
    facts = [f"{', '.join(at_table(players).lower() for players in measured)}"]
    facts += [
        f"{measurement.table.bot}: {measurement.outcome.games:,} games{_looked_at(measurement)}"
        for measurement in plays
    ]
    facts += [f"seed {plays[0].table.seed}"]
    return fact_list(map(escape, facts))


def _looked_at(measured: Measurement) -> str:
    return (
        f" ({measured.looked_at:,} of them move by move)"
        if measured.looked_at < measured.outcome.games
        else ""
    )


def _lead(report: Report, measured: ByPlayers) -> str:
    """The value of going first for the last, usually strongest, kind of play."""
    verdicts = "; ".join(
        _verdict(report, players, plays[-1]) for players, plays in measured.items()
    )
    bot = next(iter(measured.values()))[-1].table.bot
    return f"With {escape(bot)} in every seat: {verdicts}.".replace(" %", "&nbsp;%")


def _verdict(report: Report, players: int, best: Measurement) -> str:
    if players == 1:
        return escape(report.alone.verdict).replace(
            "{}", f"<b>{figure_text(best.outcome.points[0], False)}</b>"
        )
    first, even = best.outcome.wins[0], best.outcome.even
    interval = f"{number(first.low, True)} to {number(first.high, True)}"
    compared = (
        "more than"
        if first.low > even
        else "less than"
        if first.high < even
        else "too near to tell from"
    )
    return (
        f"of {players} players the first wins <b>{figure_text(first, True)}</b> of the games "
        f"({interval}), {compared} an even share of {number(even, True)}"
    )


def _ways(measured: ByPlayers) -> str:
    if len(measured) < 2:
        return ""
    links = "".join(f'<a href="#players{players}">{at_table(players)}</a>' for players in measured)
    return f'<nav class="ways">{links}</nav>'


# ---------------------------------------------------------------- a number of players


def _section(report: Report, players: int, plays: Plays, extra_cards: Sequence[Card]) -> str:
    general = _of_every_game(report, plays) if players > 1 else _alone(report, plays)
    own = [*report.cards(plays[0].table.start()), *extra_cards]
    cards = [*general, *((card.wide, card_html(plays, card)) for card in own)]
    narrow, wide = (
        "\n".join(html for is_wide, html in cards if is_wide == kind) for kind in (False, True)
    )
    heading = f'<h2 class="part" id="players{players}">{at_table(players)}</h2>'
    return f'{heading}\n<div class="plots">\n{narrow}\n</div>\n{wide}'


# whether a card is wide, and its HTML
_CardHtml = tuple[bool, str]


def _of_every_game(report: Report, plays: Plays) -> list[_CardHtml]:
    """The cards of every game with two or more players."""
    wins = {
        f"seat {seat}": Statistic("outcome", "wins", str(seat))
        for seat in range(plays[0].table.players)
    }
    games = Caption("n = {}", cases=(Statistic("outcome", "won"),))
    by_seat = BarChart("Share of wins by seat", wins, games, even=plays[0].outcome.even)
    note = (
        "Percent of the games, with 95 % intervals; a shared win counts in equal fractions. "
        "The dashed line is an even share."
    )
    going_first = table_card(
        "Going first, margins and ties",
        "With 95 % intervals.",
        [
            result("the first seat's share of wins, above an even one", "first_share"),
            result("the first seat's points, above the others' mean", "first_points", share=False),
            result("points between the best and the next", "margin", share=False),
            result("two or more have the best score", "level"),
            result("the win is shared", "shared"),
        ],
    )
    return [
        (
            False,
            card_html(plays, Card("Wins by seat", f"{note} {report.first}".strip(), [by_seat])),
        ),
        (False, _scores(plays)),
        (False, _lengths(report, plays)),
        (True, card_html(plays, going_first)),
    ]


def _alone(report: Report, plays: Plays) -> list[_CardHtml]:
    words = report.alone
    score = Statistic("outcome", "points", "0", share=False)
    lines = FigureTable([result(words.won, "won"), FigureLine(words.score, score)])
    return [
        (False, _scores(plays)),
        (True, card_html(plays, Card(words.title, words.note, [lines]))),
    ]


def _scores(plays: Plays) -> str:
    means = [
        sum(points.value for points in measured.outcome.points) / measured.table.players
        for measured in plays
    ]
    rows = [Row(i, measured.table.bot, f"mean {means[i]:.1f}") for i, measured in enumerate(plays)]
    histograms = [(row, measured.outcome.scores) for row, measured in zip(rows, plays, strict=True)]
    note = "How often each final score was reached, all seats together."
    return framed("Scores", note, hill_plot("Distribution of scores", histograms))


def _lengths(report: Report, plays: Plays) -> str:
    note = "Moves, dice and cards of a game, all together."
    if len({length for measured in plays for length in measured.outcome.lengths}) == 1:
        turns = plays[0].tally.mean("turns")
        turns_text = f", {turns.value:.0f} {report.turns}" if turns else ""
        length = f"<b>{plays[0].outcome.length.value:.0f}</b> in every game{turns_text}."
        return framed("Length", note, f'<p class="lead">{length}</p>')
    rows = [
        Row(i, measured.table.bot, _length(report, measured)) for i, measured in enumerate(plays)
    ]
    histograms = [
        (row, measured.outcome.lengths) for row, measured in zip(rows, plays, strict=True)
    ]
    return framed("Length", note, hill_plot("Distribution of lengths", histograms))


def _length(report: Report, measured: Measurement) -> str:
    length, turns = measured.outcome.length, measured.tally.mean("turns")
    half = f" ± {number(length.half, False)}" if math.isfinite(length.half) else ""
    return f"{figure_text(length, False)}{half}" + (
        f"; {figure_text(turns, False)} {report.turns}" if turns else ""
    )


# ---------------------------------------------------------------- how it was made


def _method(measured: ByPlayers, command: Sequence[str]) -> str:
    table = next(iter(measured.values()))[0].table
    about = find_game(table.game).about_box(table.options)
    source = f"<p>{escape(about)}</p>" if about else ""
    return f"""<section class="card">
<h3>How it was made</h3>
<p>In every game one kind of bot plays all seats, and each game has its own dice and cards. Random
play is that of souk.simulate, which gives the results; some of its games are examined move by move.
Events within a game depend on each other, so intervals are computed over games; n is the number of
cases. A 95 % interval contains the true value 95 times in 100, so about five in a hundred figures
lie outside theirs.</p>
{source}
<code>{escape(shlex.join(command))}</code>
</section>"""
