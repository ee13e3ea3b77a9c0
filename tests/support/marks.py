"""The mark that ties a test to clauses of a game's rules.md: ``@clause("S13", "S16")``."""

import pytest


def clause(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(*ids)
