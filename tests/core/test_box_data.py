"""Box data: which files an option may name, and problems in data files."""

from pathlib import Path

import pytest

import souk
from souk.core.box_data import BoxProblem


def refusal(board: str) -> str:
    with pytest.raises(ValueError, match="board: ") as refused:
        souk.game("basari").start(3, board=board)
    return str(refused.value)


@pytest.mark.parametrize("name", ["Makefile", "secret", "x" * 300])
def test_a_word_never_names_a_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Untrusted options cannot probe for files in the working directory."""
    monkeypatch.chdir(tmp_path)
    missing = refusal(name)
    if len(name) < 100:
        Path(name).write_text('PASSWORD = "x"')
    assert refusal(name) == missing
    assert "none of ours, which are souk" in missing


def test_a_file_is_named_with_its_folder_or_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ours = Path(souk.__file__).parent / "games" / "basari" / "souk.toml"
    for name in ("./mine", "mine.toml", str(tmp_path / "other")):
        assert "not a file that can be read" in refusal(name)
        Path(name).write_text(ours.read_text())
        pos = souk.game("basari").start(3, board=name)
        Path(name).unlink()
        assert souk.game("basari").from_json(pos.to_json()) == pos


# ---------------------------------------------------------------- the text itself

OURS = (Path(souk.__file__).parent / "games" / "basari" / "souk.toml").read_text()
MINE = OURS.replace('"basari.box"', '"Leila\'s  box, 2nd {n} \\u2028 edition"')


def test_a_text_of_several_lines_is_the_file_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The normalized text is stored with the position and never looked up on disk."""
    game = souk.game("basari")
    pos = game.start(3, board=MINE.replace('"5:RRY"', '"4:BB"'))
    text = pos.options["board"]
    assert "#" not in text
    assert '"4:BB", "6:GGG"' in text
    assert game.about_box(pos.options) == "Leila's box, 2nd {n} edition"
    assert game.start(3, board=text) == pos
    assert game.from_json(pos.to_json()) == pos
    assert game.start(3, board=OURS).to_json()["options"]["board"] != "souk"
    monkeypatch.chdir(tmp_path)
    Path("x\ny.toml").write_text(OURS)
    assert refusal("x\ny.toml").startswith("board: line 1: this is not TOML")
    assert "too large to be a data file" in refusal("#\n" * 40_000)


@pytest.mark.parametrize("game", ["basari", "basari-cards", "bazaar"])
def test_a_record_carries_its_whole_box(game: str) -> None:
    data = souk.game(game).box.DATA
    assert data is not None
    own = data.compact(data.default).replace(f"{game}.box", "of  my  own\\t\\u007f", 1)
    record = souk.Record(game, 3, **{data.option: own})
    assert souk.Record.parse(str(record)) == record
    assert (
        souk.Record.parse(str(record)).start.options[data.option]
        == record.start.options[data.option]
    )
    assert "\nfile " not in str(record)


SPOILT = [
    (
        '"6:GGG"',
        '"9:GGG"',
        8,
        ("is not an arch like", "ist kein Bogen wie", "is geen boog zoals"),
    ),
    ('"5:RYY"', '"5:YRR"', 10, ("appears twice", "kommt zweimal vor", "staat er twee keer")),
    (
        "arches =",
        "arch =",
        7,
        ("unknown key 'arch'", "'arch' gibt es nicht", "'arch' bestaat niet"),
    ),
    (
        "arches = [",
        "arches = 5 [",
        7,
        ("this is not TOML", "das ist kein TOML", "dit is geen TOML"),
    ),
    (
        '"5:RRY", ',
        "",
        7,
        ("must have 28 entries, not 27", "muss 28 Einträge haben", "moet 28 onderdelen hebben"),
    ),
    ('"basari.box"', f'"{"x" * 201}"', 5, ("no longer than 200", "höchstens 200", "hoogstens 200")),
]


@pytest.mark.parametrize(("old", "new", "line", "said"), SPOILT)
def test_what_is_wrong_is_said_by_its_line_in_every_language(
    old: str, new: str, line: int, said: tuple[str, ...]
) -> None:
    with pytest.raises(BoxProblem) as refused:
        souk.game("basari").start(3, board=OURS.replace(old, new, 1))
    assert str(refused.value).startswith(f"board: line {line}: ")
    assert said[0] in str(refused.value)
    for language, words in zip(("en", "de", "nl"), said, strict=True):
        told = refused.value.message.text(language=language)
        assert str(line) in told
        assert words in told


def test_all_that_is_wrong_is_found_at_once() -> None:
    data = souk.game("bazaar").box.DATA
    assert data is not None
    text = (
        data.compact(data.default)
        .replace("R=WW", "R=RW", 1)
        .replace("WWWRR", "WWWWW", 1)
        .replace("BBBYY", "", 1)
    )
    file = data.diagnose(text)
    assert [(problem.key, problem.index) for problem in file.problems] == [
        ("rates", 0),
        ("wares", 15),
    ]
    assert [file.missing(part) for part in data.parts] == [0, 1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "[" * 5000,
        "a = " + "[" * 4000 + "\n",
        "arches = 0x" + "f" * 7000,
        "a" * 8000,
        "about = 5",
        "arches = [[[]]]",
        "\n".join(f"k{n} = 1" for n in range(900)),
        "wares = {}\nrates = [5]",
        'arches = ["' + "é" * 900 + '"]',
    ],
)
@pytest.mark.parametrize("game", ["basari", "basari-cards", "bazaar"])
def test_nonsense_is_told_to_be_that(game: str, text: str) -> None:
    data = souk.game(game).box.DATA
    assert data is not None
    file = data.diagnose(text)
    assert file.problems
    assert all(str(problem).startswith(f"{data.option}: line ") for problem in file.problems)


def test_a_game_without_a_data_file_has_none() -> None:
    assert souk.game("suleika").box.DATA is None
