"""The terminal: drawings of positions, playing, and replaying."""

import itertools
import re
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

import souk
from souk.cli import terminal
from souk.cli.options import choose_language
from souk.core.messages import Words, languages
from souk.core.position import Position
from souk.core.seat_view import SeatView
from souk.drawing.terminal import as_text, picture
from souk.games.basari_common import rules as haggling
from tests.support.random_games import VARIANTS, random_game, variant_name, whole_random_game

NAMES = ["Zahra", "Aziza", "Bilal", "Chadi", "Dunya", "Emir"]
SEED = 4
COLUMNS, LINES = 100, 22
LANGUAGES = languages()
GAMES = [("suleika", 3), ("basari", 3), ("basari-cards", 5), ("bazaar", 3), ("bazaar", 1)]


def console_of(width: int = COLUMNS, coloured: bool = False) -> tuple[Console, StringIO]:
    file = StringIO()
    return Console(
        width=width, file=file, force_terminal=True, color_system="truecolor" if coloured else None
    ), file


def drawn(
    position: Position,
    names: list[str],
    width: int = COLUMNS,
    coloured: bool = False,
    language: str = "en",
) -> str:
    """The view of the person, in seat 0."""
    console, file = console_of(width, coloured)
    console.print(picture(SeatView.of(position, 0), names, language))
    return file.getvalue()


# ---------------------------------------------------------------- pictures


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_pictures_fit_and_name_everybody(
    variant: tuple[str, int, dict[str, Any]], language: str
) -> None:
    name, players, options = variant
    first = 5 * LANGUAGES.index(language)  # other positions for each language
    for record in itertools.islice(random_game(name, players, options, SEED), first, None, 15):
        lines = drawn(record.position, NAMES[:players], language=language).splitlines()
        assert len(lines) <= LINES
        assert not re.search(r"[\w.)\"]…", "\n".join(lines)), "a line is cut off"
        assert max(cell_len(line) for line in lines) <= COLUMNS, (
            f"seed {SEED}, event {len(record.events)}"
        )
        assert all(player in "\n".join(lines) for player in NAMES[:players])


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_odd_names_do_not_change_the_form(name: str, players: int) -> None:
    """Names of maximum length, with wide letters or rich markup, and equal names."""
    for record in itertools.islice(random_game(name, players, {}, SEED), 0, None, 31):
        usual = drawn(record.position, NAMES[:players]).splitlines()
        for player in ("[bold]" * 6, "市" * 40):
            lines = drawn(record.position, [player] * players).splitlines()
            assert [cell_len(line) for line in lines] == [cell_len(line) for line in usual]
            assert player[:4] in "\n".join(lines)


def choosing_positions(name: str, players: int) -> Iterator[Position]:
    for record in random_game(name, players, {}, SEED):
        position = record.position
        if position.to_json()["phase"] == "choose" and 0 in position.actors:
            yield position


@pytest.mark.parametrize(
    ("name", "players"), [("basari", 3), ("basari", 4), ("basari-cards", 3), ("basari-cards", 5)]
)
def test_a_secret_choice_is_never_drawn(name: str, players: int) -> None:
    found = itertools.islice(choosing_positions(name, players), 3)
    for position in found:
        choices = position.moves(1)
        pictures = []
        for choice in choices:
            secretly = position.copy()
            secretly.play(1, choice)
            pictures.append(drawn(secretly, NAMES[:players], coloured=True))
            veiled = drawn(secretly.seen_by(0), NAMES[:players], coloured=True)
            assert veiled == pictures[0]
        assert pictures == [pictures[0]] * len(choices)
        assert "chosen" in pictures[0]
        own = position.copy()
        own.play(0, choices[0])
        assert "chosen" not in drawn(own, NAMES[:players])  # but your own choice is visible


@pytest.mark.parametrize(("name", "players"), [("basari", 4), ("basari-cards", 5)])
def test_the_counter_shows_the_offer_and_what_may_be_said(name: str, players: int) -> None:
    for record in random_game(name, players, {}, SEED):
        position = record.position
        if position.to_json()["phase"] == "haggle" and position.state.offer:
            break
    s = position.state
    text = drawn(position, NAMES[:players])
    assert f"offered by {NAMES[haggling.partner(s, s.turn)]}" in text
    first, second = position.moves(s.turn)[:2]
    assert f"▸ {NAMES[s.turn]} may {first} or {second} or more." in text


def test_what_a_scoring_would_bring_leaves_the_position_alone() -> None:
    position = souk.game("basari-cards").start(players=3)
    before = position.to_json()
    assert "+13" in drawn(position, NAMES[:3])  # a third of 14, 12, 10 and 8, each rounded down
    assert position.to_json() == before


