"""Contacts are told where they are: outside, on another device, in a chat."""

import json
from dataclasses import replace

import pytest

from clarion.base.errors import Unavailable
from clarion.base.ids import ReminderId
from clarion.doors.notify.apprise import Apprise
from clarion.doors.notify.channel import NotifyChannel
from clarion.doors.notify.contacts import Contacts
from clarion.doors.notify.post import HttpSender
from clarion.exits.reach import Reach
from clarion.people.model import Contact, DeviceKind
from clarion.reminders.decisions.decision import call_id
from clarion.reminders.errors import Unreachable
from clarion.reminders.ports import ContactCall, Ring, RingId
from tests.support import build
from tests.support.clock import START
from tests.support.fakes.receiver import Receiver

LINK = "https://clarion.example/c/abc"


def a_ring(address: str) -> Ring:
    return Ring(
        id=RingId("rem_1:1"),
        reminder_id=ReminderId("rem_1"),
        attempt=1,
        user_id=build.ANA,
        device=build.device(kind=DeviceKind.WEBHOOK, address=address),
        text="该吃药了",
        content="吃药",
        language="zh",
        wants_confirmation=True,
        critical=False,
        answer_by=START,
    )


def a_call(contact: Contact, text: str, link: str) -> ContactCall:
    pill = build.reminder("吃药")
    return ContactCall(
        id=call_id(pill.id, contact.id, 1),
        contact=contact,
        reminder=pill,
        text=text,
        link=link,
        language="zh",
    )


class Heard:
    """What channels report back, kept in order."""

    def __init__(self) -> None:
        self.facts: list[str] = []

    async def sent(self, _: object) -> None:
        self.facts.append("sent")

    async def delivered(self, _: object) -> None:
        self.facts.append("delivered")

    async def heard(self, _: object) -> None:
        self.facts.append("heard")


async def test_a_contact_outside_gets_the_words_and_the_link(
    sender: HttpSender, receiver: Receiver
) -> None:
    contacts = Contacts(Apprise(Reach(private_allowed=True)), sender, {})
    ana = build.contact(address=receiver.url.replace("http://", "json://"))

    await contacts.tell(a_call(ana, "奶奶没有回答", LINK))

    told = json.loads(receiver.bodies[0])
    assert (told["title"], "奶奶没有回答" in told["message"]) == ("吃药", True)
    assert LINK in told["message"]


async def test_a_contact_may_be_a_device(sender: HttpSender) -> None:
    said: list[tuple[str, str]] = []

    async def say(where: str, text: str, _link: str, _call: ContactCall | None) -> None:
        said.append((where, text))

    contacts = Contacts(Apprise(Reach()), sender, {"device": say})

    await contacts.tell(a_call(build.contact(address="device:study"), "!", LINK))

    assert said == [("study", "!")]


async def test_a_contact_nobody_can_reach_is_unavailable(sender: HttpSender) -> None:
    contacts = Contacts(Apprise(Reach()), sender, {})

    with pytest.raises(Unavailable):
        await contacts.tell(a_call(build.contact(address="pigeon:7"), "!", ""))


async def test_a_notification_that_was_taken_is_sent_and_no_more(
    sender: HttpSender, receiver: Receiver
) -> None:
    heard = Heard()
    apprise = Apprise(Reach(private_allowed=True))
    channel = NotifyChannel(apprise, sender, heard, lambda _: LINK)  # type: ignore[arg-type]
    phone = build.device(kind=DeviceKind.NOTIFY, address=receiver.url.replace("http://", "json://"))

    await channel.ring(replace(a_ring(""), device=phone))

    assert LINK in json.loads(receiver.bodies[0])["message"]
    assert heard.facts == ["sent"], "nothing came back: not delivered, not heard"


async def test_a_webhook_device_is_rung_with_a_way_to_confirm(
    sender: HttpSender, receiver: Receiver
) -> None:
    heard = Heard()
    channel = NotifyChannel(
        Apprise(Reach(private_allowed=True)),
        sender,
        heard,  # type: ignore[arg-type]  # only the two facts that a one-way device can tell
        lambda _: LINK,
    )
    ring = a_ring(f"{receiver.url}/ring")

    await channel.ring(ring)

    told = json.loads(receiver.bodies[0])
    assert (told["ring_id"], told["confirm_url"]) == (ring.id, LINK)
    assert heard.facts == ["sent"], "nobody has seen it yet"


async def test_a_device_that_does_not_take_it_is_unreachable(
    sender: HttpSender, receiver: Receiver
) -> None:
    receiver.status = 503
    heard = Heard()
    channel = NotifyChannel(Apprise(Reach()), sender, heard, lambda _: LINK)  # type: ignore[arg-type]

    with pytest.raises(Unreachable):
        await channel.ring(a_ring(f"{receiver.url}/ring"))

    assert heard.facts == []
