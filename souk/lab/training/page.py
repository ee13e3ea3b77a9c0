"""A training as one web page that needs nothing else: its rounds, its plots, its settings, by lamplight or by day."""

import shlex
from html import escape
from pathlib import Path

import msgspec

from souk.games import game as find_game
from souk.games.art.page import whole_page
from souk.games.art.plots import chip
from souk.lab.training import plots
from souk.lab.training.annals import Annals, Curriculum, Round, strength
from souk.lab.wording import long_time, percent
from souk.minds import shelf

PAGE = "training.html"
_HEADINGS = "round", "wins", "95 % interval", "games", "positions", "chances", "score", "time", ""
# The settings that have an option of the command line, by its name.
_OPTIONS = {
    "players": "players",
    "seed": "seed",
    "positions": "positions",
    "scramble": "scramble",
    "playouts": "playouts",
    "trust": "trust",
    "reviews": "reviews",
    "hindsight": "hindsight",
    "belief": "belief",
    "pairs": "most_pairs",
}


def write_page(path: Path, annals: Annals) -> None:
    path.write_text(page(annals), encoding="utf-8")


def page(annals: Annals) -> str:
    """The whole page as HTML; there must be a round at least."""
    title = f"A mind for {find_game(annals.settings.game).title}"
    head = f"""{_facts(annals)}
<p class="lead">{_verdict(annals).replace(" %", "&nbsp;%")}</p>"""
    body = f"""<section class="card">
<h2>Rounds</h2>
{_rounds(annals)}
</section>
<div class="plots">
{_plots(annals)}
</div>
{_method(annals)}"""
    return whole_page(title, head, body, "Made by Souk. The figures are in training.json beside this page.")


def command(settings: Curriculum, rounds: int) -> str:
    """The command that makes this training again, up to so many rounds."""
    words = ["souk", "train", settings.game, "--rounds", str(rounds)]
    usual = Curriculum(game=settings.game, players=0)
    for option, name in _OPTIONS.items():
        if getattr(settings, name) != getattr(usual, name):
            words += [f"--{option}", str(getattr(settings, name))]
    if settings.begin != shelf.NONE:
        words += ["--begin", settings.begin or "own"]
    words += ["--gpu-games"] * settings.gpu_games
    return shlex.join(words + ["--no-tilts"] * (not settings.tilts) + ["--no-gate"] * (not settings.gated))


# ---------------------------------------------------------------- the head


def _facts(annals: Annals) -> str:
    rounds = len(annals.rounds)
    facts = [
        f"{annals.settings.players} player{'s' * (annals.settings.players != 1)}",
        f"{rounds} round{'s' * (rounds != 1)}, {len(annals.kept)} kept",
        f"{sum(each.positions for each in annals.rounds):,} positions",
        long_time(annals.seconds),
        escape(annals.device),
        f"seed {annals.settings.seed}",
    ]
    return '<ul class="facts">' + "".join(f"<li>{fact}</li>" for fact in facts) + "</ul>"


def _verdict(annals: Annals) -> str:
    """Where it stands, in a sentence or two."""
    begin = {"": "the game's own mind", shelf.NONE: "no mind at all"}.get(annals.settings.begin, annals.settings.begin)
    last = annals.rounds[-1]
    told = f"It began with <b>{escape(begin)}</b>. "
    if annals.kept:
        gained = sum(strength(each.share) for each in annals.kept)
        told += f"The best mind is that of round <b>{annals.kept[-1].number}</b>, {gained:+.0f} points of Elo from there, as far as matches add up. "
    else:
        told += "No mind has won its match yet. "
    share = f"{percent(last.share)} of {last.games:,} games (95 % interval {percent(last.low)} to {percent(last.high)})"
    return f"{told}That of round {last.number} won {share} against the best before it, and was {_fate(last)}."


def _fate(each: Round) -> str:
    return "kept" if each.kept else "not kept"


# ---------------------------------------------------------------- rounds


def _rounds(annals: Annals) -> str:
    heads = "".join(f'<th scope="col"{" class=who" * (head == "round")}>{head}</th>' for head in _HEADINGS)
    body = "\n".join(_row(each) for each in annals.rounds)
    gate = "A mind is kept if its whole interval is above one half." if annals.settings.gated else "Every mind is kept."
    note = f"Wins are against the best mind before. {gate} Chances and score: how far off they are in games that were held out, in brackets without a mind."
    return f"<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table>\n<p>{note}</p>"


def _row(each: Round) -> str:
    badge = f'<svg viewBox="-9 -9 18 18" aria-hidden="true">{chip(0 if each.kept else 2)}</svg>'
    cells = [
        ("who", f"{badge}{each.number}"),
        ("share", percent(each.share)),
        ("interval", f"{percent(max(0.0, each.low))} – {percent(min(1.0, each.high))}"),
        ("", f"{each.games:,}"),
        ("", f"{each.positions:,}"),
        ("", f"{each.chances:.3f} <small>({each.chances_before:.3f})</small>"),
        ("", f"{each.score:.2f} <small>({each.score_before:.2f})</small>"),
        ("", long_time(sum(each.seconds.values()))),
        ("", _fate(each)),
    ]
    told = zip(_HEADINGS, cells, strict=True)
    return "<tr>" + "".join(
        f'<td class="{css}" data-label="{head}"><span>{content}</span></td>' for head, (css, content) in told
    ) + "</tr>"  # fmt: skip


# ---------------------------------------------------------------- plots and settings


def _key(number: int, name: str) -> str:
    """A chip in the text above a plot, and what it stands for."""
    return f'<svg viewBox="-9 -9 18 18" aria-hidden="true">{chip(number)}</svg> {name}'


def _plots(annals: Annals) -> str:
    rounds, both = annals.rounds, f"{_key(0, 'the outlook alone')}, {_key(1, 'the new mind')}. Lower is better."
    even = '<span class="key"></span> is even.'
    cards = [
        (
            "Share of wins",
            f"Against the best before, by round: {_key(0, 'kept')}, {_key(2, 'not kept')}. {even}",
            plots.share_plot(rounds),
        ),
        ("Strength gained", "In points of Elo, added up over the minds that were kept.", plots.strength_plot(rounds)),
        ("Chances to win", f"Cross entropy of who won, by round: {both}", plots.error_plot(rounds, "chances")),
        ("Final scores", f"Points (root mean square), by round: {both}", plots.error_plot(rounds, "score")),
        ("Loss", f"On the way through the batches of round {rounds[-1].number}.", plots.loss_plot(rounds[-1])),
        ("Time", "Of all rounds, by what was done.", plots.time_plot(rounds)),
    ]
    return "\n".join(
        f'<section class="card"><h2>{head}</h2><p>{note}</p>{plot}</section>' for head, note, plot in cards
    )


def _method(annals: Annals) -> str:
    settings = msgspec.structs.asdict(annals.settings)
    about = {"version": annals.version, "device": annals.device, **settings}
    listed = "".join(f"<dt>{name}</dt><dd>{escape(str(value))}</dd>" for name, value in about.items() if value != "")
    return f"""<section class="card">
<h2>How it was trained</h2>
<p>In every round the best mind so far plays games against itself, by searches of a few playouts. At some quiet positions it is written down what can be
seen, what the search found, and how the game ended. A new net learns to say the final scores and the chances to win; then it plays a match
against the best, in pairs of games with the same dice and changed seats. The same command with the same seed gives the same weights on the same machine.</p>
<code>{escape(command(annals.settings, len(annals.rounds)))}</code>
<details><summary>All settings</summary><dl>{listed}</dl></details>
</section>"""
