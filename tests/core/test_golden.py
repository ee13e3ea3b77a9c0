"""Golden games: a text record for each game, number of players and variant, in tests/golden.

They pin the behaviour of the rules in every process, on every machine and Python version. After a
deliberate change of the rules: python -m tests.core.test_golden
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import souk
from tests.support.random_games import VARIANTS, variant_name, whole_random_game

GOLDEN = Path(__file__).parents[1] / "golden"
SEED = 1001


def golden_file(variant: tuple[str, int, dict[str, Any]]) -> Path:
    return GOLDEN / f"{variant_name(variant)}.souk"


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_the_seed_plays_the_golden_game(variant: tuple[str, int, dict[str, Any]]) -> None:
    assert str(whole_random_game(*variant, SEED)) == golden_file(variant).read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_the_golden_game_replays(variant: tuple[str, int, dict[str, Any]]) -> None:
    file = golden_file(variant)
    record = souk.load(file)
    assert str(record) == file.read_text(encoding="utf-8")
    positions = list(record.positions())
    assert len(positions) == len(record.events) + 1
    assert positions[0] == souk.game(variant[0]).start(variant[1], **variant[2])
    assert positions[-1] == record.position
    assert positions[-1].over


def test_no_golden_game_is_left_over() -> None:
    assert sorted(GOLDEN.glob("*.souk")) == sorted(golden_file(variant) for variant in VARIANTS)


def test_another_process_plays_the_same_games() -> None:
    environment = dict(os.environ, PYTHONHASHSEED="99", PYTHONPATH=os.pathsep.join(sys.path))
    code = "from tests.core.test_golden import check; check()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def check() -> None:
    for variant in VARIANTS:
        assert str(whole_random_game(*variant, SEED)) == golden_file(variant).read_text(
            encoding="utf-8"
        ), variant


if __name__ == "__main__":
    for old in GOLDEN.glob("*.souk"):
        old.unlink()
    for variant in VARIANTS:
        whole_random_game(*variant, SEED).save(golden_file(variant))
