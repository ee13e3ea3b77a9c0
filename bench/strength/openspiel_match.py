"""The vizier against OpenSpiel's MCTS bot, two players, with the same time for a move.

    pip install souk[lab]; python bench/openspiel_match.py [--games 200] [--seconds 1] [--processes N] [--bot NAME] [GAME ...]
    python bench/openspiel_match.py --check         OpenSpiel's own test of our games as it sees them

OpenSpiel plays through `souk.lab.openspiel`: its MCTS in Python (the one in C++ crashes on any game that is written in Python) with
random rollouts, UCT, and solved positions backed up. It takes a number of simulations and not a time, so its speed is measured as it
plays, and the number set for every move so that its mean time comes out at the wanted seconds, or at ours where we take longer. Moves
without a choice are neither searched nor counted. Games come in pairs with the seats changed and the same dice: the n-th die or card of both is picked by the same
random number.
"""

import argparse
import os
import random
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import repeat
from multiprocessing import get_context
from typing import Any

import souk
from souk.lab.statistics import wilson

GAMES = "suleika", "bazaar"
# OpenSpiel's bot with itself, 200 simulations a move, 60 games (30 of each game) against uct_c 1.4: 0.7 won 41 % (95 % interval 29 to 53),
# 2.5 won 54 % (42 to 66). So it hardly matters between those two; this is the best of the three.
UCT_C = 2.5


@dataclass
class Clock:
    """A side's time."""

    seconds: float = 0.0
    moves: int = 0

    def add(self, seconds: float) -> None:
        self.seconds += seconds
        self.moves += 1

    @property
    def mean(self) -> float:
        return self.seconds / max(1, self.moves)


def _together(clocks: Iterable[Clock]) -> Clock:
    parts = list(clocks)
    return Clock(sum(part.seconds for part in parts), sum(part.moves for part in parts))


class OpenSpielBot:
    """OpenSpiel's MCTS for one of our games, by time."""

    def __init__(self, game: str, players: int, seconds: float, seed: int) -> None:
        import numpy as np
        from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

        from souk.lab.openspiel import load

        numbers = np.random.RandomState(seed % 2**32)
        self._game = load(game, players=players)
        self._bot = MCTSBot(self._game, UCT_C, 1, RandomRolloutEvaluator(1, numbers), solve=True, random_state=numbers)
        self.wanted, self._clock = seconds, Clock()
        self._speed = self._first_speed = 0.0  # simulations a second
        self.simulations = 0

    def warm_up(self, pos: souk.Position) -> None:
        """Measure how fast it is at the start of a game."""
        self._speed = 20.0
        for _ in range(3):
            self.choose(pos, pos.actors[0])
        self._first_speed, self._clock = self._speed, Clock()

    def begin(self) -> None:
        """A new game: rollouts are long again, and few."""
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
    """A game that was played: what part of the win was ours, and both sides' time."""

    won: float
    ours: Clock = field(default_factory=Clock)
    theirs: Clock = field(default_factory=Clock)
    simulations: int = 0


@cache
def _players(game: str, seconds: float, name: str) -> tuple[Any, OpenSpielBot]:
    """Both players of a process, compiled and warmed up."""
    souk.bots.prepare(souk.game(game))
    ours, theirs = souk.bot(name), OpenSpielBot(game, 2, seconds, os.getpid())
    pos = souk.game(game).start(players=2)
    while not pos.actors:
        pos.draw(random.Random(1))
    ours.choose(pos, pos.actors[0])
    theirs.warm_up(pos)
    return ours, theirs


def play_game(game: str, number: int, seconds: float, seed: int, name: str) -> MatchGame:
    """Game number 2k and 2k + 1 have the same dice; we sit on seat 0 in the first and on seat 1 in the second."""
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
    theirs.wanted = max(seconds, played.ours.mean)  # where we took longer than we should, they may in the next game
    return played


def openspiel_match(
    game: str,
    games: int = 200,
    seconds: float = 1.0,
    processes: int | None = None,
    seed: int = 1,
    bot: str = "",
) -> dict[str, Any]:
    """Play a match; what came of it, with a 95 % interval of our share (a shared win counts half)."""
    name = bot or f"vizier:seconds={seconds:g}"
    found: list[MatchGame] = []
    with ProcessPoolExecutor(processes or os.cpu_count(), get_context("spawn")) as pool:
        for played in pool.map(
            play_game, repeat(game, games), range(games), repeat(seconds), repeat(seed), repeat(name)
        ):
            found.append(played)
            if len(found) % 10 == 0:
                won = sum(each.won for each in found)
                print(f"{game}: {won:g} of {len(found)} games", flush=True)
    won = sum(each.won for each in found)
    return {
        "game": game,
        "bot": name,
        "games": games,
        "won": won,
        "shared": sum(each.won == 0.5 for each in found),
        "share": won / games,
        "interval": wilson(won / games, games),
        "seconds": _together(each.ours for each in found).mean,
        "openspiel_seconds": _together(each.theirs for each in found).mean,
        "openspiel_simulations": sum(each.simulations for each in found) / sum(each.theirs.moves for each in found),
        "openspiel_uct_c": UCT_C,
    }


def check() -> None:
    """OpenSpiel's own random test of each game, and whether it names the moves as we do."""
    import pyspiel

    from souk.lab.openspiel import load

    for name in GAMES:
        for players in souk.game(name).players:
            if players > 1:
                game = load(name, players=players)
                pyspiel.random_sim_test(game, 5, True, False)
                _compare_names(game)
                print(f"{game}: as OpenSpiel wants it", flush=True)


def _compare_names(game: Any) -> None:
    state, rng = game.new_initial_state(), random.Random(1)
    while not state.is_terminal():
        pos, player = state.position, state.current_player()
        names = [state.action_to_string(player, action) for action in state.legal_actions()]
        assert names == (pos.moves(player) if player >= 0 else list(pos.chances())), names
        state.apply_action(rng.randrange(len(names)))
    won = [value > 0 for value in state.returns()]
    assert not any(won) or won == [seat in state.position.winners for seat in range(len(won))]


def show(result: dict[str, Any]) -> None:
    low, high = result["interval"]
    print(
        f"{result['game']}: {result['bot']} won {result['won']:g} of {result['games']} games ({result['shared']} shared) against "
        f"OpenSpiel's MCTS: {result['share']:.1%}, 95 % interval {low:.1%} to {high:.1%}"
    )
    print(
        f"  seconds a move: {result['seconds']:.3f}, OpenSpiel {result['openspiel_seconds']:.3f} with "
        f"{result['openspiel_simulations']:,.0f} simulations, uct_c {result['openspiel_uct_c']:g}, solving"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games_named", metavar="GAME", nargs="*", default=list(GAMES))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="", help="instead of the vizier")
    given = parser.parse_args()
    if given.check:
        return check()
    for game in given.games_named:
        show(openspiel_match(game, given.games, given.seconds, given.processes, given.seed, given.bot))
    return None


if __name__ == "__main__":
    main()
