"""`check_game`: certifies that a game keeps the contract all other code relies on."""

import hashlib
import importlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from souk.core.errors import IllegalMove
from souk.core.facts import Fact
from souk.core.game import Game
from souk.core.game_contract_facts import FactsCheck
from souk.core.game_registry import find_game
from souk.core.position import Position
from souk.core.record import Record

_MOST_EVENTS = 100_000
# Size of lists of moves and outcomes, larger than any declared WIDEST.
_LIST_SIZE = 1024
# Longer lists (offers can be thousands) are only sometimes checked in full.
_LONG_LIST = 64
# Illegal moves tried at every step.
_ILLEGAL_MOVES_TRIED = 4


class Failed(AssertionError):
    """A game breaks the contract: what is wrong, and how to get there."""


@dataclass(frozen=True)
class Certificate:
    """What was checked."""

    game: str
    games: int
    positions: int
    digest: str  # of all lists of moves and outcomes, in order


def check_game(
    game: Game | str,
    *,
    games: int = 5,
    seed: int = 0,
    players: Sequence[int] | None = None,
    options: Iterable[dict[str, Any]] = ({},),
    processes: bool = True,
) -> Certificate:
    """Play random games and check the contract at every step.

    Plays `games` games at every number of players, with each of the given sets of options (invalid
    combinations are skipped), and checks that

    * moves are unique and in the same order in every process, exactly the listed ones are legal,
      and an illegal one changes nothing;
    * copy, equality, hash, JSON and text round-trip;
    * chances sum to 1; pieces are conserved; the game ends;
    * neither a seat's view nor the facts depend on others' hidden choices;
    * traced and untraced events lead to the same position; facts are JSON, of the kinds the game
      declares, and can be described;
    * declarations hold: secrets only with `secrets`, more moves than WIDEST only with `open_ended`.

    Raises Failed, an AssertionError that says what is wrong and where. `processes`: also replay in
    another process.
    """
    checked, sets = _find(game), list(options)
    if not processes:
        return _certify(checked, games, seed, players, sets)
    with _other_process(checked, games=games, seed=seed, players=players, options=sets) as other:
        certificate = _certify(checked, games, seed, players, sets)
        _compare(checked, certificate, other)
    return certificate


def _certify(
    game: Game, games: int, seed: int, players: Sequence[int] | None, sets: list[dict[str, Any]]
) -> Certificate:
    digest = hashlib.sha256()
    played = positions = hidden = 0
    for count in players or game.players:
        for chosen in sets:
            if not _makes_sense(game, count, chosen):
                continue
            for number in range(games):
                run = _GameCheck(game, count, chosen, seed, number)
                positions += run.play()
                hidden += run.hidden
                digest.update(run.digest.digest())
                played += 1
    if game.secrets and played and not hidden:
        raise Failed(
            f"{game.name} declares secrets=True, and in {played} games nothing was hidden "
            "from a spectator: does it define hide_secrets?"
        )
    return Certificate(game.name, played, positions, digest.hexdigest())


def _find(game: Game | str) -> Game:
    return find_game(game) if isinstance(game, str) else game


def _makes_sense(game: Game, players: int, options: dict[str, Any]) -> bool:
    try:
        game.start(players, **options)
    except ValueError:
        return False
    return True


