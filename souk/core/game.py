"""A game as the rest of the house knows it: its name, its rules, and the furniture of its room."""

import importlib
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from souk.core.datafile import is_text
from souk.core.errors import suggestion
from souk.core.facts import Fact
from souk.core.fields import Fields, brief, is_whole
from souk.core.furniture import (
    Box,
    Drawing,
    Facts,
    Insight,
    Mind,
    Notation,
    Numbers,
    Options,
    Plain,
    PlainBox,
    PlainFacts,
    PlainInsight,
    PlainMind,
    PlainPuzzles,
    PlainReasons,
    PlainScene,
    PlainTelling,
    Puzzles,
    Reasons,
    Scene,
    Telling,
    Terminal,
    completed,
)
from souk.core.lessons import Lesson
from souk.core.message import Message, texts
from souk.core.position import Position
from souk.kernel import defaults
from souk.kernel.desk import Layout, desk_type
from souk.kernel.interpreting import quick_rules_of
from souk.kernel.state import StateArray, quick_state_maker, state_class
from souk.kernel.twins import Function
from souk.kernel.verbs import VERBS
from souk.kernel.watching import Watched

if TYPE_CHECKING:
    from souk.core.reporting import Report


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


def _piece(name: str, plain: type[Plain]) -> cached_property[Plain]:
    """A piece of a game's furniture: the module of this name in its room, with defaults for what that lacks."""
    return cached_property(lambda game: completed(game._module(name), plain))


