"""`souk train` as a user calls it."""

import re
import sys
from pathlib import Path

import pytest

import souk
from souk.lab.training.training import find_device
from souk.minds import shelf
from tests.lab.commands import interrupted, run_souk, souk_command
from tests.minds.random_minds import random_file

QUICK = ("--players", "2", "--positions", "300", "--pairs", "4", "--processes", "1")


@pytest.mark.pytorch
def test_training_goes_on_where_it_was_and_hands_over(tmp_path: Path) -> None:
    folder, mind = tmp_path / "train", tmp_path / "mind.safetensors"
    given = ("train", "suleika", *QUICK, "--out", str(folder), "--device", "cpu", "--no-gate", "--into", str(mind))
    told = run_souk(*given, "--rounds", "1")
    assert "Suleika, 2 players, seed 0: 300 positions a round, learning on cpu" in told
    assert "Round 1:" in told
    assert "training.html" in told
    assert list(shelf.all_minds(souk.game("suleika"), mind)) == [2]
    # In the second round all of PyTorch is loaded; Ctrl-C while it still is ends a process by that signal itself.
    stopped = interrupted(souk_command(*given, "--rounds", "99"), folder / "mind-002.safetensors")
    (number,) = re.findall(r"Stopped in round (\d+)\. What was done is kept; to go on:\n +souk train suleika", stopped)
    told = run_souk(*given, "--rounds", number)
    assert "Already done:" in told
    assert re.findall(r"^Round (\d+):", told, re.MULTILINE) == [number]


def test_bad_input_is_one_clear_line(tmp_path: Path) -> None:
    other = str(random_file(tmp_path, souk.game("bazaar")))
    for arguments, message in (
        (("suleica",), "souk: game: there is no game 'suleica'. Did you mean \"suleika\"?"),
        (("suleika", "--hours", "0"), "souk: hours: must be more than 0, not 0"),
        (("suleika", "--rounds", "0"), "souk: rounds: must be a whole number from 1 to"),
        (("suleika", "--into", other), "is a mind for bazaar, not for suleika"),
    ):
        told = run_souk("train", *arguments, "--out", str(tmp_path / "new"), code=2)
        assert message in told
        assert told.count("\n") == 1
    assert not (tmp_path / "new").exists()


@pytest.mark.pytorch
def test_a_device_that_is_not_there() -> None:
    import torch

    with pytest.raises(ValueError, match=r"device: there is no 'cude'\. Did you mean \"cuda\""):
        find_device("cude")
    assert find_device("cpu") == "cpu"
    assert find_device() == ("cuda" if torch.cuda.is_available() else "cpu")
    if not torch.cuda.is_available():
        with pytest.raises(ValueError, match="device: there is no cuda here"):
            find_device("cuda")


def test_without_pytorch_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match=r"training needs PyTorch: pip install souk\[train\]"):
        find_device()
