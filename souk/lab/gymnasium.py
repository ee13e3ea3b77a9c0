"""Gymnasium environments: you play one seat, bots the others.

    import gymnasium, souk.lab.gymnasium
    env = gymnasium.make("souk/Suleika-v0", players=4, opponents="merchant")

Observations and actions are those of `souk.lab.pettingzoo`. The reward comes at the end. An illegal
action loses at once (reward -1, reason in `info["refused"]`), so that untrained agents can run.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, ClassVar

from souk.kernel.distribution import install_command

try:
    import gymnasium
    from gymnasium.spaces import Discrete
except ImportError as error:
    raise ImportError(f"Gymnasium is missing: {install_command('lab')}") from error

from souk.bots.bot import Bot
from souk.bots.registry import make_bot
from souk.core.json_fields import brief
from souk.games import names
from souk.lab.environments.single_game import RENDER_MODES
from souk.lab.environments.spaces import observation_space, single_game
from souk.lab.validation import check_whole


class Env(gymnasium.Env[dict[str, Any], int]):
    """A table with bots in all seats but one.

    `opponents` is a bot's name, or a list with one for each other seat.
    """

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
            # raises ValueError for unknown bots
            with make_bot(name) as bot:
                bot.check(self.single.game)
        self.seat, self.render_mode = int(seat), render_mode
        self._bots: dict[int, Bot] = {}
        self._bot_stack = ExitStack()
        self._ended = True
        self.observation_space = observation_space(self.single)
        self.action_space = Discrete(self.single.actions)  # type: ignore[assignment]

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        self.close()
        dice, *seeds = (
            int(number) for number in self.np_random.integers(0, 2**62, 1 + len(self.opponents))
        )
        others = [other for other in range(self.single.players) if other != self.seat]
        for other, name, bot_seed in zip(others, self.opponents, seeds, strict=True):
            self._bots[other] = self._bot_stack.enter_context(make_bot(name, seed=bot_seed))
        self.single.begin(dice)
        self._ended = self._until_my_turn()
        return self.single.seen(self.seat), self._info()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if self._ended:
            raise ValueError("action: the game is over; reset() begins the next")
        if not self.single.allows(action):
            self._ended = True
            refused = {
                "refused": f"{brief(action)} is illegal; action_mask shows the legal actions"
            }
            return self.single.seen(self.seat), -1.0, True, False, refused
        self._ended = self.single.take(int(action)) or self._until_my_turn()
        reward = self.single.rewards()[self.seat] if self._ended else 0.0
        return self.single.seen(self.seat), reward, self._ended, False, self._info()

    def _until_my_turn(self) -> bool:
        """Play the bots' moves; return True if the game ends first."""
        single = self.single
        while single.seat != self.seat:
            if single.seat < 0 or single.play(
                self._bots[single.seat].choose(single.position, single.seat).move
            ):
                return True
        return False

    def _info(self) -> dict[str, Any]:
        return {"scores": self.single.position.scores} if self._ended else {}

    def render(self) -> Any:
        """The table as seen from the agent's seat."""
        return self.single.render(self.render_mode, self.seat)

    def close(self) -> None:
        """Close the bots."""
        self._bot_stack.close()
        self._bots.clear()


def env(game: str, players: int | None = None, **settings: Any) -> Env:
    """The environment of a game by name, like `souk.lab.pettingzoo.env`.

    Settings are those of `Env`.
    """
    return Env(game, players, **settings)


for _name in names():
    _title = _name.title().replace("-", "")
    gymnasium.register(f"souk/{_title}-v0", "souk.lab.gymnasium:Env", kwargs={"game": _name})
