"""A training in its folder: reproducible, resumable, gated; what is kept and exported."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import souk
from souk.lab.training.history import History, read_history, strength, write_history
from souk.lab.training.html import PAGE
from souk.lab.training.loop import Progress, Training
from souk.lab.training.settings import FORMER_NAMES
from souk.nets import loader as shelf
from tests.lab.support.tiny_training import PLAYERS, tiny, training
from tests.support.random_nets import random_file, random_net

SULEIKA = souk.game("suleika")


class Impatient(Progress):
    """Presses Ctrl-C as soon as an activity is reported."""

    def __init__(self, what: str) -> None:
        self.what = what

    def tell(self, what: str, done: float, detail: str = "") -> None:
        if what == self.what and done > 0:
            raise KeyboardInterrupt


def weights(folder: Path) -> dict[str, bytes]:
    """All tensors of the nets in a folder."""
    found = {}
    for file in sorted(folder.glob("net-*.safetensors")):
        for players, net in shelf.all_nets(SULEIKA, file).items():
            found[f"{file.name} {players}"] = net.tobytes()
    return found


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Training:
    """Two rounds whose nets are kept whatever their strength."""
    found = training(tmp_path_factory.mktemp("example"), gated=False)
    assert [each.number for each in found.run(rounds=2)] == [1, 2]
    return found


@pytest.mark.pytorch
def test_the_same_seed_gives_the_same_weights(example: Training, tmp_path: Path) -> None:
    list(training(tmp_path / "again", gated=False).run(rounds=2))
    assert len(weights(tmp_path / "again")) == 2
    assert weights(tmp_path / "again") == weights(example.folder)
    list(training(tmp_path / "other", gated=False, seed=6).run(rounds=1))
    assert (
        weights(tmp_path / "other")["net-001.safetensors 2"]
        != weights(example.folder)["net-001.safetensors 2"]
    )


@pytest.mark.pytorch
@pytest.mark.parametrize("what", ["play", "learn", "match"])
def test_broken_off_and_gone_on_with_it_is_the_same(
    example: Training, tmp_path: Path, what: str
) -> None:
    list(training(tmp_path, gated=False).run(rounds=1))
    with pytest.raises(KeyboardInterrupt):
        list(training(tmp_path, Impatient(what), gated=False).run(rounds=2))
    resumed = training(tmp_path, gated=False)
    assert len(resumed.state.rounds) == 1
    assert [each.number for each in resumed.run(rounds=2)] == [2]
    assert weights(tmp_path) == weights(example.folder)


@pytest.mark.pytorch
def test_what_a_round_says(example: Training) -> None:
    annals = read_history(example.folder)
    assert annals == example.state
    for each in example.state.rounds:
        assert each.positions >= example.settings.positions
        assert each.low <= each.share <= each.high
        assert each.games == 2 * example.settings.most_pairs
        assert set(each.seconds) == {"play", "learn", "match"}
        assert each.losses
        assert each.chances > 0 < each.score
    assert example.best.endswith("net-002.safetensors")


@pytest.mark.pytorch
def test_only_as_many_positions_are_kept_as_are_learned_from(tmp_path: Path) -> None:
    list(training(tmp_path, window=1).run(rounds=2))
    assert [file.name for file in tmp_path.glob("positions-*")] == ["positions-002.npy"]


@pytest.mark.pytorch
def test_time_counts_over_all_rounds(example: Training) -> None:
    assert list(example.run(seconds=example.state.seconds / 2)) == []


@pytest.mark.pytorch
def test_the_gate_lets_pass_who_wins(tmp_path: Path) -> None:
    """A barely trained net beats one of random weights."""
    begin = str(random_file(tmp_path, SULEIKA))
    found = training(tmp_path / "gate", initial_net=begin, match_playouts=20, most_pairs=60)
    assert found.best == begin
    (first,) = found.run(rounds=1)
    assert first.low > 0.5
    assert first.kept
    assert found.best.endswith("net-001.safetensors")


@pytest.mark.pytorch
def test_the_gate_refuses_who_is_not_better_for_sure(tmp_path: Path) -> None:
    found = training(tmp_path)
    (first,) = found.run(rounds=1)
    assert first.low <= 0.5
    assert not first.kept
    assert found.best == "none"
    with pytest.raises(ValueError, match="no net of this training has won"):
        found.export_best(tmp_path / "net.safetensors")
    assert not (tmp_path / "net.safetensors").exists()


@pytest.mark.pytorch
def test_a_net_is_exported_beside_the_others(example: Training, tmp_path: Path) -> None:
    file = tmp_path / "net.safetensors"
    shelf.write(
        file,
        SULEIKA,
        {players: random_net(SULEIKA, players) for players in (2, 4)},
        {"4": {"made": "at random"}},
    )
    example.export_best(file)
    found = shelf.all_nets(SULEIKA, file)
    assert sorted(found) == [2, 4]
    assert np.array_equal(found[4], random_net(SULEIKA, 4))
    assert np.array_equal(found[PLAYERS], shelf.net_of(SULEIKA, PLAYERS, example.best))
    pedigree = shelf.pedigree_of(SULEIKA, str(file))
    assert pedigree["4"] == {"made": "at random"}
    assert len(pedigree["2"]["rounds"]) == 2
    example.export_best(tmp_path / "new.safetensors")
    assert list(shelf.all_nets(SULEIKA, tmp_path / "new.safetensors")) == [PLAYERS]


@pytest.mark.pytorch
def test_the_page_tells_of_every_round(example: Training) -> None:
    page = (example.folder / PAGE).read_text(encoding="utf-8")
    assert page.count("<tr>") == 1 + 2
    for head in (
        "Share of wins",
        "Strength gained",
        "Chances to win",
        "Final scores",
        "Loss",
        "Time",
    ):
        assert f"<h2>{head}</h2>" in page
    assert (
        "souk train suleika --rounds 2 --players 2 --seed 5 --positions 300 "
        "--random-opening 6 --playouts 4 --pairs 8 --no-gate" in page
    )
    assert "http" not in page.replace("http://www.w3.org", "")


# ---------------------------------------------------------------- without PyTorch


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "game": ({"game": "suleica"}, 'Did you mean "suleika"'),
    "players": ({"players": 7}, "players: Suleika is for 2 to 4 players, not 7"),
    "alone": (
        {"game": "bazaar", "players": 1},
        "players: a net learns from games against opponents: 2 to",
    ),
    "seed": ({"seed": -1}, "seed: must be a whole number"),
    "positions": ({"positions": 0}, "positions: must be a whole number"),
    "random opening": (
        {"random_opening": -1},
        "random-opening: must be a whole number from 0 to 1000",
    ),
    "bootstrap passes": (
        {"bootstrap_passes": 101},
        "bootstrap-passes: must be a whole number from 0 to 100",
    ),
    "playouts": ({"playouts": 0}, "playouts: must be a whole number from 1 to 100000"),
    "search weight": ({"search_weight": -0.5}, r"search-weight: must be from 0 to 1, not -0\.5"),
    "lambda": ({"td_lambda": 1.5}, r"td-lambda: must be from 0 to 1, not 1\.5"),
    "correction scale": ({"correction_scale": 2.0}, "correction-scale: must be from 0 to 1, not 2"),
    "pairs": ({"most_pairs": 1}, "pairs: must be a whole number"),
    "a GPU": (
        {"gpu_games": True},
        r"games: (the GPU needs|no CUDA GPU was found).*; omit --gpu-games",
    ),
    "initial net": ({"initial_net": "nowhere.safetensors"}, "there is no file nowhere.safetensors"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_and_leaves_nothing_behind(case: str, tmp_path: Path) -> None:
    more, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        training(tmp_path / "new", **more)
    assert not (tmp_path / "new").exists()


def test_a_net_to_begin_with_must_be_for_as_many(tmp_path: Path) -> None:
    file = tmp_path / "four.safetensors"
    shelf.write(file, SULEIKA, {4: random_net(SULEIKA)}, {})
    with pytest.raises(ValueError, match="four.safetensors has no net for 2 players"):
        training(tmp_path / "new", initial_net=str(file))


def test_a_folder_with_other_settings_is_left_alone(tmp_path: Path) -> None:
    write_history(tmp_path, History(settings=tiny(seed=1), device="cpu"))
    with pytest.raises(ValueError, match="contains a training with other settings: seed 1, not 5"):
        training(tmp_path)
    (tmp_path / "training.json").write_text("no JSON", encoding="utf-8")
    with pytest.raises(ValueError, match=r"training\.json is not a training history"):
        training(tmp_path)


def test_former_names_in_a_stored_history_are_understood(tmp_path: Path) -> None:
    settings = tiny(initial_net="", win_head=False, td_lambda=0.5, epsilon=0.1)
    write_history(tmp_path, History(settings=settings, device="cpu"))
    file = tmp_path / "training.json"
    text = file.read_text(encoding="utf-8")
    for former, name in FORMER_NAMES.items():
        assert text.count(f'"{name}"') == 1
        text = text.replace(f'"{name}"', f'"{former}"')
    file.write_text(text, encoding="utf-8")
    stored = read_history(tmp_path)
    assert stored is not None
    assert stored.settings == settings


def test_strength_of_shares() -> None:
    assert strength(0.5) == 0
    assert round(strength(0.75)) == 191
    assert strength(0.25) == -strength(0.75)
    assert strength(1.0) == strength(0.999)
