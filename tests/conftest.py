"""What all tests share."""

import os

# Hypothesis prints the failing example and its seed; the same examples are tried in every run.
from hypothesis import HealthCheck, settings

settings.register_profile(
    "souk", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("souk")

os.environ.setdefault("COLUMNS", "120")  # how wide the command line writes
