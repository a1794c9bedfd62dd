"""Log lines: one constant sentence, separate fields, the request id, and no secrets."""

import json
import logging
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TextIO

from clarion.base.ids import request_id, trace_id, traceparent

STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {
    *("message", "asctime", "taskName", "color_message"),
}
SECRET_NAME = re.compile(r"password|secret|token|authorization|api_?key|cookie", re.IGNORECASE)
SECRET_TEXT = re.compile(
    r"(?P<before>"
    r"\b[Bb]earer\s+"  # a header
    r"|://[^\s/:@]*:"  # a password inside an address
    r"|\bbot(?=\d{6,}:)"  # a Telegram address
    r"|[?&](?:authorization|token|key|secret|ticket)="  # a query
    r")[^\s@&/\"']+"
)
MASK = "[secret]"
NEEDS_QUOTES = re.compile(r"[\s\"=]")

# The INFO lines of libraries interest us only at DEBUG.
QUIET = (
    *("aiosqlite", "alembic", "apprise", "asyncio", "httpcore", "httpx", "mcp", "openai"),
    *("telegram", "uvicorn", "uvicorn.access", "uvicorn.error", "websockets"),
)


def set_up(level: str = "info", form: str = "text", stream: TextIO | None = None) -> None:
    """Send every line to `stream` (standard error) as `text` or `json`."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))


def redact(text: str) -> str:
    return SECRET_TEXT.sub(lambda found: found["before"] + MASK, text)


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """What was handed as `extra`, with the values of secret names masked."""
    found = {
        name: MASK if SECRET_NAME.search(name) else value
        for name, value in vars(record).items()
        if name not in STANDARD
    }
    if request := request_id.get():
        found.setdefault("request", request)
    if trace := traceparent.get():
        found.setdefault("trace", trace_id(trace))
    return found


class TextLines(logging.Formatter):
    """`08:00:03.120 INFO  reminders.ringer  told  reminder=rem_01… attempt=2`."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).astimezone()
        name = record.name.removeprefix("clarion.")
        head = f"{at:%H:%M:%S}.{at.microsecond // 1000:03} {record.levelname:<7} {name}"
        line = f"{head}  {record.getMessage()}{_spelled(fields_of(record))}"
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return redact(line)


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **fields_of(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return redact(json.dumps(line, ensure_ascii=False, default=str))


def _spelled(fields: Mapping[str, Any]) -> str:
    if not fields:
        return ""
    pairs = []
    for name, value in fields.items():
        text = str(value)
        quoted = json.dumps(text, ensure_ascii=False) if NEEDS_QUOTES.search(text) else text
        pairs.append(f"{name}={quoted}")
    return "  " + " ".join(pairs)
