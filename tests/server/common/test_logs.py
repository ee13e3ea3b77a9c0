"""Server log: one line per event, whatever its values contain."""

import logging

import pytest

from souk.server.common import logs


def test_no_value_begins_a_line_or_steers_a_terminal(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Restored after the test.
    for name in ("souk.server", "uvicorn.error"):
        for setting in ("handlers", "propagate", "level"):
            monkeypatch.setattr(
                logging.getLogger(name), setting, getattr(logging.getLogger(name), setting)
            )
    logs.configure_logging("text")
    logs.log_info(
        "refused", path="/x\n12:00:00 all is well", why="\x1b[2J\u2028\ud800ü", status=500
    )
    [line] = capfd.readouterr().err.splitlines()
    assert line.endswith(
        r"refused path=/x\n12:00:00 all is well why=\x1b[2J\u2028\ud800ü status=500"
    )
