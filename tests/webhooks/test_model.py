"""Messages are signed by the Standard Webhooks scheme: its own library believes us."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from clarion.base.clock import SystemClock
from clarion.base.events import StoredEvent
from clarion.base.ids import UserId
from clarion.webhooks.model import Format, Hook, HookId, message, new_secret

NOW = datetime(2030, 1, 7, 9, tzinfo=UTC)


def a_hook(**fields: Any) -> Hook:
    given = {
        "id": HookId("hook_1"),
        "url": "https://example.com",
        "secret": new_secret(),
        "created_at": NOW,
        **fields,
    }
    return Hook(**given)


def real_now() -> datetime:
    """The library compares with its own clock."""
    return SystemClock().now()


def happened(
    kind: str = "reminder.confirmed", user: str | None = "ana", subject: str = "rem_1"
) -> StoredEvent:
    return StoredEvent(
        sequence=7,
        at=datetime(2030, 1, 7, 8, tzinfo=UTC),
        kind=kind,
        version=1,
        subject=subject,
        user=user,
        data={"by": "Ana"},
    )


def test_the_schemes_own_library_believes_us() -> None:
    hook = a_hook()

    made = message(hook, happened(), real_now())

    assert Webhook(hook.secret).verify(made.body, dict(made.headers)) == {
        "type": "reminder.confirmed",
        "timestamp": "2030-01-07T08:00:00+00:00",
        "data": {"by": "Ana", "subject": "rem_1", "user_id": "ana", "id": 7},
    }


@pytest.mark.parametrize(
    ("body", "headers"),
    [(b"{}", {}), (None, {"webhook-id": "msg_other"}), (None, {"webhook-timestamp": "1000000"})],
    ids=["another body", "another id", "an old timestamp"],
)
def test_what_was_changed_is_not_believed(body: bytes | None, headers: dict[str, str]) -> None:
    hook = a_hook()
    made = message(hook, happened(), real_now())

    with pytest.raises(WebhookVerificationError):
        Webhook(hook.secret).verify(body or made.body, {**made.headers, **headers})


def test_after_a_rotation_both_secrets_are_believed_for_a_day() -> None:
    old, now = new_secret(), real_now()
    hook = a_hook(old_secret=old, old_secret_until=now + timedelta(days=1))

    made = message(hook, happened(), now)
    later = message(hook, happened(), now + timedelta(days=1))

    Webhook(old).verify(made.body, dict(made.headers))
    Webhook(hook.secret).verify(made.body, dict(made.headers))
    assert len(later.headers["webhook-signature"].split()) == 1


def test_the_same_event_keeps_its_id_when_it_is_tried_again() -> None:
    hook = a_hook()

    ids = {
        message(hook, happened(), NOW + timedelta(hours=n)).headers["webhook-id"] for n in (0, 5)
    }

    assert ids == {"msg_hook_1_7"}


def test_cloudevents_are_offered_too() -> None:
    made = message(a_hook(format=Format.CLOUDEVENTS), happened(), NOW)

    body = json.loads(made.body)
    assert made.headers["content-type"] == "application/cloudevents+json"
    assert (body["specversion"], body["type"], body["id"]) == ("1.0", "reminder.confirmed", "7")


@pytest.mark.parametrize(
    ("hook", "event", "expected"),
    [
        ({}, {}, True),
        ({"kinds": ("reminder.*",)}, {}, True),
        ({"kinds": ("reminder.*",)}, {"kind": "reminders.odd"}, False),
        ({"kinds": ("reminder.created",)}, {}, False),
        ({"user_id": UserId("bo")}, {}, False),
        ({"user_id": UserId("ana")}, {"user": None}, False),
        ({"enabled": False}, {}, False),
        ({"kinds": ("reminder.*",)}, {"kind": "webhook.test", "subject": "hook_1"}, True),
        ({}, {"kind": "webhook.test", "subject": "hook_2"}, False),
    ],
)
def test_a_hook_hears_what_it_asked_for_and_may_hear(
    hook: dict[str, Any], event: dict[str, Any], expected: bool
) -> None:
    assert a_hook(**hook).wants(happened(**event)) is expected
