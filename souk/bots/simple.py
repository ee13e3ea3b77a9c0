"""Bots without a tree search: random, one-ply, rules of thumb, and a beginner."""

import random
import time
from collections import Counter
from dataclasses import replace

import numpy as np

from souk.bots.bot import Bot, Choice, Considered
from souk.bots.cancellation import Cancellable
from souk.bots.kernels.one_ply import LOOKS, beginner_scores, likely_moves, look_ahead
from souk.bots.kernels.value import SCORE, WIN
from souk.bots.mixed_strategy import Shares, draw_move, hedged
from souk.bots.simultaneous import SimultaneousSearch
from souk.bots.workspace import Array, Workspace, kernel, seed_for
from souk.core.position import Position
from souk.core.revealed_choices import ChoiceCounts
from souk.kernel.cache import is_ready
from souk.kernel.rng import below, draw, stream_start, stream_step

_DRAWS = 12  # samples from which shares are estimated
_LOOKS = 16  # per candidate move
_AT_A_TIME = 16
_QUICK_LOOKS = 4
_TIMEOUT = 10.0  # seconds for a quick look: only endless playouts take longer
_LEAST = 0.01  # minimum score of a candidate, so that none has share 0
# How much each hedges a secret choice (the merchant: `souk.bots.simultaneous`). Four equal bots
# would otherwise want the same thing too often and get nothing.
_BEGINNERS_DOUBT, _TRADERS_DOUBT = 0.5, 0.4


class Random(Bot):
    """Uniformly random, except for offers (as in `souk.simulate`). Reports even chances."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        self.name, self.seed = name, seed

    def think(self, view: Position, seat: int) -> Choice:
        game = view.game
        start = int(seed_for(self.seed, view, seat))
        step, out = stream_step(start), [0] * game.widest
        draw_move = [
            game.rules.random_move(view.state, seat, draw(start, step, n), out)
            for n in range(_DRAWS)
        ]
        win, score = 1 / view.players, float(view.scores[seat])
        considered = [
            Considered(game.notation.move_text(view.state, move), times / _DRAWS, win, score)
            for move, times in sorted(Counter(draw_move).items(), key=lambda item: -item[1])
        ]
        return Choice(game.notation.move_text(view.state, draw_move[0]), considered)


class OnePlySearch:
    """Evaluates every candidate by playing it out to the next quiet position."""

    def __init__(
        self, view: Position, seat: int, seed: np.uint64, noticed: ChoiceCounts = ()
    ) -> None:
        self.workspace, self.n = Workspace(view, seat, seed, noticed=noticed), 0
        self._work = kernel(view.game, look_ahead)

    def look(self, times: int) -> None:
        self.n = self._work(
            self.workspace.states, self.workspace.array, self.workspace.lookup, times
        )

    @property
    def looks(self) -> int:
        """Tries per candidate."""
        return int(self.workspace["played"])

    @property
    def moves(self) -> list[int]:
        """The candidates as move codes."""
        return [int(move) for move in self.workspace["found"][: self.n]]

    def best_first(self) -> list[int]:
        """Candidates by win chance, then score; in solitaire a lower score is better."""
        reasons = self.workspace["reasons"][: self.n]
        reasons = reasons / np.maximum(reasons[:, LOOKS : LOOKS + 1], 1.0)
        better = 1 if self.workspace.alone else -1
        return sorted(
            range(self.n),
            key=lambda k: (-round(float(reasons[k, WIN]), 9), better * reasons[k, SCORE]),
        )

    def considered(self, k: int, share: float) -> Considered:
        sums = self.workspace["reasons"][k]
        means = sums / max(1.0, sums[LOOKS])
        return Considered(
            self.workspace.text(self.moves[k]), share, float(means[WIN]), float(means[SCORE])
        )

    def mixed(self, shares: Shares, seed: np.uint64) -> Choice:
        """Draw a move by these shares, which may include moves that are not candidates."""
        considered = [
            self.considered(k, shares.get(move, 0.0)) for k, move in enumerate(self.moves)
        ]
        unknown = self.considered(self.best_first()[-1], 0.0)
        more = {move: share for move, share in shares.items() if move not in self.moves}
        considered += [
            replace(unknown, move=self.workspace.text(move), share=share)
            for move, share in more.items()
        ]
        considered.sort(key=lambda entry: (-entry.share, -entry.win))
        return Choice(draw_move(considered, int(seed)).move, considered, self.looks * self.n)

    def hedged(self, shares: Shares, doubt: float) -> Shares:
        """Hedge a secret choice against others who follow rules of thumb."""
        others = [
            self.workspace.expected_share(seat, self.likely_moves(seat))
            for seat in self.workspace.others
        ]
        return hedged(shares, others, doubt)

    def likely_moves(self, seat: int) -> dict[int, float]:
        """A seat's moves by rules of thumb, with their frequencies."""
        mine, picks = self.workspace["seat"], np.zeros(_DRAWS, np.int32)
        self.workspace["seat"] = seat
        kernel(self.workspace.game, likely_moves)(
            self.workspace.states, self.workspace.array, self.workspace.lookup, picks
        )
        self.workspace["seat"] = mine
        return {move: times / _DRAWS for move, times in Counter(picks.tolist()).items()}

    def choice(self, order: list[int], picked: int) -> Choice:
        considered = [self.considered(k, float(k == picked)) for k in order]
        return Choice(self.workspace.text(self.moves[picked]), considered, self.looks * self.n)


