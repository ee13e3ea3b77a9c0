"""Spaces and setting checks shared by the PettingZoo and Gymnasium environments."""

from typing import Any

import numpy as np
from gymnasium import spaces

from souk.core.json_fields import brief
from souk.lab.environments.single_game import RENDER_MODES, SingleGame


def single_game(
    game: str, players: int | None, actions: str, render_mode: str | None, options: dict[str, Any]
) -> SingleGame:
    """A game for an environment; ValueError names an invalid setting."""
    if actions not in ("composed", "raw"):
        raise ValueError(f'actions: must be "composed" or "raw", not {brief(actions)}')
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(
            f'render_mode: must be "ansi", "rgb_array" or None, not {brief(render_mode)}'
        )
    return SingleGame(game, players, actions == "raw", options)


def observation_space(single: SingleGame) -> spaces.Dict:
    """The space of observations with their bounds and the action mask."""
    fields = single.numbers.fields
    sizes = [field.size for field in fields]
    low, high = (
        np.repeat(bound, sizes).astype(np.int16)
        for bound in zip(*((f.low, f.high) for f in fields), strict=True)
    )
    mask = spaces.Box(0, 1, (single.actions,), np.int8)
    return spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int16), "action_mask": mask})
