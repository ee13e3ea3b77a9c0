"""Daily puzzles for the browser. Stateless: every request carries the date and the moves so far."""

import datetime

from souk.analysis import voice
from souk.analysis.explanations import as_seen, differences, effects_of
from souk.analysis.puzzles.daily import (
    Attempt,
    PositionPuzzle,
    SoloPuzzle,
    Tried,
    fewest_actions,
    games_with_puzzles,
    line_of,
    position_of,
    read_date,
    solo_of,
    stars,
)
from souk.bots.names import DEFAULT_NAME, gender, names_for_seat
from souk.core.errors import IllegalMove
from souk.core.game import Game
from souk.core.game_registry import find_game
from souk.core.position import Position
from souk.server.protocol import analysis as analysis_protocol
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused, reason_of, refusal_of_illegal_move
from souk.server.tables.game.views import PositionView

MAX_MOVES = 100  # moves of one attempt
MAX_MOVE_LENGTH = 40  # characters


def day(date: str) -> analysis_protocol.PuzzleDay:
    """All puzzles of a day."""
    when = _date(date)
    return analysis_protocol.PuzzleDay(date, [_card(name, when) for name in games_with_puzzles()])


def puzzle_after_moves(request: analysis_protocol.TryPuzzle) -> analysis_protocol.PuzzleNow:
    """A puzzle after the moves of an attempt."""
    game, puzzle = _check(request)
    attempt = Attempt.of(puzzle, game)
    try:
        attempt.play_all(request.moves[:-1])
        events = [
            _event(attempt, event) for move in request.moves[-1:] for event in attempt.play(move)
        ]
    except IllegalMove as error:
        raise refusal_of_illegal_move(error) from None
    pos, answer = attempt.position, request.moves[0] if request.moves else ""
    state = analysis_protocol.PuzzleNow(
        request.date,
        request.game,
        request.grade,
        game.board_info.box(pos),
        _seats(attempt),
        attempt.seat,
        _view(attempt),
        events,
        list(attempt.coming),
        attempt.used,
    )
    if isinstance(puzzle, SoloPuzzle):
        state.done = _done(puzzle, attempt) if pos.over or request.give_up else None
    else:
        state.answered = _answered(puzzle, game, answer) if answer or request.give_up else None
    return state


def check_move(request: analysis_protocol.TryPuzzle) -> protocol.Answer:
    """Check whether the last move of the attempt is legal."""
    game, puzzle = _check(request)
    attempt = Attempt.of(puzzle, game)
    try:
        attempt.play_all(request.moves[:-1])
        attempt.position.canonical_move(attempt.seat, request.moves[-1] if request.moves else "")
    except IllegalMove as error:
        return protocol.Answer(0, False, reason_of(error), error.clause)
    return protocol.Answer(0, True)


# ---------------------------------------------------------------- responses


def _seats(attempt: Attempt) -> list[protocol.SeatNow]:
    """Names for the other seats; the solver's own seat is named as a person."""
    names = [names_for_seat(seat)[seat] for seat in range(attempt.position.players)]
    own_seat = protocol.SeatNow(DEFAULT_NAME, "person")
    return [
        own_seat if seat == attempt.seat else protocol.SeatNow(name, "bot", gender=gender(name))
        for seat, name in enumerate(names)
    ]


def _view(attempt: Attempt) -> protocol.View:
    return PositionView(attempt.position, attempt.position.has_secrets).view(attempt.seat, False)


def _event(attempt: Attempt, event: Tried) -> protocol.Event:
    seat, text, facts = event
    text_messages = [message.to_json() for message in attempt.position.game.describe(facts)]
    return protocol.Event(attempt.used, seat, text, text_messages, list(facts), _view(attempt))


def _done(puzzle: SoloPuzzle, attempt: Attempt) -> analysis_protocol.SoloDone:
    pos, best = attempt.position, fewest_actions(puzzle, attempt.position.game)
    actions = pos.scores[0]
    return analysis_protocol.SoloDone(
        actions, best, stars(actions, best) if pos.winners else 0, puzzle.way
    )


def _in_words(pos: Position, seat: int, move: str) -> protocol.Told:
    messages = effects_of(pos, seat, move)
    return messages[0].to_json() if messages else [move, {}]


def _answered(puzzle: PositionPuzzle, game: Game, answer: str) -> analysis_protocol.PuzzleAnswered:
    pos, (gap, error) = puzzle.start(game), puzzle.gap
    canonical = pos.canonical_move(puzzle.seat, answer) if answer else ""
    against = canonical if canonical not in ("", puzzle.best) else puzzle.weighed[1].move
    comparisons = differences(pos, puzzle.seat, puzzle.best, against)
    reasons = [difference.one.to_json() for difference in comparisons if difference.one]
    against_it = [difference.other.to_json() for difference in comparisons if difference.other]
    weighed = [
        analysis_protocol.MoveCompared(
            difference.move,
            _in_words(pos, puzzle.seat, difference.move),
            difference.win,
            difference.error,
        )
        for difference in puzzle.weighed
    ]
    return analysis_protocol.PuzzleAnswered(
        canonical == puzzle.best,
        puzzle.best,
        weighed,
        gap,
        error,
        puzzle.playouts,
        _spoken(puzzle, pos, canonical, against),
        reasons,
        against_it,
    )


def _spoken(puzzle: PositionPuzzle, pos: Position, answer: str, against: str) -> protocol.Spoken:
    """The verdict on an answer: an answer nobody evaluated is taken to be worse than the next."""
    view, (gap, error) = as_seen(pos, puzzle.seat), puzzle.gap
    others = [tried for tried in puzzle.weighed if tried.move == against]
    lead = voice.Lead(gap, error)
    if others:
        lead = voice.Lead(puzzle.weighed[0].win - others[0].win, others[0].error)
    spoken = voice.verdict(view, puzzle.seat, puzzle.best, against, lead, answer)
    return protocol.Spoken(spoken.sentence, spoken.further, spoken.equal, spoken.key)


# ---------------------------------------------------------------- requests


def _date(text: str) -> datetime.date:
    try:
        return read_date(text)
    except ValueError:
        raise RequestRefused("puzzle_date") from None


def _check(request: analysis_protocol.TryPuzzle) -> tuple[Game, SoloPuzzle | PositionPuzzle]:
    """Find the puzzle and its game; refuse overlong attempts."""
    if len(request.moves) > MAX_MOVES or any(len(move) > MAX_MOVE_LENGTH for move in request.moves):
        raise RequestRefused("puzzle_long", 413, most=MAX_MOVES)
    date = _date(request.date)
    try:
        puzzle = (
            solo_of(request.game, date, request.grade)
            if request.grade
            else position_of(request.game, date)
        )
    except ValueError:
        raise RequestRefused("puzzle_unknown", 404) from None
    return find_game(request.game), puzzle


def _card(name: str, date: datetime.date) -> analysis_protocol.PuzzleCard:
    line = line_of(name, date)
    players = line.position.position["players"] if line.position else 1
    return analysis_protocol.PuzzleCard(name, list(line.solos), players)
