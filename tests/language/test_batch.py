"""Lines in, lines out: the fields that scorers read, and words for a person at a terminal."""

import json
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from clarion.language.batch import describe, read_line

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 16, 10, tzinfo=SHANGHAI)
FIELDS = ["kind", "at", "grain", "next", "rule", "content", "confirm", "level", "span", "readback"]


def line(**asked: Any) -> dict[str, Any]:
    read = json.loads(read_line(json.dumps(asked), lambda: NOW, SHANGHAI))
    assert isinstance(read, dict)
    return read


def test_an_instant_has_every_field() -> None:
    found = line(
        text="明天早上8点提醒我吃药，要确认", base="2026-11-16T10:00:00+08:00", zone="Asia/Shanghai"
    )

    assert list(found) == FIELDS
    assert found == {
        "kind": "once",
        "at": "2026-11-17T08:00:00+08:00",
        "grain": "hour",
        "next": [],
        "rule": None,
        "content": "吃药",
        "confirm": True,
        "level": None,
        "span": [0, 6],
        "readback": "明天（11月17日 周二）08:00",
    }


def test_a_recurrence_shows_its_next_five_and_its_rule() -> None:
    found = line(text="every weekday at 9")

    assert found["kind"] == "recurring"
    assert len(found["next"]) == 5
    assert found["next"][0] == "2026-11-17T09:00:00+08:00"
    assert found["rule"].startswith("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")


@pytest.mark.parametrize(
    ("text", "kind"),
    [("提醒我喝水", "needs_clarification"), ("2月30日", "invalid"), ("你好", "none")],
)
def test_the_other_kinds(text: str, kind: str) -> None:
    found = line(text=text)

    assert (found["kind"], found["at"], found["next"]) == (kind, None, [])


def test_a_base_without_offset_is_in_the_zone_that_was_asked() -> None:
    found = line(text="tomorrow at 9am", base="2026-11-16T10:00:00", zone="Europe/Berlin")

    assert found["at"] == "2026-11-17T09:00:00+01:00"


@pytest.mark.parametrize(
    "bad",
    ["", "not json", "[]", "{}", '{"text": 5}', '{"text": "a", "zone": "Mars/Base"}',
     '{"text": "a", "base": "yesterday"}', '{"text": "a", "zone": "../etc"}', "null"],
)  # fmt: skip
def test_a_bad_line_gives_an_error_and_does_not_end_the_batch(bad: str) -> None:
    assert "error" in json.loads(read_line(bad, lambda: NOW, SHANGHAI))


def test_a_person_is_told_what_was_understood_and_the_next_five() -> None:
    said = describe("每天早上8点提醒我吃药，要确认", NOW, SHANGHAI)

    assert said.splitlines() == [
        "每天 08:00，下一次：明天（11月17日 周二）08:00",
        "内容: 吃药",
        "需要确认",
        "  明天（11月17日 周二）08:00",
        "  后天（11月18日 周三）08:00",
        "  大后天（11月19日 周四）08:00",
        "  11月20日（周五）08:00",
        "  11月21日（周六）08:00",
    ]


def test_an_instant_with_an_offset_is_spoken_there() -> None:
    line = json.dumps({"text": "明天8点", "base": "2026-11-16T10:00:00+08:00"})

    found = json.loads(read_line(line, lambda: NOW, ZoneInfo("America/New_York")))

    assert found["at"] == "2026-11-17T08:00:00+08:00"
