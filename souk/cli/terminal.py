"""A table in the terminal: you against bots, and replaying a record."""

import random
from collections.abc import Sequence
from typing import Any

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from souk.bots.names import BOTS, PERSON
from souk.bots.registry import named
from souk.cli.progress import prepare_with_progress
from souk.core.errors import IllegalMove
from souk.core.facts import Fact
from souk.core.game import Game
from souk.core.message import Message, sentence
from souk.core.position import Position
from souk.core.record import Record
from souk.games import game as find_game
from souk.games import names as game_names
from souk.games.art.palette import BRASS, LAMP, SAND, SEATS

_SHOWN = 16  # moves listed at once
_ADVISED = 5  # moves of a hint
_WIDE = 100  # columns that every picture fits in
_HELP = "A number or the move itself; [b]board[/b] the board again, [b]all[/b] every move, [b]hint[/b] what the vizier would do, [b]save FILE[/b], [b]q[/b] to leave."


def picture(position: Position, names: Sequence[str]) -> RenderableType:
    """A position drawn for a terminal."""
    if position.game.terminal is None:
        return _fields(position)
    found: RenderableType = position.game.terminal.picture(position.state, list(names), "en")
    return found


def _fields(position: Position) -> RenderableType:
    """A position of a game that has no picture: the fields of what seat 0, the person, may know."""
    table = Table(box=None, show_header=False, padding=(0, 2))
    for name, value in position.to_json(0).items():
        table.add_row(f"[{BRASS}]{name}[/]", escape(str(value)))
    return table


def in_colours(messages: Sequence[Message], names: Sequence[str]) -> Text:
    styled = [f"[{SEATS[i]}]{escape(name)}[/]" for i, name in enumerate(names)]
    return Text.from_markup(sentence(messages, styled))


class Leave(Exception):
    """The player has had enough."""


