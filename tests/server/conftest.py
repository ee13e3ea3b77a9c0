"""One server for all tests of a process, and one PostgreSQL for all processes of a run."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.support.clients import Server, checked_server
from tests.server.support.controlled_uptime import House
from tests.server.support.databases import in_postgres
from tests.support.postgres import Cluster, shared_folder


@pytest.fixture(scope="session")
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    run = getattr(request.config, "workerinput", {}).get("testrunuid", str(os.getpid()))
    found = Cluster(shared_folder(run))
    yield found
    found.close()


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory, cluster: Cluster) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("tables-in-postgres")
    with in_postgres(folder, cluster), checked_server(folder) as found:
        yield found


@pytest.fixture(params=["server", "postgres_server"])
def any_server(request: pytest.FixtureRequest) -> Server:
    """For tests of both databases: one of the two shared servers."""
    found: Server = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["sqlite", "postgres"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """For tests of both databases: makes servers store there what they keep in their folder."""
    if request.param == "sqlite":
        yield
    else:
        with in_postgres(tmp_path, request.getfixturevalue("cluster")):
            yield


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with checked_server(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A running server whose uptime the test controls."""
    house = House(tmp_path_factory.mktemp("house"))
    with pytest.MonkeyPatch.context() as patch, house.open(patch) as server:
        yield house
        assert server.stop() == 0
        assert not server.troubles
