"""Records: whole games as readable text, with headers and every move and chance outcome in order.

Each line ends with a check, the first digits of a digest of all lines so far, so an edited, lost or
moved line is not only noticed but located.
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

from souk.core.errors import IllegalMove
from souk.core.facts import Fact, FactListener
from souk.core.game_registry import find_game
from souk.core.json_fields import brief
from souk.core.messages import Message
from souk.core.results import ENDS, winners
from souk.core.revealed_choices import RevealedChoices

if TYPE_CHECKING:
    from souk.core.game import Game
    from souk.core.position import Dice, Position

_FORMAT = "souk record 1"
_CHECK_COLUMN = 34
_MAX_BYTES = 8_000_000
_MAX_NAME_LENGTH = 40
_LINE = re.compile(r"(.*\S)\s+#([0-9a-f]{4})")
MISSING = "missing"
_TABLE = re.compile(r"[\w-]{1,40}")
_COUNT = re.compile(r"0|[1-9][0-9]{0,8}")
_DIGITS = re.compile(r"[0-9a-f]{64}")
# Fields of a position that have headers of their own.
_OTHER_HEADERS = ("game", "players", "options")
_EVENT = re.compile(r"([0-9]{1,9}) (?:seat ([0-9])|chance) (.+)")


class PersonsShare(NamedTuple):
    """One player's contribution to the dice seed, committed to by its digest.

    `share` is "" while secret, and MISSING if it was never revealed.
    """

    seat: int
    commitment: str
    share: str = ""


class DiceShares(NamedTuple):
    """The contributions to a dice seed that the server did not draw alone."""

    table: str  # its id
    persons: tuple[PersonsShare, ...]  # in the order of revealing
    server: str = ""  # the server's share, once the game is over
    begun: bool = True


class BadRecord(ValueError):
    """An unreadable record: `line` is the wrong line's number, `message` what is wrong with it."""

    def __init__(self, line: int, problem: Message | str) -> None:
        self.message = problem if isinstance(problem, Message) else Message(problem)
        self.line = line
        super().__init__(f"line {line}: {self.message}")


