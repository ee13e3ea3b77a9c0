"""Our games in Gymnasium: one seat is yours, bots play the others.

    import gymnasium, souk.lab.gymnasium
    env = gymnasium.make("souk/Suleika-v0", players=4, opponents="merchant")

Observations and actions are those of `souk.lab.pettingzoo`. The reward comes at the end. An action that is not allowed loses the game at
once, with a reward of -1, and `info["refused"]` says why: a program that takes any action at all can run.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, ClassVar

try:
    import gymnasium
    from gymnasium.spaces import Discrete
except ImportError as error:
    raise ImportError("Gymnasium is missing: pip install souk[lab]") from error

from souk.bots.bot import Bot
from souk.bots.registry import named
from souk.core.fields import brief
from souk.games import names
from souk.lab.checks import check_whole
from souk.lab.environments.single import RENDER_MODES
from souk.lab.environments.spaces import observation_space, single_game


class Env(gymnasium.Env[dict[str, Any], int]):
    """A table of one of our games at which bots hold all seats but one. `opponents`: a bot's name, or one for each of the other seats."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        players: int | None = None,
        opponents: str | Sequence[str] = "merchant",
        seat: int = 0,
        *,
        actions: str = "composed",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.single = single_game(game, players, actions, render_mode, options)
        others = self.single.players - 1
        check_whole("seat", seat, 0, others)
        self.opponents = [opponents] * others if isinstance(opponents, str) else list(opponents)
        if len(self.opponents) != others:
            raise ValueError(f"opponents: must be one bot or {others}, not {len(self.opponents)}")
        for name in self.opponents:
            with named(name) as bot:  # refuses what is no bot
                bot.check(self.single.game)
        self.seat, self.render_mode = int(seat), render_mode
        self._bots: dict[int, Bot] = {}
        self._hired = ExitStack()
        self._ended = True
        self.observation_space = observation_space(self.single)
        self.action_space = Discrete(self.single.actions)  # type: ignore[assignment]

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002  # Gymnasium's
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        self.close()
        dice, *seeds = (int(number) for number in self.np_random.integers(0, 2**62, 1 + len(self.opponents)))
        others = [each for each in range(self.single.players) if each != self.seat]
        for each, name, own in zip(others, self.opponents, seeds, strict=True):
            self._bots[each] = self._hired.enter_context(named(name, seed=own))
        self.single.begin(dice)
        self._ended = self._until_my_turn()
        return self.single.seen(self.seat), self._info()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if self._ended:
            raise ValueError("action: the game is over; reset() begins the next")
        if not self.single.allows(action):
            self._ended = True
            refused = {"refused": f"{brief(action)} is not allowed here; action_mask says which are"}
            return self.single.seen(self.seat), -1.0, True, False, refused
        self._ended = self.single.take(int(action)) or self._until_my_turn()
        reward = self.single.rewards()[self.seat] if self._ended else 0.0
        return self.single.seen(self.seat), reward, self._ended, False, self._info()

    def _until_my_turn(self) -> bool:
        """The bots' moves. True if the game ends before it is my turn."""
        single = self.single
        while single.seat != self.seat:
            if single.seat < 0 or single.play(self._bots[single.seat].choose(single.position, single.seat).move):
                return True
        return False

    def _info(self) -> dict[str, Any]:
        return {"scores": self.single.position.scores} if self._ended else {}

    def render(self) -> Any:
        """The table as my seat sees it."""
        return self.single.render(self.render_mode, self.seat)

    def close(self) -> None:
        """Let the bots go."""
        self._hired.close()
        self._bots.clear()


def env(game: str, players: int | None = None, **settings: Any) -> Env:
    """The environment by the game's name, as `souk.lab.pettingzoo.env` makes one. Settings are those of `Env`."""
    return Env(game, players, **settings)


for _name in names():
    _title = _name.title().replace("-", "")
    gymnasium.register(f"souk/{_title}-v0", "souk.lab.gymnasium:Env", kwargs={"game": _name})