class TerminalTable:
    """One game in the terminal. Seat 0 is the person; the others are bots, in the order of `against`, again from the
    first where there are fewer."""

    def __init__(
        self, console: Console, game: Game, players: int, seed: int, options: dict[str, Any], against: Sequence[str]
    ) -> None:
        self.console = console
        self.rng = random.Random(seed)
        self.bots = [named(against[seat % len(against)], seed=self.rng.getrandbits(64)) for seat in range(players - 1)]
        self.advisor = named("vizier:quick", seed=self.rng.getrandbits(64))
        self.names = [PERSON, *BOTS[: players - 1]]
        self.record = Record(game, players, names=self.names, **options)

    def run(self) -> None:
        """Play to the end, or until the player leaves."""
        game = self.record.game
        self.console.print(Rule(f"[bold {LAMP}]{game.title}[/]", style=BRASS))
        self.console.print(f"[{SAND}]{game.about}[/]")
        if about := game.box.about(self.record.position.options):
            self.console.print(f"[dim]{escape(about)}[/]", highlight=False)
        self.console.print(f"[dim]The rules: souk rules {game.name}. At the prompt, ? helps.[/]", highlight=False)
        if self.bots:
            who = ", ".join(f"{name} ({bot.name})" for name, bot in zip(self.names[1:], self.bots, strict=True))
            self.console.print(f"[dim]Across from you: {escape(who)}.[/]", highlight=False)
        if self.console.width < _WIDE:
            self.console.print(
                f"[dim]A terminal of {_WIDE} columns shows the board whole; this one has {self.console.width}.[/]"
            )
        while not self.record.position.over:
            self._step()
        self._result()

    def _step(self) -> None:
        before = self.record.position
        if 0 in before.actors:
            self._ask(before)
        elif before.actors:
            seat = before.actors[0]
            self._play(seat, self._bots_move(before, seat))
        else:
            facts: list[Fact] = []
            self.record.draw(self.rng, facts.append)
            self._tell(facts)

    def _bots_move(self, position: Position, seat: int) -> str:
        choice = self.bots[seat - 1].choose(position, seat)
        if choice.fallback:
            self.console.print(f"  [dim]{escape(choice.fallback)}[/]")
        return choice.move

    def _advise(self, position: Position) -> None:
        """What the vizier would think about in the player's place."""
        table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 2))
        for heading in ("the vizier would", "how often", "chance to win", "final score"):
            table.add_column(heading, justify="left" if heading == "the vizier would" else "right")
        for each in self.advisor.choose(position, 0).considered[:_ADVISED]:
            table.add_row(escape(each.move), f"{each.share:.0%}", f"{each.win:.0%}", f"{each.score:.1f}")
        self.console.print(table)

    def _play(self, seat: int, move: str) -> None:
        facts: list[Fact] = []
        self.record.play(seat, move, facts.append)
        self._tell(facts)

    def _tell(self, facts: list[Fact]) -> None:
        self.console.print("  ", in_colours(self.record.game.tell(facts), self.names), sep="")

    # ------------------------------------------------------------ asking

    def _ask(self, position: Position) -> None:
        self.console.print()
        self.console.print(picture(position, self.names))
        codes = position.move_codes(0, max(position.game.widest, _SHOWN + 1))
        listed = [position.game.notation.move_text(position.state, code) for code in codes]
        self._list(position, listed)
        while True:
            answer = self._input(f"[bold {LAMP}]Your move[/] ")
            move = self._understood(position, answer, listed)
            if move is None:
                continue
            try:
                self._play(0, move)
            except IllegalMove as error:
                clause = f" ({error.clause})" if error.clause else ""
                self.console.print(f"  [red]That cannot be:[/] {escape(str(error))}{clause}.")
            else:
                return

    def _list(self, position: Position, listed: list[str]) -> None:
        table = Table(box=None, show_header=False, padding=(0, 2))
        shown = listed[:_SHOWN]
        prospects = [self._prospect(position, move) for move in shown]
        for number, (move, prospect) in enumerate(zip(shown, prospects, strict=True), 1):
            telling = prospect if len(set(prospects)) > 1 else ""
            table.add_row(f"[{LAMP}]{number}[/]", escape(move), f"[dim]{telling}[/]")
        self.console.print(table)
        if len(listed) > _SHOWN:
            self.console.print(f"  [dim]and more, such as {listed[-1]!r}[/]")

    def _prospect(self, position: Position, move: str) -> str:
        """What a move does to the player's score, at once or by the die that follows it."""
        after = position.copy()
        after.play(0, move)
        before = position.scores[0]
        if not (chances := after.chances()):
            gain = after.scores[0] - before
            return f"{gain:+d} at once" if gain else ""
        gains = []
        for outcome, chance in chances.items():
            future = after.copy()
            future.resolve(outcome)
            gains.append((future.scores[0] - before, chance))
        low, high = min(gain for gain, _ in gains), max(gain for gain, _ in gains)
        mean = sum(gain * chance for gain, chance in gains)
        return "" if low == high == 0 else f"{low:+d} to {high:+d}, {mean:+.1f} on average"

    def _understood(self, position: Position, answer: str, listed: list[str]) -> str | None:
        """The move an answer means, or None where it meant something else (or nothing)."""
        if answer.lower() in ("q", "quit", "exit"):
            raise Leave
        if answer in ("", "?", "help"):
            self.console.print("  " + _HELP)
        elif answer in ("b", "board") and not position.is_legal(0, answer):  # B is a move in one of the games
            self.console.print(picture(position, self.names))
            self._list(position, listed)
        elif answer == "hint":
            self._advise(position)
        elif answer == "all":
            self.console.print(", ".join(position.moves(0)))
        elif answer.startswith("save "):
            self._save(answer.removeprefix("save ").strip())
        elif answer.isdecimal() and not position.is_legal(0, answer):
            if 1 <= int(answer) <= len(listed):
                return listed[int(answer) - 1]
            self.console.print(f"  There is no move number {answer}; they go from 1 to {len(listed)}.")
        else:
            return answer
        return None

    def _save(self, path: str) -> None:
        try:
            self.record.save(path)
            self.console.print(f"  Saved. Look at it with: souk replay {escape(path)}")
        except OSError as error:
            self.console.print(f"  [red]Not saved:[/] {escape(str(error))}")

    def _input(self, prompt: str) -> str:
        try:
            return self.console.input(prompt).strip()
        except EOFError:
            raise Leave from None

    def _result(self) -> None:
        position = self.record.position
        self.console.print()
        self.console.print(picture(position, self.names))
        self.console.print(result_panel(position, self.names))
        answer = self._input("[dim]Save the game? A file name, or Enter for no:[/] ")
        if answer:
            self._save(answer)


