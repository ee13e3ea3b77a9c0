"""Generates the puzzles: draws solitaire puzzles, and mines positions from games of strong bots.

Each day has its own seeds, so days can be generated in any order and by several processes, with the
same result every time.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from souk.analysis.puzzles.compare_moves import MOST_MOVES, is_clear, merge_rankings, rank_moves
from souk.analysis.puzzles.daily import PositionPuzzle, PuzzleLine, RankedMove, SoloPuzzle
from souk.analysis.win_chances import Effort
from souk.bots.bot import Bot
from souk.bots.registry import make_bot
from souk.bots.search import SearchBot, Thinking
from souk.core.game import Game
from souk.core.position import Position

PLAYING = 100  # playouts per move in the games that positions come from
LOOKING = 1500  # playouts for a first look at a position
RIVAL = "trader:lapses=0"  # a puzzle whose answer this bot finds is too easy
DEEP = 100_000  # playouts of each of two deep searches
CLEAR = 0.03  # minimum lead of the best move
FEWEST_MOVES = 3  # to choose from
OPEN = 0.12, 0.95  # range of the win chance: neither lost nor won
HIDDEN = 1  # games tried before the rival may know the answer
PATIENT = 3  # games tried before any topic will do
RESIGNED = 6  # games tried before two moves are enough
MOST_GAMES = 60  # per day
ANOTHER = 17  # seed offset of a verification


@dataclass
class DaySearch:
    """The search for one day's position, which becomes less demanding with every game."""

    game: Game
    day: int

    def topic(self, attempt: int) -> str:
        """The topic wanted; "" for any."""
        topics = self.game.puzzles.TOPICS
        return topics[self.day % len(topics)] if topics and attempt < PATIENT else ""

    def seed(self, attempt: int) -> int:
        return random.Random(f"{self.game.name} {self.day} {attempt}").getrandbits(32)

    def players(self, attempt: int) -> int:
        several = [n for n in self.game.players if n > 1]
        return several[(self.day // max(1, len(self.game.puzzles.TOPICS)) + attempt) % len(several)]


def make_line(game: Game, day: int) -> PuzzleLine:
    """All puzzles of a game for a day."""
    if game.puzzles.GRADES:
        return PuzzleLine(
            day, solos={grade: make_solo(game, day, grade) for grade in game.puzzles.GRADES}
        )
    return PuzzleLine(day, position=mine_position(game, day))


def make_solo(game: Game, day: int, grade: str) -> SoloPuzzle:
    rng = random.Random(f"{game.name} {day} {grade}")
    drawn = None
    while drawn is None:
        drawn = game.puzzles.draw_solitaire(grade, rng)
    options, coming = drawn
    bare = SoloPuzzle(options, coming, [])
    return SoloPuzzle(options, coming, game.puzzles.shortest(bare.start(game), coming))


# ---------------------------------------------------------------- positions


def mine_position(game: Game, day: int) -> PositionPuzzle:
    """The first position in the day's games with one clearly best move."""
    mine = DaySearch(game, day)
    for attempt in range(MOST_GAMES):
        seed, fewest = mine.seed(attempt), FEWEST_MOVES if attempt < RESIGNED else 2
        for pos, seat in _decisions(game, mine.players(attempt), seed):
            if ranking := _clearly_best(
                pos, seat, seed, mine.topic(attempt), attempt < HIDDEN, fewest
            ):
                return _puzzle(pos, seat, ranking, seed)
    raise ValueError(
        f"{game.name}, day {day}: no clearly best move was found in {MOST_GAMES} games"
    )


def _decisions(game: Game, players: int, seed: int) -> Iterator[tuple[Position, int]]:
    """The open decisions of a game between strong bots, from a random point on."""
    rng, bots = random.Random(seed), _searcher(PLAYING, seed)
    pos, passed, begin = game.start(players), 0, rng.randrange(30)
    while not pos.over:
        if not pos.actors:
            pos.draw(rng)
            continue
        seat = pos.actors[0]
        is_open = len(pos.actors) == 1 and not pos.has_secrets
        passed += 1
        if is_open and passed > begin:
            yield pos, seat
        pos.play(seat, _move(bots, pos, seat))


def _searcher(playouts: int, seed: int) -> SearchBot:
    return SearchBot("search", Thinking(seconds=None, playouts=playouts, seed=seed, exact=False))


def _move(bots: Bot, pos: Position, seat: int) -> str:
    codes = pos.move_codes(seat, pos.game.widest)
    return bots.choose(pos, seat).move if len(codes) > 1 else pos.moves(seat)[0]


def _clearly_best(
    pos: Position, seat: int, seed: int, topic: str, hidden: bool, fewest: int
) -> list[RankedMove] | None:
    """Rank the moves of a position if it makes a puzzle, else None.

    With `hidden`, the rival must not find the best move.
    """
    codes = pos.move_codes(seat, pos.game.widest)
    if len(codes) < fewest:
        return None
    considered = _searcher(LOOKING, seed).choose(pos, seat).considered
    by_win = sorted(considered, key=lambda entry: -entry.win)
    moves = [entry.move for entry in by_win[:MOST_MOVES]]
    # The most obvious move: in a haggle, to accept.
    plain = pos.game.notation.move_text(pos.state, codes[0])
    if len(moves) < fewest or not OPEN[0] < considered[0].win < OPEN[1]:
        return None
    own_topic = pos.game.puzzles.topic(pos, seat, moves[0])
    if not own_topic or (topic and own_topic != topic):
        return None
    if hidden and make_bot(RIVAL, seed=seed).choose(pos, seat).move == moves[0]:
        return None
    moves += [plain] if plain not in moves else []
    if not is_clear(rank_moves(pos, seat, moves, Effort(DEEP // 10, seed)), CLEAR):
        return None
    return deep_search(pos, seat, moves, seed)


def deep_search(pos: Position, seat: int, moves: list[str], seed: int) -> list[RankedMove] | None:
    """Rank moves by two deep searches; None unless they and a verification agree on the best."""
    one = rank_moves(pos, seat, moves, Effort(DEEP, seed + 1))
    if not is_clear(one, CLEAR):
        return None
    two = rank_moves(pos, seat, moves, Effort(DEEP, seed + 2))
    if not is_clear(two, CLEAR) or two[0].move != one[0].move:
        return None
    both = merge_rankings(one, two)
    checked = rank_again(pos, seat, [ranked.move for ranked in both], seed)
    return both if checked[0].move == both[0].move and is_clear(checked, 0.0) else None


def rank_again(
    pos: Position, seat: int, moves: list[str], seed: int, playouts: int = DEEP
) -> list[RankedMove]:
    """Rank the moves of an existing puzzle by independent searches."""
    return rank_moves(pos, seat, moves, Effort(playouts, seed + ANOTHER))


def _puzzle(pos: Position, seat: int, ranking: list[RankedMove], seed: int) -> PositionPuzzle:
    needed, _ = pos.game.notation.field_names(pos.players)
    usual = pos.options == pos.game.start(pos.players).options
    fields = {"players", *needed, *([] if usual else ["options"])}
    position = {name: value for name, value in pos.to_json(seat).items() if name in fields}
    topic = pos.game.puzzles.topic(pos, seat, ranking[0].move)
    rounded = [
        RankedMove(ranked.move, round(ranked.win, 4), round(ranked.error, 5)) for ranked in ranking
    ]
    playouts = 2 * DEEP if any(ranked.error for ranked in ranking) else 0
    return PositionPuzzle(position, seat, topic, rounded, playouts, seed)
