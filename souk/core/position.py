"""A position of any game: the public API of the rules, in text and plain numbers."""

from array import array
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from souk.core.errors import IllegalMove
from souk.core.facts import CameUp, Chose, Ended, Fact, FactListener, Moved
from souk.core.json_fields import brief, is_whole
from souk.core.messages import Message, Seat
from souk.core.seat_view import SeatView
from souk.kernel.rule_clones import Function
from souk.kernel.state import FastState, StateArray

if TYPE_CHECKING:
    from souk.core.game import Game


@cache
def _seats(bits: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


class Dice(Protocol):
    """A source of randomness: a `random.Random`, or anything else with `randrange`."""

    def randrange(self, stop: int, /) -> int: ...


class ChosenOptions(dict[str, Any]):
    """All options of a game with their values. Immutable in use, so their JSON is cached."""

    __slots__ = ("_json",)

    @property
    def plain(self) -> dict[str, Any]:
        """The options as JSON types."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in self.items()
        }

    @property
    def json(self) -> bytes:
        try:
            return self._json
        except AttributeError:
            self._json: bytes = msgspec.json.encode(self.plain)
            return self._json


class ListedMoves(NamedTuple):
    """A cached list of a seat's moves in a state, possibly truncated."""

    state: bytes
    seat: int
    codes: list[int]
    complete: bool

    def serves(self, most: int | None) -> bool:
        """Whether the list is long enough for `most`."""
        return self.complete or (most is not None and len(self.codes) >= most)


class Position:
    """A position. Moves and outcomes change it in place."""

    __slots__ = ("_listed", "_options", "_raw", "_rules", "_state", "game")

    def __init__(
        self, game: "Game", options: dict[str, Any], array: StateArray | bytearray
    ) -> None:
        """`array`: the state, copied if an array, taken over if a bytearray."""
        self.game = game
        self._rules = game.fast_rules
        self._options = options if isinstance(options, ChosenOptions) else ChosenOptions(options)
        # The last list of moves, which is usually requested again.
        self._listed: ListedMoves | None = None
        self._raw = array if isinstance(array, bytearray) else bytearray(array.tobytes())

    def __getattr__(self, name: str) -> Any:
        """Create the state lazily: most positions are never looked into."""
        if name != "_state":
            raise AttributeError(f"a position has no {name}")
        self._state: Any = self.game.fast_state(self._raw)
        return self._state

    # ------------------------------------------------------------ state

    @property
    def players(self) -> int:
        return int(self._state.players)

    @property
    def options(self) -> dict[str, Any]:
        """All options of this game with their values."""
        return dict(self._options)

    @property
    def state(self) -> Any:
        """The state as the rules see it. Changing it changes the position."""
        return self._state

    @property
    def array(self) -> StateArray:
        """The state's bytes as a one-item array, for kernels. Changing it changes the position."""
        if isinstance(self._state, FastState):  # the array may be written to from now on
            self._state = self.game.state(self._state.array)
        array: StateArray = self._state.array
        return array

    @property
    def packed(self) -> bytes:
        """The state's bytes, for `Game.read`."""
        return bytes(self._raw)

    @property
    def over(self) -> bool:
        return bool(self._rules.over(self._state))

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that may move now, ascending."""
        return _seats(self._rules.actors(self._state))

    @property
    def scores(self) -> list[int]:
        scores = [0] * self.players
        self._rules.write_scores(self._state, scores)
        return scores

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty until the game is over."""
        return _seats(self._rules.write_scores(self._state, [0] * self.players))

    @property
    def has_secrets(self) -> bool:
        """Whether a choice has been made and not yet revealed."""
        if not self.game.secrets:
            return False
        return self.seen_by(-1)._raw != self._raw

    @property
    def stuck(self) -> bool:
        """Whether nothing can happen although the game goes on. No reachable position is."""
        return (
            not self.over
            and not self._outcomes()
            and not any(self.move_codes(seat, self.game.widest) for seat in self.actors)
        )

    # ------------------------------------------------------------ moves

    def moves(self, seat: int) -> list[str]:
        """A seat's legal moves as text; empty if it may not move."""
        self._check_seat(seat)
        return [self.game.notation.move_text(self._state, move) for move in self.move_codes(seat)]

    def is_legal(self, seat: int, move: str) -> bool:
        try:
            self._code(seat, move)
        except IllegalMove:
            return False
        return True

    def play(self, seat: int, move: str, listener: FactListener | None = None) -> str:
        """Make a move, and return its canonical text.

        An illegal move raises IllegalMove and changes nothing. `listener` receives the facts.
        """
        code = self._code(seat, move)
        text = self.game.notation.move_text(self._state, code)
        if listener is None:
            self._rules.play(self._state, seat, code)
        else:
            self._trace(listener, self.game.traced_rules.play, seat, code, plain=Moved(seat, text))
        return text

    def canonical_move(self, seat: int, move: str) -> str:
        """The canonical text of a legal move. Raises IllegalMove; changes nothing."""
        return self.game.notation.move_text(self._state, self._code(seat, move))

    # ------------------------------------------------------------ chance

    def chances(self) -> dict[str, float]:
        """The outcomes of the due die or card with probabilities; empty when nothing is due."""
        weights = self._outcomes()
        total = sum(weights.values())
        return {
            self.game.notation.outcome_text(self._state, outcome): weight / total
            for outcome, weight in weights.items()
        }

    def resolve(self, outcome: str, listener: FactListener | None = None) -> str:
        """Resolve the due die or card with an outcome, and return its canonical text.

        Anything else raises IllegalMove and changes nothing. `listener` receives the facts.
        """
        return self._show(self._outcome_code(outcome), listener)

    def canonical_outcome(self, outcome: str) -> str:
        """The canonical text of a possible outcome. Raises IllegalMove; changes nothing."""
        return self.game.notation.outcome_text(self._state, self._outcome_code(outcome))

    def slice_of(self, outcome: str) -> tuple[int, int, int]:
        """The random numbers that select an outcome: start, end (exclusive), and total weight."""
        code, due = self._outcome_code(outcome), self._due()
        ends = dict(zip(due, accumulate(due.values()), strict=True))
        return ends[code] - due[code], ends[code], sum(due.values())

    def draw(self, rng: Dice, listener: FactListener | None = None) -> str:
        """Resolve the due die or card at random, and return the outcome."""
        due = self._due()
        picked = rng.randrange(sum(due.values()))
        outcome = next(
            outcome
            for outcome, end in zip(due, accumulate(due.values()), strict=True)
            if picked < end
        )
        return self._show(outcome, listener)

    def _show(self, outcome: int, listener: FactListener | None) -> str:
        text = self.game.notation.outcome_text(self._state, outcome)
        if listener is None:
            self._rules.resolve(self._state, outcome)
        else:
            self._trace(listener, self.game.traced_rules.resolve, outcome, plain=CameUp(text))
        return text

    def _trace(self, listener: FactListener, rule: Function, *arguments: int, plain: Fact) -> None:
        """Run a traced rule. Games without tracers report the plain text, unless it is secret."""
        self._state.listener = listener
        rule(self._state, *arguments)
        if not self.game.facts.TRACERS:
            listener(Chose(plain.seat) if isinstance(plain, Moved) and self.has_secrets else plain)
        if self.over:
            listener(Ended(self.scores, list(self.winners)))

    # ------------------------------------------------------------ copies, views, JSON

    def copy(self) -> "Position":
        return Position(self.game, self._options, bytearray(self._raw))

    __copy__ = copy

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as bytes, to send positions between processes."""
        return Position, (self.game, self._options, bytearray(self._raw))

    def seen_by(self, seat: int) -> "Position":
        """A copy without what a seat (-1: a spectator) may not know."""
        if seat != -1:
            self._check_seat(seat)
        view = self.copy()
        view._rules.hide_secrets(view._state, seat)
        return view

    def to_json(self, seat: int | None = None) -> dict[str, Any]:
        """The whole position as dicts and lists, or what a seat (-1: a spectator) may know."""
        if seat is not None:
            return self.seen_by(seat).to_json()
        common = {"game": self.game.name, "players": self.players, "options": self._options.plain}
        own: dict[str, Any] = msgspec.to_builtins(self.game.notation.position(self._state))
        return common | own

    def json_bytes(self, layout: msgspec.Struct) -> bytes:
        """`to_json` encoded directly. `layout`: the position struct of the game's notation."""
        own = msgspec.json.encode(layout)
        head = self.game.name.encode(), self.players, self._options.json
        return b'{"game":"%b","players":%d,"options":%b,%b' % (*head, own[1:])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.game is other.game and self._options == other._options and self._raw == other._raw
        )

    def __hash__(self) -> int:
        return hash((self.game.name, self.packed))

    def _repr_svg_(self) -> str | None:
        """The board for notebooks, as a spectator sees it."""
        return self.game.drawing.draw(SeatView.of(self, -1)) if self.game.drawing else None

    def __repr__(self) -> str:
        json = self.to_json()
        return f"<{self.game.name}, {self.players} players, {json['phase']}, scores {self.scores}>"

    # ------------------------------------------------------------ codes behind the texts

    def _check_seat(self, seat: object) -> None:
        if not is_whole(seat) or not 0 <= seat < self.players:  # type: ignore[operator]
            raise IllegalMove(
                Message("reason.core.not_a_seat", seat=brief(seat), last=self.players - 1)
            )

    def check_turn(self, seat: int) -> None:
        """Raise IllegalMove unless a seat may move now."""
        self._check_seat(seat)
        if not self._rules.actors(self._state) >> seat & 1:
            raise IllegalMove(self._not_now(seat))

    def _code(self, seat: int, move: object) -> int:
        """The code of a legal move; IllegalMove says why it is illegal."""
        if not isinstance(move, str):
            self._check_seat(seat)
            raise IllegalMove(Message("reason.core.move_is_a_text", value=brief(move)))
        self.check_turn(seat)
        code = self.game.notation.read_move(self._state, move)
        if not self._rules.legal(self._state, seat, code):
            raise IllegalMove(*self.game.messages.refusal(self._state, seat, code))
        return code

    def _not_now(self, seat: int) -> Message:
        if self.over:
            return Message("reason.core.over")
        actors = self.actors
        if not actors:
            return Message("reason.core.due_first", due=self.game.messages.due(self._state))
        return Message(
            "reason.core.not_on_turn", who=Seat(seat), actors=[Seat(actor) for actor in actors]
        )

    def move_codes(self, seat: int, most: int | None = None) -> list[int]:
        """The codes of a seat's legal moves, at most `most`."""
        listed = self._listed
        if (
            listed is None
            or listed.seat != seat
            or listed.state != self._raw
            or not listed.serves(most)
        ):
            listed = self._listed = self._list(seat, most)
        return listed.codes[:most]

    def _list(self, seat: int, most: int | None) -> "ListedMoves":
        size = most or max(256, self.game.widest)
        while True:
            out = array("i", bytes(4 * size))
            n = self._rules.moves(self._state, seat, out)
            if n < size or most:
                return ListedMoves(self.packed, seat, out[:n].tolist(), n < size)
            size *= 8

    def _outcome_code(self, outcome: object) -> int:
        """The code of a possible outcome; IllegalMove says why it is impossible."""
        due = self._due()
        if not isinstance(outcome, str):
            raise IllegalMove(Message("reason.core.outcome_is_a_text", value=brief(outcome)))
        code = self.game.notation.read_outcome(self._state, outcome)
        if code not in due:
            due_now = self.game.messages.due(self._state)
            raise IllegalMove(Message("reason.core.cannot_show", due=due_now, text=brief(outcome)))
        return code

    def _due(self) -> dict[int, int]:
        due = self._outcomes()
        if not due:
            raise IllegalMove(Message("reason.core.nothing_due"))
        return due

    def _outcomes(self) -> dict[int, int]:
        """Possible outcomes with weights."""
        out, weights = [0] * self.game.widest, [0] * self.game.widest
        n = self._rules.outcomes(self._state, out, weights)
        return dict(zip(out[:n], weights[:n], strict=True))
