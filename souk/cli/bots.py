"""The bots on the command line: who there is, and by which minds the vizier judges."""

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from souk.bots.registry import KINDS, PACES
from souk.core.game import Game
from souk.core.message import Words
from souk.games import game as find_game
from souk.games import names as game_names
from souk.games.art.palette import BRASS, LAMP, SAND
from souk.minds.shelf import mind_of, pedigree_of


def list_bots(console: Console, language: str) -> None:
    """All that can be said of them, with how to name one."""
    words = Words(language)
    console.print(_kinds(words))
    paces = ", ".join(f"{pace} {seconds:g} s" for pace, seconds in PACES.items())
    console.print(f"\n[dim]{escape(words('terminal.bots.how', paces=paces))}[/]\n")
    console.print(minds(words, [find_game(name) for name in game_names()]))
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


def minds(words: Words, games: list[Game]) -> Table:
    """By which mind the vizier judges in each game, by number of players, with its pedigree in a line; where there is none, by insight."""
    table = _table(words, "game", "players", "judges")
    for game in games:
        name = game.title_in(words.language)
        for players, said in _judging(words, game):
            table.add_row(f"[{LAMP}]{escape(name)}[/]", players, f"[{SAND}]{escape(said)}[/]")
            name = ""
    return table


def _judging(words: Words, game: Game) -> Iterator[tuple[str, str]]:
    """For each number of players that has learned, how; then for all others that nothing was learned."""
    pedigree = pedigree_of(game)
    learned = [players for players in game.players if mind_of(game, players)["awake"][0]]
    for players in learned:
        yield str(players), _pedigree(words, pedigree.get(str(players), {}))
    if rest := [str(players) for players in game.players if players not in learned]:
        yield ", ".join(rest), words("terminal.bots.by_insight")


def _pedigree(words: Words, about: dict[str, Any]) -> str:
    """In a line: how much was learned from, for how long and where, and how the match ended that the last mind had to win."""
    rounds = about.get("rounds", [])
    if not rounds:
        return words("terminal.bots.by_mind")
    minutes = max(1, round(sum(sum(each["seconds"].values()) for each in rounds) / 60))
    positions = sum(each["positions"] for each in rounds)
    said = words(
        "terminal.bots.learned",
        rounds=len(rounds),
        positions=positions,
        minutes=minutes,
        device=about.get("device") or "cpu",
    )
    if kept := [each for each in rounds if each["kept"]]:
        figures = {name: kept[-1][name] for name in ("share", "low", "high", "games")}
        said += "; " + words("terminal.bots.beat", **figures)
    return said
