"""Statistics of a player's games: wins by opponent, luck and mistakes."""

import asyncio
import json
import re
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from souk.analysis.study import MARKS, Balance
from souk.server.analysis.storage import VERSION, AnalysisStorage
from souk.server.common.config import LEVELS
from souk.server.protocol.analysis import GameStats, Mistake, MyStats, PlayedGame, WonAgainst
from souk.server.storage.connection import Connection
from souk.server.storage.store import Store
from souk.server.tables.game.old_games import is_old_game
from souk.server.tables.setup.lessons import LESSON
from souk.server.tables.timing.game_status import KIND

MAX_GAMES = 100  # newest games per player
PEOPLE, ALONE = "people", "alone"  # used instead of a bot level
SECRET = "secret"  # kind of every secret choice
_MAX_SUMMARIES = 4000  # summaries of analyses
_WORD = re.compile(r"[\w-]{1,20}")

# Whether the last event ended the game early (by agreement, without a result, or on time).
_ENDED = f"""
    SELECT kind = '{KIND}' AND text IN ('agreed', 'no_result', 'called') FROM events
    WHERE events."table" = id ORDER BY seq DESC LIMIT 1
"""

# The player's complete games on a single seat, without lessons and games started from a position.
_GAMES = f"""
    SELECT id, game, rules, changed, winners, min(seat), min(playouts), max(resigned)
    FROM tables JOIN seats ON seats."table" = id
    LEFT JOIN analyses ON analyses."table" = id AND version = {VERSION}
    WHERE player = ? AND over AND rated >= ? AND opening = '' AND level != '{LESSON}'
    AND NOT coalesce(({_ENDED}), FALSE)
    GROUP BY id HAVING count(*) = 1 ORDER BY changed DESC LIMIT ?
"""


class _GameRow(NamedTuple):
    """A game as read from the database."""

    table: str
    game: str
    rules: int
    changed: float
    won: bool
    seat: int
    playouts: int | None  # None where the game has not been analysed
    against: str


class _StepFields(msgspec.Struct):
    """The fields of an `AnalysedStep` used here."""

    seat: int | None
    kind: str
    loss: float = 0.0
    mark: str = ""
    move: str = ""


class _AnalysisFields(msgspec.Struct):
    """The fields of an `AnalysisView` used here."""

    seats: list[Balance]
    steps: list[_StepFields]


class _GameSummary(NamedTuple):
    """Luck and mistakes of one seat."""

    balance: Balance
    mistakes: list[Mistake]


class PlayerStats:
    """Computes statistics on request. Caches a summary per analysis, which is much smaller."""

    def __init__(self, store: Store, storage: AnalysisStorage) -> None:
        self._store, self._storage = store, storage
        self._summaries: OrderedDict[tuple[str, int, int | None], _GameSummary] = OrderedDict()

    async def numbers(self, player: bytes | None, rated: bool = False) -> MyStats:
        """Statistics of all games of a player, or only the rated ones."""
        games = await self._store.query(_played, player, rated, MAX_GAMES) if player else []
        cards: dict[tuple[str, bool], GameStats] = {}
        for game in reversed(games):  # oldest first
            key = game.game, game.against == ALONE
            add(
                cards.setdefault(key, GameStats(*key)),
                game,
                await self._summarise(game) if _is_studied(game) else None,
            )
        for card in cards.values():
            card.against.sort(key=lambda entry: strength(entry.level))
            card.slips.sort(key=lambda mistake: (-_marks(mistake), -mistake.lost))
        return MyStats(sorted(cards.values(), key=lambda card: -len(card.played)))

    async def _summarise(self, game: _GameRow) -> _GameSummary | None:
        """Summary of one seat's analysis; decoded in a thread."""
        key = game.table, game.seat, game.playouts
        if key not in self._summaries:
            stored = await self._storage.find(game.table)
            summary = (
                await asyncio.to_thread(summarise, stored.content, game.seat) if stored else None
            )
            if summary is None:
                return None
            self._summaries[key] = summary
        self._summaries.move_to_end(key)
        while len(self._summaries) > _MAX_SUMMARIES:
            self._summaries.popitem(last=False)
        return self._summaries[key]


def _is_studied(game: _GameRow) -> bool:
    return game.playouts is not None


def add(card: GameStats, game: _GameRow, summary: _GameSummary | None) -> None:
    """Add one game to a card."""
    balance = summary.balance if summary else None
    card.played.append(
        PlayedGame(game.table, game.changed, game.won, is_old_game(game.game, game.rules), balance)
    )
    opponent = next((entry for entry in card.against if entry.level == game.against), None)
    if opponent is None:
        opponent = WonAgainst(game.against)
        card.against.append(opponent)
    opponent.games += 1
    opponent.wins += game.won
    for mistake in summary.mistakes if summary else ():
        _add_mistake(card.slips, mistake)


def _add_mistake(slips: list[Mistake], mistake: Mistake) -> None:
    total = next((entry for entry in slips if entry.kind == mistake.kind), None)
    if total is None:
        slips.append(msgspec.structs.replace(mistake))
        return
    for name in ("moves", *MARKS, "lost"):
        setattr(total, name, getattr(total, name) + getattr(mistake, name))


def _marks(mistake: Mistake) -> int:
    return mistake.inaccuracy + mistake.mistake + mistake.blunder


def summarise(content: bytes, seat: int) -> _GameSummary | None:
    """Summarise an analysis for one seat; None if it cannot be decoded."""
    try:
        analysis = msgspec.json.decode(content, type=_AnalysisFields)
        balance = analysis.seats[seat]
    except (msgspec.MsgspecError, IndexError):
        return None
    mistakes: dict[str, Mistake] = {}
    for step in analysis.steps:
        if step.seat == seat:
            kind = kind_of(step.kind, step.move)
            mistake = mistakes.setdefault(kind, Mistake(kind))
            mistake.moves += 1
            mistake.lost += step.loss
            if step.mark in MARKS:
                setattr(mistake, step.mark, getattr(mistake, step.mark) + 1)
    return _GameSummary(balance, list(mistakes.values()))


def kind_of(step: str, move: str) -> str:
    """Kind of a move: its first word, or `SECRET`."""
    first_word = _WORD.match(move)
    return SECRET if step == SECRET or not first_word else first_word[0]


def strength(level: str) -> tuple[int, str]:
    """Sort key of levels: people first, then bots without a place on the ladder, then the ladder
    upwards.
    """
    if level in (ALONE, PEOPLE):
        return -2, level
    return (LEVELS.index(level) if level in LEVELS else -1), level


def against(others: Sequence[tuple[str, str]]) -> str:
    """Opponent a game counts against: the strongest bot's level, `PEOPLE` or `ALONE`."""
    bots = [level for kind, level in others if kind == "bot"]
    return max(bots, key=strength) if bots else PEOPLE if others else ALONE


def _played(connection: Connection, player: bytes, rated: bool, limit: int) -> list[_GameRow]:
    games = []
    rows = connection.execute(_GAMES, (player, rated, limit)).fetchall()
    for table, game, rules, changed, winners, seat, playouts, resigned in rows:
        query = 'SELECT kind, level FROM seats WHERE "table" = ? AND seat != ?'
        others = connection.execute(query, (table, seat)).fetchall()
        won = resigned is None and seat in json.loads(winners)
        games.append(_GameRow(table, game, rules, changed, won, seat, playouts, against(others)))
    return games
