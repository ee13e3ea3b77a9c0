"""`souk bots`: the bots, and the value nets of the vizier."""

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from souk.bots.registry import KINDS, PACES
from souk.core.game import Game
from souk.core.messages import Words
from souk.drawing.palette import BRASS, LAMP, SAND
from souk.games import game as find_game
from souk.games import names as game_names
from souk.nets.loader import net_of, pedigree_of


def list_bots(console: Console, language: str) -> None:
    """List the bots and how to name one."""
    words = Words(language)
    console.print(_kinds(words))
    paces = ", ".join(f"{pace} {seconds:g} s" for pace, seconds in PACES.items())
    console.print(f"\n[dim]{escape(words('terminal.bots.how', paces=paces))}[/]\n")
    console.print(nets(words, [find_game(name) for name in game_names()]))
    console.print(f"\n[dim]{escape(words('terminal.bots.other_mind'))}[/]")


def _table(words: Words, *headings: str) -> Table:
    table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 2))
    for heading in headings:
        table.add_column(words(f"terminal.bots.{heading}"))
    return table


def _kinds(words: Words) -> Table:
    table = _table(words, "name", "manner", "settings")
    for name, kind in KINDS.items():
        settings = ", ".join([*kind.paces, *(f"{setting}=…" for setting in kind.settings)])
        table.add_row(f"[{LAMP}]{name}[/]", words(f"level.{name}.manner"), f"[{SAND}]{settings}[/]")
    program = words("level.exec.manner")
    table.add_row(f"[{LAMP}]exec:PROGRAM[/]", program, f"[{SAND}]exec:seconds=…:PROGRAM[/]")
    return table


def nets(words: Words, games: list[Game]) -> Table:
    """A table of the vizier's evaluation by game and number of players: a net, or heuristics."""
    table = _table(words, "game", "players", "judges")
    for game in games:
        name = game.title_in(words.language)
        for players, text in _evaluations(words, game):
            table.add_row(f"[{LAMP}]{escape(name)}[/]", players, f"[{SAND}]{escape(text)}[/]")
            name = ""
    return table


def _evaluations(words: Words, game: Game) -> Iterator[tuple[str, str]]:
    """The evaluation for each number of players with a net, then for all others."""
    pedigree = pedigree_of(game)
    learned = [players for players in game.players if net_of(game, players)["awake"][0]]
    for players in learned:
        yield str(players), _pedigree(words, pedigree.get(str(players), {}))
    if rest := [str(players) for players in game.players if players not in learned]:
        yield ", ".join(rest), words("terminal.bots.by_insight")


def _pedigree(words: Words, about: dict[str, Any]) -> str:
    """A line about a net: training data, time and device, and the last match it won."""
    rounds = about.get("rounds", [])
    if not rounds:
        return words("terminal.bots.by_mind")
    minutes = max(1, round(sum(sum(one["seconds"].values()) for one in rounds) / 60))
    positions = sum(one["positions"] for one in rounds)
    text = words(
        "terminal.bots.learned",
        rounds=len(rounds),
        positions=positions,
        minutes=minutes,
        device=about.get("device") or "cpu",
    )
    if kept := [one for one in rounds if one["kept"]]:
        figures = {name: kept[-1][name] for name in ("share", "low", "high", "games")}
        text += "; " + words("terminal.bots.beat", **figures)
    return text