class _GameCheck:
    """One random game, checked at every step."""

    def __init__(
        self, game: Game, players: int, options: dict[str, Any], seed: int, number: int
    ) -> None:
        self.game, self.players, self.options = game, players, options
        self.seed, self.number, self.step = seed, number, 0
        self.rng = random.Random(f"{seed} {game.name} {players} {sorted(options.items())} {number}")
        self.record = Record(game, players, date="2000-01-01", **options)
        self.digest = hashlib.sha256()
        # Moves met so far, with their texts: most are illegal elsewhere.
        self.pool: list[tuple[int, str]] = []
        self.pieces = game.notation.pieces(self.record.position.state)
        self.facts = FactsCheck(game)
        self.hidden = 0  # positions with secrets

    def play(self) -> int:
        position = self.record.position
        while not position.over:
            self._check_position(position)
            if actors := position.actors:
                listed = self._check_moves(position)
                self._move(position, actors[0], listed[actors[0]])
            else:
                self._check_chances(position)
                self._happen(None, position.copy().draw(self.rng))
            position = self.record.position
            self.step += 1
            self._expect(
                self.step < _MOST_EVENTS, f"the game has not ended after {_MOST_EVENTS} events"
            )
        self._check_position(position)
        self._check_end(position)
        return self.step + 1

    def _expect(self, holds: object, problem: str) -> None:
        if not holds:
            where = (
                f"{self.game.name}, {self.players} players, options {self.options}, "
                f"seed {self.seed}, game {self.number}"
            )
            position = json.dumps(self.record.position.to_json())
            raise Failed(f"{problem}\n({where}, after {self.step} events, in {position})")

    def _move(self, position: Position, seat: int, listed: list[int]) -> None:
        """Make a random move, usually near the beginning of a long list, so that haggles end."""
        most = len(listed) if self.rng.random() < 0.1 else min(len(listed), 12)
        self._happen(
            seat, self.game.notation.move_text(position.state, listed[self.rng.randrange(most)])
        )

    def _happen(self, seat: int | None, text: str) -> None:
        """Apply an event, traced and untraced."""
        untraced = self.record.position
        untraced.resolve(text) if seat is None else untraced.play(seat, text)
        facts, traced = self._facts_of(self.record, seat, text), self.record.position
        self._expect(
            traced == untraced,
            f"{text!r} leads elsewhere when traced: "
            f"to {traced.to_json()}, not to {untraced.to_json()}",
        )
        problem = self.facts.problem(facts, traced.over)
        self._expect(not problem, f"{text!r}: {problem}")

    def _facts_of(self, game: Record | Position, seat: int | None, text: str) -> list[Fact]:
        """Apply an event, and return its facts."""
        facts: list[Fact] = []
        try:
            game.resolve(text, facts.append) if seat is None else game.play(
                seat, text, facts.append
            )
        except Exception as error:  # tracers may raise anything
            self._expect(False, f"{text!r} cannot be traced: {error!r}")
        return facts

    def _listed(self, position: Position, seat: int) -> list[int]:
        return position.move_codes(
            seat, None if self.rng.random() < 0.04 else max(self.game.widest, _LONG_LIST)
        )

    # ------------------------------------------------------------ checks

    def _check_position(self, position: Position) -> None:
        self._check_lengths(position)
        copy = position.copy()
        self._expect(
            copy == position and hash(copy) == hash(position), "a copy is not equal to its original"
        )
        text = json.dumps(position.to_json())
        try:
            again = self.game.from_json(json.loads(text))
        except ValueError as error:
            self._expect(False, f"a position that was reached is refused: {error}")
        self._expect(
            again == position and hash(again) == hash(position),
            "JSON does not bring the same position back",
        )
        self._expect(json.dumps(again.to_json()) == text, "equal positions have different JSON")
        pieces = self.game.notation.pieces(position.state)
        self._expect(pieces == self.pieces, f"pieces were {self.pieces} and are now {pieces}")
        self._expect(len(position.scores) == self.players, "there must be a score for each seat")
        self._check_declared_secrets(position)
        self._expect(not position.stuck, "nothing can be played, and the game is not over")
        if not position.over:
            self._expect(position.winners == (), "there are winners before the game is over")

    def _check_lengths(self, position: Position) -> None:
        """Lists fit in WIDEST; move lists may exceed it only with `open_ended`."""
        widest = self.game.widest
        for seat in () if self.game.open_ended else position.actors:
            n = len(position.move_codes(seat, _LIST_SIZE))
            declare = "make WIDEST larger, or declare open_ended=True"
            self._expect(
                n <= widest, f"seat {seat} has {n} moves, and WIDEST is {widest}: {declare}"
            )
        n = self.game.rules.outcomes(position.state, [0] * _LIST_SIZE, [0] * _LIST_SIZE)
        self._expect(
            n <= widest, f"{n} outcomes are listed, and WIDEST is {widest}: make it larger"
        )

    def _check_declared_secrets(self, position: Position) -> None:
        """A game without declared secrets looks the same to everybody."""
        self.hidden += self.game.secrets and position.has_secrets
        for viewer in () if self.game.secrets else (-1, *range(self.players)):
            seen = position.seen_by(viewer) == position
            self._expect(
                seen, f"seat {viewer} does not see all, and the game does not declare secrets=True"
            )

    def _check_end(self, position: Position) -> None:
        self._expect(
            not position.actors and not position.chances(), "something can be played after the end"
        )
        again = Record.parse(str(self.record), self.game)
        self._expect(
            again == self.record and again.position == position,
            "the record does not bring the same game back",
        )

    def _check_chances(self, position: Position) -> None:
        chances = position.chances()
        self.digest.update(repr(chances).encode())
        self._expect(abs(sum(chances.values()) - 1) < 1e-9, f"chances do not sum to 1: {chances}")
        self._expect(
            min(chances.values()) > 0, f"something that cannot come up is listed: {chances}"
        )
        for text in chances:
            self._expect(
                position.canonical_outcome(text) == text, f"the outcome {text!r} does not read back"
            )
            loud = f" {text.upper()} "
            self._expect(
                position.canonical_outcome(loud) == text,
                f"the outcome {loud!r} is not read as {text!r}",
            )
        self._check_refused(
            position, lambda at: at.resolve("no such outcome"), "an outcome without sense"
        )
        for seat in range(self.players):
            self._expect(
                position.moves(seat) == [], f"seat {seat} has moves while a die or card is due"
            )

    def _check_moves(self, position: Position) -> dict[int, list[int]]:
        """Check every seat's moves, and return them."""
        by_seat = {}
        for seat in range(self.players):
            listed = by_seat[seat] = self._listed(position, seat)
            texts = [self.game.notation.move_text(position.state, move) for move in listed]
            self.digest.update(repr((seat, texts)).encode())
            self._expect(
                bool(listed) == (seat in position.actors), f"seat {seat}: actors and moves disagree"
            )
            self._expect(
                len(set(listed)) == len(listed) == len(set(texts)),
                f"seat {seat} has a move twice: {texts}",
            )
            for move in listed if len(listed) <= 8 else self.rng.sample(listed, 8):
                self._check_legal(position, seat, move)
            complete = len(listed) != max(self.game.widest, _LONG_LIST)
            if complete:
                self._check_unlisted(position, seat, set(listed))
            self.pool += zip(listed[:8], texts[:8], strict=True)
        self._check_secrecy(position)
        return by_seat

    def _check_legal(self, position: Position, seat: int, move: int) -> None:
        text = self.game.notation.move_text(position.state, move)
        self._expect(
            self.game.rules.legal(position.state, seat, move),
            f"{text!r} is listed for seat {seat} and not legal",
        )
        loud = f" {text.upper()}  "
        self._expect(
            position.canonical_move(seat, text) == text, f"the move {text!r} does not read back"
        )
        self._expect(
            position.canonical_move(seat, loud) == text,
            f"the move {loud!r} is not read as {text!r}",
        )

    def _check_unlisted(self, position: Position, seat: int, listed: set[int]) -> None:
        """Moves met elsewhere, their neighbours and random numbers are legal only if listed."""
        tried = self.rng.sample(self.pool, min(_ILLEGAL_MOVES_TRIED, len(self.pool)))
        codes = [code + self.rng.choice((-1, 0, 0, 1)) for code, _ in tried]
        codes += [self.rng.randrange(-(2**31), 2**31), self.rng.randrange(-2, 64)]
        for code in codes:
            legal = bool(self.game.rules.legal(position.state, seat, code))
            self._expect(
                legal == (code in listed),
                f"move {code} of seat {seat}: legal is {legal}, listed is {not legal}",
            )
        for code, text in tried:
            if code not in listed and not position.is_legal(seat, text):
                self._check_refused(
                    position,
                    lambda at, text=text: at.play(seat, text),
                    f"the illegal move {text!r}",
                )

    def _check_refused(self, position: Position, act: Any, what: str) -> None:
        before = position.copy()
        try:
            act(position)
        except IllegalMove:
            self._expect(position == before, f"{what} was refused, and changed something")
        else:
            self._expect(False, f"{what} was not refused")

    def _check_secrecy(self, position: Position) -> None:
        """While others are still to choose, a choice is not visible to them."""
        actors = position.actors
        if len(actors) < 2:
            return
        seat = self.rng.choice(actors)
        futures, traces = [], set()
        for move in position.moves(seat)[:6]:
            futures.append(position.copy())
            traces.add(repr(self._facts_of(futures[-1], seat, move)))
        others = tuple(actor for actor in actors if actor != seat)
        if any(future.actors != others for future in futures):
            return  # not a secret choice: it took effect
        self._expect(
            len(traces) == 1,
            f"the facts of seat {seat}'s secret choice differ by what it chose: {traces}",
        )
        for viewer in [-1, *range(self.players)]:
            views = {json.dumps(future.to_json(viewer)) for future in futures}
            wanted = len(futures) if viewer == seat else 1
            self._expect(
                len(views) == wanted,
                f"seat {viewer} sees {len(views)} different things of seat {seat}'s choice",
            )


# ---------------------------------------------------------------- another process


@contextmanager
def _other_process(game: Game, **settings: Any) -> "Iterator[subprocess.Popen[str]]":
    """The same games, in a process with another hash seed."""
    call = json.dumps({"module_name": game.module_name, **settings})
    environment = dict(os.environ, PYTHONHASHSEED="4711", PYTHONPATH=os.pathsep.join(sys.path))
    code = "import sys; from souk.core.game_contract import _answer; _answer(sys.argv[1])"
    command = [sys.executable, "-c", code, call]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True) as other:
        try:
            yield other
        finally:
            other.kill()  # if the check here has failed


def _compare(game: Game, certificate: Certificate, other: "subprocess.Popen[str]") -> None:
    out, errors = other.communicate()
    if other.returncode != 0:
        raise Failed(f"{game.name} could not be played in another process:\n{errors}")
    if out.strip() != certificate.digest:
        raise Failed(
            f"{game.name}: moves or outcomes are listed in another order in another process"
        )


def _answer(call: str) -> None:
    settings = json.loads(call)
    game = importlib.import_module(settings.pop("module_name")).GAME
    print(check_game(game, processes=False, **settings).digest)
