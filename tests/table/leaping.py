"""`souk serve` in a house whose time is what a test says: `python -m tests.table.leaping serve …`

The file named by SOUK_TIME has it, in seconds.
"""

import os
from pathlib import Path

from souk.cli import main
from souk.table import house_time

if __name__ == "__main__":
    file = Path(os.environ["SOUK_TIME"])
    house_time.source = lambda: float(file.read_text() or 0.0)
    main()
