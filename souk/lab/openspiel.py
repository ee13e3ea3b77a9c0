"""Our games in OpenSpiel: `import souk.lab.openspiel`, then `pyspiel.load_game("souk_suleika(players=2)")`.

Registered is every game without secrets: there at most one seat is to move at a time, which is OpenSpiel's sequential play.
An action is the place of a move, or of a chance outcome, in the position's own list. Rewards come at the end and add up to
nothing: a win alone is 1, and the others share the loss.
"""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyspiel

from souk.core import defaults
from souk.core.batches import kernel_folder
from souk.core.game import Game, Options
from souk.core.playouts import lowest_seat
from souk.core.position import Position
from souk.core.rule import rule
from souk.core.state import RecordArray
from souk.core.verbs import actors, moves, outcomes, over, play, resolve, standing
from souk.games import game as find_game
from souk.games import names

_LONGEST = 10_000  # events of a game, far more than there are
_NOBODY, _CHANCE = -2, -1  # who is to move, where it is no seat


@rule
def go_on(states: Any, seat: int, code: int, out: Any, weights: Any, scores: Any) -> Any:
    """Make a seat's move, or let chance show an outcome, or nothing. Write what can happen then; return who is next (a seat, or
    chance, or nobody), how many things can happen, and who has won."""
    s = states[0]
    if seat >= 0:
        play(s, seat, code)
    elif seat == _CHANCE:
        resolve(s, code)
    if over(s):
        return _NOBODY, 0, standing(s, scores)
    seats = actors(s)
    if seats == 0:
        return _CHANCE, outcomes(s, out, weights), 0
    mover = lowest_seat(seats)
    return mover, moves(s, mover, out), 0


class _Node:
    """A position, and what can happen in it. Copied by OpenSpiel with every state."""

    __slots__ = ("codes", "mover", "record", "weights", "winners")

    def __init__(self, record: RecordArray) -> None:
        self.record = record
        self.mover, self.winners = _NOBODY, 0
        self.codes: list[int] = []
        self.weights: list[int] = []

    def __deepcopy__(self, memo: object) -> "_Node":
        twin = _Node(self.record.copy())
        twin.mover, twin.winners, twin.codes, twin.weights = self.mover, self.winners, self.codes, self.weights
        return twin


class SoukGame(pyspiel.Game):  # type: ignore[misc]
    """A table of one of our games; which one, its subclasses say."""

    souk_game: ClassVar[Game]

    def __init__(self, params: Any = None) -> None:
        game, parameters = self.souk_game, dict(params or {})
        players = int(parameters.get("players", _fewest(game)))
        self.start = game.start(players, **_options(game, players, parameters))
        info = pyspiel.GameInfo(
            num_distinct_actions=game.widest,
            max_chance_outcomes=game.widest,
            num_players=players,
            min_utility=-1.0 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_LONGEST,
        )
        super().__init__(_game_type(game), info, parameters)
        self._kernel = _kernel(game)
        self._room = np.zeros(game.widest, np.int32), np.zeros(game.widest, np.int32), np.zeros(players, np.int32)
        self._first = _Node(self.start.record.copy())
        self.advance(self._first, _NOBODY, 0)

    def advance(self, node: _Node, seat: int, code: int) -> None:
        node.mover, n, node.winners = self._kernel(node.record, seat, code, *self._room)
        node.codes = self._room[0][:n].tolist()
        node.weights = self._room[1][:n].tolist() if node.mover == _CHANCE else []

    def new_initial_state(self, state: object = None) -> "SoukState":
        if state is not None:
            raise ValueError("state: a game begins at its start here; `state_at` takes a position")
        return SoukState(self, self._first.__deepcopy__(None))

    def state_at(self, position: Position) -> "SoukState":
        """The state of a position of this table."""
        node = _Node(position.record.copy())
        self.advance(node, _NOBODY, 0)
        return SoukState(self, node)


def load(name: str, **parameters: Any) -> SoukGame:
    """OpenSpiel's `load_game` for one of our games by our name."""
    found: SoukGame = pyspiel.load_game(_short_name(name), parameters)
    return found


def _short_name(name: str) -> str:
    return f"souk_{name.replace('-', '_')}"


class SoukState(pyspiel.State):  # type: ignore[misc]
    """A position as OpenSpiel asks for it."""

    def __init__(self, game: SoukGame, node: _Node) -> None:
        super().__init__(game)
        self._node = node

    @property
    def position(self) -> Position:
        game: SoukGame = self.get_game()
        return Position(game.souk_game, game.start.options, self._node.record.copy())

    def current_player(self) -> int:
        mover = self._node.mover
        if mover >= 0:
            return mover
        return int(pyspiel.PlayerId.CHANCE if mover == _CHANCE else pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return self._node.mover == _NOBODY

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._node.codes))) if player == self._node.mover else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        total = sum(self._node.weights)
        return [(action, weight / total) for action, weight in enumerate(self._node.weights)]

    def _apply_action(self, action: int) -> None:
        node = self._node
        self.get_game().advance(node, node.mover, node.codes[action])

    def returns(self) -> list[float]:
        players, winners = self.num_players(), self._node.winners
        shared = winners.bit_count()
        if not shared:
            return [0.0] * players
        return [(players * (winners >> seat & 1) / shared - 1) / (players - 1) for seat in range(players)]

    def _action_to_string(self, player: int, action: int) -> str:
        words, state = self.get_game().souk_game.words, self.get_game().souk_game.state(self._node.record)
        text = words.outcome_text if player == pyspiel.PlayerId.CHANCE else words.move_text
        return str(text(state, self._node.codes[action]))

    def __str__(self) -> str:
        return str(self.position.to_json())


# ---------------------------------------------------------------- registering


def _kernel(game: Game) -> Any:
    from souk.core.compiling import cpu_entry

    return cpu_entry(game, go_on, kernel_folder(game, "go_on", str(Path(__file__))))


def _fewest(game: Game) -> int:
    """The least number of players: alone there is nobody to win against."""
    return max(2, game.players[0])


def _default(value: object) -> Any:
    """An option's default as a parameter. What is not a number or a word here is written as words with spaces between."""
    return value if isinstance(value, bool | int | str) else ""


def _option(value: object, default: object) -> Any:
    """An option from its parameter: "3 8" is a pair, "" what is drawn."""
    if isinstance(default, bool | int | str) or not isinstance(value, str):
        return value
    found = [int(word) if word.isdigit() else word for word in value.split()]
    return tuple(found) if len(found) > 1 else found[0] if found else default


def _options(game: Game, players: int, parameters: dict[str, Any]) -> Options:
    known = game.options(players)
    return {name: _option(parameters[name], known[name]) for name in known if name in parameters}


def _game_type(game: Game) -> Any:
    options = {name: _default(value) for name, value in game.options(_fewest(game)).items()}
    return pyspiel.GameType(
        short_name=_short_name(game.name),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=_fewest(game),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={"players": _fewest(game)} | options,
    )


for _name in names():
    _game = find_game(_name)
    if _game.rules.veil is defaults.veil:  # it has no secrets
        # A class, and not a function: OpenSpiel lets go of what is registered after Python has ended, which only a class survives.
        pyspiel.register_game(_game_type(_game), type(_game.title, (SoukGame,), {"souk_game": _game}))
