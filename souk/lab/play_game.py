"""Plays one game between bots, with dice derived from the table's seed."""

import contextlib
import time
from dataclasses import dataclass
from typing import Any

from souk.core.game import Game
from souk.core.position import Position
from souk.core.record import Record
from souk.core.revealed_choices import ChoiceCounts
from souk.games import game as find_game
from souk.kernel.rng import draw, mix, stream_start, stream_step
from souk.kernel.rule import u64
from souk.lab.table_spec import TableSpec
from souk.lab.workers import raise_if_cancelled

# Keeps the bots' seeds and the dice in different streams.
_BOTS = 0x626F7473
# characters of a bot's name in a record
_LONGEST_NAME = 40


@dataclass(frozen=True)
class Fixture:
    """A scheduled game: its number, its deal (which sets the dice), and the bot in each seat."""

    game: int
    deal: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class GameResult:
    """The result of a game; lists are by seat."""

    game: int
    deal: int
    # index of the entrant
    seats: list[int]
    scores: list[int]
    # winning seats
    winners: list[int]
    # number of chance events
    chances: int
    moves: list[int]
    seconds: list[float]
    longest: list[float]
    fallbacks: list[int]


class DealDice:
    """The dice and cards of a deal: event n is drawn with random number n, whoever plays."""

    def __init__(self, game: Game, seed: int, deal: int) -> None:
        self._game = game
        self._start = stream_start(seed, deal)
        self._step = stream_step(self._start)
        self._lists = [0] * game.widest, [0] * game.widest
        self.drawn = 0

    def draw(self, position: Position) -> str:
        """Draw the due die or card."""
        x = draw(self._start, self._step, self.drawn)
        self.drawn += 1
        outcome = self._game.rules.random_outcome(position.state, x, *self._lists)
        return self._game.notation.outcome_text(position.state, outcome)


def bot_seed(seed: int, game: int, seat: int) -> int:
    """The seed of the bot in a seat of a game."""
    start = stream_start(mix(seed ^ _BOTS), game)
    return u64(draw(start, stream_step(start), seat))


class _TimedBot:
    """A bot that measures its thinking time."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot
        self.moves = self.fallbacks = 0
        self.seconds = self.longest = 0.0

    def move(self, position: Position, seat: int, noticed: ChoiceCounts) -> str:
        begin = time.perf_counter()
        choice = self._bot.choose(position, seat, noticed)
        elapsed = time.perf_counter() - begin
        self.moves += 1
        self.fallbacks += bool(choice.fallback)
        self.seconds += elapsed
        self.longest = max(self.longest, elapsed)
        move: str = choice.move
        return move


def play_fixture(table: TableSpec, fixture: Fixture) -> tuple[GameResult, Record]:
    """Play one game to its end and return its result and record; may raise `Cancelled`."""
    from souk.bots.registry import make_bot

    game = find_game(table.game)
    names = [table.bots[entrant] for entrant in fixture.seats]
    short = [" ".join(name.split())[:_LONGEST_NAME].strip() for name in names]
    record = Record(game, table.players, names=short, **table.options)
    dice = DealDice(game, table.seed, fixture.deal)
    with contextlib.ExitStack() as stack:
        bots = []
        for seat, name in enumerate(names):
            bot = make_bot(
                name, seconds=table.seconds, seed=bot_seed(table.seed, fixture.game, seat)
            )
            bots.append(_TimedBot(stack.enter_context(bot)))
        while not (position := record.position).over:
            raise_if_cancelled()
            if position.actors:
                seat = position.actors[0]
                record.play(seat, bots[seat].move(position, seat, record.noticed))
            else:
                record.resolve(dice.draw(position))
    return _game_result(fixture, position, dice.drawn, bots), record


def _game_result(
    fixture: Fixture, end: Position, chances: int, bots: list[_TimedBot]
) -> GameResult:
    return GameResult(
        fixture.game,
        fixture.deal,
        list(fixture.seats),
        end.scores,
        list(end.winners),
        chances,
        [bot.moves for bot in bots],
        [round(bot.seconds, 6) for bot in bots],
        [round(bot.longest, 6) for bot in bots],
        [bot.fallbacks for bot in bots],
    )
