"""docs/new-game.md, followed to the letter: its code blocks become a room, and the game they make is played."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with a fifth room, made of the page's code."""
    home = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "souk", home / "souk", ignore=shutil.ignore_patterns("__pycache__"))
    room = home / "souk" / "games" / "pig"
    room.mkdir()
    page = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python file=(\S+)\n(.*?)```", page, re.DOTALL)
    for name, code in blocks:
        (room / name).write_text(code, encoding="utf-8")
    assert [name for name, _ in blocks] == ["rules.py", "words.py", "box.py", "__init__.py", "certify.py"]
    return home


def run(house: Path, *arguments: str, typed: str = "", code: int = 0) -> str:
    environment = dict(os.environ, PYTHONPATH=str(house), XDG_CACHE_HOME=str(house / "cache"))
    command = [sys.executable, *arguments]
    done = subprocess.run(command, input=typed, cwd=house, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def test_the_fifth_game_is_certified_and_simulated(house: Path) -> None:
    out = run(house, "souk/games/pig/certify.py")
    assert "Certificate(game='pig', games=15" in out
    shares = [float(share) for share in re.findall(r"0\.\d+", out)]
    assert 0.99 < sum(shares) < 1.01
    assert shares[0] > shares[1]


def test_the_command_line_knows_it(house: Path) -> None:
    assert "Roll as often as you dare." in run(house, "-m", "souk.cli", "games")
    assert "Pig, 3 players" in run(
        house, "-m", "souk.cli", "simulate", "pig", "--players", "3", "--games", "100", "-o", "goal=20"
    )


def test_it_can_be_played_without_a_picture_of_its_own(house: Path) -> None:
    out = run(house, "-m", "souk.cli", "play", "pig", "--players", "2", "--seed", "1", typed="roll\nq\n")
    assert "pot" in out
    assert "Traveller rolls." in out


def test_the_lab_tells_of_it_what_can_be_told_of_any_game(house: Path) -> None:
    """A report with wins by seat, scores and length; an export; a tournament. What nobody has declared is refused in one sentence."""
    few = ["--players", "2", "--games", "4", "-o", "goal=20"]
    run(house, "-m", "souk.cli", "report", "pig", "--play", "random,greedy", "--simulated", "50", *few)
    written = (house / "pig.html").read_text(encoding="utf-8")
    for heading in ("Wins by seat", "Scores", "Length", "Going first, margins and ties"):
        assert f"<h3>{heading}</h3>" in written
    assert "–" not in written.partition("<main>")[2]  # no figure is missing
    assert "pig.parquet" in run(house, "-m", "souk.cli", "export", "pig", *few)
    out = run(house, "-m", "souk.cli", "tournament", "pig", "random", "random:seed=1", "--processes", "2", *few)
    assert "ahead of" in out
    no_numbers = "import souk.lab\ntry:\n    souk.lab.Batch('pig', 2)\nexcept ValueError as error:\n    print(error)"
    assert "Pig has no numbers.py" in run(house, "-c", no_numbers)


def test_its_rules_page_is_found_once_it_is_written(house: Path) -> None:
    assert "docs/rules/pig.md" in run(house, "-m", "souk.cli", "rules", "pig", code=2)
    page = house / "docs" / "rules" / "pig.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Pig\n\n## A turn\n| id | clause | code |\n|---|---|---|\n| PG1 | Roll or stop. | `play` |\n")
    assert "Roll or stop." in run(house, "-m", "souk.cli", "rules", "pig", "pg1")
