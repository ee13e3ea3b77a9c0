"""The daily puzzles: playable, reproducible, and with the best solutions."""

import datetime
import itertools
import random

import msgspec
import pytest

import souk
from souk.analysis.puzzles import daily as year
from souk.analysis.puzzles.compare_moves import is_clear, merge_rankings, rank_moves
from souk.analysis.puzzles.daily import (
    DAYS,
    Attempt,
    PositionPuzzle,
    PuzzleLine,
    RankedMove,
    SoloPuzzle,
    day_of,
    line_of,
)
from souk.analysis.puzzles.generate import make_solo
from souk.analysis.puzzles.verify import find_faults
from souk.analysis.win_chances import Effort
from souk.core.position import Position
from tests.support.forked import run_python

GAMES = ["suleika", "basari", "basari-cards", "bazaar"]
DAY = datetime.date(2026, 11, 16)


def lines(game: str) -> list[PuzzleLine]:
    return list(year.puzzles_of(game).values())


def test_every_game_has_puzzles() -> None:
    assert year.games_with_puzzles() == GAMES
    assert sorted(year.puzzles_of("bazaar")) == list(range(1, DAYS + 1))
    for game in GAMES:
        assert set(year.puzzles_of(game)) <= set(range(1, DAYS + 1))


@pytest.mark.parametrize("game", GAMES)
def test_all_are_well_formed(game: str) -> None:
    """Every puzzle is valid; searches are left to `souk puzzles check`."""
    found = souk.game(game)
    for line in lines(game):
        if line.position:
            assert list(find_faults(found, line, playouts=0)) == []
            assert line.position.gap[0] >= 0.03
            assert line.position.start(found).actors == (line.position.seat,)
        for solo in line.solos.values():
            assert Attempt.of(solo, found).play_all(solo.way).position.winners == (0,)


@pytest.mark.parametrize("game", GAMES)
def test_no_two_days_have_the_same(game: str) -> None:
    asked = [
        msgspec.json.encode(line.position.position if line.position else line.solos)
        for line in lines(game)
    ]
    assert len(set(asked)) == len(asked)
    for n in range(400):
        day = DAY + datetime.timedelta(days=n)
        assert line_of(game, day) != line_of(game, day + datetime.timedelta(days=1))


def test_a_year_later_they_come_again() -> None:
    for game in GAMES:
        assert line_of(game, DAY) == line_of(game, DAY.replace(year=2031))
    assert day_of(datetime.date(2028, 12, 31)) == day_of(datetime.date(2027, 12, 31)) == DAYS
    assert day_of(datetime.date(2028, 2, 29)) + 1 == day_of(datetime.date(2027, 3, 1))


def test_another_process_has_the_same() -> None:
    code = (
        "import datetime; from souk.analysis.puzzles.daily import *; "
        f"print([line_of(g, datetime.date{DAY.timetuple()[:3]}) for g in {GAMES}])"
    )
    output = run_python(["-c", code]).stdout
    assert output.strip() == str([line_of(game, DAY) for game in GAMES])


