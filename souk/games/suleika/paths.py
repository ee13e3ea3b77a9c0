"""Omar's ways: where a walk leads, and how that is written.

A way is a text of fields, one step from each to the next: "c4 b4 a4 a5e". A letter behind a field is the direction Omar faces
there; in the middle of a way it says that a balcony led him to this field.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from souk.games.suleika import rules
from souk.games.suleika.notation import DIRECTIONS, field_name

Steps = tuple[tuple[int, int], ...]  # a field and the direction Omar faces on it, after each step


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
    """Only a balcony turns Omar while he walks."""
    parts = []
    for field, now in walked:
        parts.append(field_name(field) + (DIRECTIONS[now] if now != facing else ""))
        facing = now
    return " ".join(parts)


# ---------------------------------------------------------------- all of them

FACES = 4  # S6: the die shows as much at most
# By field, direction and face of the die: where Omar stops, and the direction he then faces.
STOPS, HEADINGS = np.moveaxis(
    np.array([[walk(field, facing, FACES) for facing in range(4)] for field in range(rules.SIDE**2)]), -1, 0
).copy()
