from datetime import timedelta

from clarion.reminders.decisions import escalation
from clarion.reminders.decisions.decision import ToldContact
from clarion.reminders.model import ReminderStatus
from tests.support import build
from tests.support.clock import START
from tests.support.fakes.scene import PlainScene

LADDER = [
    build.contact("daughter"),
    build.contact("neighbour", delay=600),
    build.contact("nurse", delay=60),
]


def test_each_delay_counts_from_the_contact_before() -> None:
    change = escalation.begin(PlainScene(contacts=LADDER), build.reminder(), START)

    assert [task.due_at - START for task in change.tasks] == [
        timedelta(0),
        timedelta(minutes=10),
        timedelta(minutes=11),
    ]


def test_without_contacts_nothing_begins() -> None:
    assert escalation.begin(PlainScene(), build.reminder(), START).tasks == ()


def test_whoever_was_told_is_not_told_again() -> None:
    unanswered = build.reminder(status=ReminderStatus.TIMEOUT)
    scene = PlainScene(
        unanswered, contacts=LADDER, told=[ToldContact(contact_id=LADDER[0].id, told_at=START)]
    )

    assert escalation.next_contact(scene, LADDER[0].id, START) is None
    assert escalation.next_contact(scene, LADDER[1].id, START) == LADDER[1]


def test_nobody_is_told_of_what_was_confirmed() -> None:
    scene = PlainScene(build.reminder(status=ReminderStatus.CONFIRMED), contacts=LADDER)

    assert escalation.next_contact(scene, LADDER[0].id, START) is None


def test_a_contact_who_left_the_ladder_is_not_told() -> None:
    scene = PlainScene(build.reminder(status=ReminderStatus.TIMEOUT), contacts=LADDER[1:])

    assert escalation.next_contact(scene, LADDER[0].id, START) is None
