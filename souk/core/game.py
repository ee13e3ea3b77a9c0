"""A game: its name, rules, and the optional modules of its package."""

import importlib
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from souk.core.box_data import BoxProblem, is_text
from souk.core.errors import suggestion
from souk.core.facts import Fact
from souk.core.game_modules import (
    BoardInfo,
    Box,
    DefaultBoardInfo,
    DefaultBox,
    DefaultExplanations,
    DefaultFacts,
    DefaultHeuristics,
    DefaultMessages,
    DefaultNetFeatures,
    DefaultPuzzles,
    Defaults,
    Drawing,
    Explanations,
    Facts,
    Heuristics,
    Messages,
    NetFeatures,
    Notation,
    Observations,
    Options,
    Puzzles,
    Terminal,
    with_defaults,
)
from souk.core.json_fields import Fields, brief, is_whole
from souk.core.lessons import Lesson
from souk.core.messages import Message, texts
from souk.core.position import Position
from souk.kernel import default_ops as defaults
from souk.kernel.game_ops import GAME_OPS
from souk.kernel.interpreter import fast_game_ops
from souk.kernel.rule_clones import Function
from souk.kernel.state import StateArray, fast_state_factory, state_class
from souk.kernel.tracing import TracedRules
from souk.kernel.workspace import Layout, workspace_type

if TYPE_CHECKING:
    from souk.core.report_spec import Report


def _without_numpy(value: Any) -> Any:
    """Convert NumPy types in an option's value, which JSON does not know."""
    if isinstance(value, list | tuple):
        return type(value)(map(_without_numpy, value))
    return value.item() if isinstance(value, np.generic) else value


