"""A training run as a self-contained web page."""

import shlex
from html import escape
from pathlib import Path

import msgspec

from souk.drawing.html_page import Cell, badge, card, fact_list, results_table, whole_page
from souk.games import game as find_game
from souk.lab.formatting import long_time, percent
from souk.lab.training import plots
from souk.lab.training.history import History, Round, strength
from souk.lab.training.settings import TrainingSettings
from souk.nets import loader

PAGE = "training.html"
_HEADINGS = "round", "wins", "95 % interval", "games", "positions", "chances", "score", "time", ""
# Settings by name of their command line option.
_OPTIONS = {
    "players": "players",
    "seed": "seed",
    "positions": "positions",
    "random-opening": "random_opening",
    "playouts": "playouts",
    "search-weight": "search_weight",
    "bootstrap-passes": "bootstrap_passes",
    "td-lambda": "td_lambda",
    "correction-scale": "correction_scale",
    "pairs": "most_pairs",
}


def write_page(path: Path, history: History) -> None:
    path.write_text(page(history), encoding="utf-8")


def page(history: History) -> str:
    """The whole page as HTML; needs at least one round."""
    title = f"A net for {find_game(history.settings.game).title}"
    head = f"""{_facts(history)}
<p class="lead">{_verdict(history).replace(" %", "&nbsp;%")}</p>"""
    body = f"""<section class="card">
<h2>Rounds</h2>
{_rounds(history)}
</section>
<div class="plots">
{_plots(history)}
</div>
{_method(history)}"""
    return whole_page(
        title, head, body, "Made by Souk. The figures are in training.json beside this page."
    )


def command(settings: TrainingSettings, rounds: int) -> str:
    """The command that repeats this training up to a number of rounds."""
    words = ["souk", "train", settings.game, "--rounds", str(rounds)]
    defaults = TrainingSettings(game=settings.game, players=0)
    for option, name in _OPTIONS.items():
        if getattr(settings, name) != getattr(defaults, name):
            words += [f"--{option}", str(getattr(settings, name))]
    if settings.initial_net != loader.NONE:
        words += ["--initial-net", settings.initial_net or "own"]
    words += ["--gpu-games"] * settings.gpu_games
    return shlex.join(
        words + ["--no-win-head"] * (not settings.win_head) + ["--no-gate"] * (not settings.gated)
    )


# ---------------------------------------------------------------- the head


def _facts(history: History) -> str:
    rounds = len(history.rounds)
    facts = [
        f"{history.settings.players} player{'s' * (history.settings.players != 1)}",
        f"{rounds} round{'s' * (rounds != 1)}, {len(history.kept)} kept",
        f"{sum(finished.positions for finished in history.rounds):,} positions",
        long_time(history.seconds),
        escape(history.device),
        f"seed {history.settings.seed}",
    ]
    return fact_list(facts)


def _verdict(history: History) -> str:
    """The current state in two or three sentences."""
    begin = {"": "the game's own net", loader.NONE: "no net"}.get(
        history.settings.initial_net, history.settings.initial_net
    )
    last = history.rounds[-1]
    text = f"It began with <b>{escape(begin)}</b>. "
    if history.kept:
        gained = sum(strength(finished.share) for finished in history.kept)
        text += (
            f"The best net is that of round <b>{history.kept[-1].number}</b>, "
            f"{gained:+.0f} Elo points stronger, if the matches' differences are added up. "
        )
    else:
        text += "No net has won its match yet. "
    interval = f"{percent(last.low)} to {percent(last.high)}"
    share = f"{percent(last.share)} of {last.games:,} games (95 % interval {interval})"
    return (
        f"{text}The net of round {last.number} won {share} against the best before it, "
        f"and was {_fate(last)}."
    )


def _fate(finished: Round) -> str:
    return "kept" if finished.kept else "not kept"


# ---------------------------------------------------------------- rounds


def _rounds(history: History) -> str:
    gate = (
        "A net is kept if its whole interval is above one half."
        if history.settings.gated
        else "Every net is kept."
    )
    note = (
        f"Wins are against the best net before. {gate} "
        "Chances and score are errors in held-out games, in brackets without a net."
    )
    return results_table(_HEADINGS, map(_row, history.rounds), note)


def _row(finished: Round) -> list[Cell]:
    return [
        ("who", f"{badge(0 if finished.kept else 2)}{finished.number}"),
        ("share", percent(finished.share)),
        ("interval", f"{percent(max(0.0, finished.low))} – {percent(min(1.0, finished.high))}"),
        ("", f"{finished.games:,}"),
        ("", f"{finished.positions:,}"),
        ("", f"{finished.chances:.3f} <small>({finished.chances_before:.3f})</small>"),
        ("", f"{finished.score:.2f} <small>({finished.score_before:.2f})</small>"),
        ("", long_time(sum(finished.seconds.values()))),
        ("", _fate(finished)),
    ]


# ---------------------------------------------------------------- plots and settings


def _key(number: int, name: str) -> str:
    """A legend entry: a chip and its meaning."""
    return f"{badge(number)} {name}"


def _plots(history: History) -> str:
    rounds = history.rounds
    both = f"{_key(0, 'heuristics alone')}, {_key(1, 'the new net')}. Lower is better."
    even = '<span class="key"></span> is even.'
    cards = [
        (
            "Share of wins",
            f"Against the best net before: {_key(0, 'kept')}, {_key(2, 'not kept')}. {even}",
            plots.share_plot(rounds),
        ),
        (
            "Strength gained",
            "Elo points, added up over the nets that were kept.",
            plots.strength_plot(rounds),
        ),
        (
            "Chances to win",
            f"Cross entropy of the winner, by round: {both}",
            plots.error_plot(rounds, "chances"),
        ),
        (
            "Final scores",
            f"Root mean square error in points, by round: {both}",
            plots.error_plot(rounds, "score"),
        ),
        ("Loss", f"During the batches of round {rounds[-1].number}.", plots.loss_plot(rounds[-1])),
        ("Time", "Of all rounds, by activity.", plots.time_plot(rounds)),
    ]
    return "\n".join(card(*content) for content in cards)


def _method(history: History) -> str:
    settings = msgspec.structs.asdict(history.settings)
    facts = {"version": history.version, "device": history.device, **settings}
    listed = "".join(
        f"<dt>{name}</dt><dd>{escape(str(value))}</dd>"
        for name, value in facts.items()
        if value != ""
    )
    return f"""<section class="card">
<h2>How it was trained</h2>
<p>In every round the best net so far plays games against itself, with searches of a few playouts.
Some quiet positions are recorded with their features, the result of the search, and the result of
the game. A new net learns to predict final scores and win chances. Then it plays a match against
the best net, in pairs of games with the same dice and swapped seats. The same command and seed give
the same weights on the same machine.</p>
<code>{escape(command(history.settings, len(history.rounds)))}</code>
<details><summary>All settings</summary><dl>{listed}</dl></details>
</section>"""
