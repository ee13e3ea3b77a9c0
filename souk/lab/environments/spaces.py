"""What PettingZoo and Gymnasium ask of an environment alike: its spaces, and settings that make sense."""

from typing import Any

import numpy as np
from gymnasium import spaces

from souk.core.fields import brief
from souk.lab.environments.single import RENDER_MODES, Single


def single_game(
    game: str, players: int | None, actions: str, render_mode: str | None, options: dict[str, Any]
) -> Single:
    """A game for an environment; ValueError names the setting that makes no sense."""
    if actions not in ("composed", "raw"):
        raise ValueError(f'actions: must be "composed" or "raw", not {brief(actions)}')
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f'render_mode: must be "ansi", "rgb_array" or None, not {brief(render_mode)}')
    return Single(game, players, actions == "raw", options)


def observation_space(single: Single) -> spaces.Dict:
    """The numbers of an observation within their bounds, and the mask of actions."""
    fields = single.numbers.fields
    sizes = [field.size for field in fields]
    low, high = (
        np.repeat(bound, sizes).astype(np.int16) for bound in zip(*((f.low, f.high) for f in fields), strict=True)
    )
    mask = spaces.Box(0, 1, (single.actions,), np.int8)
    return spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int16), "action_mask": mask})
