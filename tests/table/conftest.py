"""One server for all tests of a process; a test that needs another starts its own."""

from collections.abc import Iterator

import pytest

from tests.table.clients import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("tables")) as found:
        yield found
        assert found.stop() == 0
        assert not found.troubles
