"""The server's log: one line per event, as text or JSON. It never contains secrets."""

import json
import logging
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

# For libraries that would log about every connection.
QUIET = logging.getLogger("souk.server.net.websocket")
QUIET.setLevel(logging.CRITICAL + 1)

_REPEAT_INTERVAL = 60.0  # between lines about the same operational failure

source: Callable[[], float] = time.monotonic  # tests replace it

_log = logging.getLogger("souk.server")
# By event and reason: when last logged, and the number of failures since.
_failures: dict[tuple[str, str], tuple[float, int]] = {}
_counting = threading.Lock()


class OperationalFailure(Exception):
    """A failure of something we depend on, such as a full disk: no bug, and possibly frequent."""


def log_info(event: str, **fields: Any) -> None:
    """Log an event."""
    _log.info(event, extra={"fields": fields})


def log_error(event: str, error: BaseException | None = None, **fields: Any) -> None:
    """Log an error with its traceback.

    An `OperationalFailure` may happen a hundred times a second, on the very disk that is full: it
    gets no traceback and at most one line a minute per event and reason, with the count.
    """
    if isinstance(error, OperationalFailure):
        _log_rarely(event, str(error), fields)
    else:
        _log.error(event, extra={"fields": fields}, exc_info=error)


def _log_rarely(event: str, why: str, fields: dict[str, Any]) -> None:
    with _counting:
        now = source()
        at, number = _failures.get((event, why), (float("-inf"), 0))
        if now - at < _REPEAT_INTERVAL:
            _failures[event, why] = at, number + 1
            return
        for old in [key for key, (then, _) in _failures.items() if now - then >= _REPEAT_INTERVAL]:
            del _failures[old]
        _failures[event, why] = now, 0
    _log.error(event, extra={"fields": {"why": why, **fields, "number": number + 1}})


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def _on_one_line(value: Any) -> str:
    """A value with control characters escaped."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in str(value))


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        clock = time.strftime("%H:%M:%S", time.localtime(record.created))
        fields = " ".join(
            f"{name}={_on_one_line(value)}" for name, value in getattr(record, "fields", {}).items()
        )
        line = f"{clock} {record.getMessage()} {fields}".rstrip()
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def configure_logging(form: str) -> None:
    """Log to stderr, as "text" or "json", including errors of uvicorn."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if form == "json" else _Text())
    for name, level in (("souk.server", logging.INFO), ("uvicorn.error", logging.ERROR)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
