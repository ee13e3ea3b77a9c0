"""The documentation site builds without warnings, links correctly and is self-contained."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

from souk.server.http.docs_site import MAX_FILE_BYTES

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d"]
    command += [str(folder / "doctrees"), str(ROOT / "docs"), str(folder / "site")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "site"


def pages(site: Path) -> list[tuple[Path, str]]:
    return [(page, page.read_text(encoding="utf-8")) for page in sorted(site.rglob("*.html"))]


def test_every_link_leads_somewhere(site: Path) -> None:
    anchors = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in pages(site)}
    for page, text in pages(site):
        for link in re.findall(r'\b(?:href|src)="([^"]*)"', text):
            path, anchor = urldefrag(unquote(unescape(link)))
            if re.match(r"\w+:", path):
                continue
            target = (page.parent / path.partition("?")[0]).resolve() if path else page
            assert target.is_file(), f"{page.relative_to(site)}: {link}"
            if anchor and target.suffix == ".html":
                assert anchor in anchors[target], f"{page.relative_to(site)}: {link}"


def test_pages_need_no_inline_script_and_no_other_server(site: Path) -> None:
    """The Content-Security-Policy of /docs allows neither."""
    for page, text in pages(site):
        name = page.relative_to(site).as_posix()
        assert not re.search(r"<script>|<style>|\son\w+=", text), name
        assert not re.search(
            r"""<(?:script|link|img)[^>]*(?:src|href)=["'](?:https?:)?//""", text
        ), name


def test_the_public_api_is_documented(site: Path) -> None:
    text = (site / "program" / "api.html").read_text(encoding="utf-8")
    names = ["souk.game", "souk.Position.play", "souk.Record.position", "souk.bots.Bot.choose"]
    names += ["souk.analyse", "souk.Study.turning_points", "souk.lab.Batch.step", "souk.lab.census"]
    for name in names:
        assert f'id="{name}"' in text, name


def test_a_server_can_serve_every_file(site: Path) -> None:
    for file in site.rglob("*"):
        assert file.stat().st_size <= MAX_FILE_BYTES, file.name
