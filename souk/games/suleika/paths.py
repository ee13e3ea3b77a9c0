"""Omar's paths: where a walk leads, and its text form.

A path is written as fields, one step each: "c4 b4 a4 a5e". A letter after a field is the direction
Omar faces there; within a path it shows that a balcony led him to this field.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from souk.games.suleika import rules
from souk.games.suleika.notation import DIRECTIONS, field_name

Steps = tuple[tuple[int, int], ...]  # after each step: the field, and the direction Omar faces


@cache
def walk(field: int, facing: int, steps: int) -> Steps:
    """S11–S12: where a walk leads."""
    omar, walked = SimpleNamespace(omar=field, facing=facing), list[tuple[int, int]]()
    for _ in range(steps):
        rules.walk_one(omar)
        walked.append((int(omar.omar), int(omar.facing)))
    return tuple(walked)


@cache
def way_text(facing: int, walked: Steps) -> str:
    """A path as text. Only a balcony turns Omar while he walks."""
    parts = []
    for field, now in walked:
        parts.append(field_name(field) + (DIRECTIONS[now] if now != facing else ""))
        facing = now
    return " ".join(parts)


# ---------------------------------------------------------------- all paths

FACES = 4  # S6: highest face of the die
# By field, direction and face of the die: Omar's stop, and the direction he then faces.
STOPS, HEADINGS = np.moveaxis(
    np.array(
        [[walk(field, facing, FACES) for facing in range(4)] for field in range(rules.SIDE**2)]
    ),
    -1,
    0,
).copy()
