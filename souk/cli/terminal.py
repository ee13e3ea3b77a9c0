"""Playing against bots and replaying records in the terminal, in any of the languages."""

import random
from collections.abc import Sequence
from typing import Any

from rich.console import Console, JustifyMethod
from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from souk.bots.names import BOT_NAMES, gender
from souk.bots.registry import make_bot, searches
from souk.cli.progress import prepare_with_progress
from souk.core.errors import IllegalMove
from souk.core.facts import Fact
from souk.core.game import Game
from souk.core.messages import Message, Seat, Words
from souk.core.plurals import written
from souk.core.position import Position
from souk.core.record import Record
from souk.core.seat_view import SeatView
from souk.drawing.palette import BRASS, LAMP, SAND, SEATS
from souk.drawing.terminal import COLUMNS, picture
from souk.games import game as find_game
from souk.games import names as game_names
from souk.kernel.interpreter import without_compiling

_SHOWN = 16  # moves listed at once
_ADVISED = 5  # moves of a hint
_COMMANDS = ("board", "all", "hint", "save FILE", "q")
_PERSON, _SPECTATOR = 0, -1  # viewpoints while playing and while replaying


def in_colours(
    messages: Sequence[Message], names: Sequence[str], language: str, you: int | None = None
) -> Text:
    """Log messages with names in seat colours, addressed to seat `you` or to a spectator."""
    styled = [f"[{SEATS[i]}]{escape(name)}[/]" for i, name in enumerate(names)]
    pronouns = ["" if you in (None, seat) else gender(name) for seat, name in enumerate(names)]
    return Text.from_markup(Words(language, styled, you=you, gender=pronouns).say(*messages))


class Leave(Exception):
    """The player quits."""


