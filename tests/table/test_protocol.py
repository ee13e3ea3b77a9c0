"""The protocol is written once: the browser's types are made from the server's."""

from souk.table.typescript import TARGET, typescript


def test_the_browser_has_the_same_protocol() -> None:
    """Where this fails: `python -m souk.table.typescript`."""
    assert TARGET.read_text(encoding="utf-8") == typescript()
