"""`souk serve` on a machine whose clock jumps by years.

`python -m tests.server.support.clock_jumps serve …`
"""

import random
import time

from souk.cli.main import main

_SECONDS_OF_A_CENTURY = 100 * 365 * 24 * 3600

if __name__ == "__main__":
    rng, real = random.Random(1), time.time
    time.time = lambda: max(
        0.0,
        real()
        + rng.choice(
            [0, 0, -1, 0.1, -86_400, 1, -_SECONDS_OF_A_CENTURY / 2, _SECONDS_OF_A_CENTURY]
        ),
    )
    main()
