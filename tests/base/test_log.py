"""A log line tells what, about whom and for which request, and keeps secrets."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from clarion.base import log
from clarion.base.ids import request_id


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:] = before
    root.setLevel(level)


def test_a_text_line_has_the_sentence_and_the_fields(lines: io.StringIO) -> None:
    log.set_up("info", "text", lines)

    logging.getLogger("clarion.reminders").info("told", extra={"reminder": "rem_1", "to": "Ana B"})

    assert lines.getvalue().endswith('INFO    reminders  told  reminder=rem_1 to="Ana B"\n')


def test_a_json_line_carries_the_request_it_belongs_to(lines: io.StringIO) -> None:
    log.set_up("info", "json", lines)
    token = request_id.set("req_7")

    logging.getLogger("clarion.x").info("提醒", extra={"attempt": 2})
    request_id.reset(token)

    line = json.loads(lines.getvalue())
    assert (line["message"], line["attempt"], line["request"]) == ("提醒", 2, "req_7")


def test_a_failure_carries_its_traceback(lines: io.StringIO) -> None:
    log.set_up("info", "json", lines)

    try:
        raise ConnectionError("away")
    except ConnectionError:
        logging.getLogger("clarion.x").exception("failed")

    assert "ConnectionError: away" in json.loads(lines.getvalue())["traceback"]


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    ("sentence", "extra"),
    [
        pytest.param("given", {"api_key": "s3cret"}, id="field of a secret name"),
        pytest.param("Authorization: Bearer s3cret", {}, id="header"),
        pytest.param("at redis://me:s3cret@host/0", {}, id="password in an address"),
        pytest.param("at https://api.example/bot123456:s3cret/send", {}, id="Telegram address"),
        pytest.param("GET /events?ticket=s3cret&x=1", {}, id="query"),
        pytest.param("GET /xiaozhi/v1/?authorization=s3cret", {}, id="device"),
    ],
)
def test_no_secret_reaches_a_line(
    lines: io.StringIO, form: str, sentence: str, extra: dict[str, str]
) -> None:
    log.set_up("info", form, lines)

    logging.getLogger("clarion.x").info(sentence, extra=extra)

    assert "s3cret" not in lines.getvalue()
    assert log.MASK in lines.getvalue()


def test_the_quiet_ones_are_heard_only_from_warning_on(lines: io.StringIO) -> None:
    log.set_up("info", "text", lines)

    logging.getLogger("httpx").info("GET …")
    logging.getLogger("httpx").warning("slow")

    assert "slow" in lines.getvalue()
    assert "GET" not in lines.getvalue()
