"""What somebody's games add up to: how many they have won against whom, and how much of it was luck and how much their own errors."""

import asyncio
import json
import re
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from souk.study.study import MARKS, Balance
from souk.table.classes import LESSON
from souk.table.database import Line
from souk.table.fates import KIND
from souk.table.relics import is_old_game
from souk.table.settings import LEVELS
from souk.table.shelves import VERSION, Shelves
from souk.table.store import Store
from souk.table.study_protocol import GameTally, MyNumbers, PlayedGame, Slip, WonAgainst

MOST_GAMES = 100  # of one person, the newest
PEOPLE, ALONE = "people", "alone"  # in the place of a level
SECRET = "secret"  # the kind of all secret choices, whatever was chosen
_MOST_IN_MIND = 4000  # games whose studies have been gone through
_WORD = re.compile(r"[\w-]{1,20}")

# Whether a game was ended before its end, as it stood or without a result: the last event says so.
_ENDED = f"""
    SELECT kind = '{KIND}' AND text IN ('agreed', 'no_result', 'called') FROM events WHERE events."table" = id ORDER BY seq DESC LIMIT 1
"""

# Games that were played from their beginning to their end on one seat, and are no lessons.
_GAMES = f"""
    SELECT id, game, rules, changed, winners, min(seat), min(playouts), max(resigned)
    FROM tables JOIN seats ON seats."table" = id LEFT JOIN studies ON studies."table" = id AND version = {VERSION}
    WHERE player = ? AND over AND rated >= ? AND opening = '' AND level != '{LESSON}' AND NOT coalesce(({_ENDED}), FALSE)
    GROUP BY id HAVING count(*) = 1 ORDER BY changed DESC LIMIT ?
"""


class _GameRow(NamedTuple):
    """A game as it stands in the file."""

    table: str
    game: str
    rules: int
    changed: float
    won: bool
    seat: int
    playouts: int | None  # of its study; None where there is none
    against: str


class _SeenStep(msgspec.Struct):
    """As much of a `Turning` as is looked at here."""

    seat: int | None
    kind: str
    loss: float = 0.0
    mark: str = ""
    move: str = ""


class _SeenStudy(msgspec.Struct):
    """As much of a `Lookback`."""

    seats: list[Balance]
    steps: list[_SeenStep]


class _Gleanings(NamedTuple):
    """What a study says about one seat."""

    balance: Balance
    slips: list[Slip]


class Tallies:
    """Adds them up when somebody asks. What has been read from a study is remembered, as it is much longer than what is taken from it."""

    def __init__(self, store: Store, shelves: Shelves) -> None:
        self._store, self._shelves = store, shelves
        self._gleaned: OrderedDict[tuple[str, int, int | None], _Gleanings] = OrderedDict()

    async def numbers(self, player: bytes | None, rated: bool = False) -> MyNumbers:
        """Somebody's numbers, of all their games or of rated ones alone; who has never been here has none."""
        found = await self._store.ask(_played, player, rated, MOST_GAMES) if player else []
        cards: dict[tuple[str, bool], GameTally] = {}
        for each in reversed(found):  # the eldest first
            key = each.game, each.against == ALONE
            add(cards.setdefault(key, GameTally(*key)), each, await self._glean(each) if _is_studied(each) else None)
        for card in cards.values():
            card.against.sort(key=lambda one: strength(one.level))
            card.slips.sort(key=lambda slip: (-_marks(slip), -slip.lost))
        return MyNumbers(sorted(cards.values(), key=lambda card: -len(card.played)))

    async def _glean(self, game: _GameRow) -> _Gleanings | None:
        """What a game's study says about one seat: read beside the loop."""
        key = game.table, game.seat, game.playouts
        if key not in self._gleaned:
            kept = await self._shelves.study(game.table)
            found = await asyncio.to_thread(glean, kept.content, game.seat) if kept else None
            if found is None:
                return None
            self._gleaned[key] = found
        self._gleaned.move_to_end(key)
        while len(self._gleaned) > _MOST_IN_MIND:
            self._gleaned.popitem(last=False)
        return self._gleaned[key]


def _is_studied(game: _GameRow) -> bool:
    return game.playouts is not None


def add(card: GameTally, game: _GameRow, gleaned: _Gleanings | None) -> None:
    """Count one game more."""
    balance = gleaned.balance if gleaned else None
    card.played.append(PlayedGame(game.table, game.changed, game.won, is_old_game(game.game, game.rules), balance))
    rung = next((one for one in card.against if one.level == game.against), None)
    if rung is None:
        rung = WonAgainst(game.against)
        card.against.append(rung)
    rung.games += 1
    rung.wins += game.won
    for slip in gleaned.slips if gleaned else ():
        _add_slip(card.slips, slip)


def _add_slip(slips: list[Slip], slip: Slip) -> None:
    known = next((one for one in slips if one.kind == slip.kind), None)
    if known is None:
        slips.append(msgspec.structs.replace(slip))
        return
    for name in ("moves", *MARKS, "lost"):
        setattr(known, name, getattr(known, name) + getattr(slip, name))


def _marks(slip: Slip) -> int:
    return slip.inaccuracy + slip.mistake + slip.blunder


def glean(content: bytes, seat: int) -> _Gleanings | None:
    """What a study says about one seat; None where it cannot be read."""
    try:
        found = msgspec.json.decode(content, type=_SeenStudy)
        balance = found.seats[seat]
    except (msgspec.MsgspecError, IndexError):
        return None
    slips: dict[str, Slip] = {}
    for step in found.steps:
        if step.seat == seat:
            kind = kind_of(step.kind, step.move)
            slip = slips.setdefault(kind, Slip(kind))
            slip.moves += 1
            slip.lost += step.loss
            if step.mark in MARKS:
                setattr(slip, step.mark, getattr(slip, step.mark) + 1)
    return _Gleanings(balance, list(slips.values()))


def kind_of(step: str, move: str) -> str:
    """What kind of move one was: the word that it begins with."""
    word = _WORD.match(move)
    return SECRET if step == SECRET or not word else word[0]


def strength(level: str) -> tuple[int, str]:
    """By which levels are sorted: people, then bots that are on no ladder, then those that are, the strongest last."""
    if level in (ALONE, PEOPLE):
        return -2, level
    return (LEVELS.index(level) if level in LEVELS else -1), level


def against(others: Sequence[tuple[str, str]]) -> str:
    """Whom a game was played against, by the kinds and levels of the other seats: its strongest bot, or people."""
    bots = [level for kind, level in others if kind == "bot"]
    return max(bots, key=strength) if bots else PEOPLE if others else ALONE


def _played(connection: Line, player: bytes, rated: bool, most: int) -> list[_GameRow]:
    found = []
    rows = connection.execute(_GAMES, (player, rated, most)).fetchall()
    for table, game, rules, changed, winners, seat, playouts, resigned in rows:
        asked = 'SELECT kind, level FROM seats WHERE "table" = ? AND seat != ?'
        others = connection.execute(asked, (table, seat)).fetchall()
        won = resigned is None and seat in json.loads(winners)
        found.append(_GameRow(table, game, rules, changed, won, seat, playouts, against(others)))
    return found
