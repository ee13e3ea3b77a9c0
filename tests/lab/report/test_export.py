"""The Parquet export: rows can be replayed, files are reproducible, failures leave none behind."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest

import souk
from souk.lab.report import export as exporting
from souk.lab.report.export import COLUMNS, export
from souk.lab.table_spec import check_table
from tests.lab.support.commands import run_souk

DOCS = Path(__file__).parents[3] / "docs"
TABLES = [
    ("suleika", 2, "random"),
    ("basari", 3, "trader"),
    ("basari-cards", 5, "random"),
    ("bazaar", 3, "random"),
]


def rows_of(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return found


@pytest.mark.parametrize(("game", "players", "bot"), TABLES)
def test_rows_replay_to_the_final_scores(game: str, players: int, bot: str, tmp_path: Path) -> None:
    table, out = check_table(game, players, bot, seed=3), tmp_path / "d.parquet"
    written = export(table, 2, out, processes=1)
    rows = rows_of(out)
    assert len(rows) == written
    for number in range(2):
        mine = [row for row in rows if row["game"] == number]
        assert [row["event"] for row in mine] == list(range(len(mine)))
        _replay(souk.game(game).start(players), mine, bot)


def _replay(position: Any, rows: list[dict[str, Any]], bot: str) -> None:
    for row in rows:
        seat = row["seat"]
        assert row["scores"] == position.scores
        assert json.loads(row["position"]) == position.to_json(seat=-1 if seat is None else seat)
        assert row["phase"] == position.to_json()["phase"]
        if seat is None:
            assert row["legal"] == len(position.chances())
            position.resolve(row["move"])
        else:
            assert row["bot"] == bot
            assert row["legal"] == len(position.moves(seat))
            position.play(seat, row["move"])
    assert position.over
    for row in rows:
        seat = row["seat"]
        expected = None if seat is None else position.scores[seat]
        assert row["final_score"] == expected
        assert (row["bot"] is None) == (row["win"] is None) == (seat is None)
        if seat is not None:
            assert row["win"] == pytest.approx((seat in position.winners) / len(position.winners))


def test_a_secret_choice_is_in_nobody_elses_row(tmp_path: Path) -> None:
    export(check_table("basari", 4, seed=5), 1, tmp_path / "d.parquet", processes=1)
    choosing = [row for row in rows_of(tmp_path / "d.parquet") if row["phase"] == "choose"]
    assert len(choosing) > 40
    for row in choosing:
        # no choices are visible
        assert json.loads(row["position"])["choices"] == [None] * 4


def test_the_same_seed_gives_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With any number of processes, and several row groups."""
    monkeypatch.setattr(exporting, "_ROWS", 300)
    files = []
    for name, seed, processes in (("a", 1, 1), ("b", 1, 2), ("c", 2, 1)):
        export(check_table("suleika", 3, seed=seed), 12, tmp_path / name, processes=processes)
        files.append((tmp_path / name).read_bytes())
    assert files[0] == files[1] != files[2]
    assert parquet.ParquetFile(tmp_path / "a").metadata.num_row_groups > 3


def test_columns_are_described(tmp_path: Path) -> None:
    export(
        check_table("bazaar", 2, seed=9, options={"rates": [1, 2]}),
        1,
        tmp_path / "d.parquet",
        processes=1,
    )
    schema = parquet.read_schema(tmp_path / "d.parquet")
    assert schema.names == list(COLUMNS)
    text = (DOCS / "research" / "reports.md").read_text(encoding="utf-8")
    for field in schema:
        assert field.metadata[b"description"].decode() == COLUMNS[field.name][1]
        assert f"| `{field.name}` |" in text
    settings = json.loads(schema.metadata[b"souk"])
    assert settings["game"] == "bazaar"
    assert settings["options"]["rates"] == [1, 2]
    assert (settings["seed"], settings["games"], settings["players"]) == (9, 1, 2)


def test_a_broken_run_leaves_nothing_behind(tmp_path: Path) -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    old = tmp_path / "old.parquet"
    old.write_bytes(b"before")
    for out in (old, tmp_path / "new.parquet"):
        with pytest.raises(KeyboardInterrupt):
            export(check_table("suleika", 2), 20, out, processes=1, report=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["old.parquet"]
    assert old.read_bytes() == b"before"


def test_without_pyarrow_one_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(RuntimeError, match=re.escape("pip install 'souk-games[lab]'")):
        export(check_table("suleika", 2), 1, tmp_path / "x.parquet")


def test_the_command(tmp_path: Path) -> None:
    out = tmp_path / "d.parquet"
    more = ["--games", "2", "--processes", "1", "--seed", "7", "--out", str(out)]
    text = run_souk("export", "basari", "--players", "3", "--play", "merchant:playouts=4", *more)
    rows = rows_of(out)
    assert f"{len(rows):,} rows" in text
    assert {row["bot"] for row in rows} == {"merchant:playouts=4", None}
    assert "games: must be a whole number" in run_souk("export", "basari", "--games", "0", code=2)
