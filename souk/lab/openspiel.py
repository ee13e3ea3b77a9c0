"""OpenSpiel games: `import souk.lab.openspiel`, then `pyspiel.load_game("souk_basari(players=4)")`.

An action is an index into the position's list of moves or chance outcomes. Secret choices are one
simultaneous node, so no state contains an unrevealed choice. Rewards come at the end and sum to
zero: 1 for a sole win, the others share the loss. A solitaire score is a cost. See
docs/research/openspiel.md.
"""

import base64
import binascii
import json
import zlib
from typing import Any, ClassVar

import numpy as np

from souk.core.game import Game
from souk.core.game_modules import Options
from souk.core.json_fields import brief
from souk.core.observation_spec import places
from souk.core.position import Position
from souk.games import game as find_game
from souk.games import names
from souk.kernel.distribution import install_command
from souk.lab.environments.openspiel_node import CHANCE, OVER, Node, Transitions
from souk.lab.environments.step_kernels import reward
from souk.lab.validation import check_whole

try:
    import pyspiel
except ModuleNotFoundError:
    raise ModuleNotFoundError(f"OpenSpiel is not installed: {install_command('lab')}") from None

# upper limit on moves per game, far above any real one
_LONGEST = 10_000
# if both sides of a haggle always raise by the minimum
_LONGEST_HAGGLING = 100_000_000
# as in random play; more than exist
_OFFERS, _MOST_OFFERS = 8, 1_000_000


class SoukGame(pyspiel.Game):  # type: ignore[misc]
    """One table of a game; subclasses set which game."""

    souk_game: ClassVar[Game]

    def __init__(self, params: Any = None) -> None:
        game = self.souk_game
        parameters = _specification(game) | dict(params or {})
        self.start = _start(game, parameters)
        players = self.start.players
        offers = (
            check_whole("offers", parameters["offers"], 1, _MOST_OFFERS) if game.open_ended else 0
        )
        self.steps = Transitions(game, players, offers)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.steps.widest,
            max_chance_outcomes=game.widest,
            num_players=players,
            min_utility=-1.0 / (players - 1) if players > 1 else -float(_LONGEST),
            max_utility=1.0 if players > 1 else 0.0,
            utility_sum=0.0 if players > 1 else None,
            max_game_length=_LONGEST_HAGGLING if offers else _LONGEST,
        )
        super().__init__(_game_type(game, players), info, parameters)
        self._first = self.steps.root(self.start.array)

    def new_initial_state(self, state: object = None) -> "SoukState":
        if state is not None:
            raise ValueError("state: games begin at their start; use `state_at` for a position")
        return SoukState(self, self._first)

    def state_at(self, position: Position) -> "SoukState":
        """The state of a position of this table, with an empty history.

        To start games from a position, see `load`.
        """
        if (position.game, position.players) != (self.souk_game, self.num_players()):
            raise ValueError(f"position: {position!r} is not of {self}")
        _check_open(position)
        state = SoukState(self, self.steps.root(position.array))
        state._begun = _text(position)
        return state

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "Observer":
        if kind and params:
            raise ValueError(f"params: an observer takes none, not {brief(params)}")
        return Observer(self.souk_game, kind or pyspiel.IIGObservationType(perfect_recall=False))


class SoukState(pyspiel.State):  # type: ignore[misc]
    """A position as an OpenSpiel state."""

    # start of the history, if it is not the game's start
    _begun = ""

    def __init__(self, game: SoukGame, node: Node) -> None:
        super().__init__(game)
        # OpenSpiel copies only this
        self._node = node

    @property
    def position(self) -> Position:
        game: SoukGame = self.get_game()
        return Position(game.souk_game, game.start.options, self._node.array.copy())

    @property
    def story(self) -> str:
        """The full history, all of it public."""
        return f"{self._begun}{self.history_str()}"

    def current_player(self) -> int:
        return self._node.mover

    def is_terminal(self) -> bool:
        return self._node.mover == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._node.codes.get(player, ()))))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        total = sum(self._node.weights)
        return [(action, weight / total) for action, weight in enumerate(self._node.weights)]

    def _apply_action(self, action: int) -> None:
        self._node = self.get_game().steps.after(self._node, self._node.mover, action)

    def _apply_actions(self, actions: list[int]) -> None:
        self._node = self.get_game().steps.after_all(self._node, actions)

    def returns(self) -> list[float]:
        players, winners = self.num_players(), self._node.winners
        if not self.is_terminal():
            return [0.0] * players
        if players == 1:
            return [-float(self._node.scores[0])]
        return [float(reward(winners, players, seat)) for seat in range(players)]

    def _action_to_string(self, player: int, action: int) -> str:
        game: Game = self.get_game().souk_game
        text = game.notation.outcome_text if player == CHANCE else game.notation.move_text
        return text(game.state(self._node.array), self._node.codes[player][action])

    def __str__(self) -> str:
        return _text(self.position)


