"""Joins reminders: the verbs, the ring, what devices report, and who is told in the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from clarion.access.feed import EventFeed
from clarion.app.llm import Helpers
from clarion.app.parts import Parts
from clarion.app.services import Outside, ReminderServices
from clarion.base.errors import Unavailable
from clarion.base.events import StoredEvent
from clarion.base.ids import ContactId, DeviceId, UserId
from clarion.doors.notify.channel import NotifyChannel
from clarion.doors.notify.contacts import AddressBook, Contacts, Say
from clarion.flows.chat_channel import ChatChannel
from clarion.llm.writing import ModelConversation, ModelTurn
from clarion.people.model import DeviceKind, User
from clarion.people.ports import PeopleStore
from clarion.people.service import Newcomer, People
from clarion.reminders.channels import Channels
from clarion.reminders.effects import Effects
from clarion.reminders.guarantee import MESSAGES, ReachWatch
from clarion.reminders.keeper import Keeper
from clarion.reminders.limits import ReminderLimits
from clarion.reminders.links import Grant, Links
from clarion.reminders.model import Patience
from clarion.reminders.ports import Channel, Ring
from clarion.reminders.ring_reports import RingListener, RingReports
from clarion.reminders.ring_tasks import RingTasks
from clarion.reminders.service import Reminders
from clarion.reminders.verbs import Means
from clarion.settings import Settings
from clarion.store.sql.access.secrets import secret
from clarion.store.sql.dialogues import SqlDialogues
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.reminders.store import SqlReminders
from clarion.talk.cleaner import DialogueCleaner
from clarion.talk.memory import Said
from clarion.talk.service import SpokenFacts, Talk


def add_talk(
    parts: Parts, reminders: Reminders, people: People, hearing: RingReports, helpers: Helpers
) -> Talk:
    dialogues, kept_for = SqlDialogues(parts.database), parts.settings.talk_remembered
    parts.add_duty(DialogueCleaner(dialogues, parts.clock, kept_for))
    return Talk(
        reminders,
        people,
        hearing,
        dialogues,
        parts.clock,
        chat=ModelChat(helpers.talk) if helpers.talk else None,
        remembered=kept_for,
    )


@dataclass(frozen=True, slots=True)
class ModelChat:
    """The language model's talk, in the words of our own."""

    model: ModelConversation

    async def reply(
        self, history: Sequence[Said], reminder_content: str, user_text: str, lang: str
    ) -> str | None:
        turns = [
            ModelTurn("user" if one.role == "user" else "assistant", one.text) for one in history
        ]
        return await self.model.reply(turns, reminder_content, user_text, lang)


CHATS = (DeviceKind.TELEGRAM, DeviceKind.CONSOLE_CHAT)
LINK_LIFE = timedelta(hours=24)  # a yes that comes the next morning still counts


async def add_reminders(
    parts: Parts, outside: Outside, chats: ChatChannel, helpers: Helpers
) -> ReminderServices:
    settings, clock = parts.settings, parts.clock
    newcomer = Newcomer(zone=settings.home_zone.key, language=settings.language)
    begins_as = User(id=UserId(""), zone=newcomer.zone, language=newcomer.language)
    store = SqlReminders(
        parts.database, newcomer=begins_as, backlog_max=settings.source_backlog_max
    )
    people_store = SqlPeople(parts.database)
    ways: dict[DeviceKind, Channel] = dict.fromkeys(CHATS, chats)
    channels = Channels(ways)
    patience, limits = patience_of(settings), limits_of(settings)
    doing = Effects(store, people_store, channels, clock, patience, helpers.phrases)
    ears = RingListener(judge=helpers.judge, asks=helpers.asks)
    hearing = RingReports(store, people_store, clock, doing, patience=patience, ears=ears)
    key = await parts.database.write(secret, "links")
    links = Links(key, settings.public_url or f"http://{settings.host}:{settings.port}")
    say = {"device": speaker(people_store, channels), "chat": writer(chats)}
    notifier = Contacts(outside.apprise, say)
    ringer = RingTasks(
        store, clock, doing, notifier, links=links, people=people_store, patience=patience
    )
    for kind in ringer.kinds():
        parts.kinds.add(kind)
    parts.add_pass(Keeper(store, clock, patience))
    means = Means(
        store=store,
        people=people_store,
        clock=clock,
        channel=channels,
        limits=limits,
        newcomer=newcomer,
        patience=patience,
        reader=helpers.times,
    )
    reminders = Reminders(means, links)
    people = people_of(means, AddressBook(outside.apprise, outside.sender), reminders)
    talk = add_talk(parts, reminders, people, hearing, helpers)
    return ReminderServices(
        reminders=reminders,
        people=people,
        facts=SpokenFacts(hearing, talk),
        talk=talk,
        links=links,
        ways=ways,
        channels=channels,
        reach=ReachWatch(store, people_store, clock, patience),
    )


def people_of(means: Means, addresses: AddressBook, reminders: Reminders) -> People:
    return People(
        means.people,
        means.clock,
        limits=means.limits,
        newcomer=means.newcomer,
        addresses=addresses,
        moved=reminders.follow_zone,
    )


def add_reach(parts: Parts, heart: ReminderServices, feed: EventFeed) -> None:
    """One server looks whether what comes can still be heard."""
    loop = parts.add_duty(heart.reach)

    def happened(event: StoredEvent) -> None:
        if heart.reach.happened(event):
            loop.wake()

    parts.closing.callback(feed.listen(happened))


def speaker(people: PeopleStore, channels: Channels) -> Say:
    """Says something on another device, as a contact's address may want it."""

    async def say(device_id: str, text: str, link: str) -> None:
        device = await people.device(DeviceId(device_id))
        if device is None:
            raise Unavailable(f"There is no device {device_id!r}.")
        # Nobody can do anything with an address that is read aloud.
        shows = link and device.kind in MESSAGES
        await channels.say(device, f"{text}\n{link}" if shows else text)

    return say


def writer(chats: ChatChannel) -> Say:
    """Writes into a chat, as a contact's address may want it."""

    async def say(chat_id: str, text: str, link: str) -> None:
        await chats.tell(chat_id, f"{text}\n{link}" if link else text)

    return say


def add_notifications(parts: Parts, heart: ReminderServices, outside: Outside) -> None:
    """Devices that are told one way: an Apprise address, a webhook."""

    def link(ring: Ring) -> str:
        grant = Grant(ring.reminder_id, ContactId(ring.device.id))
        return heart.links.url(grant, ring.answer_by + LINK_LIFE)

    way = NotifyChannel(outside.apprise, outside.sender, heart.facts, link)
    heart.ways.update({DeviceKind.NOTIFY: way, DeviceKind.WEBHOOK: way})


def patience_of(settings: Settings) -> Patience:
    return Patience(
        plain=settings.answer_timeout,
        wake=settings.wake_timeout,
        look_again=settings.offline_look_again,
        offline=settings.offline_max,
        gap=settings.ring_gap,
        late=settings.late_after,
        missed=settings.missed_after,
        snooze=settings.snooze,
        check_back=settings.check_back,
    )


def limits_of(settings: Settings) -> ReminderLimits:
    return ReminderLimits(
        content_letters_max=settings.content_letters_max,
        horizon=settings.horizon,
        series_interval=settings.series_interval,
        retries_max=settings.retries_max,
    )
