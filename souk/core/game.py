"""A game as the rest of the house knows it: its name, its rules, its words and its box."""

import importlib.util
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Protocol

import numpy as np

from souk.core.errors import suggestion
from souk.core.fields import Fields, is_whole, shown
from souk.core.message import Message
from souk.core.position import Position
from souk.kernel import defaults
from souk.kernel.desk import Layout, desk_type
from souk.kernel.state import RecordArray, State, state_class
from souk.kernel.verbs import VERBS

Options = dict[str, Any]


class Words(Protocol):
    """A game's moves, outcomes and positions as text, and what is said about them. A module `words.py` in the game's room."""

    def move_text(self, s: State, move: int) -> str: ...

    def read_move(self, s: State, text: str) -> int:
        """The move a text names, whether legal or not; IllegalMove where it names none."""
        ...

    def refusal(self, s: State, seat: int, move: int) -> tuple[Message, str | None]:
        """Why a seat whose turn it is may not make a move, and the clause."""
        ...

    def outcome_text(self, s: State, outcome: int) -> str: ...

    def read_outcome(self, s: State, text: str) -> int:
        """The outcome a text names, due or not; IllegalMove where it names none."""
        ...

    def due(self, s: State) -> Message:
        """What die or card is due."""
        ...

    def field_names(self, players: int) -> tuple[list[str], list[str]]:
        """The JSON fields of a position besides game, players and options: those needed, those ignored."""
        ...

    def to_json(self, s: State) -> dict[str, Any]: ...

    def from_json(self, s: State, fields: Fields) -> None:
        """Write a position into a record that holds the options; ValueError names the field that is wrong."""
        ...

    def pieces(self, s: State) -> dict[str, int]:
        """How many there are of everything that neither appears nor vanishes, wherever it lies."""
        ...

    def tell(self, before: State, after: State, seat: int | None, text: str) -> list[Message]:
        """For the log: what a seat's move, or an outcome (seat None), did, sentence by sentence. All may read it, so it holds
        nothing that is still secret."""
        ...


class Box(Protocol):
    """What is in a game's box and what can be chosen at the start. A module `box.py` in the game's room. It may also have
    `extra()`: further options with their defaults, which show among a position's only where they are not the default."""

    def defaults(self, players: int) -> Options:
        """Every option at this number of players, with its default."""
        ...

    def check(self, players: int, options: Options) -> Options:
        """The options in their canonical form; ValueError names the one that makes no sense."""
        ...

    def fill(self, s: State, options: Options) -> None:
        """Write the options and the box data into an empty record."""
        ...

    def about(self, options: Options) -> str:
        """Where the box data come from, for people: "" where the rulebook has it all."""
        ...

    # A box may also have `extra() -> Options`: options, with their defaults, that are listed only where they are chosen.


def _plain(value: Any) -> Any:
    """An option's value without NumPy's types, which JSON does not know."""
    if isinstance(value, list | tuple):
        return type(value)(map(_plain, value))
    return value.item() if isinstance(value, np.generic) else value


