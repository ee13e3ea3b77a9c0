"""The puzzles of the day, for the browser: a puzzle after some moves, and once it is done, what there is to say about it. Nothing is kept."""

import datetime

from souk.bots.nameplates import PERSON, fitting, gender
from souk.core.errors import IllegalMove
from souk.core.game import Game
from souk.core.position import Position
from souk.core.shelf import find_game
from souk.study.puzzles.year import (
    Attempt,
    PositionPuzzle,
    SoloPuzzle,
    Tried,
    fewest,
    games_with_puzzles,
    line_of,
    position_of,
    read_date,
    solo_of,
    stars,
)
from souk.study.reasons import differences, told_of
from souk.table import protocol, study_protocol
from souk.table.refusals import Refuse, illegal, reason_of
from souk.table.views import Looks

MOST_MOVES = 100  # of one try
LONGEST_MOVE = 40  # letters


def day(date: str) -> study_protocol.PuzzleDay:
    """All puzzles of a day."""
    when = _date(date)
    return study_protocol.PuzzleDay(date, [_card(name, when) for name in games_with_puzzles()])


def look(wish: study_protocol.TryPuzzle) -> study_protocol.PuzzleNow:
    """A puzzle after the moves of a try."""
    game, puzzle = _check(wish)
    attempt = Attempt.of(puzzle, game)
    try:
        attempt.play_all(wish.moves[:-1])
        events = [_event(attempt, tried) for move in wish.moves[-1:] for tried in attempt.play(move)]
    except IllegalMove as error:
        raise illegal(error) from None
    pos, answer = attempt.position, wish.moves[0] if wish.moves else ""
    now = study_protocol.PuzzleNow(
        wish.date, wish.game, wish.grade, game.scene.box(pos), _seats(attempt), attempt.seat, _view(attempt), events,
        list(attempt.coming), attempt.used,
    )  # fmt: skip
    if isinstance(puzzle, SoloPuzzle):
        now.done = _done(puzzle, attempt) if pos.over or wish.give_up else None
    else:
        now.answered = _answered(puzzle, game, answer) if answer or wish.give_up else None
    return now


def ask(wish: study_protocol.TryPuzzle) -> protocol.Answer:
    """Whether the last of the moves is allowed."""
    game, puzzle = _check(wish)
    attempt = Attempt.of(puzzle, game)
    try:
        attempt.play_all(wish.moves[:-1])
        attempt.position.canonical_move(attempt.seat, wish.moves[-1] if wish.moves else "")
    except IllegalMove as error:
        return protocol.Answer(0, False, reason_of(error), error.clause)
    return protocol.Answer(0, True)


# ---------------------------------------------------------------- what is shown


def _seats(attempt: Attempt) -> list[protocol.SeatNow]:
    """Whoever solves it, among others by name."""
    names = [fitting(seat)[seat] for seat in range(attempt.position.players)]
    persons = protocol.SeatNow(PERSON, "person")
    return [
        persons if seat == attempt.seat else protocol.SeatNow(name, "bot", gender=gender(name))
        for seat, name in enumerate(names)
    ]


def _view(attempt: Attempt) -> protocol.View:
    return Looks(attempt.position, attempt.position.has_secrets).view(attempt.seat, False)


def _event(attempt: Attempt, tried: Tried) -> protocol.Event:
    seat, text, facts = tried
    told = [message.to_json() for message in attempt.position.game.tell(facts)]
    return protocol.Event(attempt.used, seat, text, told, list(facts), _view(attempt))


def _done(errand: SoloPuzzle, attempt: Attempt) -> study_protocol.SoloDone:
    pos, best = attempt.position, fewest(errand, attempt.position.game)
    actions = pos.scores[0]
    return study_protocol.SoloDone(actions, best, stars(actions, best) if pos.winners else 0, errand.way)


def _in_words(pos: Position, seat: int, move: str) -> protocol.Told:
    told = told_of(pos, seat, move)
    return told[0].to_json() if told else [move, {}]


def _answered(puzzle: PositionPuzzle, game: Game, answer: str) -> study_protocol.PuzzleAnswered:
    pos, (gap, error) = puzzle.start(game), puzzle.gap
    given = pos.canonical_move(puzzle.seat, answer) if answer else ""
    against = given if given not in ("", puzzle.best) else puzzle.weighed[1].move
    found = differences(pos, puzzle.seat, puzzle.best, against)
    said = [each.one.to_json() for each in found if each.one]
    against_it = [each.other.to_json() for each in found if each.other]
    weighed = [
        study_protocol.MoveWeighed(each.move, _in_words(pos, puzzle.seat, each.move), each.win, each.error)
        for each in puzzle.weighed
    ]
    return study_protocol.PuzzleAnswered(
        given == puzzle.best, puzzle.best, weighed, gap, error, puzzle.playouts, said, against_it
    )


# ---------------------------------------------------------------- what is asked for


def _date(text: str) -> datetime.date:
    try:
        return read_date(text)
    except ValueError:
        raise Refuse("puzzle_date") from None


def _check(wish: study_protocol.TryPuzzle) -> tuple[Game, SoloPuzzle | PositionPuzzle]:
    """The puzzle with its game, where there is one, and the moves are not too many."""
    if len(wish.moves) > MOST_MOVES or any(len(move) > LONGEST_MOVE for move in wish.moves):
        raise Refuse("puzzle_long", 413, most=MOST_MOVES)
    when = _date(wish.date)
    try:
        found = solo_of(wish.game, when, wish.grade) if wish.grade else position_of(wish.game, when)
    except ValueError:
        raise Refuse("puzzle_unknown", 404) from None
    return find_game(wish.game), found


def _card(name: str, when: datetime.date) -> study_protocol.PuzzleCard:
    line = line_of(name, when)
    players = line.position.position["players"] if line.position else 1
    return study_protocol.PuzzleCard(name, list(line.solos), players)
