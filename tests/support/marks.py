"""The mark that ties a test to the clauses of the games' rules.md it checks: ``@clause("S13", "S16")``."""

import pytest


def clause(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(*ids)
