"""HTTP requests to a server under test."""

import json
from typing import Any
from urllib.request import Request, urlopen


def new_cookie(address: str) -> str:
    with urlopen(f"http://{address}/api/lobby") as response:
        return str(response.headers["set-cookie"]).partition(";")[0].partition("=")[2]


def request(address: str, path: str, cookie: str, body: object = None) -> Any:
    """The JSON response to a GET, or to a POST of `body`."""
    headers = {"content-type": "application/json", "cookie": f"souk={cookie}"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"http://{address}{path}", data, headers)) as response:
        return json.load(response)
