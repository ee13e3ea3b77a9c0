"""One game between bots, from its start to its end, with dice that follow from the seed of the table."""

import contextlib
import time
from dataclasses import dataclass
from typing import Any

from souk.core.game import Game
from souk.core.noticed import Chosen
from souk.core.position import Position
from souk.core.record import Record
from souk.games import game as find_game
from souk.kernel.chance import draw, mix, stream_start, stream_step
from souk.kernel.rule import u64
from souk.lab.table_spec import TableSpec
from souk.lab.workers import stop_if_told

_BOTS = 0x626F7473  # so that bots' seeds and dice come from different streams
_LONGEST_NAME = 40  # in a record


@dataclass(frozen=True)
class Fixture:
    """A game to be played: its number, its deal (whose dice it has), and which of the table's bots sits where."""

    game: int
    deal: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Played:
    """What came of a game; the lists have a place for each seat."""

    game: int
    deal: int
    seats: list[int]  # entrants
    scores: list[int]
    winners: list[int]  # seats
    chances: int  # dice and cards that came up
    moves: list[int]
    seconds: list[float]
    longest: list[float]
    fallbacks: list[int]


class DealDice:
    """The dice and cards of a deal: the n-th event is drawn with the stream's n-th number, whoever sits where."""

    def __init__(self, game: Game, seed: int, deal: int) -> None:
        self._game = game
        self._start = stream_start(seed, deal)
        self._step = stream_step(self._start)
        self._lists = [0] * game.widest, [0] * game.widest
        self.drawn = 0

    def draw(self, position: Position) -> str:
        """What the die or card that is due shows."""
        x = draw(self._start, self._step, self.drawn)
        self.drawn += 1
        outcome = self._game.rules.random_outcome(position.state, x, *self._lists)
        return self._game.notation.outcome_text(position.state, outcome)


def bot_seed(seed: int, game: int, seat: int) -> int:
    """The seed of the bot that sits there in a game."""
    start = stream_start(mix(seed ^ _BOTS), game)
    return u64(draw(start, stream_step(start), seat))


class _Thinker:
    """A bot in its seat, and the time it takes."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot
        self.moves = self.fallbacks = 0
        self.seconds = self.longest = 0.0

    def move(self, position: Position, seat: int, noticed: Chosen) -> str:
        begin = time.perf_counter()
        choice = self._bot.choose(position, seat, noticed)
        took = time.perf_counter() - begin
        self.moves += 1
        self.fallbacks += bool(choice.fallback)
        self.seconds += took
        self.longest = max(self.longest, took)
        move: str = choice.move
        return move


def play_fixture(table: TableSpec, fixture: Fixture) -> tuple[Played, Record]:
    """Play one game to its end, with the record of it. `Stopped` is raised where nobody waits for it any more."""
    from souk.bots.registry import named

    game = find_game(table.game)
    names = [table.bots[each] for each in fixture.seats]
    short = [" ".join(name.split())[:_LONGEST_NAME].strip() for name in names]
    record = Record(game, table.players, names=short, **table.options)
    dice = DealDice(game, table.seed, fixture.deal)
    with contextlib.ExitStack() as seats:
        thinkers = []
        for seat, name in enumerate(names):
            bot = named(name, seconds=table.seconds, seed=bot_seed(table.seed, fixture.game, seat))
            thinkers.append(_Thinker(seats.enter_context(bot)))
        while not (position := record.position).over:
            stop_if_told()
            if position.actors:
                seat = position.actors[0]
                record.play(seat, thinkers[seat].move(position, seat, record.noticed))
            else:
                record.resolve(dice.draw(position))
    return _played(fixture, position, dice.drawn, thinkers), record


def _played(fixture: Fixture, end: Position, chances: int, thinkers: list[_Thinker]) -> Played:
    return Played(
        fixture.game,
        fixture.deal,
        list(fixture.seats),
        end.scores,
        list(end.winners),
        chances,
        [each.moves for each in thinkers],
        [round(each.seconds, 6) for each in thinkers],
        [round(each.longest, 6) for each in thinkers],
        [each.fallbacks for each in thinkers],
    )
