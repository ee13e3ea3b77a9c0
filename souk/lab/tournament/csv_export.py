"""CSV export of a tournament: every game, and the standings."""

import csv
import math
from collections.abc import Sequence
from pathlib import Path

from souk.lab.statistics import Figure
from souk.lab.tournament.results import GameResults
from souk.lab.tournament.standings import Standing

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


def write_games(path: Path, results: GameResults, names: Sequence[str]) -> None:
    """Write a row for every game and seat."""
    columns = ("scores", "wins", "ranks", "moves", "seconds", "longest", "fallbacks")
    tables = [getattr(results, column).tolist() for column in columns]
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(_GAME_COLUMNS)
        for row, (game, deal) in enumerate(
            zip(results.games.tolist(), results.deals.tolist(), strict=True)
        ):
            for seat, entrant in enumerate(results.seats[row].tolist()):
                rows.writerow(
                    [game, deal, seat, names[entrant], *(table[row][seat] for table in tables)]
                )


def write_standings(path: Path, rows: Sequence[Standing]) -> None:
    """Write a row for every entrant, best first."""
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(_STANDING_COLUMNS)
        for place, row in enumerate(rows, 1):
            share, score = (_interval(figure) for figure in (row.share, row.score))
            figures = [place, row.name, row.games, row.wins, *share, row.even, *score, *row.rating]
            table.writerow(
                [*figures, 1000 * row.move_seconds, 1000 * row.longest, row.moves, row.fallbacks]
            )


def _interval(figure: Figure) -> list[object]:
    """A figure and the bounds of its interval; empty cells if unbounded."""
    return ["" if math.isinf(value) else value for value in (figure.value, figure.low, figure.high)]
