"""A position of any game: the public face of the rules, in text and plain numbers."""

from array import array
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from souk.core.errors import IllegalMove
from souk.core.facts import CameUp, Chose, Ended, Fact, Moved, Tell
from souk.core.fields import brief, is_whole
from souk.core.message import Message, Seat
from souk.core.view import SeatView
from souk.kernel.state import QuickState, StateArray
from souk.kernel.twins import Function

if TYPE_CHECKING:
    from souk.core.game import Game


@cache
def _seats(bits: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


class Dice(Protocol):
    """What chance is drawn with: a `random.Random`, or anything else that gives whole numbers below one."""

    def randrange(self, stop: int, /) -> int: ...


class ChosenOptions(dict[str, Any]):
    """Every option of a game with its value. They never change, so they are put into JSON once for all positions of a game."""

    __slots__ = ("_json",)

    @property
    def plain(self) -> dict[str, Any]:
        """As JSON has them."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self.items()}

    @property
    def json(self) -> bytes:
        try:
            return self._json
        except AttributeError:
            self._json: bytes = msgspec.json.encode(self.plain)
            return self._json


class ListedMoves(NamedTuple):
    """A seat's moves in a state, or the first of them."""

    of: bytes
    seat: int
    codes: list[int]
    all: bool

    def serves(self, most: int | None) -> bool:
        """Whether they are as many as are asked for."""
        return self.all or (most is not None and len(self.codes) >= most)


class Position:
    """Where a game stands. It is its state's bytes; moves and outcomes change it in place."""

    __slots__ = ("_listed", "_options", "_raw", "_rules", "_state", "game")

    def __init__(self, game: "Game", options: dict[str, Any], array: StateArray | bytearray) -> None:
        """`array`: its state, which is copied; as plain bytes it becomes the position's own."""
        self.game = game
        self._rules = game.quick_rules
        self._options = options if isinstance(options, ChosenOptions) else ChosenOptions(options)
        self._listed: ListedMoves | None = None  # which were asked for last: mostly they are asked for again
        self._raw = array if isinstance(array, bytearray) else bytearray(array.tobytes())

    def __getattr__(self, name: str) -> Any:
        """The state over these bytes, from when it is first asked for: most positions rest."""
        if name != "_state":
            raise AttributeError(f"a position has no {name}")
        self._state: Any = self.game.quick_state(self._raw)
        return self._state

    # ------------------------------------------------------------ what is so

    @property
    def players(self) -> int:
        return int(self._state.players)

    @property
    def options(self) -> dict[str, Any]:
        """Every option of this game with its value."""
        return dict(self._options)

    @property
    def state(self) -> Any:
        """The state as the rules see it. Changing it changes the position."""
        return self._state

    @property
    def array(self) -> StateArray:
        """The state's bytes, as an array of one, for compiled kernels. Changing it changes the position."""
        if isinstance(self._state, QuickState):  # from now on somebody else may write to them
            self._state = self.game.state(self._state.array)
        array: StateArray = self._state.array
        return array

    @property
    def packed(self) -> bytes:
        """The state's bytes, as `Game.read` takes them."""
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
        self._rules.standing(self._state, scores)
        return scores

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty until the game is over."""
        return _seats(self._rules.standing(self._state, [0] * self.players))

    @property
    def has_secrets(self) -> bool:
        """Whether it holds what not everybody may know: a choice that has been made and not been revealed."""
        if not self.game.secrets:
            return False
        return self.seen_by(-1)._raw != self._raw

    @property
    def stuck(self) -> bool:
        """Whether nothing can happen although the game is not over: never so in a position one can reach."""
        return (
            not self.over
            and not self._outcomes()
            and not any(self.move_codes(seat, self.game.widest) for seat in self.actors)
        )

    # ------------------------------------------------------------ moves

    def moves(self, seat: int) -> list[str]:
        """A seat's legal moves as text; empty for a seat that may not move."""
        self._check_seat(seat)
        return [self.game.notation.move_text(self._state, move) for move in self.move_codes(seat)]

    def is_legal(self, seat: int, move: str) -> bool:
        try:
            self._code(seat, move)
        except IllegalMove:
            return False
        return True

    def play(self, seat: int, move: str, tell: Tell | None = None) -> str:
        """Make a move, and return it as `moves` would write it. An illegal one raises IllegalMove and changes nothing. `tell` is told the
        facts: what the move did."""
        code = self._code(seat, move)
        text = self.game.notation.move_text(self._state, code)
        if tell is None:
            self._rules.play(self._state, seat, code)
        else:
            self._tell_all(tell, self.game.watched.play, seat, code, plain=Moved(seat, text))
        return text

    def canonical_move(self, seat: int, move: str) -> str:
        """A legal move as `moves` would write it; IllegalMove for any other. Changes nothing."""
        return self.game.notation.move_text(self._state, self._code(seat, move))

    # ------------------------------------------------------------ chance

    def chances(self) -> dict[str, float]:
        """What the due die or card may show, with probabilities; empty when nothing is due."""
        found = self._outcomes()
        total = sum(found.values())
        return {
            self.game.notation.outcome_text(self._state, outcome): weight / total for outcome, weight in found.items()
        }

    def resolve(self, outcome: str, tell: Tell | None = None) -> str:
        """The due die or card shows this; returned as `chances` would write it. Anything else raises IllegalMove and changes nothing."""
        return self._show(self._outcome_code(outcome), tell)

    def canonical_outcome(self, outcome: str) -> str:
        """What may come up now as `chances` would write it; IllegalMove for anything else. Changes nothing."""
        return self.game.notation.outcome_text(self._state, self._outcome_code(outcome))

    def slice_of(self, outcome: str) -> tuple[int, int, int]:
        """Which numbers give an outcome that may come up now: from the first up to but not including the second, of all below the third,
        which is the sum of the weights."""
        code, due = self._outcome_code(outcome), self._due()
        ends = dict(zip(due, accumulate(due.values()), strict=True))
        return ends[code] - due[code], ends[code], sum(due.values())

    def draw(self, rng: Dice, tell: Tell | None = None) -> str:
        """Resolve whatever is due at random, and return its text."""
        due = self._due()
        picked = rng.randrange(sum(due.values()))
        outcome = next(outcome for outcome, end in zip(due, accumulate(due.values()), strict=True) if picked < end)
        return self._show(outcome, tell)

    def _show(self, outcome: int, tell: Tell | None) -> str:
        text = self.game.notation.outcome_text(self._state, outcome)
        if tell is None:
            self._rules.resolve(self._state, outcome)
        else:
            self._tell_all(tell, self.game.watched.resolve, outcome, plain=CameUp(text))
        return text

    def _tell_all(self, tell: Tell, rule: Function, *arguments: int, plain: Fact) -> None:
        """Run a rule with its witnesses. A game that has none is told of as it is written, but for what is still secret."""
        self._state.listener = tell
        rule(self._state, *arguments)
        if not self.game.facts.WITNESSES:
            tell(Chose(plain.seat) if isinstance(plain, Moved) and self.has_secrets else plain)
        if self.over:
            tell(Ended(self.scores, list(self.winners)))

    # ------------------------------------------------------------ the whole of it

    def copy(self) -> "Position":
        return Position(self.game, self._options, bytearray(self._raw))

    __copy__ = copy

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, which other processes are sent positions with."""
        return Position, (self.game, self._options, bytearray(self._raw))

    def seen_by(self, seat: int) -> "Position":
        """A copy without what a seat (-1: a spectator) may not know."""
        if seat != -1:
            self._check_seat(seat)
        view = self.copy()
        view._rules.veil(view._state, seat)
        return view

    def to_json(self, seat: int | None = None) -> dict[str, Any]:
        """The whole truth as plain dicts and lists, or what one seat (-1: a spectator) may know."""
        if seat is not None:
            return self.seen_by(seat).to_json()
        common = {"game": self.game.name, "players": self.players, "options": self._options.plain}
        own: dict[str, Any] = msgspec.to_builtins(self.game.notation.position(self._state))
        return common | own

    def json_bytes(self, layout: msgspec.Struct) -> bytes:
        """What `to_json` gives, as the text of JSON, without a detour by dicts. `layout`: what the game's notation says of this position."""
        own = msgspec.json.encode(layout)
        head = self.game.name.encode(), self.players, self._options.json
        return b'{"game":"%b","players":%d,"options":%b,%b' % (*head, own[1:])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game is other.game and self._options == other._options and self._raw == other._raw

    def __hash__(self) -> int:
        return hash((self.game.name, self.packed))

    def _repr_svg_(self) -> str | None:
        """The board, for notebooks: drawn as a spectator sees it."""
        return self.game.drawing.draw(SeatView.of(self, -1)) if self.game.drawing else None

    def __repr__(self) -> str:
        json = self.to_json()
        return f"<{self.game.name}, {self.players} players, {json['phase']}, scores {self.scores}>"

    # ------------------------------------------------------------ codes behind the texts

    def _check_seat(self, seat: object) -> None:
        if not is_whole(seat) or not 0 <= seat < self.players:  # type: ignore[operator]
            raise IllegalMove(Message("reason.core.not_a_seat", seat=brief(seat), last=self.players - 1))

    def check_turn(self, seat: int) -> None:
        """IllegalMove where a seat is not to move now."""
        self._check_seat(seat)
        if not self._rules.actors(self._state) >> seat & 1:
            raise IllegalMove(self._not_now(seat))

    def _code(self, seat: int, move: object) -> int:
        """The code of a legal move; IllegalMove says why it is not one."""
        if not isinstance(move, str):
            self._check_seat(seat)
            raise IllegalMove(Message("reason.core.move_is_a_text", value=brief(move)))
        self.check_turn(seat)
        code = self.game.notation.read_move(self._state, move)
        if not self._rules.legal(self._state, seat, code):
            raise IllegalMove(*self.game.telling.refusal(self._state, seat, code))
        return code

    def _not_now(self, seat: int) -> Message:
        if self.over:
            return Message("reason.core.over")
        actors = self.actors
        if not actors:
            return Message("reason.core.due_first", due=self.game.telling.due(self._state))
        return Message("reason.core.not_on_turn", who=Seat(seat), actors=[Seat(actor) for actor in actors])

    def move_codes(self, seat: int, most: int | None = None) -> list[int]:
        """A seat's legal moves, or as many of them as fit a list of `most`."""
        known = self._listed
        if known is None or known.seat != seat or known.of != self._raw or not known.serves(most):
            known = self._listed = self._list(seat, most)
        return known.codes[:most]

    def _list(self, seat: int, most: int | None) -> "ListedMoves":
        room = most or max(256, self.game.widest)
        while True:
            out = array("i", bytes(4 * room))
            n = self._rules.moves(self._state, seat, out)
            if n < room or most:
                return ListedMoves(self.packed, seat, out[:n].tolist(), n < room)
            room *= 8

    def _outcome_code(self, outcome: object) -> int:
        """The code of what may come up now; IllegalMove says why it may not."""
        due = self._due()
        if not isinstance(outcome, str):
            raise IllegalMove(Message("reason.core.outcome_is_a_text", value=brief(outcome)))
        code = self.game.notation.read_outcome(self._state, outcome)
        if code not in due:
            due_now = self.game.telling.due(self._state)
            raise IllegalMove(Message("reason.core.cannot_show", due=due_now, text=brief(outcome)))
        return code

    def _due(self) -> dict[int, int]:
        due = self._outcomes()
        if not due:
            raise IllegalMove(Message("reason.core.nothing_due"))
        return due

    def _outcomes(self) -> dict[int, int]:
        """What may come up now, with its weight."""
        out, weights = [0] * self.game.widest, [0] * self.game.widest
        n = self._rules.outcomes(self._state, out, weights)
        return dict(zip(out[:n], weights[:n], strict=True))