def quick_look(view: Position, seat: int, seed: np.uint64, bot: Bot) -> OnePlySearch:
    """A one-ply search with a few tries per candidate."""
    search = OnePlySearch(view, seat, seed, bot.noticed)
    search.look(0)  # loads the kernel before the clock starts
    with Cancellable(search.workspace, time.perf_counter() + _TIMEOUT, lambda: bot.hurried):
        search.look(_QUICK_LOOKS)
    return search


class Greedy(Bot):
    """Plays the best move of a one-ply search; mixes where choices are simultaneous.

    Tries every candidate `looks` times, or as often as the time allows.
    """

    def __init__(
        self, name: str, seed: int | None = None, looks: int = _LOOKS, seconds: float = 1.0
    ) -> None:
        self.name, self.seed, self.looks, self.seconds = name, seed, looks, seconds

    def think(self, view: Position, seat: int) -> Choice:
        end, seed = time.perf_counter() + self.seconds, seed_for(self.seed, view, seat)
        search: OnePlySearch | SimultaneousSearch = OnePlySearch(view, seat, seed, self.noticed)
        if search.workspace.secret:
            search = SimultaneousSearch(view, seat, seed, self.noticed)
        search.look(0)  # loads the kernel before the clock starts
        with Cancellable(search.workspace, end, lambda: self.hurried):
            search.look(_AT_A_TIME)
            while search.looks < self.looks and time.perf_counter() < end and not self.hurried:
                search.look(_AT_A_TIME)
        if isinstance(search, SimultaneousSearch):
            return search.choice()
        order = search.best_first()
        return search.choice(order, order[0])


class RuleOfThumb(Bot):
    """Plays by the game's rules of thumb, hedging secret choices.

    Lapses now and then into a beginner's move, at a rate that depends on the game unless set. Never
    lapses in solitaire.
    """

    def __init__(self, name: str, seed: int | None = None, lapses: float | None = None) -> None:
        self.name, self.seed, self.lapses = name, seed, lapses

    def think(self, view: Position, seat: int) -> Choice:
        seed = seed_for(self.seed, view, seat)
        if view.players > 1 and self._lapses(view, seed):
            beginner = Beginner(self.name, self.seed)
            beginner.noticed = self.noticed
            return beginner.think(view, seat)
        search = quick_look(view, seat, seed, self)
        rule_of_thumb_move = view.game.rules.rule_of_thumb_move(
            view.state, seat, search.workspace.interpreted()[1][0], search.workspace.lookup
        )
        shares: Shares = (
            {int(rule_of_thumb_move): 1.0} if rule_of_thumb_move >= 0 else search.likely_moves(seat)
        )
        return search.mixed(
            search.hedged(shares, _TRADERS_DOUBT) if search.workspace.secret else shares, seed
        )

    def _lapses(self, view: Position, seed: np.uint64) -> bool:
        often = view.game.heuristics.LAPSES if self.lapses is None else self.lapses
        start = stream_start(int(seed), 2)  # stream 1 decides what a beginner overlooks
        return bool(below(draw(start, stream_step(start), 0), 1000) < 1000 * often)


class Beginner(Bot):
    """Plays what looks best at first sight, overlooking some moves. Mixes secret choices."""

    def __init__(self, name: str, seed: int | None = None, overlooks: float = 0.3) -> None:
        self.name, self.seed, self.overlooks = name, seed, overlooks

    def think(self, view: Position, seat: int) -> Choice:
        seed = seed_for(self.seed, view, seat)
        search = quick_look(view, seat, seed, self)
        workspace = search.workspace
        n = kernel(view.game, beginner_scores)(workspace.states, workspace.array, workspace.lookup)
        if workspace.secret:
            tempting = np.maximum(workspace["notes"][:n], _LEAST)
            shares = dict(zip(search.moves, (tempting / tempting.sum()).tolist(), strict=True))
            return search.mixed(search.hedged(shares, _BEGINNERS_DOUBT), seed)
        order = sorted(range(n), key=lambda k: -workspace["notes"][k])
        start = stream_start(int(seed), 1)
        step = stream_step(start)
        seen = [k for k in order if below(draw(start, step, k), 1000) >= 1000 * self.overlooks]
        return search.choice(order, (seen or order)[0])


class FallbackBot(Bot):
    """Moves for a bot that failed: the best-looking move, now and then a random one."""

    looks = 64  # moves considered
    whim = 0.25  # probability of a random move

    def __init__(self, name: str, seed: int | None = None) -> None:
        self.name, self.seed = name, seed

    def think(self, view: Position, seat: int) -> Choice:
        game, rng = view.game, random.Random(int(seed_for(self.seed, view, seat)))
        codes = view.move_codes(seat, self.looks)
        rng.shuffle(codes)
        if rng.random() < self.whim:
            code = game.rules.random_move(view.state, seat, rng.getrandbits(64), [0] * game.widest)
        else:
            lookup = self._lookup(view)
            code = max(
                codes,
                key=lambda code: float(game.rules.beginner_score(view.state, seat, code, lookup)),
            )
        text = game.notation.move_text(view.state, code)
        return Choice(text, [Considered(text, 1.0, 1 / view.players, float(view.scores[seat]))])

    def _lookup(self, view: Position) -> Array:
        """The lookup tables, or a dummy while compiling them would take time: beginners do not use
        them.
        """
        heuristics = view.game.heuristics
        return (
            heuristics.build_lookup(view.array)
            if is_ready(view.game, *heuristics.KERNELS)
            else np.zeros(1, np.float32)
        )
