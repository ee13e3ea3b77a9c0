"""The ladders of docs/strength.md: differences add up from match to match, and so do their intervals."""

import importlib
import json
import math
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    return importlib.import_module("ladder")


def match(better: str, other: str, share: float, half: float = 0.05, **more: Any) -> dict[str, Any]:
    ends = {"low": share - half, "high": share + half}
    return {"better": better, "other": other, "share": share, **ends, "even": 0.5, "games": 400, "seconds": 0.05} | more


def test_ten_wins_for_a_loss_are_four_hundred(ladder: ModuleType) -> None:
    assert ladder.gap(match("trader", "apprentice", 10 / 11)).height == pytest.approx(400)
    assert ladder.gap(match("trader", "apprentice", 10 / 11)).turned().height == pytest.approx(-400)
    assert ladder.gap(match("trader", "apprentice", 0.6, even=0.6)).height == 0


def test_nobody_is_endlessly_better(ladder: ModuleType) -> None:
    gap = ladder.gap(match("trader", "apprentice", 1.0, 0.0, games=4))
    assert gap.height == pytest.approx(400 * math.log10(15))


def test_rungs_are_added_up_from_the_apprentice(ladder: ModuleType) -> None:
    rows = [match("merchant", "trader", 0.7), match("trader", "apprentice", 0.8)]
    found = {str(bot): rung for bot, rung in ladder.rungs(rows).items()}
    first, second = ladder.gap(rows[1]), ladder.gap(rows[0])
    assert list(found) == ["apprentice", "trader", "merchant"]
    assert found["trader"] == pytest.approx(first)
    assert found["merchant"].height == pytest.approx(first.height + second.height)
    up, down = (math.hypot(*(abs(gap[end] - gap.height) for gap in (first, second))) for end in (2, 1))
    assert found["merchant"].high - found["merchant"].height == pytest.approx(up)
    assert found["merchant"].height - found["merchant"].low == pytest.approx(down)


def test_the_way_that_tells_most_is_taken(ladder: ModuleType) -> None:
    chain = [match("trader", "apprentice", 0.8, 0.01), match("merchant", "trader", 0.7, 0.01)]
    vague = match("merchant", "apprentice", 0.6, 0.2)
    assert ladder.rungs([vague, *chain]) == ladder.rungs(chain)


def test_who_loses_is_placed_by_whoever_is_known(ladder: ModuleType) -> None:
    rows = [match("vizier", "vizier:mind=none", 0.6), match("vizier", "merchant", 0.7), match("merchant", "apprentice", 0.7)]  # fmt: skip
    heights = {str(bot): rung.height for bot, rung in ladder.rungs(rows).items()}
    assert heights["merchant"] < heights["vizier, no mind, 0.05 s"] < heights["vizier, 0.05 s"]


def test_time_tells_a_vizier_from_another(ladder: ModuleType) -> None:
    assert ladder.bot_of("vizier:seconds=1", 0.05) == ladder.bot_of("vizier", 1)
    assert ladder.bot_of("vizier:mind=none", 1) != ladder.bot_of("vizier", 1)
    assert ladder.bot_of("merchant", 1) == ladder.bot_of("merchant", 0.05)


def test_the_pictures_show_everybody_who_was_measured(ladder: ModuleType, tmp_path: Path) -> None:
    plots = importlib.import_module("strength_plots")
    docs = _with_patience(tmp_path)
    pictures = plots.pictures(docs)
    for game, by_players in ladder.ladders(docs / "strength").items():
        shown = _texts(pictures.pop(f"ladder-{game}.svg"))
        assert {str(bot) for found in by_players.values() for bot in found} < shown
        assert {f"{players} players" for players in by_players} < shown
        assert ("vizier, 1 s" in shown) == (game == "suleika")
    assert {"Suleika, 2 players", "2,500", "10,000", "200,000", "41%", "57%"} < _texts(
        pictures.pop("patience-suleika.svg")
    )
    assert not pictures  # nothing is drawn that nobody played


def _with_patience(folder: Path) -> Path:
    """The figures of the docs, but in Suleika one match of viziers with a mind and without, one with more time, and two of searches with fewer and more playouts."""
    docs = shutil.copytree(ROOT / "docs", folder / "docs")
    table = {"game": "suleika", "players": 2}
    viziers = [match("vizier", "vizier:mind=none", 0.6, **table), match("vizier:seconds=1", "vizier", 0.6, **table)]
    playouts = {"playouts=2500": 0.41, "playouts=200000": 0.57}
    patience = [
        table | {"better": name, "other": "playouts=10000", "without_luck": [share, share - 0.02, share + 0.02]}
        for name, share in playouts.items()
    ]
    for name, rows in (("minds", viziers), ("patience", patience)):
        file = docs / "strength" / f"{name}.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | {"rows": rows}))
    return docs


def _texts(picture: str) -> set[str]:
    return {element.text or "" for element in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")}
