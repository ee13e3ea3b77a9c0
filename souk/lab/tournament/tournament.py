"""A tournament: the games played so far, and playing more."""

import os
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from souk.lab.play_game import Fixture, GameResult, play_fixture
from souk.lab.table_spec import TableSpec, prepare_bots
from souk.lab.tournament.journal import Journal
from souk.lab.tournament.results import GameResults
from souk.lab.tournament.schedule import deals_for, fixtures
from souk.lab.tournament.validation import check_tournament
from souk.lab.workers import Cancelled, Workers, open_workers

OnGame = Callable[["Tournament", GameResult], None]


class Tournament:
    """A tournament and its finished games: those in its folder, and those added by `play`."""

    def __init__(
        self, table: TableSpec, folder: str | os.PathLike[str] | None = None, *, keep: bool = False
    ) -> None:
        self.table = table
        self._journal = Journal(folder, table) if folder is not None else None
        self._keep = keep
        self._played = (
            {played.game: played for played in self._journal.read()} if self._journal else {}
        )

    @property
    def folder(self) -> Path | None:
        return self._journal.folder if self._journal else None

    @property
    def games(self) -> list[GameResult]:
        """The finished games, by number."""
        return [self._played[game] for game in sorted(self._played)]

    def __len__(self) -> int:
        return len(self._played)

    def missing(self, deals: range) -> list[Fixture]:
        """The unplayed games of some deals."""
        return [
            fixture for fixture in fixtures(self.table, deals) if fixture.game not in self._played
        ]

    def play(
        self,
        deals: range,
        workers: Workers | int | None = None,
        report: OnGame = lambda _tournament, _played: None,
    ) -> "Tournament":
        """Play the missing games of some deals.

        `workers` are open workers, or a number of processes (None: one per core). `report` is
        called after every game. After Ctrl-C, finished games are kept.
        """
        missing = self.missing(deals)
        if not missing:
            return self
        # Compile here first, so that worker processes find all kernels on disk.
        prepare_bots(self.table)
        with open_workers(workers) as active_workers:
            for played, record in _games(active_workers, self.table, missing):
                if self._journal:
                    self._journal.add(played, record if self._keep else None)
                self._played[played.game] = played
                report(self, played)
        return self

    @property
    def results(self) -> GameResults:
        """The finished games as arrays."""
        games, players = self.games, self.table.players

        def table(name: str, kind: Any) -> Any:
            return np.array([getattr(played, name) for played in games], kind).reshape(
                len(games), players
            )

        won = [[seat in played.winners for seat in range(players)] for played in games]
        return GameResults(
            games=np.array([played.game for played in games], np.int64),
            deals=np.array([played.deal for played in games], np.int64),
            won=np.array(won, bool).reshape(len(games), players),
            **{name: table(name, np.int64) for name in ("seats", "scores", "moves", "fallbacks")},
            **{name: table(name, np.float64) for name in ("seconds", "longest")},
        )


def play_tournament(
    game: str,
    entrants: Sequence[str],
    *,
    players: int | None = None,
    games: int = 400,
    seed: int = 0,
    seconds: float | None = None,
    processes: Workers | int | None = None,
    options: Mapping[str, Any] | None = None,
    folder: str | os.PathLike[str] | None = None,
    keep: bool = False,
    report: OnGame = lambda _tournament, _played: None,
) -> Tournament:
    """Play a tournament, or the missing games of the one in `folder`.

    For more deals, call `play` on the result, or this function again with more games.
    """
    table = check_tournament(
        game, entrants, players=players, seed=seed, seconds=seconds, options=options
    )
    return Tournament(table, folder, keep=keep).play(
        deals_for(games, table.players), processes, report
    )


# ---------------------------------------------------------------- worker processes


@dataclass(frozen=True)
class _GameTask:
    """A game to play, as sent to a worker."""

    table: TableSpec
    fixture: Fixture


def _prepare(task: _GameTask) -> None:
    task.table.local_game()
    prepare_bots(task.table)


def _play(task: _GameTask) -> tuple[GameResult, str] | str:
    """Play a game; return its result and record, or the traceback of an error."""
    try:
        result, record = play_fixture(task.table, task.fixture)
    except Cancelled:
        raise
    except Exception:
        return traceback.format_exc()
    return result, str(record)


def _games(
    workers: Workers, table: TableSpec, fixtures: Sequence[Fixture]
) -> Iterator[tuple[GameResult, str]]:
    """Yield games with their records as they complete, in any order."""
    tasks = (_GameTask(table, fixture) for fixture in fixtures)
    for task, outcome in workers.as_completed(_play, tasks, prepare=_prepare):
        if isinstance(outcome, str):
            raise RuntimeError(f"game {task.fixture.game} could not be played:\n{outcome.rstrip()}")
        yield outcome
