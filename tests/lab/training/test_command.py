"""`souk train` as a user runs it."""

import re
import sys
from pathlib import Path

import pytest

import souk
from souk.lab.training.loop import find_device
from souk.nets import loader as shelf
from tests.lab.support.commands import interrupted, run_souk, souk_command
from tests.support.random_nets import random_file

QUICK = ("--players", "2", "--positions", "300", "--pairs", "4", "--processes", "1")


@pytest.mark.pytorch
def test_training_goes_on_where_it_was_and_hands_over(tmp_path: Path) -> None:
    folder, net = tmp_path / "train", tmp_path / "net.safetensors"
    given = (
        "train",
        "suleika",
        *QUICK,
        "--out",
        str(folder),
        "--device",
        "cpu",
        "--no-gate",
        "--into",
        str(net),
    )
    text = run_souk(*given, "--rounds", "1")
    assert "Suleika, 2 players, seed 0: 300 positions per round, training on cpu" in text
    assert "Round 1:" in text
    assert "training.html" in text
    assert list(shelf.all_nets(souk.game("suleika"), net)) == [2]
    # Interrupt in the second round: during the import of PyTorch, Ctrl-C kills a process by signal.
    stopped = interrupted(souk_command(*given, "--rounds", "99"), folder / "net-002.safetensors")
    (number,) = re.findall(
        r"Stopped in round (\d+)\. Finished rounds are saved; to resume:\n +souk train suleika",
        stopped,
    )
    text = run_souk(*given, "--rounds", number)
    assert "Already done:" in text
    assert re.findall(r"^Round (\d+):", text, re.MULTILINE) == [number]


def test_bad_input_is_one_clear_line(tmp_path: Path) -> None:
    other = str(random_file(tmp_path, souk.game("bazaar")))
    for arguments, message in (
        (("suleica",), "souk: game: there is no game 'suleica'. Did you mean \"suleika\"?"),
        (("suleika", "--hours", "0"), "souk: hours: must be more than 0, not 0"),
        (("suleika", "--rounds", "0"), "souk: rounds: must be a whole number from 1 to"),
        (("suleika", "--into", other), "is a net for bazaar, not for suleika"),
    ):
        text = run_souk("train", *arguments, "--out", str(tmp_path / "new"), code=2)
        assert message in text
        assert text.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_former_names_of_options_are_understood_with_a_note() -> None:
    """Invalid values, so that nothing is trained."""
    for former, present in (
        (("--belief", "2"), "--correction-scale"),
        (("--hindsight=2",), "--td-lambda"),
        (("--no-tilts", "--trust", "2"), "--no-win-head"),
        (("--begin", "nowhere.safetensors"), "--initial-net"),
    ):
        text = run_souk("train", "suleika", *former, code=2)
        option = former[0].partition("=")[0]
        assert f"souk: {option} is now called {present}\n" in text
    assert "souk: net: there is no file nowhere.safetensors" in text


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
    with pytest.raises(
        ValueError, match=r"training needs PyTorch: pip install 'souk-games\[train\]'"
    ):
        find_device()
