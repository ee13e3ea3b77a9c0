"""Simulations, tournaments, reports, and adapters for research tools.

Names are imported on first use (`souk.lab.Batch`, `souk.lab.census`, …). Adapters that need an
extra package are modules of their own: `souk.lab.pettingzoo`, `souk.lab.gymnasium`,
`souk.lab.openspiel`, `souk.lab.images`.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from souk.lab.environments.batch import Batch as Batch
    from souk.lab.ray_cluster import Cluster as Cluster
    from souk.lab.report import check_table as check_table
    from souk.lab.report import measure as measure
    from souk.lab.simulate.summary import census as census
    from souk.lab.tournament import play_tournament as play_tournament

_EXPORTS = {
    "Batch": "environments.batch",
    "Cluster": "ray_cluster",
    "census": "simulate.summary",
    "check_table": "report",
    "measure": "report",
    "play_tournament": "tournament",
}
_MODULES = ("gymnasium", "openspiel", "pettingzoo", "images")

__all__ = ["Batch", "Cluster", "census", "check_table", "measure", "play_tournament"]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"souk.lab.{name}")
    if name in _EXPORTS:
        return getattr(importlib.import_module(f"souk.lab.{_EXPORTS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
