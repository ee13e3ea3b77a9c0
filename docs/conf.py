"""Sphinx configuration of the documentation site: `python3 dev.py docs`.

Sphinx with furo rather than MkDocs Material: MkDocs has had no release since 2024, and Material is
in maintenance mode. Sphinx checks every reference (-W), documents the API from docstrings, and its
search needs no server.
"""

import hashlib
import re
from pathlib import Path

from sphinx.application import Sphinx

import souk

project = "Souk"
author = "Souk contributors"
copyright = author  # noqa: A001, the name Sphinx looks for
version = release = souk.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
default_role = "code"
exclude_patterns = ["conf.py", "*.py", "notebooks"]

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["misc.highlighting_failure"]
autodoc_member_order = "bysource"

html_theme = "furo"
html_title = f"Souk {release}"
html_favicon = "../web/public/souk.svg"
html_copy_source = html_show_sourcelink = html_show_sphinx = False

_DOCS = Path(__file__).parent
_PAGE_LINK = re.compile(r"\]\(((?:\.\./)+[\w./-]+\.md)(?:#[\w-]+)?\)")
_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


def _link_files_outside(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Turn links to Markdown files outside docs/ (rules, SECURITY.md) into downloads."""

    def link(match: re.Match[str]) -> str:
        target = (_DOCS / docname).parent.joinpath(match[1]).resolve()
        return match[0] if target.is_relative_to(_DOCS) else f"](path:{match[1]})"

    source[0] = _PAGE_LINK.sub(link, source[0])


def _externalise(app: Sphinx, error: Exception | None) -> None:
    """Move inline scripts and styles to files: the server's policy (CSP) allows none."""
    if error or app.builder.name != "html":
        return
    out = Path(app.outdir)
    for page in out.rglob("*.html"):
        root = "../" * (len(page.relative_to(out).parts) - 1)

        def link(match: re.Match[str], root: str = root) -> str:
            kind, text = match.groups()
            suffix = "js" if kind == "script" else "css"
            name = f"_static/inline-{hashlib.sha256(text.encode()).hexdigest()[:12]}.{suffix}"
            (out / name).write_text(text, encoding="utf-8")
            if kind == "script":
                return f'<script src="{root}{name}"></script>'
            return f'<link rel="stylesheet" href="{root}{name}">'

        page.write_text(_INLINE.sub(link, page.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("source-read", _link_files_outside)
    app.connect("build-finished", _externalise)
