"""Many games: simulations, tournaments, reports, and the games in the tools that researchers use.

What programs use is found here by its name, and loaded when it is asked for, so that the rest of the house need not wait:
`souk.lab.Batch`, `souk.lab.census`, `souk.lab.play_tournament`, `souk.lab.measure` and so on. What brings a package of its own, which may not
be there, is a module to be imported by itself: `souk.lab.pettingzoo`, `souk.lab.gymnasium`, `souk.lab.openspiel`, `souk.lab.picture`.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from souk.lab.cluster import Cluster as Cluster
    from souk.lab.environments.batch import Batch as Batch
    from souk.lab.report import check_table as check_table
    from souk.lab.report import measure as measure
    from souk.lab.simulate.census import census as census
    from souk.lab.tournament import play_tournament as play_tournament

_HOMES = {
    "Batch": "environments.batch",
    "Cluster": "cluster",
    "census": "simulate.census",
    "check_table": "report",
    "measure": "report",
    "play_tournament": "tournament",
}
_MODULES = ("gymnasium", "openspiel", "pettingzoo", "picture")

__all__ = ["Batch", "Cluster", "census", "check_table", "measure", "play_tournament"]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"souk.lab.{name}")
    if name in _HOMES:
        return getattr(importlib.import_module(f"souk.lab.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
