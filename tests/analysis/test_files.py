"""Studies as JSON and as files."""

import json
from pathlib import Path
from typing import Any

import pytest

import souk
from tests.support.analysed_games import first_events


@pytest.fixture(scope="module")
def study() -> souk.Study:
    return souk.analyse(first_events("basari", 3, 24), playouts=16, unfinished=True)


def test_there_and_back_through_json(study: souk.Study) -> None:
    again = souk.Study.from_json(json.loads(json.dumps(study.to_json())))
    assert again == study
    assert again.game().events == first_events("basari", 3, 24).events
    assert again.turning_points(3) == study.turning_points(3)


def test_it_is_small(study: souk.Study) -> None:
    assert len(json.dumps(study.to_json())) < 1500 * len(study.steps)


def test_a_json_file_holds_all_of_it(study: souk.Study, tmp_path: Path) -> None:
    study.save(tmp_path / "game.json")
    assert (
        souk.Study.from_json(json.loads((tmp_path / "game.json").read_text(encoding="utf-8")))
        == study
    )


@pytest.mark.parametrize("name", ["game", "game.pdf", "game.souk", "html"])
def test_other_files_are_refused(study: souk.Study, tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"path: a study is written as \.html or \.json, not "):
        study.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (["record"], 5, "record"),
        (["record"], "souk record 1\ngame: chess\n", "record"),
        (["playouts"], "many", "playouts"),
        (["seed"], None, "seed"),
        (["start"], [0.5, "half", 0], r"start\[1\]"),
        (["start"], [0.5, 0.5], "start"),
        (["steps"], {}, "steps"),
        (["steps"], [], "steps"),
        (["steps", 3, "loss"], "much", r"steps\[3\]\.loss"),
        (["steps", 3, "luck"], [0.0], r"steps\[3\]\.luck"),
        (["steps", 3, "before"], [0.1] * 9, r"steps\[3\]\.before"),
        (["steps", 3, "text"], "checkmate", r"steps\[3\]"),
        (["steps", 3, "seat"], 2.5, r"steps\[3\]\.seat"),
        (["steps", 3, "considered"], [{"move": 1}], r"steps\[3\]\.considered\[0\]"),
        (["steps", 3, "mark"], "brilliant", r"steps\[3\]\.mark"),
        (["steps", 3, "kind"], "guess", r"steps\[3\]\.kind"),
        (["seats"], [], "seats"),
        (["seats", 0, "own"], [], r"seats\[0\]\.own"),
        (["unfinished"], "yes", "unfinished"),
    ],
)
def test_damaged_json_is_refused_by_name(
    study: souk.Study, path: list[Any], value: object, named: str
) -> None:
    data = json.loads(json.dumps(study.to_json()))
    inside = data
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    with pytest.raises(ValueError, match=rf"not a study: .*{named}"):
        souk.Study.from_json(data)


@pytest.mark.parametrize("field", ["record", "playouts", "seed", "start", "steps", "seats"])
def test_what_is_missing_is_named(study: souk.Study, field: str) -> None:
    data = study.to_json()
    del data[field]
    with pytest.raises(ValueError, match=f"not a study: .*{field}"):
        souk.Study.from_json(data)


@pytest.mark.parametrize("data", [None, [], "study", {}, 3.5, {"steps": 1}])
def test_what_is_no_study_at_all(data: object) -> None:
    with pytest.raises(ValueError, match="not a study: "):
        souk.Study.from_json(data)
