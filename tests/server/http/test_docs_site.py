"""The documentation at /docs: served when built, with a policy of its own."""

import asyncio
import os
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from souk.server.http.docs_site import MAX_FILE_BYTES, DocsSite
from tests.server.support.clients import Server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "play").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><p>Welcome")
    (folder / "play" / "clocks.html").write_text("<!doctype html><p>Clocks")
    (tmp_path / "secret.html").write_text("secret")
    return folder


class Docs:
    """A documentation site, asked without a network."""

    def __init__(self, folder: Path) -> None:
        self.app = Starlette(routes=DocsSite(folder).routes())

    def get(self, path: str, **headers: str) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://souk") as web:
                return await web.get(path, headers=headers)

        return asyncio.run(ask())


def test_pages_are_served(folder: Path) -> None:
    docs = Docs(folder)
    assert docs.get("/docs").headers["location"] == "/docs/"
    index = docs.get("/docs/")
    assert (index.status_code, index.text) == (200, "<!doctype html><p>Welcome")
    assert index.headers["content-type"] == "text/html; charset=utf-8"
    assert "Clocks" in docs.get("/docs/play/clocks.html").text
    again = docs.get("/docs/", **{"if-none-match": index.headers["etag"]})
    assert again.status_code == 304


def test_scripts_must_be_files(folder: Path) -> None:
    docs = Docs(folder)
    policy = docs.get("/docs/").headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy
    assert "form-action 'self'" in policy


@pytest.mark.parametrize("path", ["../secret.html", "%2e%2e/secret.html", "play", "none.html"])
def test_nothing_else_is_served(folder: Path, path: str) -> None:
    docs = Docs(folder)
    assert docs.get(f"/docs/{path}").status_code == 404


def test_large_files_are_not_served(folder: Path) -> None:
    (folder / "large.html").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    docs = Docs(folder)
    assert docs.get("/docs/large.html").status_code == 404


def test_a_rebuild_is_noticed(folder: Path) -> None:
    index = folder / "index.html"
    docs = Docs(folder)
    docs.get("/docs/")
    index.write_text("new")
    os.utime(index, (1, 1))
    assert docs.get("/docs/").text == "new"


def test_without_a_build_the_page_says_how_to_make_one(tmp_path: Path) -> None:
    docs = Docs(tmp_path / "none")
    answer = docs.get("/docs/")
    assert answer.status_code == 404
    assert "python3 dev.py docs" in answer.text


def test_a_server_sends_one_policy(server: Server) -> None:
    with httpx.Client(base_url=f"http://{server.address}") as web:
        assert web.get("/docs").status_code == 308
        assert len(web.get("/docs/").headers.get_list("content-security-policy")) == 1
