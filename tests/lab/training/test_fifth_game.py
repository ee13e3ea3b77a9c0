"""A fifth game has no mind by default, and learns with the eyes of docs/training.md."""

import re
from pathlib import Path

from tests.fifth_game import ROOT, build, run

PLAYED = """
from souk.kernel.interpreting import at_once
from souk.lab.training.selfplay import Manner, Side, Stint, played
from souk.lab.training.annals import Curriculum
from souk.lab.training.training import check_curriculum

print(check_curriculum(Curriculum(game="pig", players=3)).title)
with at_once():
    samples, results = played(Stint("pig", 3, 1, 0, 2, (Side(),), (0, 0, 0), Manner(2, 2, 0.5)))
print(len(samples) > 2, samples["n"].tolist() == [4] * len(samples), results["wins"].sum(1).tolist(), results["score"].max() >= 100)
"""


def test_a_game_without_eyes_is_refused_and_one_with_them_is_played(tmp_path: Path) -> None:
    home = build(tmp_path / "house", least=True)
    told = run(home, "-m", "souk.cli", "train", "pig", code=2)
    assert told.strip() == "souk: game: Pig has no eyes for a mind (mind.py), so none can be trained for it"
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    (eyes,) = re.findall(r"```python file=mind.py\n(.*?)```", page, re.DOTALL)
    (home / "souk" / "games" / "pig" / "mind.py").write_text(eyes, encoding="utf-8")
    assert run(home, "-c", PLAYED).split("\n")[:2] == ["Pig", "True True [1.0, 1.0] True"]
