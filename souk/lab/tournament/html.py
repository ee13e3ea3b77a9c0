"""A tournament as a self-contained web page."""

import json
import math
import shlex
from collections.abc import Sequence
from html import escape
from pathlib import Path

from souk.drawing.html_page import Cell, badge, card, fact_list, results_table, whole_page
from souk.games import game as find_game
from souk.lab.formatting import duration, percent
from souk.lab.statistics import Figure
from souk.lab.table_spec import TableSpec
from souk.lab.tournament import plots
from souk.lab.tournament.ratings import Ratings
from souk.lab.tournament.results import GameResults
from souk.lab.tournament.standings import (
    Standing,
    against_even,
    head_to_head,
    share_by_seat,
    standings,
)
from souk.lab.tournament.tournament import Tournament

_HEADINGS = (
    "entrant",
    "wins",
    "95 % interval",
    "fair share",
    "games",
    "rating",
    "mean score",
    "time per move",
)


def write_page(path: Path, tournament: Tournament) -> None:
    path.write_text(page(tournament), encoding="utf-8")


def page(tournament: Tournament) -> str:
    """The whole page as HTML; needs at least one game."""
    table, results = tournament.table, tournament.results
    ratings = Ratings(len(table.bots)).follow(results)
    rows = standings(results, table.bots, ratings)
    title = f"{find_game(table.game).title} tournament"
    head = f"""{_facts(table, results)}
<p class="lead">{_verdict(rows).replace(" %", "&nbsp;%")}</p>"""
    body = f"""<section class="card">
<h2>Standings</h2>
{_standings(rows)}
{_failures(rows)}
</section>
<div class="plots">
{_plots(rows, results, ratings)}
</div>
{_method(table, results)}"""
    return whole_page(
        title,
        head,
        body,
        "Made by Souk. The figures are in standings.csv and games.csv beside this page.",
    )


# ---------------------------------------------------------------- the head


def _facts(table: TableSpec, results: GameResults) -> str:
    deals = len(set(results.deals.tolist()))
    facts = [
        f"{len(table.bots)} entrants",
        f"{table.players} players at a table",
        f"{len(results.games):,} game{'s' * (len(results.games) != 1)} "
        f"in {deals:,} deal{'s' * (deals != 1)}",
        f"seed {table.seed}",
    ]
    facts += [f"{table.seconds:g} s a move"] if table.seconds else []
    return fact_list(facts)


def _verdict(rows: Sequence[Standing]) -> str:
    """The result in one or two sentences, claiming no more than the intervals support."""
    first, second = rows[0], rows[1]
    interval = f"{percent(first.share.low)} to {percent(first.share.high)}"
    share = f"{percent(first.share.value)} of its games (95 % interval {interval})"
    result = (
        f"<b>{escape(first.name)}</b> won {share}; a fair share would be {percent(first.even)}."
    )
    if not second.games:
        return result
    if first.share.low / first.even > second.share.high / second.even:
        lead = f"{escape(second.name)} at {percent(second.share.value)}"
        return f"{result} That is clearly ahead of {lead}."
    return (
        f"{result} Its interval overlaps that of {escape(second.name)}: "
        "these games do not show for certain which is stronger."
    )


# ---------------------------------------------------------------- the standings


def _interval(figure: Figure) -> str:
    half = f" <small>± {figure.half:.1f}</small>" if math.isfinite(figure.half) else ""
    return f"{figure.value:.1f}{half}"


def _standings(rows: Sequence[Standing]) -> str:
    note = "▲ significantly above, ▼ below a fair share; ± is half a 95 % interval."
    return results_table(_HEADINGS, map(_standing, rows), note)


def _standing(row: Standing) -> list[Cell]:
    name, games = ("who", badge(row.entrant) + escape(row.name)), ("", f"{row.games:,}")
    if not row.games:
        return [name, ("share", "–"), ("interval", "–"), ("", "–"), games]
    interval = f"{percent(row.share.low)} – {percent(row.share.high)} {against_even(row)}"
    return [
        name,
        ("share", percent(row.share.value)),
        ("interval", interval),
        ("", percent(row.even)),
        games,
        ("", f"{row.rating.mu:.1f} <small>± {2 * row.rating.sigma:.1f}</small>"),
        ("", _interval(row.score)),
        ("", duration(row.move_seconds)),
    ]


def _failures(rows: Sequence[Standing]) -> str:
    failures = [
        f"{escape(row.name)} failed at {row.fallbacks:,} of its {row.moves:,} moves"
        for row in rows
        if row.fallbacks
    ]
    return f"<p>{'; '.join(failures)}. A fallback bot made these moves.</p>" if failures else ""


# ---------------------------------------------------------------- plots and settings


def _plots(rows: Sequence[Standing], results: GameResults, ratings: Ratings) -> str:
    entrants = len(rows)
    even = '<span class="key"></span> marks a fair share.'
    cards = [
        ("Share of wins", f"With 95 % intervals over deals. {even}", plots.share_plot(rows)),
        (
            "Head to head",
            "How often, in percent, the row's entrant finished ahead of the column's.",
            plots.meeting_plot(rows, head_to_head(results, entrants)),
        ),
        (
            "Rating, game by game",
            "Openskill, from the finishing order of each game.",
            plots.rating_plot(rows, ratings.history),
        ),
        (
            "Scores",
            "How often each score was reached; the vertical line is the median.",
            plots.score_plot(rows, results),
        ),
        (
            "Time per move",
            "The chip is the mean, the cap the longest; logarithmic scale.",
            plots.time_plot(rows),
        ),
        (
            "Share of wins by seat",
            "Of the games the entrant played in that seat.",
            plots.seat_plot(rows, *share_by_seat(results, entrants)),
        ),
    ]
    return "\n".join(card(*content) for content in cards)


def command(table: TableSpec, games: int) -> str:
    """The command that plays this tournament."""
    words = ["souk", "tournament", table.game, *table.bots, "--players", str(table.players)]
    words += ["--games", str(games), "--seed", str(table.seed)]
    words += ["--seconds", f"{table.seconds:g}"] if table.seconds else []
    usual = find_game(table.game).options(table.players)
    for name, value in table.options.items():
        if name not in usual or value != usual[name]:
            words += ["--option", f"{name}={json.dumps(value)}"]
    return shlex.join(words)


def _method(table: TableSpec, results: GameResults) -> str:
    options = (
        ", ".join(f"{name} = {json.dumps(value)}" for name, value in table.options.items())
        or "none"
    )
    lines = {
        "Entrants": ", ".join(table.bots),
        "Options": options,
        "Time per move": f"{table.seconds:g} s, unless set in a name"
        if table.seconds
        else "as set in the names",
        "Rules version": str(table.rules),
    }
    listed = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in lines.items())
    return f"""<section class="card">
<h2>How it was played</h2>
<dl>{listed}</dl>
<p>A deal is one stream of dice and cards and one line-up of entrants. It is played {table.players}
times with rotated seats. In each of these games, the n-th die or card is drawn with the same
random number, so that luck and seats even out. If a rotation repeats the line-up early, the rest
is a deal with other dice. The games of a deal depend on each other, so intervals are computed over
deals. A shared win counts in equal fractions. A rating starts at 25; its ± is two standard
deviations.</p>
<code>{escape(command(table, len(results.games)))}</code>
</section>"""
