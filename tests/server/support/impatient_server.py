"""`souk serve` with short timeouts that reports its garbage.

`python -m tests.server.support.impatient_server serve …`; `GET /garbage` answers with the number of
unreachable objects by type that only a collection would free. None runs meanwhile.
"""

import gc
import json
from collections import Counter

from souk.cli.main import main
from souk.server.common import gc_tuning
from souk.server.net import table_socket as sockets
from souk.server.net import websocket as wires
from souk.server.push import webpush as posting
from tests.server.support.extra_endpoint import add_endpoint


def _left_behind() -> dict[str, int]:
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    gc.set_debug(0)
    found = Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.garbage)
    gc.garbage.clear()
    return dict(found)


if __name__ == "__main__":
    # enough time to answer on a busy machine
    sockets._SECONDS_BETWEEN_PINGS, wires._SECONDS_TO_ANSWER = 0.2, 5.0
    posting._DEADLINE = 1.0
    gc_tuning._SECONDS_BETWEEN_YOUNG = 3600.0
    add_endpoint("/garbage", lambda: json.dumps(_left_behind()))
    main()