class TerminalTable:
    """One game in the terminal. Seat 0 is the person; bots take the others, repeating `against`."""

    def __init__(
        self,
        console: Console,
        game: Game,
        players: int,
        seed: int,
        options: dict[str, Any],
        against: Sequence[str],
        language: str = "en",
    ) -> None:
        self.console, self.language, self.words = console, language, Words(language)
        self.rng = random.Random(seed)
        self.bots = [
            make_bot(against[seat % len(against)], seed=self.rng.getrandbits(64))
            for seat in range(players - 1)
        ]
        for bot in self.bots:
            bot.check(game)
        self.advisor = make_bot("vizier:quick", seed=self.rng.getrandbits(64))
        self.names = [self.words("terminal.person"), *BOT_NAMES[: players - 1]]
        self.record = Record(game, players, names=self.names, **options)

    def run(self) -> None:
        """Play until the game is over or the player leaves."""
        self._introduce()
        while not self.record.position.over:
            self._step()
        self._result()

    def _introduce(self) -> None:
        game, words = self.record.game, self.words
        self.console.print(Rule(f"[bold {LAMP}]{game.title_in(self.language)}[/]", style=BRASS))
        self.console.print(f"[{SAND}]{game.about_in(self.language)}[/]")
        if about := game.about_box(self.record.position.options, self.language):
            self._whisper(about)
        self._whisper(words("terminal.rules", command=f"souk rules {game.name}"))
        if self.bots:
            who = [
                f"{name} ({bot.name})" for name, bot in zip(self.names[1:], self.bots, strict=True)
            ]
            self._whisper(words("terminal.opponents", who=who))
        if self.console.width < COLUMNS:
            self._whisper(words("terminal.narrow", wanted=COLUMNS, n=self.console.width))

    def _whisper(self, line: str) -> None:
        self.console.print(f"[dim]{escape(line)}[/]", highlight=False)

    def _draw(self, position: Position) -> None:
        self.console.print(picture(SeatView.of(position, _PERSON), self.names, self.language))

    def _step(self) -> None:
        before = self.record.position
        if _PERSON in before.actors:
            self._ask(before)
        elif before.actors:
            seat = before.actors[0]
            self._play(seat, self._bots_move(before, seat))
        else:
            facts: list[Fact] = []
            self.record.draw(self.rng, facts.append)
            self._tell(facts)

    def _bots_move(self, position: Position, seat: int) -> str:
        choice = self.bots[seat - 1].choose(position, seat, self.record.noticed)
        if choice.fallback:
            self.console.print(f"  [dim]{escape(choice.fallback)}[/]")
        return choice.move

    def _advise(self, position: Position) -> None:
        """Show what the vizier would consider."""
        table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 2))
        for heading in ("would", "share", "win", "score"):
            justify: JustifyMethod = "left" if heading == "would" else "right"
            table.add_column(self.words(f"terminal.hint.{heading}"), justify=justify)
        choice = self.advisor.choose(position, _PERSON, self.record.noticed)
        for entry in choice.considered[:_ADVISED]:
            share, win = (
                written(self.language, chance, percent=True) for chance in (entry.share, entry.win)
            )
            score = written(self.language, entry.score, decimals=1)
            table.add_row(escape(entry.move), share, win, score)
        self.console.print(table)

    def _play(self, seat: int, move: str) -> None:
        facts: list[Fact] = []
        self.record.play(seat, move, facts.append)
        self._tell(facts)

    def _tell(self, facts: list[Fact]) -> None:
        line = in_colours(self.record.game.describe(facts), self.names, self.language, _PERSON)
        self.console.print(Padding(line, (0, 0, 0, 2), expand=False))

    # ------------------------------------------------------------ asking

    def _ask(self, position: Position) -> None:
        self.console.print()
        self._draw(position)
        codes = position.move_codes(_PERSON, max(position.game.widest, _SHOWN + 1))
        listed = [position.game.notation.move_text(position.state, code) for code in codes]
        self._list(position, listed)
        while True:
            answer = self._input(f"[bold {LAMP}]{self.words('terminal.your_move')}[/] ")
            move = self._understood(position, answer, listed)
            if move is None:
                continue
            try:
                self._play(_PERSON, move)
            except IllegalMove as error:
                self._refuse(error)
            else:
                return

    def _refuse(self, error: IllegalMove) -> None:
        why = error.message.text(self.names, self.language).rstrip(".")
        clause = f" ({error.clause})" if error.clause else ""
        line = f"[red]{self.words('terminal.refused')}[/] {escape(why)}{clause}."
        self.console.print(Padding(line, (0, 0, 0, 2), expand=False))

    def _list(self, position: Position, listed: list[str]) -> None:
        table = Table(box=None, show_header=False, padding=(0, 2))
        shown = listed[:_SHOWN]
        prospects = [self._prospect(position, move) for move in shown]
        for number, (move, prospect) in enumerate(zip(shown, prospects, strict=True), 1):
            messages = prospect if len(set(prospects)) > 1 else ""
            table.add_row(
                f"[{LAMP}]{number}[/]", escape(move), self._called(move), f"[dim]{messages}[/]"
            )
        self.console.print(table)
        if len(listed) > _SHOWN:
            self._whisper("  " + self.words("terminal.more_moves", move=listed[-1]))

    def _called(self, move: str) -> str:
        """The name of a move that is an action, if it differs from the input."""
        key = f"{self.record.game.name}.action.{move}"
        name = self.words(key) if key in self.words else ""
        return "" if name.lower() == move else name

    def _prospect(self, position: Position, move: str) -> str:
        """The effect of a move on the player's score, at once or by the next die."""
        after = position.copy()
        after.play(_PERSON, move)
        before = position.scores[_PERSON]
        gains = [(after.scores[_PERSON] - before, 1.0)]
        if chances := after.chances():
            gains = [
                (self._after(after, outcome) - before, chance)
                for outcome, chance in chances.items()
            ]
        low, high = min(gain for gain, _ in gains), max(gain for gain, _ in gains)
        if low == high:
            return self.words("terminal.gain", n=low) if low else ""
        mean = sum(gain * chance for gain, chance in gains)
        return self.words("terminal.gains", low=low, high=high, mean=mean)

    def _after(self, position: Position, outcome: str) -> int:
        """The player's score after a chance outcome."""
        future = position.copy()
        future.resolve(outcome)
        return future.scores[_PERSON]

    def _understood(self, position: Position, answer: str, listed: list[str]) -> str | None:
        """The move that an answer means; None after handling a command, or for a bad number."""
        if answer.lower() in ("q", "quit", "exit"):
            raise Leave
        if answer in ("", "?", "help"):
            self._help()
        # B is a move in one of the games.
        elif answer in ("b", "board") and not position.is_legal(_PERSON, answer):
            self._draw(position)
            self._list(position, listed)
        elif answer == "hint":
            self._advise(position)
        elif answer == "all":
            self.console.print(", ".join(position.moves(_PERSON)))
        elif answer.startswith("save "):
            self._save(answer.removeprefix("save ").strip())
        elif answer.isdecimal() and not position.is_legal(_PERSON, answer):
            if 1 <= int(answer) <= len(listed):
                return listed[int(answer) - 1]
            self.console.print(
                "  " + self.words("terminal.no_such_number", number=answer, last=len(listed))
            )
        else:
            return answer
        return None

    def _help(self) -> None:
        table = Table(box=None, show_header=False, padding=(0, 2))
        table.add_row("", self.words("terminal.help.move"))
        for command in _COMMANDS:
            table.add_row(
                f"[bold]{command}[/]", self.words(f"terminal.help.{command.partition(' ')[0]}")
            )
        self.console.print(table)

    def _save(self, path: str) -> None:
        try:
            self.record.save(path)
            self.console.print(
                "  " + escape(self.words("terminal.saved", command=f"souk replay {path}"))
            )
        except OSError as error:
            self.console.print(f"  [red]{self.words('terminal.not_saved')}[/] {escape(str(error))}")

    def _input(self, prompt: str) -> str:
        try:
            return self.console.input(prompt).strip()
        except EOFError:
            raise Leave from None

    def _result(self) -> None:
        position = self.record.position
        self.console.print()
        self._draw(position)
        self.console.print(result_panel(position, self.names, self.language))
        answer = self._input(f"[dim]{self.words('terminal.save')}[/] ")
        if answer:
            self._save(answer)


