"""A data folder whose servers share a PostgreSQL database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.support.databases import in_postgres
from tests.support.postgres import Cluster


@pytest.fixture(scope="module")
def folder(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    found = tmp_path_factory.mktemp("cluster")
    with in_postgres(found, cluster):
        yield found
