"""Many games: simulations, tournaments, reports, and the games in the tools that researchers use."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from souk.lab.environments.batch import Batch as Batch

__all__ = ["Batch"]

_ASKED_FOR = ("gymnasium", "openspiel", "pettingzoo", "picture")  # each brings a package that is not always there


def __getattr__(name: str) -> Any:
    """`souk.lab.Batch`, `souk.lab.pettingzoo` and the like, loaded when they are asked for: the rest of the house need not wait."""
    if name == "Batch":
        from souk.lab.environments.batch import Batch

        return Batch
    if name in _ASKED_FOR:
        return importlib.import_module(f"souk.lab.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
