"""`souk serve` whose uptime is set by the test: the file named by SOUK_TIME, in seconds.

`python -m tests.server.support.fake_time serve …`
"""

import os
from pathlib import Path

from souk.cli.main import main
from souk.server.tables.timing import uptime_clock

if __name__ == "__main__":
    file = Path(os.environ["SOUK_TIME"])
    uptime_clock.source = lambda: float(file.read_text() or 0.0)
    main()
