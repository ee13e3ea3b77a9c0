"""The nets that `souk bots` lists, and how they were trained."""

from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from souk.cli.bots import nets
from souk.core.game import Game
from souk.core.messages import Words
from souk.games import game as find_game
from souk.kernel.net_layout import no_net
from souk.nets.loader import bundled_file, write


def a_round(**figures: Any) -> dict[str, Any]:
    """A round in a pedigree."""
    usual = {
        "number": 0,
        "positions": 1_000_000,
        "seconds": {"play": 90.0, "learn": 60.0},
        "games": 1200,
        "kept": True,
    }
    return usual | {"share": 0.5, "low": 0.5, "high": 0.5} | figures


def told(game: Game, language: str) -> list[str]:
    """The output lines about a game, with single spaces."""
    written = StringIO()
    Console(file=written, width=200, no_color=True).print(nets(Words(language), [game]))
    return [" ".join(line.split()) for line in written.getvalue().splitlines()]


@pytest.fixture
def suleika(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Suleika with an empty folder for its net."""
    game = find_game("suleika")
    monkeypatch.setattr(game, "folder", tmp_path)
    return game


def test_without_a_file_the_vizier_uses_the_heuristics(suleika: Game) -> None:
    assert told(suleika, "en")[1:] == ["Suleika 2, 3, 4 heuristics only, no net"]
    assert told(suleika, "de")[1:] == [
        "Suleika 2, 3, 4 nach seinem Spielverständnis; gelernt hat er noch nichts"
    ]
    assert told(suleika, "nl")[1:] == [
        "Suleika 2, 3, 4 op zijn spelinzicht; geleerd heeft hij nog niets"
    ]


def test_each_net_is_listed_with_its_pedigree(suleika: Game) -> None:
    net = no_net(suleika.net_features.ROWS)
    net["rows"][0, :5] = np.arange(5)[:, None]
    kept = a_round(share=0.621, low=0.6, high=0.642)
    lost = a_round(share=0.49, low=0.47, high=0.51, kept=False)
    about = {
        "settings": {},
        "version": "0",
        "device": "NVIDIA [H200]",
        "rounds": [a_round(share=0.7), kept, lost],
    }
    write(bundled_file(suleika), suleika, {2: net, 4: net}, {"4": about})
    two, four, three = told(suleika, "en")[1:]
    assert two == "Suleika 2 a net; its training is not recorded"
    assert four == (
        "4 a net: 3 rounds, 3,000,000 positions, 8 min on NVIDIA [H200]; "
        "the last won 62.1% of the 1,200 games of its match (60.0% to 64.2%)"
    )
    assert three == "3 heuristics only, no net"
    assert (
        "3 Runden, 3.000.000 Stellungen, 8 min auf NVIDIA [H200]; zuletzt 62,1"
        in told(suleika, "de")[2]
    )
    assert (
        "3 rondes, 3.000.000 stellingen, 8 min op NVIDIA [H200]; won het laatst 62,1"
        in told(suleika, "nl")[2]
    )