def result_panel(position: Position, names: Sequence[str], language: str) -> Panel:
    """The winners and all scores, best first."""
    winners = position.winners
    key = "result.share" if len(winners) > 1 else "result.wins" if winners else "result.nobody"
    title = Words(language, names)(key, names=[Seat(seat) for seat in winners])
    lines = Table(box=None, show_header=False)
    for seat in sorted(range(position.players), key=lambda seat: -position.scores[seat]):
        crown = f"[{LAMP}]★[/]" if seat in winners else " "
        lines.add_row(
            crown, f"[{SEATS[seat]}]{escape(names[seat])}[/]", f"[bold]{position.scores[seat]}[/]"
        )
    return Panel(lines, title=f"[bold {LAMP}]{escape(title)}[/]", border_style=BRASS, expand=False)


# ---------------------------------------------------------------- starting a game


def play_in_terminal(
    console: Console,
    name: str | None,
    players: int | None,
    seed: int,
    options: dict[str, Any],
    against: Sequence[str],
    language: str = "en",
) -> None:
    """Ask for game and players if not given, then play."""
    words = Words(language)
    try:
        game = find_game(name) if name else _choose_game(console, words)
        count = players if players is not None else _choose_players(console, game, words)
        table = TerminalTable(console, game, count, seed, options, against, language)
        if any(map(searches, against)):
            prepare_with_progress(Console(stderr=True), [game], language)
        with without_compiling():
            table.run()
    except (Leave, KeyboardInterrupt):
        console.print(f"\n[{SAND}]{words('terminal.goodbye')}[/]")


def _choose_game(console: Console, words: Words) -> Game:
    console.print(Rule(f"[bold {LAMP}]Souk[/]", style=BRASS))
    games = [find_game(name) for name in game_names()]
    table = Table(box=None, show_header=False, padding=(0, 2))
    for number, game in enumerate(games, 1):
        title, about = game.title_in(words.language), game.about_in(words.language)
        table.add_row(f"[{LAMP}]{number}[/]", f"[bold]{title}[/]", f"[{SAND}]{about}[/]")
    console.print(table)
    while True:
        answer = _answer(
            console, f"[bold {LAMP}]{words('terminal.which_game')}[/] [dim](1–{len(games)})[/] "
        )
        if answer.isdecimal() and 1 <= int(answer) <= len(games):
            return games[int(answer) - 1]
        if answer.lower() in game_names():
            return find_game(answer.lower())
        console.print(
            "  " + escape(words("terminal.no_such_game", name=answer, names=list(game_names())))
        )


def _choose_players(console: Console, game: Game, words: Words) -> int:
    low, high = game.players[0], game.players[-1]
    usual = min(high, max(low, 3))
    range_ = words("terminal.players_from", low=low, high=high, usual=usual)
    while True:
        answer = _answer(
            console, f"[bold {LAMP}]{words('terminal.how_many')}[/] [dim]({range_})[/] "
        )
        if not answer:
            return usual
        if answer.isdecimal() and int(answer) in game.players:
            return int(answer)
        console.print(
            "  " + words("terminal.is_for", game=game.title_in(words.language), low=low, high=high)
        )


def _answer(console: Console, prompt: str) -> str:
    try:
        return console.input(prompt).strip()
    except EOFError:
        raise Leave from None


# ---------------------------------------------------------------- replaying


def replay(
    console: Console, record: Record, at: int | None, boards: bool, language: str = "en"
) -> None:
    """Tell a recorded game in words.

    `at` shows only the position after that many events; `boards` draws every position.
    """
    words, seats = Words(language), range(record.position.players)
    names = record.names or [words("{seat:^}", seat=Seat(seat)) for seat in seats]
    positions = list(record.positions())
    if at is not None and not 0 <= at < len(positions):
        raise ValueError(f"at: this game has 0 to {len(positions) - 1} events, not {at}")

    def draw(position: Position) -> None:
        console.print(picture(SeatView.of(position, _SPECTATOR), names, language))

    if at is not None:
        draw(positions[at])
        return
    options = ", ".join(f"{name} {value}" for name, value in positions[0].options.items())
    console.print(
        Rule(f"[bold {LAMP}]{record.game.title_in(language)}[/], {record.date}", style=BRASS)
    )
    console.print(f"[{SAND}]{escape(', '.join(names))}[/]  [dim]{escape(options)}[/]")
    for number, facts in enumerate(record.facts(), 1):
        line = in_colours(record.game.describe(facts), names, language)
        console.print(_numbered(number, line))
        if boards:
            draw(positions[number])
    if not boards:
        draw(positions[-1])
    if positions[-1].over:
        console.print(result_panel(positions[-1], names, language))
    else:
        console.print(f"[dim]{words('terminal.not_finished')}[/]")


def _numbered(number: int, line: Text) -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_row(Text(f"{number:>4}", "dim"), line)
    return grid