class Game:
    """One of the games. `souk.game("suleika")` finds it by name.

    `rules`, `notation`, `box` and `insight` are modules of its room (see souk.core.furniture); the rest of the furniture is found there.
    `secrets`: whether there are choices that others may not see; `open_ended`: the codes of moves that may be very many, such as offers
    (empty where there are none); `usual`: how many players it is mostly played with; `place`: where it stands when the games are introduced,
    the lowest first.
    """

    def __init__(
        self,
        name: str,
        players: range,
        rules: Any,
        notation: Any,
        box: Any,
        insight: Any = None,
        *,
        version: int = 1,
        secrets: bool = False,
        open_ended: range = range(0),
        usual: int | None = None,
        place: int = 100,
    ) -> None:
        self.name, self.players, self.version = name, players, version
        self.notation: Notation = notation
        self.box: Box = completed(box, PlainBox)
        self.insight: Insight = completed(insight, PlainInsight)
        self.stand_ins = self.insight.STAND_INS
        self.secrets, self.open_ended = secrets, open_ended
        self.usual, self.place = usual or players[-1], place
        self.dtype: np.dtype[np.void] = _without_gaps(rules.STATE)
        self.widest: int = rules.WIDEST
        self.room = Path(rules.__file__).parent  # the folder of its sources
        self._package: str = rules.__name__.rpartition(".")[0]
        self.home = self._package  # where this is found as GAME
        rooms = (
            rules,
            insight,
            self._module("ending"),
            self._module("mind"),
            self.numbers,
            defaults,
        )  # where a verb is looked for
        self.rules = SimpleNamespace(
            **{verb: next(getattr(room, verb) for room in rooms if hasattr(room, verb)) for verb in VERBS}
        )
        self.state = state_class(self.dtype, self.rules)
        self.quick_state = quick_state_maker(self.dtype, self.rules)
        self.sheet: Layout = getattr(self._module("ending"), "SHEET", ())
        self.desk = desk_type(self.widest, players[-1], self.insight.DESK, self.mind.MOST_SEEN)

    # ------------------------------------------------------------ the room

    @property
    def title(self) -> str:
        """What the game is called, in English."""
        return self.title_in("en")

    @property
    def about(self) -> str:
        """What it is about, in a line, in English."""
        return self.about_in("en")

    def title_in(self, language: str) -> str:
        """What the game is called in a language."""
        return texts(language).get(f"{self.name}.title", self.name.capitalize())

    def about_in(self, language: str) -> str:
        """What it is about, in a line, in a language."""
        return texts(language).get(f"{self.name}.line", "")

    def about_box(self, options: Options, language: str = "en") -> str:
        """Where the box data come from; "" where the rulebook has it all."""
        data = self.box.DATA
        return Message(data.chosen(options).about).text(language=language) if data else ""

    facts: cached_property[Facts] = _piece("facts", PlainFacts)
    telling: cached_property[Telling] = _piece("telling", PlainTelling)
    scene: cached_property[Scene] = _piece("scene", PlainScene)
    mind: cached_property[Mind] = _piece("mind", PlainMind)
    reasons: cached_property[Reasons] = _piece("reasons", PlainReasons)
    puzzles: cached_property[Puzzles] = _piece("puzzles", PlainPuzzles)

    @cached_property
    def numbers(self) -> Numbers | None:
        """None where a game is not put into numbers."""
        found: Numbers | None = self._module("numbers")
        return found

    @cached_property
    def drawing(self) -> Drawing | None:
        module = self._module("drawing")
        found: Drawing | None = module.DRAWING if module else None
        return found

    @cached_property
    def terminal(self) -> Terminal | None:
        found: Terminal | None = self._module("terminal")
        return found

    @cached_property
    def report(self) -> "Report":
        from souk.core.reporting import Report  # not when souk is imported: it takes a while, and few ask for it

        module = self._module("report")
        found: Report = module.REPORT if module else Report()
        return found

    @cached_property
    def lesson(self) -> Lesson | None:
        """The guided first game, or None where there is none."""
        path = self.room / "texts" / "lesson.toml"
        return Lesson(self, path) if path.is_file() else None

    @cached_property
    def watched(self) -> Watched:
        """The rules, played so that what happens is told as facts."""
        return Watched(self.rules, self.facts.WITNESSES)

    @cached_property
    def quick_rules(self) -> Any:
        """The verbs that a game is played with, as quick as Python runs them."""
        return quick_rules_of(self)

    def tell(self, facts: Iterable[Fact]) -> list[Message]:
        """Facts in words, for the log."""
        return [message for fact in facts for message in self.telling.told(fact)]

    def trial(self, s: Any, rule: Function, *arguments: int) -> tuple[Any, list[Fact]]:
        """What would come of a rule: a copy of the state on which it has been carried out, and the facts."""
        then = s.copy()
        facts: list[Fact] = []
        then.listener = facts.append
        self.watched.rule(rule)(then, *arguments)
        return then, facts

    def _module(self, name: str) -> Any:
        """A module of the game's room, or None where there is none of that name."""
        return importlib.import_module(f"{self._package}.{name}") if (self.room / f"{name}.py").is_file() else None

    # ------------------------------------------------------------ positions

    def start(self, players: int | None = None, **options: Any) -> Position:
        """A new game. Options are those of `options()`; one that makes no sense raises ValueError naming it."""
        count = self._check_players(players)
        chosen = self._check_options(count, options)
        array = self.blank(count, chosen)
        self.rules.setup(self.state(array))
        return Position(self, chosen, array)

    def options(self, players: int) -> Options:
        """Every option that `start` takes at this number of players, with its default."""
        return self.box.defaults(self._check_players(players))

    def from_json(self, data: object) -> Position:
        """A position from what `to_json` gave, or any other that can be played on; nonsense raises ValueError."""
        if not isinstance(data, dict):
            raise ValueError(f"position: must be an object with named fields, not {brief(data)}")
        if data.get("game") != self.name:
            raise ValueError(f'game: must be "{self.name}", not {brief(data.get("game"))}')
        count = self._check_players(data.get("players"))
        needed, ignored = self.notation.field_names(count)
        fields = Fields(data, ["game", "players", *needed], ["options", *ignored])
        given = data.get("options", {})
        if not isinstance(given, dict):
            raise ValueError(f"options: must be an object with named fields, not {brief(given)}")
        try:
            chosen = self._check_options(count, given)
        except ValueError as error:
            raise ValueError(f"options.{error}") from None
        array = self.blank(count, chosen)
        self.notation.from_json(self.state(array), fields)
        position = Position(self, chosen, array)
        if position.stuck:
            raise ValueError("phase: nothing can be played from here")
        return position

    def blank(self, players: int, options: Options) -> StateArray:
        """A state with the options and the box data, before `setup`."""
        array = np.zeros(1, self.dtype)
        state: Any = self.state(array)
        state.players = players
        self.box.fill(state, options)
        return array

    def read(self, state: bytes) -> StateArray:
        """A state from its bytes."""
        return np.frombuffer(state, self.dtype).copy()

    def _check_players(self, players: object) -> int:
        if not is_whole(players) or players not in self.players:
            low, high = self.players[0], self.players[-1]
            raise ValueError(f"players: {self.title} is for {low} to {high} players, not {brief(players)}")
        return int(players)  # type: ignore[call-overload,no-any-return]

    def _check_options(self, players: int, given: Mapping[str, Any]) -> Options:
        listed = self.box.defaults(players)
        extra = self.box.extra()  # has its place only where it is not the default
        known = listed | extra
        elsewhere = {name: default for count in self.players for name, default in self.box.defaults(count).items()}
        for name, value in given.items():
            if name in known or (name in elsewhere and value == elsewhere[name]):
                continue
            if name in elsewhere:
                raise ValueError(f"{name}: there is no such choice with {players} player{'s' * (players > 1)}")
            raise ValueError(f"{name}: {self.title} has no such option. {suggestion(name, elsewhere | extra)}")
        chosen = self.box.check(players, known | {name: _plain(given[name]) for name in given if name in known})
        data = self.box.DATA
        if data and is_text(chosen.get(data.option)):
            chosen = chosen | {data.option: data.compact(chosen[data.option])}
        return {name: value for name, value in chosen.items() if name in listed or value != extra[name]}

    def __repr__(self) -> str:
        return f"souk.game({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and copied by where it is found: there is one of each game."""
        return _game_of, (self.home,)


def _game_of(home: str) -> Game:
    found: Game = importlib.import_module(home).GAME
    return found