def result_panel(position: Position, names: Sequence[str]) -> Panel:
    """Who won, with all scores, best first."""
    winners = position.winners
    title = " and ".join(names[seat] for seat in winners) if winners else "Nobody"
    verb = "win" if len(winners) > 1 else "wins"
    lines = Table(box=None, show_header=False)
    for seat in sorted(range(position.players), key=lambda seat: -position.scores[seat]):
        crown = f"[{LAMP}]★[/]" if seat in winners else " "
        lines.add_row(crown, f"[{SEATS[seat]}]{escape(names[seat])}[/]", f"[bold]{position.scores[seat]}[/]")
    return Panel(lines, title=f"[bold {LAMP}]{escape(title)} {verb}[/]", border_style=BRASS, expand=False)


# ---------------------------------------------------------------- sitting down


def sit_down(
    console: Console,
    name: str | None,
    players: int | None,
    seed: int,
    options: dict[str, Any],
    against: Sequence[str],
) -> None:
    """Choose what was not said yet, then play."""
    try:
        game = find_game(name) if name else _choose_game(console)
        count = players if players is not None else _choose_players(console, game)
        table = TerminalTable(console, game, count, seed, options, against)
        if set(against) != {"random"}:
            prepare_with_progress(Console(stderr=True), [game])
        table.run()
    except (Leave, KeyboardInterrupt):
        console.print(f"\n[{SAND}]Until next time.[/]")


def _choose_game(console: Console) -> Game:
    console.print(Rule(f"[bold {LAMP}]Souk[/]", style=BRASS))
    games = [find_game(name) for name in game_names()]
    table = Table(box=None, show_header=False, padding=(0, 2))
    for number, game in enumerate(games, 1):
        table.add_row(f"[{LAMP}]{number}[/]", f"[bold]{game.title}[/]", f"[{SAND}]{game.about}[/]")
    console.print(table)
    while True:
        answer = _answer(console, f"[bold {LAMP}]Which game[/] [dim](1–{len(games)})[/] ")
        if answer.isdecimal() and 1 <= int(answer) <= len(games):
            return games[int(answer) - 1]
        try:
            return find_game(answer.lower())
        except ValueError as error:
            console.print(f"  {escape(str(error))}")


def _choose_players(console: Console, game: Game) -> int:
    low, high = game.players[0], game.players[-1]
    usual = min(high, max(low, 3))
    while True:
        answer = _answer(console, f"[bold {LAMP}]How many players[/] [dim]({low}–{high}, Enter for {usual})[/] ")
        if not answer:
            return usual
        if answer.isdecimal() and int(answer) in game.players:
            return int(answer)
        console.print(f"  {game.title} is for {low} to {high} players.")


def _answer(console: Console, prompt: str) -> str:
    try:
        return console.input(prompt).strip()
    except EOFError:
        raise Leave from None


# ---------------------------------------------------------------- replaying


def replay(console: Console, record: Record, at: int | None, boards: bool) -> None:
    """Tell a recorded game in words. `at`: only the position after that many events; `boards`: draw every position."""
    names = record.names or [f"Seat {seat}" for seat in range(record.position.players)]
    positions = list(record.positions())
    if at is not None:
        if not 0 <= at < len(positions):
            raise ValueError(f"at: this game has 0 to {len(positions) - 1} events, not {at}")
        console.print(picture(positions[at], names))
        return
    options = ", ".join(f"{name} {value}" for name, value in positions[0].options.items())
    console.print(Rule(f"[bold {LAMP}]{record.game.title}[/], {record.date}", style=BRASS))
    console.print(f"[{SAND}]{escape(', '.join(names))}[/]  [dim]{escape(options)}[/]")
    for number, facts in enumerate(record.facts(), 1):
        line = in_colours(record.game.tell(facts), names)
        console.print(f"[dim]{number:>4}[/] ", line, sep="")
        if boards:
            console.print(picture(positions[number], names))
    if not boards:
        console.print(picture(positions[-1], names))
    if positions[-1].over:
        console.print(result_panel(positions[-1], names))
    else:
        console.print("[dim]The game is not finished.[/]")
