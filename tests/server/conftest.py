"""One server for all tests of a process; a test that needs another starts its own. And one PostgreSQL for all processes of a run."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import Cluster, shared_folder
from tests.table.clients import Server
from tests.table.places import in_postgres


@pytest.fixture(scope="session")
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    run = getattr(request.config, "workerinput", {}).get("testrunuid", str(os.getpid()))
    found = Cluster(shared_folder(run))
    yield found
    found.close()


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory, cluster: Cluster) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("tables-in-postgres")
    with in_postgres(folder, cluster), Server(folder) as found:
        yield found
        assert found.stop() == 0
        assert not found.troubles


@pytest.fixture(params=["server", "postgres_server"])
def any_server(request: pytest.FixtureRequest) -> Server:
    """For a test that is to hold in both databases: one of the two servers that all share."""
    found: Server = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["sqlite", "postgres"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """For a test that is to hold in both databases: whatever it keeps in its folder is kept there."""
    if request.param == "sqlite":
        yield
    else:
        with in_postgres(tmp_path, request.getfixturevalue("cluster")):
            yield


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("tables")) as found:
        yield found
        assert found.stop() == 0
        assert not found.troubles