def _require_packed(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    """Check that the layout has no gaps: their bytes would not be copied or compared reliably."""
    if sum(field[0].itemsize for field in (dtype.fields or {}).values()) != dtype.itemsize:
        raise ValueError(
            "STATE has gaps between its fields: put the wide ones first "
            "and fill up to a multiple of the widest"
        )
    return dtype


def _optional_module(name: str, defaults: type[Defaults]) -> cached_property[Defaults]:
    """A module of the game's package as an attribute, with defaults for what it lacks."""
    return cached_property(lambda game: with_defaults(game._module(name), defaults))


class Game:
    """One of the games. `souk.game("suleika")` finds it by name.

    `rules`, `notation`, `box` and `heuristics` are modules of its package; the optional ones are
    found by name (souk.core.game_modules).

    Args:
        secrets: whether there are choices that others may not see yet.
        open_ended: codes of moves that may be very many, for example offers; empty if none.
        usual: the usual number of players.
        order: position in lists of games, lowest first.
    """

    def __init__(
        self,
        name: str,
        players: range,
        rules: Any,
        notation: Any,
        box: Any,
        heuristics: Any = None,
        *,
        version: int = 1,
        secrets: bool = False,
        open_ended: range = range(0),
        usual: int | None = None,
        order: int = 100,
    ) -> None:
        self.name, self.players, self.version = name, players, version
        self.notation: Notation = notation
        self.box: Box = with_defaults(box, DefaultBox)
        self.heuristics: Heuristics = with_defaults(heuristics, DefaultHeuristics)
        self.stand_ins = self.heuristics.STAND_INS
        self.secrets, self.open_ended = secrets, open_ended
        self.usual, self.order = usual or players[-1], order
        self.dtype: np.dtype[np.void] = _require_packed(rules.STATE)
        self.widest: int = rules.WIDEST
        self.folder = Path(rules.__file__).parent
        self._package: str = rules.__name__.rpartition(".")[0]
        # The module whose GAME this is.
        self.module_name = self._package
        # Modules searched for game ops, in this order.
        modules = (
            rules,
            heuristics,
            self._module("endgame"),
            self._module("net_features"),
            self.observations,
            defaults,
        )
        self.rules = SimpleNamespace(
            **{
                game_op: next(
                    getattr(module, game_op) for module in modules if hasattr(module, game_op)
                )
                for game_op in GAME_OPS
            }
        )
        self.state = state_class(self.dtype, self.rules)
        self.fast_state = fast_state_factory(self.dtype, self.rules)
        self.sheet: Layout = getattr(self._module("endgame"), "SCRATCH", ())
        self.workspace = workspace_type(
            self.widest, players[-1], self.heuristics.WORKSPACE, self.net_features.MOST_SEEN
        )

    # ------------------------------------------------------------ modules of the package

    @property
    def title(self) -> str:
        """The game's title in English."""
        return self.title_in("en")

    @property
    def about(self) -> str:
        """A one-line description in English."""
        return self.about_in("en")

    def title_in(self, language: str) -> str:
        """The game's title in a language."""
        return texts(language).get(f"{self.name}.title", self.name.capitalize())

    def about_in(self, language: str) -> str:
        """A one-line description in a language."""
        return texts(language).get(f"{self.name}.line", "")

    def about_box(self, options: Options, language: str = "en") -> str:
        """The source of the box data; "" if it is the rulebook."""
        data = self.box.DATA
        return Message(data.from_options(options).about).text(language=language) if data else ""

    facts: cached_property[Facts] = _optional_module("facts", DefaultFacts)
    messages: cached_property[Messages] = _optional_module("messages", DefaultMessages)
    board_info: cached_property[BoardInfo] = _optional_module("board_info", DefaultBoardInfo)
    net_features: cached_property[NetFeatures] = _optional_module(
        "net_features", DefaultNetFeatures
    )
    explanations: cached_property[Explanations] = _optional_module(
        "explanations", DefaultExplanations
    )
    puzzles: cached_property[Puzzles] = _optional_module("puzzles", DefaultPuzzles)

    @cached_property
    def observations(self) -> Observations | None:
        """None if the game has no numeric observations."""
        module: Observations | None = self._module("observations")
        return module

    @cached_property
    def drawing(self) -> Drawing | None:
        module = self._module("svg")
        drawing: Drawing | None = module.DRAWING if module else None
        return drawing

    @cached_property
    def terminal(self) -> Terminal | None:
        module: Terminal | None = self._module("terminal")
        return module

    @cached_property
    def report(self) -> "Report":
        from souk.core.report_spec import Report  # slow to import

        module = self._module("report")
        report: Report = module.REPORT if module else Report()
        return report

    @cached_property
    def lesson(self) -> Lesson | None:
        """The scripted first game, or None."""
        path = self.folder / "texts" / "lesson.toml"
        return Lesson(self, path) if path.is_file() else None

    @cached_property
    def traced_rules(self) -> TracedRules:
        """The rules with tracers, which report facts."""
        return TracedRules(self.rules, self.facts.TRACERS)

    @cached_property
    def fast_rules(self) -> Any:
        """The game ops for playing, interpreted as fast as possible."""
        return fast_game_ops(self)

    def describe(self, facts: Iterable[Fact]) -> list[Message]:
        """Describe facts for the game log."""
        return [message for fact in facts for message in self.messages.describe(fact)]

    def try_rule(self, s: Any, rule: Function, *arguments: int) -> tuple[Any, list[Fact]]:
        """Run a rule on a copy of a state; return the copy and the facts."""
        after = s.copy()
        facts: list[Fact] = []
        after.listener = facts.append
        self.traced_rules.rule(rule)(after, *arguments)
        return after, facts

    def _module(self, name: str) -> Any:
        """A module of the game's package, or None if missing."""
        return (
            importlib.import_module(f"{self._package}.{name}")
            if (self.folder / f"{name}.py").is_file()
            else None
        )

    # ------------------------------------------------------------ positions

    def start(self, players: int | None = None, **options: Any) -> Position:
        """Start a new game.

        Options are those of `options()`; an invalid one raises ValueError naming it. A data file
        may be given by path.
        """
        return self.start_with(players, options, files=True)

    def start_with(self, players: object, options: Options, *, files: bool = False) -> Position:
        """Start a new game with untrusted options: only with `files` may they open a file."""
        count = self._check_players(players)
        chosen = self._check_options(count, options, files)
        array = self.blank(count, chosen)
        self.rules.setup(self.state(array))
        return Position(self, chosen, array)

    def options(self, players: int) -> Options:
        """All options of `start` for this number of players, with their defaults."""
        return self.box.defaults(self._check_players(players))

    def from_json(self, data: object, *, files: bool = False) -> Position:
        """Read a position; invalid data raises ValueError.

        Accepts any position that can be played on, reachable or not. With `files`, options may name
        a data file by path.
        """
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
            chosen = self._check_options(count, given, files)
        except ValueError as error:
            raise ValueError(f"options.{error}") from None
        array = self.blank(count, chosen)
        self.notation.from_json(self.state(array), fields)
        position = Position(self, chosen, array)
        if position.stuck:
            raise ValueError("phase: nothing can be played from here")
        return position

    def blank(self, players: int, options: Options) -> StateArray:
        """A state with only the options and the box data, before `setup`."""
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
            raise ValueError(
                f"players: {self.title} is for {low} to {high} players, not {brief(players)}"
            )
        return int(players)  # type: ignore[call-overload,no-any-return]

    def _check_options(self, players: int, given: Mapping[str, Any], files: bool) -> Options:
        """Validate options, replacing the path of a data file by its text."""
        data = self.box.DATA
        path = given.get(data.option) if data and files else None
        if data is None or not data.is_path(path):
            return self._checked(players, given)
        try:
            return self._checked(players, {**given, data.option: data.text_of(str(path))})
        except BoxProblem as problem:
            raise problem.in_file(Path(str(path)).name) from None

    def _checked(self, players: int, given: Mapping[str, Any]) -> Options:
        listed = self.box.defaults(players)
        extra = self.box.extra()  # kept only if not the default
        known = listed | extra
        elsewhere = {
            name: default
            for count in self.players
            for name, default in self.box.defaults(count).items()
        }
        for name, value in given.items():
            if name in known or (name in elsewhere and value == elsewhere[name]):
                continue
            if name in elsewhere:
                raise ValueError(
                    f"{name}: there is no such choice with {players} player{'s' * (players > 1)}"
                )
            raise ValueError(
                f"{name}: {self.title} has no such option. {suggestion(name, elsewhere | extra)}"
            )
        chosen = self.box.check(
            players, known | {name: _without_numpy(given[name]) for name in given if name in known}
        )
        data = self.box.DATA
        if data and is_text(chosen.get(data.option)):
            chosen = chosen | {data.option: data.compact(chosen[data.option])}
        return {
            name: value for name, value in chosen.items() if name in listed or value != extra[name]
        }

    def __repr__(self) -> str:
        return f"souk.game({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy by reference: each game is a singleton."""
        return _game_in, (self.module_name,)


def _game_in(module_name: str) -> Game:
    game: Game = importlib.import_module(module_name).GAME
    return game
