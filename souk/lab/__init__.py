"""Many games: simulations, tournaments, reports, and the games in the tools that researchers use."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from souk.lab.batch import Batch as Batch

__all__ = ["Batch"]


def __getattr__(name: str) -> Any:
    """`souk.lab.Batch`, loaded when it is asked for: the rest of the house need not wait for it."""
    if name == "Batch":
        from souk.lab.batch import Batch

        return Batch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
