"""Tournaments: who sits where, the same dice for every rotation, worker processes, and a journal that can be taken up again.

A *deal* is one stream of dice and cards and one line-up of entrants round the table. It is played once for each seat, the line-up
moved on by one seat each time, so that in the games of a deal everybody sits everywhere and the n-th die or card is drawn
with the same random number. Which games there are follows from the settings alone: a tournament can be broken off,
resumed and extended, on any number of processes, and stays the same tournament.
"""

import contextlib
import hashlib
import json
import math
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np

from souk.core.fields import is_whole, shown
from souk.core.game import Game
from souk.core.position import Position
from souk.core.record import Record
from souk.games import game as find_game
from souk.kernel.chance import draw, mix, stream_start, stream_step
from souk.kernel.rule import u64
from souk.lab.checks import check_seed
from souk.lab.on_ray import check_place
from souk.lab.standings import Results

MOST_GAMES = 10_000_000
_FORMAT = "souk tournament 1"
_BOTS, _TABLE = 0x626F7473, 0x7461626C  # so that bots' seeds, line-ups and dice come from different streams
_PATIENCE = 3.0  # seconds a worker has to close its bots when all are to stop
_LONGEST_NAME = 40  # in a record


# ---------------------------------------------------------------- settings


@dataclass(frozen=True)
class Settings:
    """All that decides which games are played. How many of them is not among it: there can always be more."""

    game: str
    rules: int  # their version
    opening: str  # a digest of the start position, which holds the box data: boards and decks may come from files
    players: int
    options: dict[str, Any]
    entrants: tuple[str, ...]
    seconds: float | None  # for a move, of those entrants that take a time and whose name says none
    seed: int

    def to_json(self) -> dict[str, Any]:
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return plain

    @property
    def thinking(self) -> bool:
        """Whether anybody thinks with compiled kernels: all but the random bot do."""
        return any(name.partition(":")[0] != "random" for name in self.entrants)

    @property
    def digest(self) -> str:
        """A few letters that differ for different settings."""
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()[:6]