def test_a_day_without_a_line_borrows_one(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = lines("suleika")[:2]
    monkeypatch.setattr(year, "puzzles_of", lambda _name: {first.day: first, second.day: second})
    days = [datetime.date(2026, 6, day) for day in range(1, 8)]
    found = [line_of("suleika", day) for day in days]
    assert all(one != two for one, two in itertools.pairwise(found))


def test_what_there_is_not() -> None:
    for text in ("", "2026-1-1", "2026-02-30", "today", "20261116", None):
        with pytest.raises(ValueError, match="^date: write it as 2026-11-16"):
            year.read_date(text)
    with pytest.raises(ValueError, match="no puzzles of 'chess'"):
        year.position_of("chess", DAY)
    with pytest.raises(ValueError, match="there is no 'harder' of bazaar"):
        year.solo_of("bazaar", DAY, "harder")
    with pytest.raises(ValueError, match="no position of the day"):
        year.position_of("bazaar", DAY)


# ---------------------------------------------------------------- solitaire


def fewest_by_trying(pos: Position, coming: list[str], most: int) -> int | None:
    """The fewest actions that buy the ware, by breadth-first search over the rules."""
    layer = {(pos.to_json()["chips"][0].__repr__(), 0): (pos, 0)}
    seen = set(layer)
    for actions in range(1, most + 1):
        following: dict[tuple[str, int], tuple[Position, int]] = {}
        for start, used in layer.values():
            waiting = [(start, used)]
            while waiting:
                before, rolled = waiting.pop()
                for move in before.moves(0):
                    then, more = before.copy(), rolled
                    then.play(0, move)
                    if not then.over and not then.actors:
                        then.resolve(coming[more])
                        more += 1
                    phase = then.to_json()["phase"]
                    if phase == "buy":
                        return actions
                    key = (repr(then.to_json()["chips"][0]), more)
                    if phase != "act":
                        waiting.append((then, more))
                    elif key not in seen:
                        seen.add(key)
                        following[key] = then, more
        layer = following
    return None


@pytest.mark.parametrize("day", [1, 60, 321])
def test_the_way_is_a_shortest_one(day: int) -> None:
    """Verified by breadth-first search over the rules."""
    game = souk.game("bazaar")
    solo = year.puzzles_of("bazaar")[day].solos["easy"]
    assert fewest_by_trying(solo.start(game), solo.coming, 5) == year.fewest_actions(solo, game)


def test_grades_are_longer_and_longer() -> None:
    game = souk.game("bazaar")
    for line in lines("bazaar")[::90]:
        easy, medium, hard = (
            year.fewest_actions(line.solos[grade], game) for grade in game.puzzles.GRADES
        )
        assert 4 <= easy <= 5 < medium <= 7 < hard <= 10
        assert list(find_faults(game, line)) == []


def test_the_same_seed_makes_the_same_solitaire_puzzle() -> None:
    assert (
        make_solo(souk.game("bazaar"), 5, "medium") == year.puzzles_of("bazaar")[5].solos["medium"]
    )


def test_dice_begin_again_after_the_last() -> None:
    game = souk.game("bazaar")
    solo = year.puzzles_of("bazaar")[1].solos["easy"]
    attempt, rng = Attempt.of(solo, game), random.Random(4)
    shown = []
    while attempt.used <= len(solo.coming) and not attempt.position.over:
        moves = attempt.position.moves(0)
        move = (
            "roll"
            if "roll" in moves
            else rng.choice([each for each in moves if not each.startswith("buy")])
        )
        shown += [text for seat, text, _ in attempt.play(move) if seat is None]
    assert shown == [*solo.coming, solo.coming[0]]


def test_stars() -> None:
    assert [year.stars(actions, 6) for actions in (6, 7, 8, 9, 40)] == [3, 2, 1, 0, 0]


def test_a_wrong_way_is_found_out() -> None:
    game = souk.game("bazaar")
    solo = year.puzzles_of("bazaar")[1].solos["easy"]
    longer = SoloPuzzle(solo.options, solo.coming, ["roll", *solo.way])
    short = SoloPuzzle(solo.options, solo.coming, solo.way[:-1])
    for wrong, said in ((longer, "the solution"), (short, "does not finish the game")):
        assert any(said in fault for fault in find_faults(game, PuzzleLine(1, {"easy": wrong})))


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize("game", GAMES[:3])
def test_a_search_finds_the_same_move(game: str) -> None:
    """A sample; `souk puzzles check` covers all."""
    for line in lines(game)[:: max(1, len(lines(game)) // 2)]:
        assert list(find_faults(souk.game(game), line)) == []


@pytest.mark.parametrize("game", GAMES[:3])
def test_several_kinds_of_decisions(game: str) -> None:
    topics = {line.position.topic for line in lines(game) if line.position}
    assert len(topics) > 1
    assert "" not in topics


def test_a_wrong_move_is_found_out() -> None:
    line = lines("basari")[0]
    puzzle = line.position
    assert puzzle is not None
    first, second, *rest = puzzle.weighed
    swapped = [
        RankedMove(second.move, first.win, 0.001),
        RankedMove(first.move, second.win, 0.001),
        *rest,
    ]
    wrong = PositionPuzzle(
        puzzle.position, puzzle.seat, puzzle.topic, swapped, puzzle.playouts, puzzle.seed
    )
    said = list(
        find_faults(souk.game("basari"), PuzzleLine(line.day, position=wrong), playouts=6000)
    )
    assert len(said) == 1
    assert f"a search finds {first.move} better" in said[0]


def test_errors_are_stated_and_believed() -> None:
    one = [RankedMove("a", 0.5, 0.01), RankedMove("b", 0.46, 0.01)]
    two = [RankedMove("b", 0.47, 0.01), RankedMove("a", 0.52, 0.01)]
    assert not is_clear(one, 0.03)  # less than three standard errors
    assert [each.move for each in merge_rankings(one, two)] == ["a", "b"]
    assert merge_rankings(one, two)[0].error == pytest.approx(0.01 / 2**0.5)
    assert is_clear([RankedMove("a", 0.5, 0.001), RankedMove("b", 0.46, 0.001)], 0.03)


def test_weighing_is_the_same_again() -> None:
    puzzle = next(
        line.position for line in lines("suleika") if line.position and line.position.playouts
    )
    pos, moves = puzzle.start(souk.game("suleika")), [each.move for each in puzzle.weighed]
    weighed = [rank_moves(pos, puzzle.seat, moves, Effort(1200, 3)) for _ in range(2)]
    assert weighed[0] == weighed[1]
    assert weighed[0] != rank_moves(pos, puzzle.seat, moves, Effort(1200, 4))
