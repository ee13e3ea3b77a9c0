"""What docs/minds.md tells of the training of minds, from the pedigrees inside their files."""

from collections.abc import Callable
from typing import Any

from grids import grid
from readme_figures import Shelf

import souk
from souk.games import names
from souk.minds.shelf import pedigree_of

Round = dict[str, Any]


def training(_shelf: Shelf) -> list[str]:
    """Every round of every mind."""
    headings = ["game", "players", "round", "positions", "seconds: games", "learning", "match"]
    headings += ["error of chances", "error of scores", "games of the match", "share of wins", "kept"]
    rows = [
        [game.title, players, *_told(each)]
        for game in map(souk.game, names())
        for players, mind in sorted(pedigree_of(game).items())
        for each in mind["rounds"]
    ]
    return [*grid(headings, rows), _device()]


def _told(found: Round) -> list[str]:
    seconds = found["seconds"]
    return [
        str(found["number"]),
        f"{found['positions']:,}",
        *(f"{seconds[what]:.0f}" for what in ("play", "learn", "match")),
        f"{found['chances_before']:.3f} → {found['chances']:.3f}",
        f"{found['score_before']:.2f} → {found['score']:.2f}",
        f"{found['games']:,}",
        f"{found['share']:.1%} ({found['low']:.1%} – {found['high']:.1%})",
        ("yes" if found["low"] > 0.5 else "without a win") if found["kept"] else "no",
    ]


def _device() -> str:
    minds = [mind for name in names() for mind in pedigree_of(souk.game(name)).values()]
    devices = sorted({mind["device"] for mind in minds})
    minutes = sum(sum(each["seconds"].values()) for mind in minds for each in mind["rounds"]) / 60
    return f"All together {minutes:.0f} minutes; nets learned on {', '.join(devices)}. From the pedigrees inside the files."


BLOCKS: dict[str, Callable[[Shelf], list[str]]] = {"minds, training": training}
