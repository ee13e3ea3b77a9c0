"""How programs that measure a server ask it something over HTTP."""

import json
from typing import Any
from urllib.request import Request, urlopen


def cookie_of(address: str) -> str:
    with urlopen(f"http://{address}/api/lobby") as answer:
        return str(answer.headers["set-cookie"]).partition(";")[0].partition("=")[2]


def asked(address: str, path: str, cookie: str, body: object = None) -> Any:
    """What is answered, to a question or to what is posted."""
    headers = {"content-type": "application/json", "cookie": f"souk={cookie}"}
    posted = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"http://{address}{path}", posted, headers)) as answer:
        return json.load(answer)
