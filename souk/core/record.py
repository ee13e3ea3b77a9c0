"""A whole game as readable text: headers, then every move and every chance outcome in order.

Each line ends with a check: the first digits of a digest of all lines up to it. So a line that was edited, lost or
moved is not just noticed but found.
"""

import datetime
import hashlib
import itertools
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from souk.core.datafile import is_text
from souk.core.errors import IllegalMove
from souk.core.facts import Fact, Tell
from souk.core.fields import brief
from souk.core.noticed import Noticed
from souk.core.shelf import find_game
from souk.core.verdicts import ENDS, winners

if TYPE_CHECKING:
    from souk.core.game import Game
    from souk.core.position import Dice, Position

_FORMAT = "souk record 1"
_CHECK_COLUMN = 34
_LARGEST = 8_000_000
_LONGEST_NAME = 40
_LINE = re.compile(r"(.*\S)\s+#([0-9a-f]{4})")
MISSING = "missing"
_TABLE = re.compile(r"[\w-]{1,40}")
_COUNT = re.compile(r"0|[1-9][0-9]{0,8}")
_DIGITS = re.compile(r"[0-9a-f]{64}")
_SAID_BEFORE = ("game", "players", "options")  # in headers of their own
_EVENT = re.compile(r"([0-9]+) (?:seat ([0-9])|chance) (.+)")


class PersonsShare(NamedTuple):
    """What one person's browser put into the seed: its digest came first. `share` is "" as long as it is not to be known, and MISSING
    where it was never told."""

    seat: int
    commitment: str
    share: str = ""


class DiceShares(NamedTuple):
    """Of which the seed was made, where it was not the server alone that drew it."""

    table: str  # its id
    persons: tuple[PersonsShare, ...]  # in the order in which they were to be opened
    server: str = ""  # its own share, once the game is over
    begun: bool = True


