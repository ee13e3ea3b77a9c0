"""Records: saved, loaded and replayed; a damaged one is refused with its line."""

import random
from pathlib import Path

import pytest

import souk
from souk.core.record import BadRecord
from tests.random_games import whole_random_game


@pytest.fixture(scope="module")
def record() -> souk.Record:
    return whole_random_game("suleika", 3, {"first": 1}, 8)


@pytest.fixture(scope="module")
def lines(record: souk.Record) -> list[str]:
    return str(record).splitlines()


def line_refused(lines: list[str]) -> int:
    """The number of the line that is refused."""
    with pytest.raises(BadRecord) as caught:
        souk.Record.parse("\n".join(lines))
    assert str(caught.value).startswith(f"line {caught.value.line}: ")
    return caught.value.line


def test_a_record_is_saved_and_loaded(record: souk.Record, tmp_path: Path) -> None:
    path = tmp_path / "game.souk"
    record.save(path)
    again = souk.load(path)
    assert again == record
    assert again.headers == record.headers
    assert again.headers["options"] == {"first": 1, "turn_at_end": False}
    assert list(again.positions()) == list(record.positions())
    assert [file.name for file in tmp_path.iterdir()] == ["game.souk"]


def test_names_date_and_an_unfinished_game(tmp_path: Path) -> None:
    record = souk.Record("suleika", players=2, names=["Zoë #1", "Борис"], date="2026-02-03")
    record.draw(random.Random(1))
    record.play(0, " STRAIGHT ")
    record.save(tmp_path / "x")
    again = souk.load(tmp_path / "x")
    assert again.names == ["Zoë #1", "Борис"]
    assert again.date == "2026-02-03"
    assert again.events[-1] == (0, "straight")
    assert not again.position.over
    again.resolve("2")
    assert again.position.actors == (0,)


def test_an_illegal_move_is_not_written_down() -> None:
    record = souk.Record("suleika", players=3)
    with pytest.raises(souk.IllegalMove):
        record.play(1, "left")
    with pytest.raises(souk.IllegalMove):
        record.resolve("1")
    assert record.events == []


@pytest.mark.parametrize("damage", ["drop", "double", "edit", "cut short", "strip check"])
def test_every_damaged_line_is_found(lines: list[str], damage: str) -> None:
    for index, line in enumerate(lines):
        if not line:
            continue
        damaged = list(lines)
        expected = index + 1
        if damage == "drop":
            del damaged[index]
        elif damage == "double":
            damaged.insert(index, line)
            expected += 1
        elif damage == "edit":
            damaged[index] = line.replace(line.split()[-2], line.split()[-2] + "x")
        elif damage == "cut short":
            damaged = damaged[:index]
        else:
            damaged[index] = line[: line.rindex("#")]
        found = line_refused(damaged)
        # A blank line beside the damage holds nothing, so the line after it or before it may be the one that shows it.
        assert found == expected or (abs(found - expected) == 1 and "" in lines[index - 1 : index + 2])


def test_a_move_that_was_never_legal_is_found_though_its_check_is_right() -> None:
    record = souk.Record("suleika", players=3, date="2026-01-01")
    record.events.append((0, "rug a1 a2"))
    with pytest.raises(BadRecord, match=r"^line 9: .*direction"):
        souk.Record.parse(str(record))


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "souk record 2", "souk record 1", "{}", "souk record 1 #0000", "\0", '[Event "PGN"]', "x" * 100_000],
)
def test_what_is_no_record(text: str) -> None:
    with pytest.raises(ValueError, match=r"^line \d+: "):
        souk.Record.parse(text)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "x.souk"
    path.write_bytes(b"souk record 1\n\xff\xfe\n")
    with pytest.raises(ValueError, match=r"^line 2: "):
        souk.load(path)
    path.write_bytes(b" " * 9_000_000)
    with pytest.raises(ValueError, match="too large"):
        souk.load(path)


@pytest.mark.parametrize(
    "names", [["one"], ["a", "b", ""], ["a", "b", "c\nd"], ["a", "b", "x" * 41], ["a", "b", " c"], [1, 2, 3]]
)
def test_names_without_sense(names: list[str]) -> None:
    with pytest.raises(ValueError, match="^names: "):
        souk.Record("suleika", players=3, names=names)


@pytest.mark.parametrize("date", ["yesterday", "2026-13-01", "01.02.2026"])
def test_dates_without_sense(date: str) -> None:
    with pytest.raises(ValueError, match="^date: "):
        souk.Record("suleika", players=3, date=date)


def test_a_record_knows_its_data_file(tmp_path: Path) -> None:
    """A game on a board of one's own is refused when the board has changed since."""
    ours = Path(souk.__file__).parent / "games" / "basari" / "souk.toml"
    board = tmp_path / "mine.toml"
    board.write_text(ours.read_text(encoding="utf-8"), encoding="utf-8")
    record = souk.Record("basari", players=3, board=str(board))
    record.play(0, "arch 3")
    text = str(record)
    assert souk.Record.parse(text) == record
    board.write_text(board.read_text(encoding="utf-8") + "# another\n", encoding="utf-8")
    with pytest.raises(BadRecord, match="has changed"):
        souk.Record.parse(text)
    board.unlink()
    with pytest.raises(BadRecord):
        souk.Record.parse(text)
