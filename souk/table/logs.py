"""The server's log: one line per event, readable or as JSON. Secrets are never in it."""

import json
import logging
import sys
import time
from typing import Any

QUIET = logging.getLogger("souk.table.wires")  # for what others would log about every connection
QUIET.setLevel(logging.CRITICAL + 1)

_log = logging.getLogger("souk.table")


def note(event: str, **fields: Any) -> None:
    """Something worth a line."""
    _log.info(event, extra={"fields": fields})


def trouble(event: str, error: BaseException | None = None, **fields: Any) -> None:
    """Something that should not have happened."""
    _log.error(event, extra={"fields": fields}, exc_info=error)


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {"time": round(record.created, 3), "level": record.levelname.lower(), "event": record.getMessage()}
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        clock = time.strftime("%H:%M:%S", time.localtime(record.created))
        fields = " ".join(f"{name}={value}" for name, value in getattr(record, "fields", {}).items())
        line = f"{clock} {record.getMessage()} {fields}".rstrip()
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def set_up(form: str) -> None:
    """Write to stderr, as "text" or as "json"; what the web server itself has to say too."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if form == "json" else _Text())
    for name, level in (("souk.table", logging.INFO), ("uvicorn.error", logging.ERROR)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
