"""The offline page: what is wrong, in every language, and a button to retry.

The service worker (web/src/service-worker.ts) caches it with its script and style
(web/public/offline.*); the script shows one of the languages.
"""

from collections.abc import Mapping
from html import escape

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark">
<title>Souk</title>
<link rel="icon" href="/souk.svg" type="image/svg+xml">
<link rel="stylesheet" href="/offline.css">
<script src="/offline.js" defer></script>
</head>
<body>
<main>
<img src="/souk.svg" alt="" width="96" height="96">
{sections}
</main>
</body>
</html>
"""
_SECTION = """<section lang="{code}">
<h1>{title}</h1>
<p>{about}</p>
<button type="button">{again}</button>
<p role="status" data-trying hidden>{trying}</p>
</section>"""


def offline_page(texts: Mapping[str, Mapping[str, str]]) -> bytes:
    """The page from texts by language, English first: browsers without scripts show that."""
    order = sorted(texts, key=lambda code: (code != "en", code))
    sections = (
        _SECTION.format(
            code=escape(code), **{name: escape(text) for name, text in texts[code].items()}
        )
        for code in order
    )
    return _PAGE.format(sections="\n".join(sections)).encode()
