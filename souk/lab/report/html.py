"""A report as one web page that needs nothing else."""

import math
import shlex
from collections.abc import Mapping, Sequence
from html import escape

from souk.core.reporting import Beside, Card, Columns, FigureLine, Lines, Reading, Report, result, tabled
from souk.games import game as find_game
from souk.games.art.page import whole_page
from souk.lab.report.cards import Plays, card_html, framed
from souk.lab.report.measuring import Measured
from souk.lab.report.plots import Row, hill_plot
from souk.lab.wording import number, told

ByPlayers = Mapping[int, Plays]  # the kinds of play, by the number of players


def page(
    game: str, measured: ByPlayers, command: Sequence[str], besides: Mapping[int, Sequence[Card]] | None = None
) -> str:
    """The whole page as HTML. `command`: what makes it again; `besides`: by the number of players, what is told without playing."""
    found = find_game(game)
    report = found.report
    sections = "\n".join(
        _section(report, players, plays, (besides or {}).get(players, [])) for players, plays in measured.items()
    )
    body = f"{sections}\n{_method(measured, command)}"
    head = f'{_facts(measured)}\n<p class="lead">{_lead(report, measured)}</p>\n{_ways(measured)}'
    return whole_page(f"{found.title}, by the numbers", head, body, "Made by Souk.")


def at_table(players: int) -> str:
    return f"{players} players" if players > 1 else "Alone"


# ---------------------------------------------------------------- the head


def _facts(measured: ByPlayers) -> str:
    plays = next(iter(measured.values()))
    facts = [f"{', '.join(at_table(players).lower() for players in measured)}"]
    facts += [f"{each.table.bot}: {each.outcome.games:,} games{_looked_at(each)}" for each in plays]
    facts += [f"seed {plays[0].table.seed}"]
    return '<ul class="facts">' + "".join(f"<li>{escape(fact)}</li>" for fact in facts) + "</ul>"


def _looked_at(measured: Measured) -> str:
    return f" ({measured.looked_at:,} of them move by move)" if measured.looked_at < measured.outcome.games else ""


def _lead(report: Report, measured: ByPlayers) -> str:
    """What going first is worth to the last kind of play that is named: the strongest, as a rule."""
    found = "; ".join(_verdict(report, players, plays[-1]) for players, plays in measured.items())
    bot = next(iter(measured.values()))[-1].table.bot
    return f"With {escape(bot)} in every seat: {found}.".replace(" %", "&nbsp;%")


def _verdict(report: Report, players: int, best: Measured) -> str:
    if players == 1:
        return escape(report.alone.verdict).replace("{}", f"<b>{told(best.outcome.points[0], False)}</b>")
    first, even = best.outcome.wins[0], best.outcome.even
    interval = f"{number(first.low, True)} to {number(first.high, True)}"
    compared = "more than" if first.low > even else "less than" if first.high < even else "too near to tell from"
    return (
        f"of {players} players the first wins <b>{told(first, True)}</b> of the games ({interval}), {compared} an even share of "
        f"{number(even, True)}"
    )


def _ways(measured: ByPlayers) -> str:
    if len(measured) < 2:
        return ""
    links = "".join(f'<a href="#players{players}">{at_table(players)}</a>' for players in measured)
    return f'<nav class="ways">{links}</nav>'


# ---------------------------------------------------------------- a number of players


def _section(report: Report, players: int, plays: Plays, besides: Sequence[Card]) -> str:
    general = _of_every_game(report, plays) if players > 1 else _alone(report, plays)
    own = [*report.cards(plays[0].table.start()), *besides]
    cards = [*general, *((card.wide, card_html(plays, card)) for card in own)]
    narrow, wide = ("\n".join(html for each, html in cards if each == kind) for kind in (False, True))
    return f'<h2 class="part" id="players{players}">{at_table(players)}</h2>\n<div class="plots">\n{narrow}\n</div>\n{wide}'


_Told = tuple[bool, str]  # a card: whether it is a wide one, and its HTML


def _of_every_game(report: Report, plays: Plays) -> list[_Told]:
    """What is told of every game with two players or more."""
    wins = {f"seat {seat}": Reading("outcome", "wins", str(seat)) for seat in range(plays[0].table.players)}
    games = Beside("n = {}", cases=(Reading("outcome", "won"),))
    by_seat = Columns("Share of wins by seat", wins, games, even=plays[0].outcome.even)
    note = "Percent of the games, with 95 % intervals; a shared win counts in parts. The dashed line is an even share."
    going_first = tabled(
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
        (False, card_html(plays, Card("Wins by seat", f"{note} {report.first}".strip(), [by_seat]))),
        (False, _scores(plays)),
        (False, _lengths(report, plays)),
        (True, card_html(plays, going_first)),
    ]


def _alone(report: Report, plays: Plays) -> list[_Told]:
    words = report.alone
    score = Reading("outcome", "points", "0", share=False)
    lines = Lines([result(words.won, "won"), FigureLine(words.score, score)])
    return [(False, _scores(plays)), (True, card_html(plays, Card(words.title, words.note, [lines])))]


def _scores(plays: Plays) -> str:
    means = [sum(points.value for points in each.outcome.points) / each.table.players for each in plays]
    rows = [Row(i, each.table.bot, f"mean {means[i]:.1f}") for i, each in enumerate(plays)]
    found = [(row, each.outcome.scores) for row, each in zip(rows, plays, strict=True)]
    note = "How often each final score was reached, all seats together."
    return framed("Scores", note, hill_plot("Distribution of scores", found))


def _lengths(report: Report, plays: Plays) -> str:
    note = "Moves, dice and cards of a game, all together."
    if len({length for each in plays for length in each.outcome.lengths}) == 1:
        turns = plays[0].tally.mean("turns")
        more = f", {turns.value:.0f} {report.turns}" if turns else ""
        length = f"<b>{plays[0].outcome.length.value:.0f}</b> in every game{more}."
        return framed("Length", note, f'<p class="lead">{length}</p>')
    rows = [Row(i, each.table.bot, _length(report, each)) for i, each in enumerate(plays)]
    found = [(row, each.outcome.lengths) for row, each in zip(rows, plays, strict=True)]
    return framed("Length", note, hill_plot("Distribution of lengths", found))


def _length(report: Report, measured: Measured) -> str:
    length, turns = measured.outcome.length, measured.tally.mean("turns")
    half = f" ± {number(length.half, False)}" if math.isfinite(length.half) else ""
    return f"{told(length, False)}{half}" + (f"; {told(turns, False)} {report.turns}" if turns else "")


# ---------------------------------------------------------------- how it was made


def _method(measured: ByPlayers, command: Sequence[str]) -> str:
    table = next(iter(measured.values()))[0].table
    about = find_game(table.game).about_box(table.options)
    source = f"<p>{escape(about)}</p>" if about else ""
    return f"""<section class="card">
<h3>How it was made</h3>
<p>In every game the same kind of bot sits in all seats, and each game has dice and cards of its own. Random play is that of souk.simulate, which
gives the results; some of its games are looked at move by move. What happens within a game hangs together, so the
intervals of such figures are taken over games; n counts the cases. An interval holds the true value 95 times in 100, so among a
hundred figures about five will be outside of theirs.</p>
{source}
<code>{escape(shlex.join(command))}</code>
</section>"""
