"""What the features hand to one another when they are joined."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clarion.dispatch.desk import Desk
from clarion.dispatch.service import Dispatch
from clarion.doors.notify.apprise import Apprise
from clarion.doors.notify.post import HttpSender
from clarion.people.model import DeviceKind
from clarion.people.ports import PeopleStore
from clarion.people.rotations import Rotations
from clarion.people.service import People
from clarion.reminders.keeper import ReachWatch
from clarion.reminders.links import Links
from clarion.reminders.ports import Channel, ReminderStore
from clarion.reminders.ring_reports import RingReports
from clarion.reminders.ring_tasks import RingTasks
from clarion.reminders.service import Reminders

if TYPE_CHECKING:
    from clarion.talk.service import Talk
    from clarion.talk.spoken_facts import SpokenFacts


@dataclass(frozen=True, slots=True)
class Dispatching:
    """What other doors and the demo hold on to."""

    dispatch: Dispatch
    desk: Desk


@dataclass(frozen=True, slots=True)
class Outside:
    """The way to people and programs outside, for features that tell them something."""

    apprise: Apprise
    sender: HttpSender


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderServices:
    """What other features hold on to."""

    reminders: Reminders
    people: People
    rotations: Rotations
    facts: "SpokenFacts"
    """What devices report to; what people say there goes to `talk`."""
    talk: "Talk"
    links: Links
    store: ReminderStore
    people_store: PeopleStore
    ring_reports: RingReports
    ring_tasks: RingTasks
    reach: ReachWatch
    ways: dict[DeviceKind, Channel] = field(default_factory=dict)
    """Filled by whoever can reach devices of a kind."""