def check_settings(
    game: str,
    entrants: Sequence[str],
    *,
    players: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> Settings:
    """Settings that can be played; ValueError says what cannot."""
    found = find_game(game)
    if players is None:
        players = len(entrants) if len(entrants) in found.players else found.players[-1]
    start = found.start(players, **(options or {}))
    if start.players < 2:
        raise ValueError("players: a tournament needs a table for two or more")
    check_seed(seed)
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise ValueError(f"seconds: must be more than 0, not {shown(seconds)}")
    named = _check_entrants(entrants, seconds)
    opening = hashlib.sha256(start.record.tobytes()).hexdigest()[:16]
    return Settings(found.name, found.version, opening, start.players, start.options, named, seconds, int(seed))


def _check_entrants(entrants: Sequence[str], seconds: float | None) -> tuple[str, ...]:
    from souk.bots.registry import named

    if len(entrants) < 2:
        raise ValueError("entrants: name two or more")
    found: list[str] = []
    for text in entrants:
        with named(text, seconds=seconds) as bot:
            name = bot.name
        if name in found:
            raise ValueError(f"entrants: {name} is named twice; give the second one other settings")
        found.append(name)
    return tuple(found)


# ---------------------------------------------------------------- the schedule


@dataclass(frozen=True)
class Fixture:
    """A game to be played: its number, its deal, and which entrant sits where."""

    game: int
    deal: int
    seats: tuple[int, ...]


def _shuffled(items: Sequence[int], start: int, first: int) -> list[int]:
    """Items in the order that a stream's numbers give them, from number `first` of the stream."""
    step = stream_step(start)
    keys = [draw(start, step, first + i) for i in range(len(items))]
    return [item for _, _, item in sorted(zip(keys, range(len(items)), items, strict=True))]


def line_ups(entrants: int, players: int, seed: int) -> Iterator[tuple[int, ...]]:
    """The entrants round the table, deal after deal without end. Each place goes to whoever has the fewest in this line-up, then
    the fewest seats so far, then has met those at the table least: so all play equally often, up to one line-up, and as
    equally as can be against each other."""
    seated, met = [0] * entrants, [[0] * entrants for _ in range(entrants)]
    for deal in count():
        start = stream_start(mix(seed ^ _TABLE), deal)
        line_up: list[int] = []
        for _ in range(players):
            line_up.append(
                min(
                    _shuffled(range(entrants), start, 0),
                    key=lambda who: (line_up.count(who), seated[who], sum(met[who][other] for other in line_up)),
                )
            )
        for one in line_up:
            seated[one] += 1
            for other in line_up:
                met[one][other] += one != other
        yield _round_the_table(line_up, start, entrants)


def _round_the_table(line_up: list[int], start: int, first: int) -> tuple[int, ...]:
    """A line-up in random order, but never one that a rotation leaves as it was: that would be the same game again."""
    while True:
        order = _shuffled(line_up, start, first)
        if all(order[turn:] + order[:turn] != order for turn in range(1, len(order))):
            return tuple(order)
        first += len(order)


def fixtures(settings: Settings, deals: range) -> Iterator[Fixture]:
    """The games of some deals, every rotation of each line-up."""
    players = settings.players
    every = line_ups(len(settings.entrants), players, settings.seed)
    for deal, line_up in enumerate(islice(every, deals.stop)):
        if deal >= deals.start:
            for turn in range(players):
                yield Fixture(deal * players + turn, deal, line_up[turn:] + line_up[:turn])


# ---------------------------------------------------------------- one game


@dataclass(frozen=True)
class Played:
    """What came of a game; the lists have a place for each seat."""

    game: int
    deal: int
    seats: list[int]  # entrants
    scores: list[int]
    winners: list[int]  # seats
    chances: int  # dice and cards that came up
    moves: list[int]
    seconds: list[float]
    longest: list[float]
    fallbacks: list[int]


class Dice:
    """The dice and cards of a deal: the n-th event is drawn with the stream's n-th number, whoever sits where."""

    def __init__(self, game: Game, seed: int, deal: int) -> None:
        self._game = game
        self._start = stream_start(seed, deal)
        self._step = stream_step(self._start)
        self._room = [0] * game.widest, [0] * game.widest
        self.drawn = 0

    def draw(self, position: Position) -> str:
        """What the die or card that is due shows."""
        x = draw(self._start, self._step, self.drawn)
        self.drawn += 1
        outcome = self._game.rules.random_outcome(position.state, x, *self._room)
        return self._game.notation.outcome_text(position.state, outcome)


def bot_seed(seed: int, game: int, seat: int) -> int:
    """The seed of the bot that sits there in a game."""
    start = stream_start(mix(seed ^ _BOTS), game)
    return u64(draw(start, stream_step(start), seat))


def play_fixture(
    settings: Settings, fixture: Fixture, stop: Callable[[], object] = lambda: False
) -> tuple[Played, Record] | None:
    """Play one game to its end; None where `stop` said so before."""
    from souk.bots.registry import named

    game = find_game(settings.game)
    names = [settings.entrants[entrant] for entrant in fixture.seats]
    short = [" ".join(name.split())[:_LONGEST_NAME].strip() for name in names]
    record = Record(game, settings.players, names=short, **settings.options)
    dice = Dice(game, settings.seed, fixture.deal)
    nothing = [0] * settings.players
    moves, fallbacks, seconds, longest = nothing[:], nothing[:], [0.0 for _ in nothing], [0.0 for _ in nothing]
    with contextlib.ExitStack() as table:
        bots = [
            table.enter_context(named(name, seconds=settings.seconds, seed=bot_seed(settings.seed, fixture.game, seat)))
            for seat, name in enumerate(names)
        ]
        while not (position := record.position).over:
            if stop():
                return None
            if not position.actors:
                record.resolve(dice.draw(position))
                continue
            seat = position.actors[0]
            begin = time.perf_counter()
            choice = bots[seat].choose(position, seat)
            took = time.perf_counter() - begin
            record.play(seat, choice.move)
            moves[seat] += 1
            fallbacks[seat] += bool(choice.fallback)
            seconds[seat] += took
            longest[seat] = max(longest[seat], took)
    scores, winners, seats = position.scores, list(position.winners), list(fixture.seats)
    seconds, longest = [round(value, 6) for value in seconds], [round(value, 6) for value in longest]
    played = Played(fixture.game, fixture.deal, seats, scores, winners, dice.drawn, moves, seconds, longest, fallbacks)
    return played, record


def prepare_bots(settings: Settings) -> None:
    """Load what the bots think with, so that nobody's first move has to wait for it."""
    from souk.bots import prepare

    if settings.thinking:
        prepare(find_game(settings.game))


# ---------------------------------------------------------------- worker processes


def _work(pipe: "multiprocessing.connection.Connection[Any, Any]") -> None:
    """What a worker process does: play what it is sent, until it is told to stop, or nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then tells all workers
    with contextlib.suppress(EOFError, OSError):
        while (task := pipe.recv()) is not None:
            settings, fixture = task
            try:
                prepare_bots(settings)
                answer = play_fixture(settings, fixture, pipe.poll)
            except Exception:
                pipe.send(traceback.format_exc())
                continue
            if answer is None:
                return
            pipe.send((answer[0], str(answer[1])))


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started meanwhile do not notice Ctrl-C, not even while they are still importing; this one notices it afterwards."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Workers:
    """Processes that play games, started when first needed and kept until the end of the `with` block: several tournaments
    can use them, one after the other. A single one is this process itself."""

    about = ""  # what whoever waits for them should know

    def __init__(self, processes: int | None = None) -> None:
        if processes is not None and (not is_whole(processes) or not 1 <= processes <= 1024):
            raise ValueError(f"processes: must be a whole number from 1 to 1024, not {shown(processes)}")
        self.processes = processes or os.cpu_count() or 1
        self._hired: dict[Any, Any] = {}  # processes by the pipe to them

    def play(self, settings: Settings, games: Iterable[Fixture]) -> Iterator[tuple[Played, str]]:
        """Play games, and give each with the text of its record as soon as it is finished, in whatever order that is."""
        if self.processes > 1:
            yield from self._play_elsewhere(settings, iter(games))
            return
        for fixture in games:
            if (answer := play_fixture(settings, fixture)) is not None:
                yield answer[0], str(answer[1])

    def _play_elsewhere(self, settings: Settings, games: Iterator[Fixture]) -> Iterator[tuple[Played, str]]:
        busy: dict[Any, Fixture] = {}

        def hand_out(pipe: Any) -> None:
            if (fixture := next(games, None)) is not None:
                busy[pipe] = fixture
                pipe.send((settings, fixture))

        try:
            for pipe in self._hire():
                hand_out(pipe)
            while busy:
                for pipe in multiprocessing.connection.wait(list(busy)):
                    answer = self._answer(pipe, busy.pop(pipe))
                    hand_out(pipe)
                    yield answer
        finally:
            if busy:  # broken off: what they are at is of no use to anybody
                self.close()

    def _hire(self) -> list[Any]:
        context = multiprocessing.get_context("spawn")
        with _deaf_to_interrupts():
            while len(self._hired) < self.processes:
                ours, theirs = context.Pipe()
                process = context.Process(target=_work, args=(theirs,), daemon=True)
                process.start()
                theirs.close()
                self._hired[ours] = process
        return list(self._hired)

    def _answer(self, pipe: Any, fixture: Fixture) -> tuple[Played, str]:
        try:
            return self.checked(pipe.recv(), fixture)
        except (EOFError, OSError):
            raise RuntimeError(f"the process that played game {fixture.game} has died") from None

    @staticmethod
    def checked(answer: tuple[Played, str] | str, fixture: Fixture) -> tuple[Played, str]:
        """A worker's answer, unless it is why there is none."""
        if isinstance(answer, str):
            raise RuntimeError(f"game {fixture.game} could not be played:\n{answer.rstrip()}")
        return answer

    def close(self) -> None:
        """Let everybody go: at their next move they close their bots and end; whoever takes too long is ended."""
        for pipe in self._hired:
            with contextlib.suppress(OSError):
                pipe.send(None)
        deadline = time.monotonic() + _PATIENCE
        for pipe, process in self._hired.items():
            process.join(max(0.0, deadline - time.monotonic()))
            if process.is_alive():
                process.terminate()
                process.join()
            pipe.close()
        self._hired.clear()

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def hire(processes: int | None = None, on: str = "here", address: str | None = None) -> Workers:
    """Workers on this machine, or on those of a Ray cluster."""
    check_place(on, address)
    if on == "here":
        return Workers(processes)
    from souk.lab.tournament_ray import RayWorkers

    return RayWorkers(processes, address)


# ---------------------------------------------------------------- the folder


class Journal:
    """A tournament's folder: `tournament.json` holds the settings, `games.jsonl` a line for every finished game."""

    def __init__(self, folder: str | os.PathLike[str], settings: Settings) -> None:
        self.folder = Path(folder)
        self._settings, self._games = self.folder / "tournament.json", self.folder / "games.jsonl"
        if self._settings.is_file():
            self._check_same(settings)
        elif self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
            raise ValueError(f"out: {self.folder} is there already and holds no tournament")
        else:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._settings.write_text(json.dumps({"format": _FORMAT} | settings.to_json(), indent=2) + "\n", "utf-8")

    def _check_same(self, settings: Settings) -> None:
        try:
            there = json.loads(self._settings.read_text("utf-8"))
        except ValueError:
            there = None
        if not isinstance(there, dict) or there.pop("format", None) != _FORMAT:
            raise ValueError(f"out: {self._settings} cannot be read as a tournament's settings")
        here = settings.to_json()
        other = [name for name in here if there.get(name) != here[name]]
        if other:
            told = "; ".join(f"{name} there {shown(there.get(name))}, here {shown(here[name])}" for name in other)
            raise ValueError(f"out: {self.folder} holds a tournament with other settings ({told})")

    def read(self) -> list[Played]:
        """The finished games. A last line that was not written to its end is cut off; any other that makes no sense is refused."""
        if not self._games.exists():
            return []
        raw = self._games.read_bytes()
        lines = raw.splitlines(keepends=True)
        found: dict[int, Played] = {}
        for number, line in enumerate(lines, 1):
            try:
                played = _read_played(line)
            except (ValueError, TypeError):
                if number < len(lines):
                    raise ValueError(f"{self._games}: line {number} is damaged") from None
                with self._games.open("r+b") as file:
                    file.truncate(len(raw) - len(line))
                break
            found.setdefault(played.game, played)
        return [found[game] for game in sorted(found)]

    def add(self, played: Played, record: str | None) -> None:
        """Write a game down; with its record, where that is to be kept."""
        if record is not None:
            kept = self.folder / "games" / f"{played.game:06}.souk"
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(record, encoding="utf-8")
        with self._games.open("ab", buffering=0) as file:
            file.write(json.dumps(asdict(played), separators=(",", ":")).encode() + b"\n")


def _read_played(line: bytes) -> Played:
    data = json.loads(line)
    if not line.endswith(b"\n") or not isinstance(data, dict):
        raise ValueError("not a whole line")
    return Played(**data)


# ---------------------------------------------------------------- the tournament

Report = Callable[["Tournament", Played], None]


class Tournament:
    """A tournament and the games of it that have been played: those its folder holds, and those `play` adds."""

    def __init__(self, settings: Settings, folder: str | os.PathLike[str] | None = None, *, keep: bool = False) -> None:
        self.settings = settings
        self._journal = Journal(folder, settings) if folder is not None else None
        self._keep = keep
        self._played = {played.game: played for played in self._journal.read()} if self._journal else {}

    @property
    def folder(self) -> Path | None:
        return self._journal.folder if self._journal else None

    @property
    def games(self) -> list[Played]:
        """The games played, in the order of their numbers."""
        return [self._played[game] for game in sorted(self._played)]

    def __len__(self) -> int:
        return len(self._played)

    def missing(self, deals: range) -> list[Fixture]:
        """The games of some deals that are still to be played."""
        return [fixture for fixture in fixtures(self.settings, deals) if fixture.game not in self._played]

    def play(
        self, deals: range, workers: Workers | int | None = None, report: Report = lambda _tournament, _played: None
    ) -> "Tournament":
        """Play what is missing of some deals. `workers` are open ones, or how many processes to start for this (None: one for
        each core). `report` is told of every game when it is finished. Ctrl-C leaves what is finished in place."""
        missing = self.missing(deals)
        if not missing:
            return self
        prepare_bots(self.settings)  # here first, so that the workers find all kernels on disk
        with contextlib.ExitStack() as hall:
            hired = workers if isinstance(workers, Workers) else hall.enter_context(Workers(workers))
            for played, record in hired.play(self.settings, missing):
                if self._journal:
                    self._journal.add(played, record if self._keep else None)
                self._played[played.game] = played
                report(self, played)
        return self

    @property
    def results(self) -> Results:
        """The games played, as arrays."""
        games, players = self.games, self.settings.players

        def table(name: str, kind: Any) -> Any:
            return np.array([getattr(played, name) for played in games], kind).reshape(len(games), players)

        won = [[seat in played.winners for seat in range(players)] for played in games]
        return Results(
            games=np.array([played.game for played in games], np.int64),
            deals=np.array([played.deal for played in games], np.int64),
            won=np.array(won, bool).reshape(len(games), players),
            **{name: table(name, np.int64) for name in ("seats", "scores", "moves", "fallbacks")},
            **{name: table(name, np.float64) for name in ("seconds", "longest")},
        )


def deals_for(games: int, players: int) -> range:
    """The deals that hold at least so many games: whole rotations only."""
    if not is_whole(games) or not 1 <= games <= MOST_GAMES:
        raise ValueError(f"games: must be a whole number from 1 to {MOST_GAMES}, not {shown(games)}")
    return range(-(-games // players))


def play_tournament(
    game: str,
    entrants: Sequence[str],
    *,
    players: int | None = None,
    games: int = 400,
    seed: int = 0,
    seconds: float | None = None,
    processes: Workers | int | None = None,
    options: Mapping[str, Any] | None = None,
    folder: str | os.PathLike[str] | None = None,
    keep: bool = False,
    report: Report = lambda _tournament, _played: None,
) -> Tournament:
    """Play a tournament, or what is missing of the one that `folder` holds. For more deals later: `play` of what this returns,
    or this again with more games."""
    settings = check_settings(game, entrants, players=players, seed=seed, seconds=seconds, options=options)
    deals = deals_for(games, settings.players)
    return Tournament(settings, folder, keep=keep).play(deals, processes, report)
