"""A tournament: what has been played of it, and playing more."""

import os
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from souk.lab.playing import Fixture, Played, play_fixture
from souk.lab.table_spec import TableSpec, prepare_bots
from souk.lab.tournament.entering import check_tournament
from souk.lab.tournament.journal import Journal
from souk.lab.tournament.ledger import Ledger
from souk.lab.tournament.schedule import deals_for, fixtures
from souk.lab.workers import Stopped, Workers, hired

Told = Callable[["Tournament", Played], None]


class Tournament:
    """A tournament and the games of it that have been played: those its folder holds, and those `play` adds."""

    def __init__(self, table: TableSpec, folder: str | os.PathLike[str] | None = None, *, keep: bool = False) -> None:
        self.table = table
        self._journal = Journal(folder, table) if folder is not None else None
        self._keep = keep
        self._played = {played.game: played for played in self._journal.read()} if self._journal else {}

    @property
    def folder(self) -> Path | None:
        return self._journal.folder if self._journal else None

    @property
    def games(self) -> list[Played]:
        """The games played, in the order of their numbers."""
        return [self._played[game] for game in sorted(self._played)]

    def __len__(self) -> int:
        return len(self._played)

    def missing(self, deals: range) -> list[Fixture]:
        """The games of some deals that are still to be played."""
        return [fixture for fixture in fixtures(self.table, deals) if fixture.game not in self._played]

    def play(
        self, deals: range, workers: Workers | int | None = None, report: Told = lambda _tournament, _played: None
    ) -> "Tournament":
        """Play what is missing of some deals. `workers` are open ones, or how many processes to start for this (None: one for
        each core). `report` is told of every game when it is finished. Ctrl-C leaves what is finished in place."""
        missing = self.missing(deals)
        if not missing:
            return self
        prepare_bots(self.table)  # here first, so that processes find all kernels on disk
        with hired(workers) as hall:
            for played, record in _games(hall, self.table, missing):
                if self._journal:
                    self._journal.add(played, record if self._keep else None)
                self._played[played.game] = played
                report(self, played)
        return self

    @property
    def results(self) -> Ledger:
        """The games played, as arrays."""
        games, players = self.games, self.table.players

        def table(name: str, kind: Any) -> Any:
            return np.array([getattr(played, name) for played in games], kind).reshape(len(games), players)

        won = [[seat in played.winners for seat in range(players)] for played in games]
        return Ledger(
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
    report: Told = lambda _tournament, _played: None,
) -> Tournament:
    """Play a tournament, or what is missing of the one that `folder` holds. For more deals later: `play` of what this returns,
    or this again with more games."""
    table = check_tournament(game, entrants, players=players, seed=seed, seconds=seconds, options=options)
    return Tournament(table, folder, keep=keep).play(deals_for(games, table.players), processes, report)


# ---------------------------------------------------------------- by workers


@dataclass(frozen=True)
class _Pairing:
    """A game to be played, as a worker is handed it."""

    table: TableSpec
    fixture: Fixture


def _prepare(pairing: _Pairing) -> None:
    pairing.table.found_here()
    prepare_bots(pairing.table)


def _play(pairing: _Pairing) -> tuple[Played, str] | str:
    """What a worker does: the game with the text of its record, or else why it could not be played."""
    try:
        played, record = play_fixture(pairing.table, pairing.fixture)
    except Stopped:
        raise
    except Exception:
        return traceback.format_exc()
    return played, str(record)


def _games(workers: Workers, table: TableSpec, games: Sequence[Fixture]) -> Iterator[tuple[Played, str]]:
    """Games with the texts of their records, each as soon as it is finished, in whatever order that is."""
    pairings = (_Pairing(table, fixture) for fixture in games)
    for pairing, answer in workers.each(_play, pairings, prepare=_prepare):
        if isinstance(answer, str):
            raise RuntimeError(f"game {pairing.fixture.game} could not be played:\n{answer.rstrip()}")
        yield answer
