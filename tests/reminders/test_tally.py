import csv
import io
import json
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from clarion.reminders.model import Reminder, ReminderStatus
from clarion.reminders.reports import Tally, measure, to_csv, to_json
from tests.support import build
from tests.support.build import CONFIRM
from tests.support.clarion_by_hand import at

UTC_ZONE = ZoneInfo("UTC")
SHANGHAI = ZoneInfo("Asia/Shanghai")


def over(status: ReminderStatus, minutes: int = 1, **fields: Any) -> Reminder:
    planned = at(9)
    return build.reminder(
        trigger_at=planned,
        status=status,
        ended_at=planned + timedelta(minutes=minutes),
        confirmation=CONFIRM,
        **fields,
    )


def test_the_shares_are_of_what_is_over() -> None:
    found = measure(
        [
            over(ReminderStatus.CONFIRMED),
            over(ReminderStatus.CONFIRMED, minutes=40),
            over(ReminderStatus.TIMEOUT),
            over(ReminderStatus.FAILED),
            over(ReminderStatus.COMPLETED),
            over(ReminderStatus.CANCELLED),
            build.reminder(trigger_at=at(9)),
        ],
        UTC_ZONE,
    ).whole

    assert found == Tally(total=5, confirmed=2, completed=1, late=1, missed=2, open=1, done=2)
    assert found.share_confirmed == 0.5
    assert found.share_late == 0.5
    assert found.share_missed == 0.4


def test_nothing_has_no_shares() -> None:
    found = measure([], UTC_ZONE)

    assert found.whole.share_confirmed is None
    assert found.days == ()


def test_days_are_the_users() -> None:
    evening = build.reminder(trigger_at=at(20), status=ReminderStatus.COMPLETED)

    assert [day for day, _ in measure([evening], SHANGHAI).days] == [date(2030, 1, 8)]


def test_a_table_has_a_heading_and_a_row_each() -> None:
    text = to_csv([over(ReminderStatus.CONFIRMED, content="吃药", confirmed_by="Ana")], SHANGHAI)

    (row,) = csv.DictReader(io.StringIO(text))

    assert (row["content"], row["status"], row["late"]) == ("吃药", "confirmed", "no")
    assert row["planned_at"] == "2030-01-07T17:00:00+08:00"


def test_a_formula_stays_words_in_a_spreadsheet() -> None:
    text = to_csv([build.reminder("=1+1")], UTC_ZONE)

    assert "'=1+1" in text


def test_json_has_the_same_facts() -> None:
    (row,) = json.loads(to_json([over(ReminderStatus.TIMEOUT, reason="unconfirmed")], UTC_ZONE))

    assert (row["status"], row["reason"], row["confirm_required"]) == (
        "timeout",
        "unconfirmed",
        True,
    )
