"""Which file an option may name."""

from pathlib import Path

import pytest

import souk


def refusal(board: str) -> str:
    with pytest.raises(ValueError, match="board: ") as refused:
        souk.game("basari").start(3, board=board)
    return str(refused.value)


@pytest.mark.parametrize("name", ["Makefile", "secret", "x" * 300])
def test_a_word_never_names_a_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever may only choose from the box, as people at a server do, cannot find out what lies in the folder it was started in."""
    monkeypatch.chdir(tmp_path)
    missing = refusal(name)
    if len(name) < 100:
        Path(name).write_text('PASSWORD = "x"')
    assert refusal(name) == missing
    assert "none of ours, which are souk" in missing


def test_a_file_is_named_with_its_folder_or_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ours = Path(souk.__file__).parent / "games" / "basari" / "souk.toml"
    for name in ("./mine", "mine.toml", str(tmp_path / "other")):
        assert "not a file that can be read" in refusal(name)
        Path(name).write_text(ours.read_text())
        assert souk.game("basari").start(3, board=name).options["board"] == name
