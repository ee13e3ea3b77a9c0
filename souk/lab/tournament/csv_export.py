"""A tournament as CSV files: every game, and the standings."""

import csv
import math
from collections.abc import Sequence
from pathlib import Path

from souk.lab.statistics import Figure
from souk.lab.tournament.ledger import Ledger
from souk.lab.tournament.standings import Placing

_GAME_COLUMNS = [
    "game",
    "deal",
    "seat",
    "entrant",
    "score",
    "win",
    "rank",
    "moves",
    "seconds",
    "longest_move",
    "fallbacks",
]
_STANDING_COLUMNS = [
    *[
        "place",
        "entrant",
        "games",
        "wins",
        "share",
        "share_low",
        "share_high",
        "even_share",
        "score",
        "score_low",
        "score_high",
    ],
    *["rating", "rating_sigma", "ms_per_move", "longest_ms", "moves", "fallbacks"],
]


def write_games(path: Path, ledger: Ledger, names: Sequence[str]) -> None:
    """A row for every game and seat."""
    columns = ("scores", "wins", "ranks", "moves", "seconds", "longest", "fallbacks")
    tables = [getattr(ledger, column).tolist() for column in columns]
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(_GAME_COLUMNS)
        for row, (game, deal) in enumerate(zip(ledger.games.tolist(), ledger.deals.tolist(), strict=True)):
            for seat, entrant in enumerate(ledger.seats[row].tolist()):
                rows.writerow([game, deal, seat, names[entrant], *(table[row][seat] for table in tables)])


def write_standings(path: Path, rows: Sequence[Placing]) -> None:
    """A row for every entrant, the best first."""
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(_STANDING_COLUMNS)
        for place, row in enumerate(rows, 1):
            share, score = (_interval(figure) for figure in (row.share, row.score))
            figures = [place, row.name, row.games, row.wins, *share, row.even, *score, *row.rating]
            table.writerow([*figures, 1000 * row.move_seconds, 1000 * row.longest, row.moves, row.fallbacks])


def _interval(figure: Figure) -> list[object]:
    """A figure and the ends of its interval; empty where that is endless."""
    return ["" if math.isinf(value) else value for value in (figure.value, figure.low, figure.high)]