def _without_gaps(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    """Bytes that belong to no field would not be copied, and equal positions might differ in them."""
    if sum(field[0].itemsize for field in (dtype.fields or {}).values()) != dtype.itemsize:
        raise ValueError(
            "STATE has gaps between its fields: put the wide ones first and fill up to a multiple of the widest"
        )
    return dtype


class Insight(Protocol):
    """What a strong player looks at. A module `insight.py` in the game's room, with the verbs for it (see souk.kernel.verbs)
    that it has an answer to, and these."""

    HORIZON: int  # how many quiet positions a playout goes on to before it is judged by `outlook`
    DESK: Layout  # fields of its own on the desk where bots think (`souk.kernel.desk`)

    def study(self, record: RecordArray) -> np.ndarray[Any, np.dtype[np.float32]]:
        """The `lore` of a table: what is worked out once for its box data and options. Kept, where it takes long."""
        ...

    # An insight may also have `solved(view) -> list[tuple[move, win, score]]`: the moves of a position that is solved exactly, the
    # best first; empty where it is not.


class Game:
    """One of the games. `souk.game("suleika")` finds it by name."""

    def __init__(
        self,
        name: str,
        title: str,
        about: str,
        players: range,
        rules: Any,
        words: Words,
        box: Box,
        insight: Insight | None = None,
        *,
        version: int = 1,
    ) -> None:
        self.name, self.title, self.about, self.players, self.version = name, title, about, players, version
        self.words, self.box = words, box
        self.dtype: np.dtype[np.void] = _without_gaps(rules.STATE)
        self.widest: int = rules.WIDEST
        self.room = str(Path(rules.__file__).parent)  # the folder of its sources
        self.home: str = rules.__name__.rpartition(".")[0]  # the package whose GAME this is
        self.insight = insight
        rooms = rules, insight, self.furniture("numbers"), defaults  # where a verb is looked for
        self.rules = SimpleNamespace(
            **{verb: next(getattr(room, verb) for room in rooms if hasattr(room, verb)) for verb in VERBS}
        )
        self.state = state_class(self.dtype, self.rules)
        self.desk = desk_type(self.widest, players[-1], insight.DESK if insight else ())

    def furniture(self, name: str) -> Any:
        """A module of the game's room that a game may do without: scene, drawing or numbers. None where there is none."""
        return _module(self.home, name)

    def start(self, players: int | None = None, **options: Any) -> Position:
        """A new game. Options are those of `options()`; one that makes no sense raises ValueError naming it."""
        count = self._check_players(players)
        chosen = self._check_options(count, options)
        record = self.blank(count, chosen)
        self.rules.setup(self.state(record))
        return Position(self, chosen, record)

    def options(self, players: int) -> Options:
        """Every option that `start` takes at this number of players, with its default."""
        return self.box.defaults(self._check_players(players))

    def from_json(self, data: object) -> Position:
        """A position from what `to_json` gave, or any other that can be played on; nonsense raises ValueError."""
        if not isinstance(data, dict):
            raise ValueError(f"position: must be an object with named fields, not {shown(data)}")
        if data.get("game") != self.name:
            raise ValueError(f'game: must be "{self.name}", not {shown(data.get("game"))}')
        count = self._check_players(data.get("players"))
        needed, ignored = self.words.field_names(count)
        fields = Fields(data, ["game", "players", *needed], ["options", *ignored])
        given = data.get("options", {})
        if not isinstance(given, dict):
            raise ValueError(f"options: must be an object with named fields, not {shown(given)}")
        try:
            chosen = self._check_options(count, given)
        except ValueError as error:
            raise ValueError(f"options.{error}") from None
        record = self.blank(count, chosen)
        self.words.from_json(self.state(record), fields)
        position = Position(self, chosen, record)
        if position.stuck:
            raise ValueError("phase: nothing can be played from here")
        return position

    def blank(self, players: int, options: Options) -> RecordArray:
        """A record with the options and the box data, before `setup`."""
        record = np.zeros(1, self.dtype)
        state: Any = self.state(record)
        state.players = players
        self.box.fill(state, options)
        return record

    def _check_players(self, players: object) -> int:
        if not is_whole(players) or players not in self.players:
            low, high = self.players[0], self.players[-1]
            raise ValueError(f"players: {self.title} is for {low} to {high} players, not {shown(players)}")
        return int(players)  # type: ignore[call-overload,no-any-return]

    def _check_options(self, players: int, given: Mapping[str, Any]) -> Options:
        listed = self.box.defaults(players)
        extra: Options = getattr(self.box, "extra", dict)()  # has its place only where it is not the default
        known = listed | extra
        elsewhere = {name: default for count in self.players for name, default in self.box.defaults(count).items()}
        for name, value in given.items():
            if name in known or (name in elsewhere and value == elsewhere[name]):
                continue
            if name in elsewhere:
                raise ValueError(f"{name}: there is no such choice with {players} player{'s' * (players > 1)}")
            raise ValueError(f"{name}: {self.title} has no such option. {suggestion(name, elsewhere | extra)}")
        chosen = self.box.check(players, known | {name: _plain(given[name]) for name in given if name in known})
        return {name: value for name, value in chosen.items() if name in listed or value != extra[name]}

    def __repr__(self) -> str:
        return f"souk.game({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and copied by where it is found: there is one of each game."""
        return _game_of, (self.home,)


@cache
def _module(package: str, name: str) -> ModuleType | None:
    place = f"{package}.{name}"
    return importlib.import_module(place) if package and importlib.util.find_spec(place) else None


def _game_of(home: str) -> Game:
    found: Game = importlib.import_module(home).GAME
    return found