def test_bazaar_shows_what_a_ware_would_bring_and_what_it_lacks() -> None:
    start = souk.game("bazaar").start(players=2, rates=(1, 2), first=0)
    for ware in ("WWWRR", "WWWWW", "BBBYY", "GGYYY"):
        start.resolve(ware)
    json = start.to_json()
    json["chips"][0], json["bank"] = [3, 0, 0, 3, 0], [17, 20, 20, 17, 20]
    position = souk.game("bazaar").from_json(json)
    text = drawn(position, NAMES[:2])
    assert "3 points now" in text
    assert "lacks ○W ○W " in text
    assert "lacks ≈B ≈B ≈B ✶Y ✶Y" in text
    assert text.count(" ▶ ") + text.count(" ◀ ") == 1 + len(
        position.moves(0)[1:]
    )  # another is spelled out


# ---------------------------------------------------------------- the table


Answers = Callable[[terminal.TerminalTable], str]


def seated(
    name: str, players: int, answer: Answers, language: str = "en", **options: Any
) -> tuple[terminal.TerminalTable, StringIO]:
    """A table whose player answers by `answer` and saves nothing; prompts are recorded, too."""
    console, file = console_of()
    table = terminal.TerminalTable(
        console, souk.game(name), players, SEED, options, ["random"], language
    )

    def type_in(prompt: str) -> str:
        console.print(prompt)
        return "" if Words(language)("terminal.save") in prompt else answer(table)

    console.input = type_in  # type: ignore[assignment, method-assign]
    return table, file


def script(*answers: str) -> Answers:
    """Type these lines, then leave."""
    left = iter([*answers, "q"])
    return lambda table: next(left)


def first_move(table: terminal.TerminalTable) -> str:
    position = table.record.position
    return position.game.notation.move_text(
        position.state, position.move_codes(0, position.game.widest)[0]
    )


@pytest.mark.parametrize("answer", [lambda table: "1", first_move], ids=["number", "text"])
@pytest.mark.parametrize(
    ("name", "players"), GAMES[:4]
)  # only rolling takes 200 actions in solitaire
def test_a_whole_game(name: str, players: int, answer: Answers) -> None:
    table, file = seated(name, players, answer)
    table.run()
    assert table.record.position.over
    text = file.getvalue()
    assert "win" in text
    assert "cannot" not in text
    assert all(player in text for player in table.names)


@pytest.mark.parametrize(
    ("name", "players", "move", "clause"),
    [
        ("suleika", 2, "rug a1 a2", "S"),
        ("basari", 3, "gems", "B5"),
        ("basari-cards", 3, "d", "K3"),
        ("bazaar", 1, "buy 1", "Z12"),
    ],
)
def test_a_refusal_says_why_and_the_game_goes_on(
    name: str, players: int, move: str, clause: str
) -> None:
    table, file = seated(name, players, script("abracadabra", move, "99", "1"))
    with pytest.raises(terminal.Leave):
        table.run()
    text = file.getvalue().replace("\n", " ")
    assert "You can't do that: 'abracadabra' is not understood here." in text
    assert f"({clause}" in text
    assert "There is no move number 99" in text
    assert any(seat == 0 for seat, _ in table.record.events)


def test_help_board_and_all_moves() -> None:
    table, file = seated("suleika", 2, script("", "board", "b", "all"))
    with pytest.raises(terminal.Leave):
        table.run()
    text = file.getvalue()
    assert "the board again" in text
    assert text.count("piastres") == 3
    assert "back, left, right, straight" in text


def test_b_is_a_move_where_the_rules_have_it() -> None:
    table, _ = seated("basari-cards", 3, script("b"))
    with pytest.raises(terminal.Leave):
        table.run()
    assert (0, "B") in table.record.events


def test_saving(tmp_path: Path) -> None:
    path = tmp_path / "game.souk"
    table, file = seated(
        "bazaar", 2, script("1", f"save {path}", f"save {tmp_path / 'nowhere' / 'game'}")
    )
    with pytest.raises(terminal.Leave):
        table.run()
    assert souk.load(path) == table.record
    assert "Saved." in file.getvalue()
    assert "Not saved:" in file.getvalue()


def test_sitting_down_and_leaving() -> None:
    console, file = console_of()
    answers = iter(["chess", "2", "9", "", "q"])
    console.input = lambda prompt: next(answers)  # type: ignore[assignment, method-assign, misc]
    terminal.play_in_terminal(console, None, None, SEED, {}, ["random"])
    text = file.getvalue()
    assert "Basari, the card game is for 3 to 5 players." in text
    assert "deal 1 of 3" in text
    assert text.endswith("Until next time.\n")


def test_the_end_of_the_input_is_leaving() -> None:
    def nothing(prompt: str) -> str:
        raise EOFError

    console, file = console_of()
    console.input = nothing  # type: ignore[assignment, method-assign]
    terminal.play_in_terminal(console, "suleika", 2, SEED, {}, ["random"])
    assert "Until next time." in file.getvalue()