class Record:
    """A game with its history. `play`, `resolve` and `draw` work as for a position.

    Attributes:
        dice: for provably fair dice (`souk.server.dice.fair_dice`), the digest of the seed, and the
            seed once the game is over, else ""; both as 64 hexadecimal digits.
        shares: the players' contributions to the seed, if any; `dice` then has the digest of the
            server's share.
        start: the initial position.
        coached: numbers (from 0) of events whose mover was given a hint or warning.
        resigned: by seat, the number of events after which its player resigned and was replaced.
        lost: seats that could no longer win, by resignation or on time.
        ended: how a game ended early (`souk.core.results`), else "".
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
            _checked_start(self.game, start, players, options)
            if start
            else self.game.start(players, **options)
        )
        self._now = self._start.copy()
        self.names = _check_names(list(names), self._start.players)
        self.date = _check_date(date or datetime.date.today().isoformat())
        self.events: list[tuple[int | None, str]] = []
        self._noticed = RevealedChoices.nothing(self._start.players)

    # ------------------------------------------------------------ playing

    @property
    def start(self) -> "Position":
        """The initial position (a copy)."""
        return self._start.copy()

    @property
    def begins_elsewhere(self) -> bool:
        """Whether the game began from a position other than the normal start."""
        return self._start != self.game.start(self._start.players, **self._start.options)

    @property
    def position(self) -> "Position":
        """The current position (a copy)."""
        return self._now.copy()

    @property
    def noticed(self) -> list[dict[str, int]]:
        """By seat: how often it chose each move, of secret choices since revealed (a copy)."""
        return [dict(tally) for tally in self._noticed.chosen]

    def play(self, seat: int, move: str, listener: FactListener | None = None) -> str:
        text = self._now.play(seat, move, listener)
        self.events.append((seat, text))
        self._noticed.add(seat, text, self._now.has_secrets)
        return text

    def resolve(self, outcome: str, listener: FactListener | None = None) -> str:
        text = self._now.resolve(outcome, listener)
        self.events.append((None, text))
        return text

    def draw(self, rng: "Dice", listener: FactListener | None = None) -> str:
        text = self._now.draw(rng, listener)
        self.events.append((None, text))
        return text

    def slice_of(self, outcome: str) -> tuple[int, int, int]:
        """The random numbers that select an outcome: see `Position.slice_of`."""
        return self._now.slice_of(outcome)

    def positions(self) -> Iterator["Position"]:
        """The start, then the position after each event."""
        position = self._start.copy()
        yield position.copy()
        for seat, text in self.events:
            position.resolve(text) if seat is None else position.play(seat, text)
            yield position.copy()

    def facts(self) -> Iterator[list[Fact]]:
        """The facts of each event."""
        position = self._start.copy()
        for seat, text in self.events:
            facts: list[Fact] = []
            position.resolve(text, facts.append) if seat is None else position.play(
                seat, text, facts.append
            )
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
        """Write the record to a file, atomically."""
        target = Path(path)
        draft = target.with_name(target.name + ".part")
        try:
            draft.write_text(str(self), encoding="utf-8")
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)

    @classmethod
    def parse(cls, text: str, game: "Game | None" = None, *, files: bool = False) -> "Record":
        """Parse a record. BadRecord, a ValueError, names the line that is wrong.

        Args:
            game: for a game that `souk.game` does not know.
            files: allow options to name data files by path, as records did before version 0.2. Only
                for records from a trusted source.
        """
        return _Reader(text, game, files).record()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Record)
            and self.headers == other.headers
            and self.events == other.events
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<record of {self.game.name}, {self._start.players} players, "
            f"{len(self.events)} events>"
        )

    def _repr_html_(self) -> str | None:
        """The game to step through, for notebooks; None if it has no drawing."""
        return self.game.drawing.album(self) if self.game.drawing else None

    def _end_line(self) -> str:
        won = winners(self._now, self.lost, self.ended)
        return end_line(self._now.over, self._now.scores, won, self.ended)


def record_text(headers: dict[str, Any], events: Sequence[tuple[int | None, str]], end: str) -> str:
    """Format a record without checking it, so that games of other rules can be written, too."""
    body = [
        f"{number} {'chance' if seat is None else f'seat {seat}'} {text}"
        for number, (seat, text) in enumerate(events, 1)
    ]
    return _with_checks([*_header_lines(headers), "", *body, "", end])


def end_line(over: bool, scores: Sequence[int], won_by: Sequence[int], ended: str = "") -> str:
    """The last line of a record."""
    if not over and not ended:
        return "end: unfinished"
    how = f"{ended}, " if ended else ""
    winners_text = " ".join(map(str, won_by)) or "nobody"
    return f"end: {how}scores {' '.join(map(str, scores))}, won by {winners_text}"


def _header_lines(headers: dict[str, Any]) -> list[str]:
    lines = [_FORMAT, *(f"{name}: {headers[name]}" for name in ("game", "rules", "players"))]
    for name, value in headers["options"].items():
        lines.append(f"option {name}: {json.dumps(value)}")
    lines += [f"position: {_position_line(headers['position'])}"] if "position" in headers else []
    lines += [f"name {seat}: {name}" for seat, name in enumerate(headers["names"])]
    digest, seed = headers.get("dice", ("", ""))
    lines += [
        f"date: {headers['date']}",
        *[f"dice: {digest}"] * bool(digest),
        *[f"seed: {seed}"] * bool(seed),
    ]
    shares, coached, lost = (headers.get(name) for name in ("shares", "coached", "lost"))
    lines += _share_lines(shares) if shares else []
    lines += [f"coached: {' '.join(str(number + 1) for number in coached)}"] if coached else []
    lines += [f"resigned {seat}: {after}" for seat, after in headers.get("resigned", {}).items()]
    return [*lines, f"lost: {' '.join(map(str, lost))}"] if lost else lines


def load(
    path: str | os.PathLike[str], game: "Game | None" = None, *, files: bool = False
) -> Record:
    """Load a record from a file; BadRecord names the wrong line. `files`: see `Record.parse`."""
    with Path(path).open("rb") as file:
        raw = file.read(_MAX_BYTES + 1)
    if len(raw) > _MAX_BYTES:
        raise ValueError(
            f"{Path(path).name} is too large to be a record (more than {_MAX_BYTES} bytes)"
        )
    try:
        return Record.parse(raw.decode(), game, files=files)
    except UnicodeDecodeError as error:
        raise BadRecord(raw[: error.start].count(b"\n") + 1, Message("record.not_utf8")) from None


# ---------------------------------------------------------------- checks


def _not_a_record(line: str) -> Message:
    return Message("record.not_a_record", format=_FORMAT, line=brief(line))


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


def _check_names(names: list[str], players: int) -> list[str]:
    if names and len(names) != players:
        raise ValueError(f"names: {players} are needed, or none, not {len(names)}")
    for name in names:
        if (
            not isinstance(name, str)
            or not name.isprintable()
            or name != " ".join(name.split())
            or not name
        ):
            raise ValueError(f"names: {brief(name)} is not a plain name")
        if len(name) > _MAX_NAME_LENGTH:
            raise ValueError(f"names: {brief(name)} is longer than {_MAX_NAME_LENGTH} letters")
    return names


def _checked_start(
    game: "Game", start: "Position", players: int | None, options: dict[str, Any]
) -> "Position":
    """Check a start position.

    It must not hold secret choices, because the record would show them.
    """
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
    """A position without what other headers contain.

    Without spaces, so that normalizing whitespace does not change the line.
    """
    own = {name: value for name, value in position.items() if name not in _OTHER_HEADERS}
    return json.dumps(own, separators=(",", ":"))


def _check_date(date: str) -> str:
    try:
        return datetime.date.fromisoformat(date).isoformat()
    except (TypeError, ValueError):
        raise ValueError(f"date: {brief(date)} is not a date such as 2026-01-31") from None


# ---------------------------------------------------------------- reading


class _Reader:
    """Parses a record line by line. All errors are BadRecord with the line number."""

    def __init__(self, text: str, game: "Game | None", files: bool) -> None:
        self._game, self._files = game, files
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
            raise BadRecord(number, _not_a_record(line.strip()))
        match = _LINE.fullmatch(line.rstrip())
        if match is None:
            raise BadRecord(number, Message("record.no_check"))
        content = " ".join(match[1].split())
        if _chain(chain, content)[:4] != match[2]:
            raise BadRecord(number, Message("record.changed", line=brief(content)))
        return content

    def record(self) -> Record:
        record = self._headers()
        while self._at < len(self._lines) and _EVENT.fullmatch(self._lines[self._at][1]):
            self._event(record, *self._next())
        if any(
            number >= len(record.events) or record.events[number][0] is None
            for number in record.coached
        ):
            raise BadRecord(
                self._coached_line, "coached: names an event that is no move of this game"
            )
        if any(after > len(record.events) for after in record.resigned.values()):
            raise BadRecord(
                self._resigned_line, f"resigned: this game has {len(record.events)} events"
            )
        number, line = self._next()
        ended = line.removeprefix("end: ").partition(", ")[0]
        record.ended = ended if ended in ENDS and not record.position.over else ""
        if line != record._end_line():
            end = repr(record._end_line())
            raise BadRecord(number, Message("record.not_next", line=brief(line), end=end))
        if self._at < len(self._lines):
            raise BadRecord(self._lines[self._at][0], Message("record.after_end"))
        return record

    def _next(self) -> tuple[int, str]:
        if self._at >= len(self._lines):
            raise BadRecord(self._length + 1, Message("record.breaks_off"))
        self._at += 1
        return self._lines[self._at - 1]

    def _header(self, key: str) -> tuple[int, str]:
        number, line = self._next()
        name, colon, value = line.partition(": ")
        if name != key or not colon:
            message = Message("record.expected", header=key, line=brief(line))
            raise BadRecord(number, message)
        return number, value

    def _repeated(self, word: str) -> Iterator[tuple[int, str, str]]:
        """Consecutive headers of the form "option first: 0"."""
        while self._at < len(self._lines) and self._lines[self._at][1].startswith(word + " "):
            number, line = self._next()
            name, _, value = line.removeprefix(word + " ").partition(": ")
            yield number, name, value

    def _headers(self) -> Record:
        number, first = self._next()
        if first != _FORMAT:
            raise BadRecord(number, _not_a_record(first))
        number, name = self._header("game")
        game = self._try(number, self._find, name)
        number, version = self._header("rules")
        if version != str(game.version):
            versions = {"version": brief(version), "current": game.version}
            raise BadRecord(number, Message("record.rules_version", **versions))
        number, players = self._header("players")
        options = {}
        for line, option, value in self._repeated("option"):
            options[option] = self._try(line, json.loads, value)
            for file_line, _, digest in self._repeated("file"):
                self._check_file(game, file_line, options[option], digest)
        count = self._try(number, int, players)
        start = self._position(game, number, count, options)
        names = [value for _, _, value in self._repeated("name")]
        date_line, date = self._header("date")
        self._try(date_line, _check_date, date)
        record: Record = self._try(
            number, lambda: Record(game, names=names, date=date, start=start)
        )
        digest, seed = self._digits("dice"), self._digits("seed")
        record.dice = (digest, seed) if digest or seed else None
        record.shares = self._shares(count)
        self._read_coached(record)
        self._read_resigned(record)
        self._read_lost(record, count)
        return record

    def _position(
        self, game: "Game", number: int, players: int, options: dict[str, Any]
    ) -> "Position":
        """The start position: from the optional `position` header, or the normal start."""
        start: Position = self._try(
            number, lambda: game.start_with(players, options, files=self._files)
        )
        if not self._comes("position: "):
            return start
        number, line = self._header("position")
        own = self._try(number, json.loads, line)
        if not isinstance(own, dict) or any(name in own for name in _OTHER_HEADERS):
            raise BadRecord(
                number,
                f"position: must be an object with the fields of a position, not {brief(line)}",
            )
        common = {"game": game.name, "players": players, "options": start.to_json()["options"]}
        position: Position = self._try(number, game.from_json, common | own)
        if position == start:
            raise BadRecord(number, "position: this is where the game begins anyway")
        self._try(number, lambda: Record(game, start=position))
        return position

    def _check_file(self, game: "Game", number: int, path: object, digest: str) -> None:
        """Check that a data file named by path (old records) is unchanged."""
        data = game.box.DATA
        if not self._files or data is None or not isinstance(path, str):
            raise BadRecord(number, Message("record.names_file"))
        text: str = self._try(number, data.text_of, path)
        if hashlib.sha256(text.encode()).hexdigest()[:16] != digest:
            raise BadRecord(
                number, f"the file {brief(path)} has changed since this game was played"
            )

    def _read_coached(self, record: Record) -> None:
        """Read the coached events. Their numbers are checked after all events are read."""
        if not self._comes("coached: "):
            return
        self._coached_line, line = self._header("coached")
        numbers = [int(word) - 1 if _COUNT.fullmatch(word) else -1 for word in line.split()]
        if numbers[0] < 0 or any(one >= two for one, two in itertools.pairwise(numbers)):
            raise BadRecord(
                self._coached_line,
                f"coached: must be numbers of events, ascending, not {brief(line)}",
            )
        record.coached = tuple(numbers)

    def _read_lost(self, record: Record, players: int) -> None:
        """Read the seats that could no longer win."""
        if not self._comes("lost: "):
            return
        number, line = self._header("lost")
        seats = [word for word in map(str, range(players)) if word in line.split()]
        if seats != line.split():
            raise BadRecord(
                number, f"lost: must be seats of this game, ascending, not {brief(line)}"
            )
        record.lost = tuple(map(int, seats))

    def _read_resigned(self, record: Record) -> None:
        """Read who resigned, and after how many events."""
        resigned: dict[int, int] = {}
        for number, seat, after in self._repeated("resigned"):
            self._resigned_line = number
            if (
                seat not in map(str, range(record.start.players))
                or int(seat) in resigned
                or not _COUNT.fullmatch(after)
            ):
                raise BadRecord(
                    number,
                    "resigned: must be a seat and a number of events, "
                    f"not {brief(seat)}: {brief(after)}",
                )
            resigned[int(seat)] = int(after)
        record.resigned = resigned

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
        """A seat's share, as far as revealed."""
        if self._comes(f"share {seat}: {MISSING}"):
            self._next()
            return MISSING
        return self._digits(f"share {seat}")

    def _comes(self, beginning: str) -> bool:
        """Whether the next line begins with a text."""
        return self._at < len(self._lines) and self._lines[self._at][1].startswith(beginning)

    def _digits(self, word: str) -> str:
        """Read an optional header of 64 hexadecimal digits."""
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
        match = _EVENT.fullmatch(line)
        assert match is not None  # checked by the caller
        if int(match[1]) != len(record.events) + 1:
            numbers = {"missing": len(record.events) + 1, "found": int(match[1])}
            raise BadRecord(number, Message("record.event_missing", **numbers))
        try:
            if match[2] is None:
                record.resolve(match[3])
            else:
                record.play(int(match[2]), match[3])
        except IllegalMove as error:
            raise BadRecord(number, error.message) from None

    def _try(self, number: int, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (json.JSONDecodeError, RecursionError):
            raise BadRecord(number, Message("record.not_json")) from None
        except (ValueError, TypeError) as error:
            raise BadRecord(number, getattr(error, "message", str(error))) from None
