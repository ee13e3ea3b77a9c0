"""Made-up positions: random positions with values replaced, if `from_json` accepts them."""

import random
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import souk
from tests.support.play import play_on

# fmt: off
NUMBERS = (
    0, 1, 2, 3, 4, 5, 6, 9, 10, 12, 14, 15, 20,
    25, 27, 28, 45, 49, 99, 150, 199, 200, 299, 999, 9999,
)
# fmt: on
CHANGES = 3
TRIES = 40


class Place(NamedTuple):
    """A value within JSON, by its container and key."""

    within: Any
    key: Any

    @property
    def value(self) -> Any:
        return self.within[self.key]

    def put(self, value: Any) -> None:
        self.within[self.key] = value


def places(data: Any) -> Iterator[Place]:
    """All scalar values of a position."""
    for key, value in list(data.items() if isinstance(data, dict) else enumerate(data)):
        if isinstance(value, dict | list) and value:
            yield from places(value)
        else:
            yield Place(data, key)


def made_up(name: str, players: int, options: dict[str, Any], seed: int) -> souk.Position:
    """A possibly unreachable position without secrets, with about three changed values.

    Some are raised as high as accepted.
    """
    rng = random.Random(f"{name} {players} {options} {seed}")
    game = souk.game(name)
    path = islice(
        play_on(game.start(players, **options), rng.getrandbits(32)), rng.randrange(1, 200)
    )
    *_, reached = (pos for pos in path if not pos.has_secrets)
    data = reached.to_json()
    own = {field: data[field] for field in data if field not in ("game", "players", "options")}
    changed = 0
    for _ in range(TRIES):
        changed += rng.choice([replace, replace, raise_all])(
            rng, own, lambda: accepts(game, data | own)
        )
        if changed >= CHANGES:
            break
    return game.from_json(data | own)


def accepts(game: Any, data: dict[str, Any]) -> bool:
    try:
        return not game.from_json(data).has_secrets
    except ValueError:
        return False


def replace(rng: random.Random, own: dict[str, Any], accepted: Callable[[], bool]) -> bool:
    """Replace one value by another number, or by a value from elsewhere, if accepted."""
    where = list(places(own))
    place, other = rng.choice(where), rng.choice(where)
    before = place.value
    place.put(another(rng, before, other.value))
    if not accepted():
        place.put(before)
    return place.value != before


def another(rng: random.Random, value: Any, elsewhere: Any) -> Any:
    """Another number for a value or its numeric suffix (a rug's), or the value from elsewhere."""
    if rng.random() < 0.4:
        return elsewhere
    number = rng.choice(NUMBERS)
    return re.sub(r"\d+$", str(number), value) if isinstance(value, str) else number


def raise_all(rng: random.Random, own: dict[str, Any], accepted: Callable[[], bool]) -> bool:
    """Raise all numbers of one field as high as accepted."""
    field = rng.choice([name for name in own if name != "turn"])
    within = places(own[field]) if isinstance(own[field], dict | list) else [Place(own, field)]
    raised = [raise_number(place, accepted) for place in within if type(place.value) is int]
    return any(raised)


def raise_number(place: Place, accepted: Callable[[], bool]) -> bool:
    """Raise a number as high as accepted."""
    before, beyond = place.value, 40_000
    high = before
    while beyond - high > 1:
        place.put((high + beyond) // 2)
        if accepted():
            high = place.value
        else:
            beyond = place.value
    place.put(high)
    return bool(high != before)