# ---------------------------------------------------------------- replaying


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_replaying(name: str, players: int) -> None:
    record = whole_random_game(name, players, {}, SEED)
    console, file = console_of()
    terminal.replay(console, record, None, False)
    text = file.getvalue()
    assert record.game.title in text
    assert "Seat 0" in text
    assert f"\n{len(record.events):>4} " in text
    assert "win" in text


def test_replaying_one_position_and_every_board() -> None:
    record = souk.Record("suleika", 2, names=NAMES[:2])
    for outcome, move in (("red", "left"), ("2", None)):
        record.resolve(outcome)
        if move:
            record.play(0, move)
    console, file = console_of()
    terminal.replay(console, record, 1, False)
    assert "Red rug to place" in file.getvalue()
    terminal.replay(console, record, None, True)
    assert file.getvalue().count("piastres") == 1 + len(record.events)
    assert "The game is not finished." in file.getvalue()
    with pytest.raises(ValueError, match="at: this game has 0 to 3 events, not 4"):
        terminal.replay(console, record, 4, False)


def test_a_hint_shows_what_the_vizier_thinks() -> None:
    answers = iter(["hint", "q"])
    table, out = seated("suleika", 3, lambda _: next(answers))
    with pytest.raises(terminal.Leave):
        table.run()
    assert "the vizier would" in out.getvalue()
    assert "chance to win" in out.getvalue()
    assert "Aziza (random)" in out.getvalue()


# ---------------------------------------------------------------- languages

# English words that are neither German nor Dutch nor input.
ENGLISH = re.compile(
    r"\b(the|and|you|your|with|are|has|takes|rolls|walks|pays|lays|chosen|wins|game|which|that|there|from|for|not|number)\b"
)
OTHERS = [language for language in LANGUAGES if language != "en"]
KEY = re.compile(
    r"\b(terminal|told|reason|word|ui|result|level|suleika|basari|basari-cards|bazaar|haggling)\.\w"
)


def assert_in_language(text: str) -> None:
    assert not KEY.search(text), "a key without a text"
    assert not set("{}") & set(text), "a place left open"
    assert not ENGLISH.findall(text)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(("name", "players"), GAMES[:4])
def test_a_whole_game_in_another_language(name: str, players: int, language: str) -> None:
    table, file = seated(name, players, lambda table: "1", language)
    table.run()
    assert table.record.position.over
    assert_in_language(file.getvalue())
    assert Words(language)("terminal.save") in file.getvalue()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(
    ("name", "players", "move"),
    [
        ("suleika", 2, "rug a1 a2"),
        ("basari", 3, "gems"),
        ("basari-cards", 3, "d"),
        ("bazaar", 1, "buy 1"),
    ],
)
def test_help_hints_and_refusals_in_another_language(
    name: str,
    players: int,
    move: str,
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = ("?", "board", "all", "hint", "hello", move, "99", "save g", "save g/g", "1")
    table, file = seated(name, players, script(*typed), language)
    with pytest.raises(terminal.Leave):
        table.run()
    assert_in_language(re.sub(r"\[Errno.*", "", file.getvalue()))  # texts of the operating system
    words = Words(language)
    for key in ("terminal.refused", "terminal.help.board", "terminal.hint.win", "terminal.rules"):
        assert words(key, command=f"souk rules {name}") in file.getvalue()


@pytest.mark.parametrize("language", OTHERS)
def test_sitting_down_in_another_language(language: str) -> None:
    console, file = console_of()
    answers = iter(["chess", "2", "9", "", "q"])

    def type_in(prompt: str) -> str:
        console.print(prompt)
        return next(answers)

    console.input = type_in  # type: ignore[assignment, method-assign]
    terminal.play_in_terminal(console, None, None, SEED, {}, ["random"], language)
    assert_in_language(file.getvalue())
    assert file.getvalue().endswith(Words(language)("terminal.goodbye") + "\n")


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_replaying_in_another_language(name: str, players: int, language: str) -> None:
    record = whole_random_game(name, players, {}, SEED)
    console, file = console_of()
    terminal.replay(console, record, None, False, language)
    text = file.getvalue().replace(
        ", ".join(f"{key} {value}" for key, value in record.position.options.items()), ""
    )
    assert_in_language(text)
    assert record.game.title_in(language) in text


def test_a_replay_is_seen_as_a_spectator_sees_it() -> None:
    position = next(choosing_positions("basari", 3))
    position.play(0, "gems")
    assert "chosen" in as_text(SeatView.of(position, -1), NAMES[:3])
    assert "chosen" not in as_text(SeatView.of(position, 0), NAMES[:3])


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "nl_NL"}, "nl"),
        ({"LANG": "de", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de"),
        ({"LANG": "tlh"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_that_of_the_environment(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert choose_language(None) == language
    assert choose_language("nl") == "nl"


def test_a_language_that_is_not_spoken() -> None:
    with pytest.raises(ValueError, match="language: there is no 'ned'"):
        choose_language("ned")
