"""Where PyTorch is not installed, what needs it is left out: none of Souk's locks brings it, for it is larger than all the rest together."""

from importlib.util import find_spec

import pytest

HAS_PYTORCH = find_spec("torch") is not None
collect_ignore = [] if HAS_PYTORCH else ["test_learning.py"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if HAS_PYTORCH:
        return
    left_out = [item for item in items if item.get_closest_marker("pytorch")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