class Observer:
    """Observations (the position as seen by a seat) and information states (the full history).

    Observations also contain the fields of the game's `observations.py`.
    """

    def __init__(self, game: Game, kind: Any) -> None:
        self._kind = kind
        self.tensor: np.ndarray[Any, np.dtype[np.float32]] | None = None
        self.dict: dict[str, Any] = {}
        module = game.observations
        if module and kind.public_info and not kind.perfect_recall:
            tensor = np.zeros(sum(field.size for field in module.FIELDS), np.float32)
            self.tensor = tensor
            self.dict = {name: tensor[place] for name, place in places(module.FIELDS).items()}

    def set_from(self, state: SoukState, player: int) -> None:
        if self.tensor is not None:
            seen = [0] * len(self.tensor)
            view = state.position.seen_by(player)
            view.game.rules.observe(view.state, player, 0, seen)
            self.tensor[:] = seen

    def string_from(self, state: SoukState, player: int) -> str:
        if not self._kind.public_info:
            # There is no private information between two events.
            return ""
        return state.story if self._kind.perfect_recall else _text(state.position.seen_by(player))


# ---------------------------------------------------------------- a game by its parameters


def load(name: str, *, position: Position | None = None, **parameters: Any) -> SoukGame:
    """`pyspiel.load_game` with our game names and the options of `Game.start`.

    With a position, games begin there, at its table.
    """
    game = find_game(name)
    given = {key: _parameter(value) for key, value in parameters.items() if value is not None}
    if position is not None:
        for key in given.keys() - {"offers"}:
            raise ValueError(f"{key}: is set by the position; only offers may be given with it")
        given["position"] = packed(position)
    loaded: SoukGame = pyspiel.load_game(_short_name(game), given)
    return loaded


def packed(position: Position) -> str:
    """A position as a value of the parameter `position`, which cannot contain commas."""
    return base64.urlsafe_b64encode(zlib.compress(_text(position).encode(), 9)).decode().rstrip("=")


def _unpacked(game: Game, text: str) -> Position:
    try:
        data = json.loads(zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))))
    except (binascii.Error, zlib.error, ValueError):
        raise ValueError(
            f"position: must be a result of souk.lab.openspiel.packed, not {brief(text)}"
        ) from None
    try:
        return game.from_json(data)
    except ValueError as error:
        raise ValueError(f"position: {error}") from None


def _text(position: Position) -> str:
    return json.dumps(position.to_json())


def _check_open(position: Position) -> None:
    """Raise ValueError for unrevealed choices, which OpenSpiel would treat as public."""
    if position.seen_by(-1) != position:
        raise ValueError(
            "position: contains a secret choice; use the position before the first choice"
        )


def _start(game: Game, parameters: dict[str, Any]) -> Position:
    """The start position. Writes the table settings of a given position into `parameters`."""
    unset = _specification(game)
    if not parameters["position"]:
        options = {
            name: _option(parameters[name], default) for name, default in _options(game).items()
        }
        return game.start(parameters["players"], **options)
    position = _unpacked(game, parameters["position"])
    _check_open(position)
    options = {
        name: unset[name] if value is None else _parameter(value)
        for name, value in position.options.items()
    }
    from_position = {"players": position.players} | options
    for name, value in from_position.items():
        if parameters[name] not in (unset[name], value):
            raise ValueError(
                f"{name}: is {brief(value)} in the position, not {brief(parameters[name])}"
            )
    parameters |= from_position
    return position


def _options(game: Game) -> Options:
    """Every option at any number of players, with its default."""
    extra: Options = getattr(game.box, "extra", dict)()
    return {
        name: value for players in game.players for name, value in game.options(players).items()
    } | extra


def _parameter(value: object) -> Any:
    """An option as a parameter: pairs become words separated by spaces."""
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else value


def _option(value: object, default: object) -> Any:
    """An option from its parameter."""
    if default is not None:
        return value
    words = [int(word) if word.isdigit() else word for word in str(value).split()]
    return None if words in ([], ["-1"]) else words[0] if len(words) == 1 else tuple(words)


# ---------------------------------------------------------------- registering


def _short_name(game: Game) -> str:
    return f"souk_{game.name.replace('-', '_')}"


def _specification(game: Game) -> dict[str, Any]:
    """Every parameter with its default; players default to at least two."""
    players = max(2, game.players[0])
    options = {
        name: _unset(game, players, name) if value is None else value
        for name, value in _options(game).items()
    }
    offers = {"offers": _OFFERS} if game.open_ended else {}
    return {"players": players} | options | offers | {"position": ""}


def _unset(game: Game, players: int, name: str) -> int | str:
    """The parameter value for an option that is None; its type must be that of set values."""
    try:
        game.start(players, **{name: 0})
    except ValueError:
        return ""
    return -1


def _game_type(game: Game, players: int) -> Any:
    kinds = pyspiel.GameType
    secrets = game.secrets
    return kinds(
        short_name=_short_name(game),
        long_name=game.title,
        dynamics=kinds.Dynamics.SIMULTANEOUS if secrets else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if players > 1 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=game.observations is not None,
        provides_factored_observation_string=True,
        parameter_specification=_specification(game),
    )


for _name in names():
    _game = find_game(_name)
    # A class, not a function: OpenSpiel releases registered objects after the interpreter has shut
    # down, which only a class survives.
    pyspiel.register_game(
        _game_type(_game, _game.players[-1]), type(_game.title, (SoukGame,), {"souk_game": _game})
    )
