"""Matches of the vizier against OpenSpiel's Python MCTS bot, with equal time per move.

OpenSpiel plays our game through `souk.lab.openspiel` with random rollouts and its solver (its C++
bot crashes on games written in Python). It takes simulations, not time, so their number is adjusted
until its mean time matches the target, or ours where we take longer. Forced moves are not counted.
Games come in pairs with the same dice and swapped seats.
"""

import os
import random
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from multiprocessing import get_context
from typing import Any

import souk
from souk.lab.statistics import wilson

GAMES = "suleika", "bazaar"
# Against 1.4, in 60 games with 200 simulations: 0.7 won 41 % (29 to 53), 2.5 won 54 % (42 to 66).
UCT_C = 2.5


@dataclass
class Clock:
    """Thinking time of a side."""

    seconds: float = 0.0
    moves: int = 0

    def add(self, seconds: float) -> None:
        self.seconds += seconds
        self.moves += 1

    @property
    def mean(self) -> float:
        return self.seconds / max(1, self.moves)


def _sum(clocks: Iterable[Clock]) -> Clock:
    parts = list(clocks)
    return Clock(sum(part.seconds for part in parts), sum(part.moves for part in parts))


class OpenSpielBot:
    """OpenSpiel's MCTS for one of our games, limited by time."""

    def __init__(self, game: str, players: int, seconds: float, seed: int) -> None:
        import numpy as np
        from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

        from souk.lab.openspiel import load

        numbers = np.random.RandomState(seed % 2**32)
        self._game = load(game, players=players)
        self._bot = MCTSBot(
            self._game,
            UCT_C,
            1,
            RandomRolloutEvaluator(1, numbers),
            solve=True,
            random_state=numbers,
        )
        self.wanted, self._clock = seconds, Clock()
        self._speed = self._first_speed = 0.0  # simulations a second
        self.simulations = 0

    def warm_up(self, pos: souk.Position) -> None:
        """Measure simulations/s at the start of a game."""
        self._speed = 20.0
        for _ in range(3):
            self.choose(pos, pos.actors[0])
        self._first_speed, self._clock = self._speed, Clock()

    def begin(self) -> None:
        """Start a game: rollouts are long again."""
        self._speed = self._first_speed

    def choose(self, pos: souk.Position, seat: int) -> str:
        state = self._game.state_at(pos)
        owed = self.wanted * (self._clock.moves + 1) - self._clock.seconds
        within = min(max(owed, self.wanted / 4), self.wanted * 2)
        self._bot.max_simulations = max(2, round(self._speed * within))
        begin = time.perf_counter()
        root = self._bot.mcts_search(state)
        took = time.perf_counter() - begin
        self._clock.add(took)
        self._speed = root.explore_count / took
        self.simulations += root.explore_count
        return str(state.action_to_string(seat, root.best_child().action))


@dataclass
class MatchGame:
    """Our share of the win, and both sides' time."""

    won: float
    ours: Clock = field(default_factory=Clock)
    theirs: Clock = field(default_factory=Clock)
    simulations: int = 0


@cache
def _players(game: str, seconds: float, name: str) -> tuple[Any, OpenSpielBot]:
    """Both bots of a process, compiled and warmed up."""
    souk.bots.prepare(souk.game(game))
    ours, theirs = souk.bot(name), OpenSpielBot(game, 2, seconds, os.getpid())
    pos = souk.game(game).start(players=2)
    while not pos.actors:
        pos.draw(random.Random(1))
    ours.choose(pos, pos.actors[0])
    theirs.warm_up(pos)
    return ours, theirs


def play_game(game: str, number: int, seconds: float, seed: int, name: str) -> MatchGame:
    """Games 2k and 2k + 1 have the same dice; we sit on seat 0, then on seat 1."""
    ours, theirs = _players(game, seconds, name)
    pos, played, before = souk.game(game).start(players=2), MatchGame(0.0), theirs.simulations
    drawn, our_seat = 0, number % 2
    theirs.begin()
    while not pos.over:
        if not pos.actors:
            pos.draw(random.Random(f"{seed} {number // 2} {drawn}"))
            drawn += 1
            continue
        seat = pos.actors[0]
        moves = pos.moves(seat)
        if len(moves) > 1:
            begin = time.perf_counter()
            moves = [ours.choose(pos, seat).move if seat == our_seat else theirs.choose(pos, seat)]
            (played.ours if seat == our_seat else played.theirs).add(time.perf_counter() - begin)
        pos.play(seat, moves[0])
    played.won = (our_seat in pos.winners) / max(1, len(pos.winners))
    played.simulations = theirs.simulations - before
    theirs.wanted = max(seconds, played.ours.mean)
    return played


def play_match(game: str, games: int, seconds: float, processes: int) -> dict[str, Any]:
    """Play a match; a shared win counts half."""
    name = f"vizier:seconds={seconds:g}"
    played: list[MatchGame] = []
    work = partial(play_game, game, seconds=seconds, seed=1, name=name)
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for match_game in pool.map(work, range(games)):
            played.append(match_game)
            if len(played) % 10 == 0:
                print(
                    f"{game}: {sum(each.won for each in played):g} of {len(played)} games",
                    flush=True,
                )
    won = sum(each.won for each in played)
    simulations = sum(each.simulations for each in played)
    row = {
        "game": game,
        "bot": name,
        "games": games,
        "won": won,
        "shared": sum(each.won == 0.5 for each in played),
        "share": won / games,
        "interval": wilson(won / games, games),
        "seconds": _sum(each.ours for each in played).mean,
        "openspiel_seconds": _sum(each.theirs for each in played).mean,
        "openspiel_simulations": simulations / sum(each.theirs.moves for each in played),
        "openspiel_uct_c": UCT_C,
    }
    print(f"{game}: won {won:g} of {games} games; {row}", flush=True)
    return row
