"""PettingZoo environments: `souk.lab.pettingzoo.env("basari", players=4)`.

Agents are `seat_0`, `seat_1`, … Secret choices are made in turn, lowest seat first; the others see
only that a choice was made. An observation is a dictionary of `observation` (integers, see
docs/program/observations.md) and `action_mask`. Rewards come at the end: 1 for a sole win, the
others share the loss.
"""

from typing import Any

from souk.kernel.distribution import install_command

try:
    from gymnasium.spaces import Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    raise ImportError(f"PettingZoo is missing: {install_command('lab')}") from error

from souk.core.json_fields import brief
from souk.lab.environments.single_game import RENDER_MODES
from souk.lab.environments.spaces import observation_space, single_game


def env(game: str, players: int | None = None, **settings: Any) -> OrderEnforcingWrapper:
    """The environment in PettingZoo's wrapper that checks the call order.

    Settings are those of `raw_env`.
    """
    return OrderEnforcingWrapper(raw_env(game, players, **settings))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801
    """The environment of one game.

    With `actions="composed"`, an offer is built gem by gem; with `"raw"`, an action is an index
    into the list of moves. Other settings are the game's options.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        players: int | None = None,
        *,
        actions: str = "composed",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._single = single_game(game, players, actions, render_mode, options)
        self.render_mode = render_mode
        self.metadata = self.metadata | {"name": f"souk_{game.replace('-', '_')}_v0"}
        self.possible_agents = [f"seat_{seat}" for seat in range(self._single.players)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {
            agent: observation_space(self._single) for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: Discrete(self._single.actions) for agent in self.possible_agents
        }

    @property
    def position(self) -> Any:
        """A copy of the current `souk.Position`."""
        return self._single.position.copy()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        self._single.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._single.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        return self._single.seen(self._seat_of[agent])

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if not self._single.allows(action):
            raise ValueError(
                f"action: {brief(action)} is illegal; action_mask shows the legal actions"
            )
        if self._single.take(int(action)):  # type: ignore[arg-type]
            self.rewards = dict(zip(self.agents, self._single.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        else:
            self.agent_selection = self.possible_agents[self._single.seat]

    def render(self) -> Any:
        """The table as seen by the selected agent."""
        return self._single.render(self.render_mode, self._seat_of[self.agent_selection])

    def action_text(self, action: int) -> str:
        """The text of a legal action."""
        return self._single.text_of(action)

    def close(self) -> None:
        """Nothing to release."""
