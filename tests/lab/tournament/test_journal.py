"""The tournament folder: resuming, and refusing damaged or foreign files."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import souk
from souk.lab.play_game import GameResult
from souk.lab.tournament import Tournament
from souk.lab.tournament.journal import Journal, digest
from tests.lab.support.nine_games import PAIR, table_for, untimed


def test_resumed_is_the_same_as_uninterrupted(played: Tournament, tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(tournament: Tournament, _: GameResult) -> None:
        if len(tournament) == 4:
            raise Enough

    begun = Tournament(played.table, tmp_path)
    with pytest.raises(Enough):
        begun.play(range(3), 1, stop)
    torn = tmp_path / "games.jsonl"
    torn.write_bytes(torn.read_bytes() + b'{"game":4,"deal":1,"sea')
    resumed = Tournament(played.table, tmp_path, keep=True)
    assert len(resumed) == 4
    resumed.play(range(3), 1)
    assert untimed(resumed.games) == untimed(played.games)
    assert untimed(Tournament(played.table, tmp_path).games) == untimed(played.games)
    assert [json.loads(line)["game"] for line in torn.read_text().splitlines()] == list(range(9))
    kept = souk.load(tmp_path / "games" / "000008.souk")
    assert kept.position.scores == resumed.games[8].scores
    assert kept.names == [PAIR[entrant] for entrant in resumed.games[8].seats]
    assert not (tmp_path / "games" / "000003.souk").exists()


def test_a_line_without_its_end_does_not_count(tmp_path: Path) -> None:
    journal = Journal(tmp_path, table_for())
    game = GameResult(
        0, 0, [0, 1, 0], [1, 2, 3], [2], 9, [1, 1, 1], [0.1] * 3, [0.1] * 3, [0, 0, 0]
    )
    journal.add(game, None)
    journal.add(replace(game, game=1), None)
    file = tmp_path / "games.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    assert journal.read() == [game]
    journal.add(replace(game, game=1), None)
    assert file.read_bytes() == whole
    file.write_bytes(b"nonsense\n" + whole)
    with pytest.raises(ValueError, match="line 1 is damaged"):
        journal.read()


def test_other_settings_are_refused(tmp_path: Path) -> None:
    Journal(tmp_path / "here", table_for())
    Journal(tmp_path / "here", table_for())
    with pytest.raises(ValueError, match="other settings .seed there 5, here 6"):
        Journal(tmp_path / "here", table_for(seed=6))
    with pytest.raises(ValueError, match="other settings .entrants"):
        Journal(tmp_path / "here", table_for(entrants=["random", "greedy"]))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "letter.txt").touch()
    with pytest.raises(ValueError, match="contains no tournament"):
        Journal(tmp_path / "elsewhere", table_for())
    (tmp_path / "here" / "tournament.json").write_text("{}")
    with pytest.raises(ValueError, match="cannot be read"):
        Journal(tmp_path / "here", table_for())


def test_the_folder_is_named_after_the_settings() -> None:
    assert digest(table_for()) == digest(table_for()) != digest(table_for(seed=6))


def test_folders_of_before_are_taken_up_again(tmp_path: Path) -> None:
    """The field names in the files have not changed."""
    table = table_for(seconds=0.5)
    kept = {
        "format": "souk tournament 1",
        "game": "basari-cards",
        "rules": 1,
        "opening": table.opening,
        "players": 3,
    }
    kept |= {"options": {"deck": "souk"}, "entrants": PAIR, "seconds": 0.5, "seed": 5}
    (tmp_path / "tournament.json").write_text(json.dumps(kept))
    assert len(Tournament(table, tmp_path)) == 0
    Journal(tmp_path / "new", table)
    assert json.loads((tmp_path / "new" / "tournament.json").read_text()) == kept
