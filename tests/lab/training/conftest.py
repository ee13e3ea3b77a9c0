"""What needs PyTorch or a GPU is left out where there is none: none of Souk's locks brings PyTorch, for it is larger than all the rest together."""

from importlib.util import find_spec

import pytest

from souk.kernel.cuda import NoGPU, numba_cuda

HAS_PYTORCH = find_spec("torch") is not None
collect_ignore = [] if HAS_PYTORCH else ["test_learning.py"]


def missing() -> set[str]:
    """The markers of what is not there."""
    found = set() if HAS_PYTORCH else {"pytorch"}
    try:
        numba_cuda()
    except NoGPU:
        found.add("gpu")
    return found


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    lacking = missing()
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in lacking)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
