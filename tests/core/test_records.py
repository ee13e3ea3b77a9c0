"""Records: saving, loading, replaying, and locating damage."""

import hashlib
import json
import random
from pathlib import Path

import pytest

import souk
from souk.core.record import BadRecord, _with_checks
from tests.support.random_games import whole_random_game

OURS = (Path(souk.__file__).parent / "games" / "basari" / "souk.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def record() -> souk.Record:
    return whole_random_game("suleika", 3, {"first": 1}, 8)


@pytest.fixture(scope="module")
def lines(record: souk.Record) -> list[str]:
    return str(record).splitlines()


def line_refused(lines: list[str]) -> int:
    """The number of the rejected line."""
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
        line_number = line_refused(damaged)
        # Blank lines have no check: damage next to one may show on the line before or after.
        assert line_number == expected or (
            abs(line_number - expected) == 1 and "" in lines[index - 1 : index + 2]
        )


def test_a_move_that_was_never_legal_is_found_though_its_check_is_right() -> None:
    record = souk.Record("suleika", players=3, date="2026-01-01")
    record.events.append((0, "rug a1 a2"))
    with pytest.raises(BadRecord, match=r"^line 9: .*direction"):
        souk.Record.parse(str(record))


def test_the_number_of_an_event_is_bounded(lines: list[str]) -> None:
    first = next(k for k, line in enumerate(lines) if line.startswith("1 "))
    numbered = [*lines[:first], "1" * 5000 + lines[first][1:], *lines[first + 1 :]]
    assert line_refused(with_checks(numbered)) == first + 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "souk record 2",
        "souk record 1",
        "{}",
        "souk record 1 #0000",
        "\0",
        '[Event "PGN"]',
        "x" * 100_000,
    ],
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
    "names",
    [
        ["one"],
        ["a", "b", ""],
        ["a", "b", "c\nd"],
        ["a", "b", "x" * 41],
        ["a", "b", " c"],
        [1, 2, 3],
    ],
)
def test_names_without_sense(names: list[str]) -> None:
    with pytest.raises(ValueError, match="^names: "):
        souk.Record("suleika", players=3, names=names)


@pytest.mark.parametrize("date", ["yesterday", "2026-13-01", "01.02.2026"])
def test_dates_without_sense(date: str) -> None:
    with pytest.raises(ValueError, match="^date: "):
        souk.Record("suleika", players=3, date=date)


def test_record_carries_the_data_file_it_was_played_with(tmp_path: Path) -> None:
    board = tmp_path / "mine.toml"
    board.write_text(OURS, encoding="utf-8")
    record = souk.Record("basari", players=3, board=str(board))
    record.play(0, "arch 3")
    board.unlink()
    assert souk.Record.parse(str(record)) == record
    assert str(tmp_path) not in str(record)


def test_record_of_an_earlier_version_names_its_data_file(tmp_path: Path) -> None:
    """The file is opened only with `files=True`, and must be unchanged."""
    board = tmp_path / "mine.toml"
    board.write_text(OURS, encoding="utf-8")
    now = souk.Record("basari", players=3, board=str(board), date="2026-01-31")
    now.play(0, "arch 3")
    lines = [line.rpartition(" #")[0].rstrip() for line in str(now).splitlines()]
    place = next(number for number, line in enumerate(lines) if line.startswith("option board"))
    digest = hashlib.sha256(OURS.encode()).hexdigest()[:16]
    lines[place : place + 1] = [f"option board: {json.dumps(str(board))}", f"file board: {digest}"]
    text = _with_checks(lines)
    assert souk.Record.parse(text, files=True) == now
    with pytest.raises(BadRecord, match=rf"^line {place + 2}: .*not opened here"):
        souk.Record.parse(text)
    board.write_text(OURS + "# another\n", encoding="utf-8")
    with pytest.raises(BadRecord, match="has changed"):
        souk.Record.parse(text, files=True)
    board.unlink()
    with pytest.raises(BadRecord, match="not a file that can be read"):
        souk.Record.parse(text, files=True)


# ---------------------------------------------------------------- start positions, coached events


