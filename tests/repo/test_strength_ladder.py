"""Ladders of docs/research/strength.md: differences and intervals add up from match to match."""

import json
import math
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bench.strength import ladder
from bench.tables import plots

ROOT = Path(__file__).parents[2]


def match(better: str, other: str, share: float, half: float = 0.05, **more: Any) -> dict[str, Any]:
    ends = {"low": share - half, "high": share + half}
    return {
        "better": better,
        "other": other,
        "share": share,
        **ends,
        "even": 0.5,
        "games": 400,
        "seconds": 0.05,
    } | more


def test_ten_wins_per_loss_are_400_points() -> None:
    assert ladder.gap(match("trader", "apprentice", 10 / 11)).height == pytest.approx(400)
    assert ladder.gap(match("trader", "apprentice", 10 / 11)).turned().height == pytest.approx(-400)
    assert ladder.gap(match("trader", "apprentice", 0.6, even=0.6)).height == 0


def test_a_clean_sweep_has_a_finite_rating() -> None:
    gap = ladder.gap(match("trader", "apprentice", 1.0, 0.0, games=4))
    assert gap.height == pytest.approx(400 * math.log10(15))


def test_ratings_add_up_from_the_apprentice() -> None:
    rows = [match("merchant", "trader", 0.7), match("trader", "apprentice", 0.8)]
    rungs = {str(bot): rung for bot, rung in ladder.rungs(rows).items()}
    first, second = ladder.gap(rows[1]), ladder.gap(rows[0])
    assert list(rungs) == ["apprentice", "trader", "merchant"]
    assert rungs["trader"] == pytest.approx(first)
    assert rungs["merchant"].height == pytest.approx(first.height + second.height)
    up, down = (
        math.hypot(*(abs(gap[end] - gap.height) for gap in (first, second))) for end in (2, 1)
    )
    assert rungs["merchant"].high - rungs["merchant"].height == pytest.approx(up)
    assert rungs["merchant"].height - rungs["merchant"].low == pytest.approx(down)


def test_the_narrowest_interval_wins() -> None:
    chain = [match("trader", "apprentice", 0.8, 0.01), match("merchant", "trader", 0.7, 0.01)]
    vague = match("merchant", "apprentice", 0.6, 0.2)
    assert ladder.rungs([vague, *chain]) == ladder.rungs(chain)


def test_losers_are_rated_by_a_rated_winner() -> None:
    rows = [match("vizier", "vizier:net=none", 0.6)]
    rows += [match("vizier", "merchant", 0.7), match("merchant", "apprentice", 0.7)]
    heights = {str(bot): rung.height for bot, rung in ladder.rungs(rows).items()}
    assert heights["merchant"] < heights["vizier, no net, 0.05 s"] < heights["vizier, 0.05 s"]


def test_viziers_differ_by_time() -> None:
    assert ladder.bot_of("vizier:seconds=1", 0.05) == ladder.bot_of("vizier", 1)
    assert ladder.bot_of("vizier:net=none", 1) != ladder.bot_of("vizier", 1)
    assert ladder.bot_of("merchant", 1) == ladder.bot_of("merchant", 0.05)


def test_plots_show_all_measured_bots(tmp_path: Path) -> None:
    docs = _docs_with_matches(tmp_path)
    pictures = plots.pictures(docs)
    for game, by_players in ladder.ladders(docs / "strength").items():
        shown = _texts(pictures.pop(f"ladder-{game}.svg"))
        assert {str(bot) for rungs in by_players.values() for bot in rungs} < shown
        assert {f"{players} players" for players in by_players} < shown
        assert ("vizier, 1 s" in shown) == (game == "suleika")
    texts = _texts(pictures.pop("playouts-suleika.svg"))
    assert {"Suleika, 2 players", "2,500", "10,000", "200,000", "41%", "57%"} < texts
    # No plots of games without figures.
    assert {name.partition("-")[0] for name in pictures} <= {"curve"}


def _docs_with_matches(folder: Path) -> Path:
    """A copy of the docs in which the nets and thinking-time files only have Suleika's matches."""
    docs = shutil.copytree(ROOT / "docs", folder / "docs")
    table = {"game": "suleika", "players": 2}
    nets = [
        match("vizier", "vizier:net=none", 0.6, **table),
        match("vizier:seconds=1", "vizier", 0.6, **table),
    ]
    playouts = []
    for name, share in {"playouts=2500": 0.41, "playouts=200000": 0.57}.items():
        row = {"better": name, "other": "playouts=10000"}
        playouts.append(table | row | {"without_luck": [share, share - 0.02, share + 0.02]})
    for name, rows in (("nets", nets), ("thinking-time", playouts)):
        file = docs / "strength" / f"{name}.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | {"rows": rows}))
    return docs


def _texts(picture: str) -> set[str]:
    return {
        element.text or ""
        for element in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")
    }
