"""Making the puzzles: errands are drawn until one has the right length, positions are mined from games of strong bots.

Every day has seeds of its own, so days can be made in any order, by several processes, and again with the same result.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from souk.bots.bot import Bot
from souk.bots.registry import named
from souk.bots.searcher import Searcher, Thinking
from souk.core.game import Game
from souk.core.position import Position
from souk.study.puzzles.weighing import MOST_MOVES, as_one, is_clear, weigh_moves
from souk.study.puzzles.year import PositionPuzzle, PuzzleLine, RankedMove, SoloPuzzle
from souk.study.weighing import Effort

PLAYING, LOOKING = 100, 1500  # playouts for a move of the games that positions come from, and for a first look at one
RIVAL = "trader:lapses=0"  # by rules of thumb: where it finds the best move at once, there is little to find
DEEP = 100_000  # playouts of each of two deep searches
CLEAR = 0.03  # by which the best move's chance must be better than the next one's, at least
FEWEST_MOVES = 3  # to choose from
OPEN = 0.12, 0.95  # the chance to win: neither lost nor won
HIDDEN = 1  # games, after which the rival may know it too
PATIENT = 3  # games, after which any topic will do
RESIGNED = 6  # games, after which two moves to choose from are enough
MOST_GAMES = 60  # for one day
ANOTHER = 17  # how far the seeds of a check are from those with which a puzzle was made


@dataclass
class Mine:
    """What is looked for on a day."""

    game: Game
    day: int

    def topic(self, attempt: int) -> str:
        """What is to be asked; "" for anything."""
        topics = self.game.puzzles.TOPICS
        return topics[self.day % len(topics)] if topics and attempt < PATIENT else ""

    def seed(self, attempt: int) -> int:
        return random.Random(f"{self.game.name} {self.day} {attempt}").getrandbits(32)

    def players(self, attempt: int) -> int:
        several = [n for n in self.game.players if n > 1]
        return several[(self.day // max(1, len(self.game.puzzles.TOPICS)) + attempt) % len(several)]


def make_line(game: Game, day: int) -> PuzzleLine:
    """All of a game's puzzles for a day."""
    if game.puzzles.GRADES:
        return PuzzleLine(day, solos={grade: make_solo(game, day, grade) for grade in game.puzzles.GRADES})
    return PuzzleLine(day, position=mine_position(game, day))


def make_solo(game: Game, day: int, grade: str) -> SoloPuzzle:
    rng = random.Random(f"{game.name} {day} {grade}")
    found = None
    while found is None:
        found = game.puzzles.errand(grade, rng)
    options, coming = found
    bare = SoloPuzzle(options, coming, [])
    return SoloPuzzle(options, coming, game.puzzles.shortest(bare.start(game), coming))


# ---------------------------------------------------------------- positions


def mine_position(game: Game, day: int) -> PositionPuzzle:
    """The first position of a day's games in which one move is clearly the best."""
    mine = Mine(game, day)
    for attempt in range(MOST_GAMES):
        seed, fewest = mine.seed(attempt), FEWEST_MOVES if attempt < RESIGNED else 2
        for pos, seat in _decisions(game, mine.players(attempt), seed):
            if weighed := _clearly_best(pos, seat, seed, mine.topic(attempt), attempt < HIDDEN, fewest):
                return _puzzle(pos, seat, weighed, seed)
    raise ValueError(f"{game.name}, day {day}: no clearly best move was found in {MOST_GAMES} games")


def _decisions(game: Game, players: int, seed: int) -> Iterator[tuple[Position, int]]:
    """The open decisions of a game between strong bots, from some point of it on."""
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


def _searcher(playouts: int, seed: int) -> Searcher:
    return Searcher("search", Thinking(seconds=None, playouts=playouts, seed=seed, exact=False))


def _move(bots: Bot, pos: Position, seat: int) -> str:
    codes = pos.move_codes(seat, pos.game.widest)
    return bots.choose(pos, seat).move if len(codes) > 1 else pos.moves(seat)[0]


def _clearly_best(
    pos: Position, seat: int, seed: int, topic: str, hidden: bool, fewest: int
) -> list[RankedMove] | None:
    """All moves worth a look, where a deep search twice finds the same one clearly the best; `hidden`: and no rule of thumb does."""
    codes = pos.move_codes(seat, pos.game.widest)
    if len(codes) < fewest:
        return None
    looked = _searcher(LOOKING, seed).choose(pos, seat).considered
    moves = [each.move for each in sorted(looked, key=lambda each: -each.win)[:MOST_MOVES]]
    plain = pos.game.notation.move_text(pos.state, codes[0])  # what anybody would think of: to accept, where two haggle
    if len(moves) < fewest or not OPEN[0] < looked[0].win < OPEN[1]:
        return None
    found = pos.game.puzzles.topic(pos, seat, moves[0])
    if not found or (topic and found != topic):
        return None
    if hidden and named(RIVAL, seed=seed).choose(pos, seat).move == moves[0]:
        return None
    moves += [plain] if plain not in moves else []
    if not is_clear(weigh_moves(pos, seat, moves, Effort(DEEP // 10, seed)), CLEAR):
        return None
    return deep_search(pos, seat, moves, seed)


def deep_search(pos: Position, seat: int, moves: list[str], seed: int) -> list[RankedMove] | None:
    """The moves weighed by two deep searches; None where they do not agree on one that is clearly the best, or a check would not find it again."""
    one = weigh_moves(pos, seat, moves, Effort(DEEP, seed + 1))
    if not is_clear(one, CLEAR):
        return None
    two = weigh_moves(pos, seat, moves, Effort(DEEP, seed + 2))
    if not is_clear(two, CLEAR) or two[0].move != one[0].move:
        return None
    both = as_one(one, two)
    checked = weigh_again(pos, seat, [each.move for each in both], seed)
    return both if checked[0].move == both[0].move and is_clear(checked, 0.0) else None


def weigh_again(pos: Position, seat: int, moves: list[str], seed: int, playouts: int = DEEP) -> list[RankedMove]:
    """The moves of a puzzle that was made with this seed, weighed by other searches."""
    return weigh_moves(pos, seat, moves, Effort(playouts, seed + ANOTHER))


def _puzzle(pos: Position, seat: int, weighed: list[RankedMove], seed: int) -> PositionPuzzle:
    needed, _ = pos.game.notation.field_names(pos.players)
    usual = pos.options == pos.game.start(pos.players).options
    kept = {"players", *needed, *([] if usual else ["options"])}
    position = {name: value for name, value in pos.to_json(seat).items() if name in kept}
    topic = pos.game.puzzles.topic(pos, seat, weighed[0].move)
    rounded = [RankedMove(each.move, round(each.win, 4), round(each.error, 5)) for each in weighed]
    return PositionPuzzle(position, seat, topic, rounded, 2 * DEEP if any(each.error for each in weighed) else 0, seed)
