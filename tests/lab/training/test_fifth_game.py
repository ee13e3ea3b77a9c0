"""A fifth game has no net by default; with the features of docs/research/training.md it has."""

import re
from pathlib import Path

from tests.support.fifth_game import ROOT, build, run

PLAYED = """
from souk.kernel.interpreter import without_compiling
from souk.lab.training.selfplay import SelfPlayTask, Side, play_task
from souk.lab.training.loop import check_settings
from souk.lab.training.settings import SelfPlaySettings, TrainingSettings

print(check_settings(TrainingSettings(game="pig", players=3)).title)
with without_compiling():
    settings = SelfPlaySettings(2, 2, 0.5)
    samples, results = play_task(SelfPlayTask("pig", 3, 1, 0, 2, (Side(),), (0, 0, 0), settings))
wins, score = results["wins"].sum(1).tolist(), results["score"].max()
print(len(samples) > 2, samples["n"].tolist() == [4] * len(samples), wins, score >= 100)
"""


def test_a_game_without_eyes_is_refused_and_one_with_them_is_played(tmp_path: Path) -> None:
    home = build(tmp_path / "house", least=True)
    text = run(home, "-m", "souk.cli", "train", "pig", code=2)
    assert text.strip() == "souk: game: Pig has no net_features.py, so no net can be trained for it"
    page = (ROOT / "docs" / "research" / "training.md").read_text(encoding="utf-8")
    (features,) = re.findall(r"```python file=net_features.py\n(.*?)```", page, re.DOTALL)
    (home / "souk" / "games" / "pig" / "net_features.py").write_text(features, encoding="utf-8")
    assert run(home, "-c", PLAYED).split("\n")[:2] == ["Pig", "True True [1.0, 1.0] True"]