class BadRecord(ValueError):
    """A record that cannot be read; `line` is the number of the line that is wrong."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


class Record:
    """A game with its history. `play`, `resolve` and `draw` are those of a position, and are written down.

    `dice` is there where its dice can be proved fair (see `souk.table.fairness`): the digest of their seed, and the seed once the game
    is over, else "". Both are 64 hexadecimal digits. Where persons had their share in the seed, `shares` has them, and the digest is that
    of the server's share.

    `start`: a position of the game from which it is played, where that is not the game's own. `coached`: the numbers (from 0) of those
    events whose mover had been given a hint, or a warning. `resigned`: by seat, after how many events its player resigned; from then on
    somebody else played there. `lost`: seats that could not win any more, as they had resigned or their time was up; `ended`: how a game ended
    before its end (see `souk.core.verdicts`), else "".
    """

    dice: tuple[str, str] | None = None
    shares: DiceShares | None = None
    coached: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    ended: str = ""
    resigned: Mapping[int, int] = MappingProxyType({})

    def __init__(
        self,
        game: "Game | str",
        players: int | None = None,
        *,
        names: Sequence[str] = (),
        date: str | None = None,
        start: "Position | None" = None,
        **options: Any,
    ) -> None:
        self.game = find_game(game) if isinstance(game, str) else game
        self._start = (
            _checked_start(self.game, start, players, options) if start else self.game.start(players, **options)
        )
        self._now = self._start.copy()
        self.names = _check_names(list(names), self._start.players)
        self.date = _check_date(date or datetime.date.today().isoformat())
        self.events: list[tuple[int | None, str]] = []
        self._noticed = Noticed.nothing(self._start.players)

    # ------------------------------------------------------------ playing

    @property
    def start(self) -> "Position":
        """Where the game began (a copy)."""
        return self._start.copy()

    @property
    def begins_elsewhere(self) -> bool:
        """Whether it was not played from the game's own start."""
        return self._start != self.game.start(self._start.players, **self._start.options)

    @property
    def position(self) -> "Position":
        """Where the game stands now (a copy)."""
        return self._now.copy()

    @property
    def noticed(self) -> list[dict[str, int]]:
        """By seat: how often everybody has seen it choose what, of choices that were secret until all had chosen (a copy)."""
        return [dict(each) for each in self._noticed.chosen]

    def play(self, seat: int, move: str, tell: Tell | None = None) -> str:
        text = self._now.play(seat, move, tell)
        self.events.append((seat, text))
        self._noticed.moved(seat, text, self._now.has_secrets)
        return text

    def resolve(self, outcome: str, tell: Tell | None = None) -> str:
        text = self._now.resolve(outcome, tell)
        self.events.append((None, text))
        return text

    def draw(self, rng: "Dice", tell: Tell | None = None) -> str:
        text = self._now.draw(rng, tell)
        self.events.append((None, text))
        return text

    def slice_of(self, outcome: str) -> tuple[int, int, int]:
        """Which numbers give an outcome that may come up now: see `Position.slice_of`."""
        return self._now.slice_of(outcome)

    def positions(self) -> Iterator["Position"]:
        """The start, then the position after each event."""
        position = self._start.copy()
        yield position.copy()
        for seat, text in self.events:
            position.resolve(text) if seat is None else position.play(seat, text)
            yield position.copy()

    def facts(self) -> Iterator[list[Fact]]:
        """What each event did: its facts."""
        position = self._start.copy()
        for seat, text in self.events:
            facts: list[Fact] = []
            position.resolve(text, facts.append) if seat is None else position.play(seat, text, facts.append)
            yield facts

    # ------------------------------------------------------------ as text

    @property
    def headers(self) -> dict[str, Any]:
        return (
            {
                "game": self.game.name,
                "players": self._start.players,
                "options": self._start.options,
                "rules": self.game.version,
                "names": list(self.names),
                "date": self.date,
            }
            | ({"dice": list(self.dice)} if self.dice else {})
            | ({"shares": self.shares} if self.shares else {})
            | ({"position": self._start.to_json()} if self.begins_elsewhere else {})
            | ({"coached": list(self.coached)} if self.coached else {})
            | ({"lost": list(self.lost)} if self.lost else {})
            | ({"ended": self.ended} if self.ended else {})
            | ({"resigned": dict(self.resigned)} if self.resigned else {})
        )

    def __str__(self) -> str:
        return record_text(self.headers, self.events, self._end_line())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file: all of it or, where that fails, nothing."""
        target = Path(path)
        draft = target.with_name(target.name + ".part")
        try:
            draft.write_text(str(self), encoding="utf-8")
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)

    @classmethod
    def parse(cls, text: str, game: "Game | None" = None) -> "Record":
        """A record from its text; BadRecord, a ValueError, names the line that is wrong. `game` is for one that
        `souk.game` does not know."""
        return _Reader(text, game).record()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.headers == other.headers and self.events == other.events

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<record of {self.game.name}, {self._start.players} players, {len(self.events)} events>"

    def _repr_html_(self) -> str | None:
        """The game to step through, for notebooks; None where it has no drawing."""
        return self.game.drawing.album(self) if self.game.drawing else None

    def _end_line(self) -> str:
        won = winners(self._now, self.lost, self.ended)
        return end_line(self._now.over, self._now.scores, won, self.ended)


def record_text(headers: dict[str, Any], events: Sequence[tuple[int | None, str]], end: str) -> str:
    """A record as text. It is not asked whether the rules allow it, so that a game of other rules can be written down too."""
    body = [
        f"{number} {'chance' if seat is None else f'seat {seat}'} {text}"
        for number, (seat, text) in enumerate(events, 1)
    ]
    return _with_checks([*_header_lines(headers), "", *body, "", end])


def end_line(over: bool, scores: Sequence[int], won_by: Sequence[int], ended: str = "") -> str:
    """How a record ends."""
    if not over and not ended:
        return "end: unfinished"
    how = f"{ended}, " if ended else ""
    return f"end: {how}scores {' '.join(map(str, scores))}, won by {' '.join(map(str, won_by)) or 'nobody'}"


def _header_lines(headers: dict[str, Any]) -> list[str]:
    lines = [_FORMAT, *(f"{name}: {headers[name]}" for name in ("game", "rules", "players"))]
    for name, value in headers["options"].items():
        lines.append(f"option {name}: {json.dumps(value)}")
        digest = _file_digest(value)
        lines += [f"file {name}: {digest}"] if digest else []
    lines += [f"position: {_position_line(headers['position'])}"] if "position" in headers else []
    lines += [f"name {seat}: {name}" for seat, name in enumerate(headers["names"])]
    digest, seed = headers.get("dice", ("", ""))
    lines += [f"date: {headers['date']}", *[f"dice: {digest}"] * bool(digest), *[f"seed: {seed}"] * bool(seed)]
    shares, coached, lost = (headers.get(name) for name in ("shares", "coached", "lost"))
    lines += _share_lines(shares) if shares else []
    lines += [f"coached: {' '.join(str(number + 1) for number in coached)}"] if coached else []
    lines += [f"resigned {seat}: {after}" for seat, after in headers.get("resigned", {}).items()]
    return [*lines, f"lost: {' '.join(map(str, lost))}"] if lost else lines


def load(path: str | os.PathLike[str], game: "Game | None" = None) -> Record:
    """A record from a file; a damaged one raises ValueError naming the line that is wrong."""
    raw = Path(path).read_bytes()
    if len(raw) > _LARGEST:
        raise ValueError(f"{Path(path).name} is too large to be a record ({len(raw)} bytes)")
    try:
        return Record.parse(raw.decode(), game)
    except UnicodeDecodeError as error:
        raise BadRecord(raw[: error.start].count(b"\n") + 1, "this is not UTF-8 text") from None


# ---------------------------------------------------------------- checks


def _chain(before: str, content: str) -> str:
    return hashlib.sha256(f"{before}\n{content}".encode()).hexdigest()


def _with_checks(lines: list[str]) -> str:
    written, chain = [], ""
    for line in lines:
        if line:
            chain = _chain(chain, line)
            line = f"{line:<{_CHECK_COLUMN}} #{chain[:4]}"
        written.append(line + "\n")
    return "".join(written)


def _share_lines(shares: DiceShares) -> list[str]:
    lines = [f"table: {shares.table}"] + ["begun: not yet"] * (not shares.begun)
    lines += [f"server: {shares.server}"] * bool(shares.server)
    for seat, commitment, share in shares.persons:
        lines += [f"commitment {seat}: {commitment}"] + [f"share {seat}: {share}"] * bool(share)
    return lines


def _file_digest(value: object) -> str | None:
    """The digest of a data file that an option names by its path."""
    if not isinstance(value, str) or is_text(value) or not value.endswith(".toml"):
        return None
    return hashlib.sha256(Path(value).read_bytes()).hexdigest()[:16]


def _check_names(names: list[str], players: int) -> list[str]:
    if names and len(names) != players:
        raise ValueError(f"names: {players} are needed, or none, not {len(names)}")
    for name in names:
        if not isinstance(name, str) or not name.isprintable() or name != " ".join(name.split()) or not name:
            raise ValueError(f"names: {brief(name)} is not a plain name")
        if len(name) > _LONGEST_NAME:
            raise ValueError(f"names: {brief(name)} is longer than {_LONGEST_NAME} letters")
    return names


def _checked_start(game: "Game", start: "Position", players: int | None, options: dict[str, Any]) -> "Position":
    """A position from which a game can be played, of which nobody has chosen anything in secret: that would stand in the record for all to see."""
    if start.game is not game:
        raise ValueError(f"position: must be one of {game.name}, not of {start.game.name}")
    if players not in (None, start.players):
        raise ValueError(f"position: is for {start.players} players, not {players}")
    if any(start.options.get(name) != value for name, value in options.items()):
        raise ValueError("position: has other options")
    if start.has_secrets:
        raise ValueError("position: holds choices that are not revealed")
    return start.copy()


def _position_line(position: dict[str, Any]) -> str:
    """A position without what other headers say. There are no spaces in it, so a line of a record that was set anew is still the same."""
    own = {name: value for name, value in position.items() if name not in _SAID_BEFORE}
    return json.dumps(own, separators=(",", ":"))


def _check_date(date: str) -> str:
    try:
        return datetime.date.fromisoformat(date).isoformat()
    except (TypeError, ValueError):
        raise ValueError(f"date: {brief(date)} is not a date such as 2026-01-31") from None


# ---------------------------------------------------------------- reading


class _Reader:
    """Reads a record line by line; every refusal is a BadRecord with the line's number."""

    def __init__(self, text: str, game: "Game | None") -> None:
        self._game = game
        self._coached_line = self._resigned_line = 0
        self._lines: list[tuple[int, str]] = []
        self._length = 0
        chain = ""
        for number, line in enumerate(text.splitlines(), 1):
            self._length = number
            if line.strip():
                content = self._checked(number, line, chain)
                chain = _chain(chain, content)
                self._lines.append((number, content))
        self._at = 0

    def _checked(self, number: int, line: str, chain: str) -> str:
        """A line without its check, which must be right."""
        if not self._lines and not line.startswith(_FORMAT):
            raise BadRecord(number, f'a record begins with "{_FORMAT}", not {brief(line.strip())}')
        found = _LINE.fullmatch(line.rstrip())
        if found is None:
            raise BadRecord(number, "the check at the end (# and four digits) is missing")
        content = " ".join(found[1].split())
        if _chain(chain, content)[:4] != found[2]:
            raise BadRecord(
                number, f"{brief(content)} was changed, or a line before it is missing: the check does not fit"
            )
        return content

    def record(self) -> Record:
        record = self._headers()
        while self._at < len(self._lines) and _EVENT.fullmatch(self._lines[self._at][1]):
            self._event(record, *self._next())
        if any(each >= len(record.events) or record.events[each][0] is None for each in record.coached):
            raise BadRecord(self._coached_line, "coached: names an event that is no move of this game")
        if any(after > len(record.events) for after in record.resigned.values()):
            raise BadRecord(self._resigned_line, f"resigned: this game has {len(record.events)} events")
        number, line = self._next()
        ended = line.removeprefix("end: ").partition(", ")[0]
        record.ended = ended if ended in ENDS and not record.position.over else ""
        if line != record._end_line():
            raise BadRecord(
                number, f"{brief(line)} is not the next event, nor the end, which would be {record._end_line()!r}"
            )
        if self._at < len(self._lines):
            raise BadRecord(self._lines[self._at][0], "nothing may follow the end")
        return record

    def _next(self) -> tuple[int, str]:
        if self._at >= len(self._lines):
            raise BadRecord(self._length + 1, "the record breaks off before its end")
        self._at += 1
        return self._lines[self._at - 1]

    def _header(self, key: str) -> tuple[int, str]:
        number, line = self._next()
        name, colon, value = line.partition(": ")
        if name != key or not colon:
            raise BadRecord(number, f'here the line "{key}: …" belongs, not {brief(line)}')
        return number, value

    def _repeated(self, word: str) -> Iterator[tuple[int, str, str]]:
        """Headers such as "option first: 0", as long as they go on."""
        while self._at < len(self._lines) and self._lines[self._at][1].startswith(word + " "):
            number, line = self._next()
            name, _, value = line.removeprefix(word + " ").partition(": ")
            yield number, name, value

    def _headers(self) -> Record:
        number, first = self._next()
        if first != _FORMAT:
            raise BadRecord(number, f'a record begins with "{_FORMAT}", not {brief(first)}')
        number, name = self._header("game")
        game = self._try(number, self._find, name)
        number, version = self._header("rules")
        if version != str(game.version):
            raise BadRecord(number, f"this game was played by rules version {brief(version)}; here is {game.version}")
        number, players = self._header("players")
        options = {}
        for line, option, value in self._repeated("option"):
            options[option] = self._try(line, json.loads, value)
            for file_line, _, digest in self._repeated("file"):
                if self._try(file_line, _file_digest, options[option]) != digest:
                    raise BadRecord(
                        file_line, f"the file {brief(options[option])} has changed since this game was played"
                    )
        count = self._try(number, int, players)
        start = self._position(game, number, count, options)
        names = [value for _, _, value in self._repeated("name")]
        date_line, date = self._header("date")
        self._try(date_line, _check_date, date)
        record: Record = self._try(number, lambda: Record(game, names=names, date=date, start=start))
        digest, seed = self._digits("dice"), self._digits("seed")
        record.dice = (digest, seed) if digest or seed else None
        record.shares = self._shares(count)
        self._read_coached(record)
        self._read_resigned(record)
        self._read_lost(record, count)
        return record

    def _position(self, game: "Game", number: int, players: int, options: dict[str, Any]) -> "Position":
        """Where the game began: a line of its own says so where that is not its start."""
        start: Position = self._try(number, lambda: game.start(players, **options))
        if not self._comes("position: "):
            return start
        number, line = self._header("position")
        own = self._try(number, json.loads, line)
        if not isinstance(own, dict) or any(name in own for name in _SAID_BEFORE):
            raise BadRecord(number, f"position: must be an object with the fields of a position, not {brief(line)}")
        common = {"game": game.name, "players": players, "options": start.to_json()["options"]}
        found: Position = self._try(number, game.from_json, common | own)
        if found == start:
            raise BadRecord(number, "position: this is where the game begins anyway")
        self._try(number, lambda: Record(game, start=found))
        return found

    def _read_coached(self, record: Record) -> None:
        """Which events were coached. Whether there are so many is seen when they have been read."""
        if not self._comes("coached: "):
            return
        self._coached_line, line = self._header("coached")
        numbers = [int(word) - 1 if word.isascii() and word.isdigit() else -1 for word in line.split()]
        if numbers[0] < 0 or any(one >= two for one, two in itertools.pairwise(numbers)):
            raise BadRecord(self._coached_line, f"coached: must be numbers of events, ascending, not {brief(line)}")
        record.coached = tuple(numbers)

    def _read_lost(self, record: Record, players: int) -> None:
        """Which seats could not win any more."""
        if not self._comes("lost: "):
            return
        number, line = self._header("lost")
        seats = [word for word in map(str, range(players)) if word in line.split()]
        if seats != line.split():
            raise BadRecord(number, f"lost: must be seats of this game, ascending, not {brief(line)}")
        record.lost = tuple(map(int, seats))

    def _read_resigned(self, record: Record) -> None:
        """Who resigned, and after how many events."""
        found: dict[int, int] = {}
        for number, seat, after in self._repeated("resigned"):
            self._resigned_line = number
            if seat not in map(str, range(record.start.players)) or int(seat) in found or not _COUNT.fullmatch(after):
                raise BadRecord(
                    number, f"resigned: must be a seat and a number of events, not {brief(seat)}: {brief(after)}"
                )
            found[int(seat)] = int(after)
        record.resigned = found

    def _shares(self, players: int) -> DiceShares | None:
        if not self._comes("table: "):
            return None
        number, table = self._header("table")
        if not _TABLE.fullmatch(table):
            raise BadRecord(number, f"table: must be the id of a table, not {brief(table)}")
        begun = not self._comes("begun: not yet")
        if not begun:
            self._next()
        server, persons = self._digits("server"), []
        for number, seat, commitment in self._repeated("commitment"):
            if seat not in map(str, range(players)):
                raise BadRecord(number, f"commitment: {brief(seat)} is not a seat of this table")
            self._check_digits(number, "commitment", commitment)
            persons.append(PersonsShare(int(seat), commitment, self._share(seat)))
        return DiceShares(table, tuple(persons), server, begun)

    def _share(self, seat: str) -> str:
        """What came to be known of a seat's share, if anything."""
        if self._comes(f"share {seat}: {MISSING}"):
            self._next()
            return MISSING
        return self._digits(f"share {seat}")

    def _comes(self, beginning: str) -> bool:
        """Whether the next line begins so."""
        return self._at < len(self._lines) and self._lines[self._at][1].startswith(beginning)

    def _digits(self, word: str) -> str:
        """A header that may be missing: 64 hexadecimal digits."""
        if not self._comes(f"{word}: "):
            return ""
        number, line = self._next()
        return self._check_digits(number, word, line.removeprefix(f"{word}: "))

    def _check_digits(self, number: int, word: str, digits: str) -> str:
        if not _DIGITS.fullmatch(digits):
            raise BadRecord(number, f"{word}: must be 64 hexadecimal digits, not {brief(digits)}")
        return digits

    def _find(self, name: str) -> "Game":
        return self._game if self._game and self._game.name == name else find_game(name)

    def _event(self, record: Record, number: int, line: str) -> None:
        found = _EVENT.fullmatch(line)
        assert found is not None  # the caller has looked
        if int(found[1]) != len(record.events) + 1:
            raise BadRecord(number, f"event {len(record.events) + 1} is missing: this is {found[1]}")
        try:
            if found[2] is None:
                record.resolve(found[3])
            else:
                record.play(int(found[2]), found[3])
        except IllegalMove as error:
            raise BadRecord(number, str(error)) from None

    def _try(self, number: int, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (ValueError, TypeError, OSError, RecursionError) as error:
            raise BadRecord(number, str(error)) from None
