"""Skips tests that need PyTorch or a GPU where these are missing.

None of Souk's locks includes PyTorch, which is larger than everything else together.
"""

from importlib.util import find_spec

import pytest

from souk.kernel.cuda import NoGPU, numba_cuda

HAS_PYTORCH = find_spec("torch") is not None
collect_ignore = [] if HAS_PYTORCH else ["test_train_net.py"]


def missing() -> set[str]:
    """The markers of missing dependencies."""
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
