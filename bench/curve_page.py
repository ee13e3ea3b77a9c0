"""How soon a mind is strong: the table and the pictures of docs/minds.md, from what bench/curve.py measured."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from grids import Rows, filled
from readme_figures import Shelf
from strength_plots import WIDTH, mark, picture

import souk
from souk.games.art.plots import Scale, line, scale, text

BOTTOM, TOP = 206, 60


def rows_by_game(docs: Path) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for row in Shelf(docs).figures("curve")["rows"]:
        found.setdefault(row["game"], []).append(row)
    return found


def curve(shelf: Shelf) -> list[str]:
    """Rounds of a training, and the mind that is shipped."""
    headings = "game | players | round | positions so far | seconds: playing and learning | against the vizier without a mind | against the shipped mind"
    cells = "{title} | {players} | {told} | {mindless[0]:.1%} ({mindless[1]:.1%} – {mindless[2]:.1%}) | {beside}"
    rows = [row | _told(row) for rows in rows_by_game(shelf.docs).values() for row in rows]
    links = [
        f"![{souk.game(game).title}: strength by seconds of training](images/curve-{game}.svg)"
        for game in rows_by_game(shelf.docs)
    ]
    return [*links, "", *filled(rows, headings, cells), f"{shelf.pedigree('curve')}."]


def _told(row: dict[str, Any]) -> dict[str, str]:
    if not row["round"]:
        return {"told": "shipped | | ", "beside": ""}
    beside = "{shipped[0]:.1%} ({shipped[1]:.1%} – {shipped[2]:.1%})".format(**row)
    return {"told": "{round} | {positions:,} | {seconds:.0f}".format(**row), "beside": beside}


def drawn(rows: Rows) -> str:
    """The share of wins against the vizier without a mind, by seconds of training; the dashed line is the shipped mind."""
    rounds, shipped = [row for row in rows if row["round"]], rows[-1]["mindless"][0]
    highest = max(row["mindless"][2] for row in rows)
    steps = [step / 10 for step in range(5, int(10 * highest) + 2)]
    up, at = scale(0.5, steps[-1], BOTTOM, TOP), scale(0.0, 1.15 * rounds[-1]["seconds"], 60, WIDTH - 24)
    title = f"{souk.game(rows[0]['game']).title}, {rows[0]['players']} players"
    parts = [text(16, 28, title, "title")]
    for share in steps:
        parts.append(line(52, up(share), WIDTH - 16, up(share), "grid"))
        parts.append(text(46, up(share) + 4, f"{share:.0%}", "tick", "end"))
    parts.append(line(52, up(shipped), WIDTH - 16, up(shipped), "even"))
    parts.append(text(WIDTH - 16, 50, f"dashed: shipped, {shipped:.0%}", "tick", "end"))
    parts.append(text(at(0), 228, "0 s", "tick", "middle"))
    return picture(242, f"{title}: strength by seconds of training", parts + _path(rounds, at, up))


def _path(rounds: Rows, at: Scale, up: Scale) -> list[str]:
    """From an even share, without any training, through all rounds with their intervals."""
    places = [(0.0, 0.5), *((row["seconds"], row["mindless"][0]) for row in rounds)]
    path = "L".join(f"{at(seconds):.1f} {up(share):.1f}" for seconds, share in places)
    parts = [f'<path d="M{path}" class="curve c0"/>']
    for row in rounds:
        share, low, high = row["mindless"]
        x = at(row["seconds"])
        parts += [line(x, up(low), x, up(high), "cap c0"), mark(0, x, up(share))]
        parts += [
            text(x, up(high) - 6, f"{share:.0%}", "", "middle"),
            text(x, 228, f"{row['seconds']:.0f} s", "tick", "middle"),
        ]
    return parts


def pictures(docs: Path) -> dict[str, str]:
    """By the name of its file."""
    return {f"curve-{game}.svg": drawn(rows) for game, rows in rows_by_game(docs).items()}


BLOCKS: dict[str, Callable[[Shelf], list[str]]] = {"minds, curve": curve}
