"""`souk serve` that never announces its writes on the bus.

Widens the milliseconds between COMMIT and NOTIFY, so that a test can kill the server in between.

Usage: `python -m tests.server.support.silent_bus serve …`
"""

from souk.cli.main import main
from souk.server.bus.postgres_bus import PostgresBus

if __name__ == "__main__":
    PostgresBus.changed = lambda *_: None  # type: ignore[method-assign]
    main()
