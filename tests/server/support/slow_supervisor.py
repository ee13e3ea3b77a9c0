"""`souk serve` whose supervisor waits an hour before restarting a process that died at once.

SOUK_WELL_AFTER sets the seconds of service after which a process counts as healthy.

Usage: `python -m tests.server.support.slow_supervisor serve …`
"""

import os

from souk.cli.main import main
from souk.server.cluster import supervisor as supervising

if __name__ == "__main__":
    supervising._RESTART_DELAYS = (3600.0,)
    seconds_healthy = os.environ.get("SOUK_WELL_AFTER", supervising._SECONDS_HEALTHY)
    supervising._SECONDS_HEALTHY = float(seconds_healthy)
    main()