def begun_elsewhere(name: str, players: int, after: int) -> souk.Record:
    """A record that starts in the middle of a game."""
    dice = random.Random(after)
    pos = souk.game(name).start(players=players)
    for _ in range(after):
        pos.play(pos.actors[0], pos.moves(pos.actors[0])[0]) if pos.actors else pos.draw(dice)
    while pos.has_secrets:
        pos.play(pos.actors[0], pos.moves(pos.actors[0])[0])
    record = souk.Record(name, start=pos)
    for _ in range(6):
        now = record.position
        record.play(now.actors[0], now.moves(now.actors[0])[0]) if now.actors else record.draw(dice)
    return record


@pytest.mark.parametrize(
    ("name", "players", "after"),
    [("suleika", 2, 21), ("basari", 4, 30), ("basari-cards", 5, 33), ("bazaar", 1, 9)],
)
def test_a_record_may_begin_elsewhere(name: str, players: int, after: int) -> None:
    record = begun_elsewhere(name, players, after)
    assert record.begins_elsewhere
    again = souk.Record.parse(str(record))
    assert again == record
    assert again.start == record.start
    assert list(again.positions()) == list(record.positions())
    assert str(again) == str(record)


def test_a_record_from_the_start_says_nothing_of_where_it_began(record: souk.Record) -> None:
    """The format without a start position is unchanged, byte for byte."""
    assert not record.begins_elsewhere
    same = souk.Record("suleika", start=record.start, names=record.names, date=record.date)
    assert "position" not in str(same) + str(record)
    assert "coached" not in str(record)


def test_positions_that_do_not_fit_are_refused() -> None:
    pos = souk.game("suleika").start(players=3)
    with pytest.raises(ValueError, match=r"^position: must be one of basari, not of suleika"):
        souk.Record("basari", start=pos)
    with pytest.raises(ValueError, match=r"^position: is for 3 players, not 4"):
        souk.Record("suleika", 4, start=pos)
    with pytest.raises(ValueError, match=r"^position: has other options"):
        souk.Record("suleika", start=pos, first=2)
    choosing, dice = souk.game("basari").start(players=3), random.Random(2)
    while len(choosing.actors) < 3:
        choosing.play(
            choosing.actors[0], choosing.moves(choosing.actors[0])[0]
        ) if choosing.actors else choosing.draw(dice)
    choosing.play(0, "gems")
    with pytest.raises(ValueError, match=r"^position: holds choices that are not revealed"):
        souk.Record("basari", start=choosing)


def with_checks(lines: list[str]) -> list[str]:
    """Recompute the checks of edited lines."""
    return _with_checks([line.rpartition("#")[0].rstrip() for line in lines]).splitlines()


@pytest.mark.parametrize(
    ("was", "put"),
    [
        ('"phase":"', '"phase":"x'),
        ('{"', '{"more":1,"'),
        ('{"', '{"game":"suleika","'),
        ('{"', '["'),
        ('"omar"', '"omer"'),
    ],
)
def test_a_wrong_position_is_refused_with_its_line(was: str, put: str) -> None:
    lines = str(begun_elsewhere("suleika", 2, 21)).splitlines()
    number = next(k for k, line in enumerate(lines) if line.startswith("position: "))
    lines[number] = lines[number].replace(was, put, 1)
    assert line_refused(lines) == number + 1  # its check is wrong
    assert line_refused(with_checks(lines)) == number + 1  # and so is what it says


def test_a_record_says_what_was_coached(record: souk.Record) -> None:
    moves = [number for number, (seat, _) in enumerate(record.events) if seat is not None]
    chance = next(number for number, (seat, _) in enumerate(record.events) if seat is None)
    coached = souk.Record.parse(str(record))
    coached.coached = (moves[0], moves[4])
    text = str(coached)
    assert f"coached: {moves[0] + 1} {moves[4] + 1}" in text
    assert souk.Record.parse(text) == coached != record
    huge = "1" * 5000  # more digits than Python makes a number of
    for wrong in (
        f"{chance + 1}",
        f"{len(record.events) + 1}",
        "0",
        "x",
        f"{moves[4] + 1} {moves[0] + 1}",
        "3 3",
        huge,
    ):
        lines = text.splitlines()
        number = next(k for k, line in enumerate(lines) if line.startswith("coached: "))
        lines[number] = f"coached: {wrong} #0000"
        assert line_refused(with_checks(lines)) == number + 1
