"""Argument validation shared by the lab."""

from souk.core.json_fields import brief, is_whole


def check_whole(name: str, value: object, low: int, high: int) -> int:
    """Return `value` as an int; raise ValueError unless it is whole and from `low` to `high`."""
    if not is_whole(value) or not low <= value <= high:  # type: ignore[operator]
        raise ValueError(f"{name}: must be a whole number from {low} to {high}, not {brief(value)}")
    return int(value)  # type: ignore[call-overload,no-any-return]


def check_seed(seed: object) -> int:
    return check_whole("seed", seed, 0, 2**64 - 1)
