"""A report as one web page that needs nothing else."""

import shlex
from collections.abc import Mapping, Sequence
from html import escape

from souk.games import game as find_game
from souk.lab.page import whole_page
from souk.lab.report.measure import Measured, room
from souk.lab.report.parts import Card, Line, number, rows_of, table, told
from souk.lab.report.plots import column_plot, hill_plot

ByPlayers = Mapping[int, Sequence[Measured]]  # the kinds of play, by the number of players


def page(
    game: str, measured: ByPlayers, command: Sequence[str], asides: Mapping[int, Sequence[Card]] | None = None
) -> str:
    """The whole page as HTML. `command`: what makes it again; `asides`: by the number of players, what is told besides."""
    title = f"{find_game(game).title}, by the numbers"
    sections = "\n".join(
        _section(players, plays, (asides or {}).get(players, [])) for players, plays in measured.items()
    )
    body = f"{sections}\n{_method(measured, command)}"
    head = f'{_facts(measured)}\n<p class="lead">{_lead(measured)}</p>\n{_ways(measured)}'
    return whole_page(title, head, body, "Made by Souk.")


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


def _lead(measured: ByPlayers) -> str:
    """What going first is worth to the last kind of play that is named: the strongest, as a rule."""
    found = "; ".join(_verdict(players, plays[-1]) for players, plays in measured.items())
    bot = next(iter(measured.values()))[-1].table.bot
    return f"With {escape(bot)} in every seat: {found}.".replace(" %", "&nbsp;%")


def _verdict(players: int, best: Measured) -> str:
    if players == 1:
        return f"alone it takes <b>{told(best.outcome.points[0], False)}</b> actions on average"
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


def _section(players: int, plays: Sequence[Measured], asides: Sequence[Card]) -> str:
    game = room(plays[0].table.game)
    cards = [*(_common(plays, game) if players > 1 else _alone(plays)), *game.cards(plays), *asides]
    wide = "\n".join(_card(card) for card in cards if card.wide)
    narrow = "\n".join(_card(card) for card in cards if not card.wide)
    return f'<h2 class="part" id="players{players}">{at_table(players)}</h2>\n<div class="plots">\n{narrow}\n</div>\n{wide}'


def _card(card: Card) -> str:
    return f'<section class="card"><h3>{escape(card.title)}</h3><p>{escape(card.note)}</p>{card.content}</section>'


def _common(plays: Sequence[Measured], game: object) -> list[Card]:
    """What is told of every game with two players or more."""
    first = getattr(game, "FIRST", "")
    even = plays[0].outcome.even
    seats = [f"seat {seat}" for seat in range(plays[0].table.players)]
    rows = rows_of(plays, lambda each: f"n = {each.outcome.games:,}")
    wins = [(row, dict(zip(seats, each.outcome.wins, strict=True))) for row, each in zip(rows, plays, strict=True)]
    note = f"Percent of the games, with 95 % intervals; a shared win counts in parts. The dashed line is an even share. {first}"
    return [
        Card("Wins by seat", note, column_plot("Share of wins by seat", wins, seats, even=even)),
        _scores(plays),
        _lengths(plays, game),
        Card("Going first, margins and ties", "With 95 % intervals.", table(plays, _result_lines()), wide=True),
    ]


def _alone(plays: Sequence[Measured]) -> list[Card]:
    lines = [
        Line("the ware was bought", lambda each: each.outcome.won),
        Line("actions", lambda each: each.outcome.points[0], share=False),
    ]
    return [
        _scores(plays),
        Card("The puzzle", "Games that came to nothing count with all their actions.", table(plays, lines), wide=True),
    ]


def _scores(plays: Sequence[Measured]) -> Card:
    rows = rows_of(plays, lambda each: f"mean {sum(p.value for p in each.outcome.points) / each.table.players:.1f}")
    found = [(row, each.outcome.scores) for row, each in zip(rows, plays, strict=True)]
    note = "How often each final score was reached, all seats together."
    return Card("Scores", note, hill_plot("Distribution of scores", found))


def _lengths(plays: Sequence[Measured], game: object) -> Card:
    turns, note = getattr(game, "TURNS", "turns"), "Moves, dice and cards of a game, all together."
    if len({length for each in plays for length in each.outcome.lengths}) == 1:
        length, mean = plays[0].outcome.length, plays[0].tally.mean("turns")
        return Card(
            "Length",
            note,
            f'<p class="lead"><b>{length.value:.0f}</b> in every game, {mean and mean.value:.0f} {turns}.</p>',
        )

    def tell(each: Measured) -> str:
        length = each.outcome.length
        return f"{told(length, False)} ± {number(length.half, False)}; {told(each.tally.mean('turns'), False)} {turns}"

    found = [(row, each.outcome.lengths) for row, each in zip(rows_of(plays, tell), plays, strict=True)]
    return Card("Length", note, hill_plot("Distribution of lengths", found))


def _result_lines() -> list[Line]:
    return [
        Line("the first seat's share of wins, above an even one", lambda each: each.outcome.first_share),
        Line("the first seat's points, above the others' mean", lambda each: each.outcome.first_points, share=False),
        Line("points between the best and the next", lambda each: each.outcome.margin, share=False),
        Line("two or more have the best score", lambda each: each.outcome.level),
        Line("the win is shared", lambda each: each.outcome.shared),
    ]


# ---------------------------------------------------------------- how it was made


def _method(measured: ByPlayers, command: Sequence[str]) -> str:
    table_of = next(iter(measured.values()))[0].table
    about = find_game(table_of.game).about_box(table_of.options)
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
