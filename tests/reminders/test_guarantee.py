"""Who will hear a reminder, and how sure that is: the rules as plain values."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from clarion.people.model import DeviceKind, Household
from clarion.reminders.guarantee import (
    PROOF_LIFE,
    SEEN_LATELY,
    Guarantee,
    guarantee,
)
from clarion.reminders.keeper import GRACE, watched
from clarion.reminders.model import ConfirmationConfig, Patience, ReminderStatus
from tests.support import build
from tests.support.clock import START

ASKED = ConfirmationConfig(required=True)  # 3 calls of 5 min, a minute apart: 17 min
DAY = timedelta(days=1)


def promise(*devices: Any, language: str = "en", **fields: Any) -> Guarantee:
    contacts, unserved = fields.pop("contacts", ()), fields.pop("unserved", ())
    home = Household(build.user(language=language), devices, contacts)
    found = guarantee(build.reminder(**fields), home, START, Patience(), unserved=unserved)
    assert found is not None
    return found


KITCHEN = build.device("Kitchen", name="Kitchen", online=True)


@pytest.mark.parametrize(
    ("device", "level"),
    [
        (replace(KITCHEN, proved_at=START - DAY), "sure"),
        (KITCHEN, "likely"),
        (replace(KITCHEN, proved_at=START - PROOF_LIFE - DAY), "likely"),
        (replace(KITCHEN, online=False, proved_at=START, last_seen=START), "nobody"),
        (build.device(kind=DeviceKind.XIAOZHI, last_seen=START - DAY, proved_at=START), "likely"),
        (build.device(kind=DeviceKind.XIAOZHI, last_seen=START - SEEN_LATELY - DAY), "nobody"),
        (build.device(kind=DeviceKind.XIAOZHI), "nobody"),
        (build.device(kind=DeviceKind.NOTIFY), "likely"),
        (build.device(kind=DeviceKind.TELEGRAM, proved_at=START), "sure"),
        # The clock was set back since: what lies ahead was a moment ago.
        (replace(KITCHEN, proved_at=START + DAY), "sure"),
    ],
)
def test_one_way_is_as_sure_as_it_has_shown(device: Any, level: str) -> None:
    assert promise(device).level == level


def test_a_chat_of_a_platform_that_is_not_set_up_is_nobody() -> None:
    chat = build.device("chat", name="Ana's phone", kind=DeviceKind.TELEGRAM, proved_at=START)
    boris = build.contact("Boris", address="chat:telegram:77")

    found = promise(chat, contacts=(boris,), confirmation=ASKED, unserved={"telegram"})

    assert found.warning == (
        "Nobody can hear this now: Ana's phone (not set up here). Turn the device on, open the"
        " page again, or add another way. No contact would be told either."
    )


def test_a_browser_that_was_closed_for_days_fades() -> None:
    closed = build.device("tab", name="tab", kind=DeviceKind.BROWSER, last_seen=START - DAY)
    gone = replace(closed, last_seen=START - SEEN_LATELY - DAY)

    assert [one.id for one in promise(KITCHEN, closed).ways] == [KITCHEN.id, closed.id]
    assert [one.id for one in promise(KITCHEN, gone).ways] == [KITCHEN.id]


def test_the_best_way_counts_and_all_are_named_in_their_order() -> None:
    phone = build.device("phone", name="phone", kind=DeviceKind.NOTIFY)
    sue = build.contact("Sue", delay=180)

    found = promise(replace(KITCHEN, proved_at=START), phone, contacts=[sue], confirmation=ASKED)

    assert found.level == "sure"
    assert [(one.name, one.after) for one in found.ways] == [
        ("Kitchen", 0),
        ("phone", 0),
        ("Sue", 17 * 60 + 180),
    ]
    assert found.sentence == (
        "Will ring on Kitchen (online, worked today), then phone (by message, not tested yet),"
        " then Sue (not tested yet) after 20 min without a yes."
    )


def test_a_plain_reminder_troubles_no_contact() -> None:
    assert promise(KITCHEN, contacts=[build.contact("Sue")]).ways[-1].kind == "device"


def test_without_a_device_it_says_what_to_do() -> None:
    assert promise().sentence.startswith("Nobody can hear this: there is no device yet. Let this")
    assert "还没有任何设备" in promise(language="zh").sentence


def test_a_closed_page_is_nobody_and_the_contact_is_named() -> None:
    closed = replace(KITCHEN, online=False, last_seen=START - timedelta(minutes=30))

    found = promise(closed, contacts=[build.contact("Sue")])

    assert found.level == "nobody"
    assert found.sentence == (
        "Nobody can hear this now: Kitchen (away since 07:30). Turn the device on, open the page"
        " again, or add another way. Sue will be told after 30 min."
    )


def test_what_waits_for_a_device_says_since_when() -> None:
    found = promise(KITCHEN, unreached_since=START - timedelta(minutes=30))

    assert found.level == "nobody"
    assert found.sentence.startswith("Since 07:30, nobody reachable")


def test_what_is_over_has_none() -> None:
    over = build.reminder(status=ReminderStatus.CONFIRMED)
    assert guarantee(over, Household(build.user()), START, Patience()) is None


def test_a_loss_is_told_once_and_after_a_moment_of_grace() -> None:
    def told(reminder: Any, device: Any) -> str | None:
        home = Household(build.user(), [device])
        event = watched(reminder, home, START, Patience())
        return event.kind if event else None

    gone = replace(KITCHEN, online=False, offline_since=START - GRACE)
    fresh = build.reminder()
    known = build.reminder(reach_lost_at=START)

    assert told(fresh, KITCHEN) is None
    assert told(fresh, replace(gone, offline_since=START)) is None
    assert told(fresh, gone) == "reminder.guarantee_lost"
    assert told(known, gone) is None
    assert told(known, KITCHEN) == "reminder.guarantee_restored"
