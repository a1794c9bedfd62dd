"""Joins reminders: the verbs, the ring, what devices report, and who is told in the end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from clarion.access.feed import EventFeed
from clarion.app.llm import Helpers
from clarion.app.parts import Parts
from clarion.app.services import Outside, ReminderServices
from clarion.base.clock import Clock
from clarion.base.events import StoredEvent
from clarion.base.ids import ContactId, UserId
from clarion.base.loop import Periodic
from clarion.doors.http.pages.invitation import invitation_routes
from clarion.doors.notify.channel import NotifyChannel
from clarion.doors.notify.contacts import AddressBook, Contacts, Say
from clarion.flows.chat_channel import ChatChannel
from clarion.flows.contact_is_told_where_they_answer import ContactIsTold
from clarion.llm.writing import ModelConversation, ModelTurn
from clarion.people.invitations import INVITE, Invitations
from clarion.people.model import CHAT_PLATFORMS, DeviceKind, Newcomer
from clarion.people.rotations import Rotations
from clarion.people.service import People
from clarion.reminders.effects import Channels, Effects
from clarion.reminders.keeper import Keeper, ReachWatch
from clarion.reminders.links import LINK_LIFE, Grant, Links
from clarion.reminders.model import PATIENCE, Patience
from clarion.reminders.ports import Channel, Notifier, Ring
from clarion.reminders.ring_reports import AnswerHelpers, RingReports
from clarion.reminders.ring_tasks import RingTasks
from clarion.reminders.service import Reminders
from clarion.reminders.setting import LIMITS, Means, ReminderLimits
from clarion.settings import Settings
from clarion.store.sql.access.secrets import secret
from clarion.store.sql.dialogues import SqlDialogues
from clarion.store.sql.engine.database import Database
from clarion.store.sql.people.rotations import SqlRotations
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.reminders.store import SqlReminders
from clarion.talk.dialogue import Said
from clarion.talk.ports import TalkModel, ToolCall
from clarion.talk.service import REMEMBERED, Noted, Talk
from clarion.talk.spoken_facts import SpokenFacts
from clarion.tasks.kinds import SLOWLY, TELL_RETRIES, Kind


def people_of(means: Means, addresses: AddressBook | None, reminders: Reminders) -> People:
    return People(
        means.people,
        means.clock,
        limits=means.limits,
        newcomer=means.newcomer,
        addresses=addresses,
        moved=reminders.series.follow_zone,
    )


@dataclass(frozen=True, slots=True)
class ModelChat:
    """The language model's talk, in the words of our own."""

    model: ModelConversation

    async def reply(
        self, history: Sequence[Said], known: Mapping[str, object], user_text: str, lang: str
    ) -> str | list[ToolCall] | None:
        turns = [
            ModelTurn("user" if one.role == "user" else "assistant", one.text) for one in history
        ]
        said = await self.model.reply(turns, known, user_text, lang)
        if isinstance(said, list):
            return [ToolCall(call.tool, call.fields) for call in said]
        return said


NO_HELPERS = Helpers()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderWiring:
    """What reminders are joined with: in `clarion serve` the settings', in stories a test's."""

    database: Database
    clock: Clock
    channel: Channel
    notifier: Notifier
    links: Links
    newcomer: Newcomer
    patience: Patience = PATIENCE
    limits: ReminderLimits = LIMITS
    backlog_max: int | None = None
    helpers: Helpers = NO_HELPERS
    chat: TalkModel | None = None
    remembered: timedelta = REMEMBERED
    addresses: AddressBook | None = None
    noted: Noted | None = None
    unserved: frozenset[str] = frozenset()


def talk_of(
    given: ReminderWiring, reminders: Reminders, people: People, reports: RingReports
) -> Talk:
    return Talk(
        reminders,
        people,
        reports,
        SqlDialogues(given.database),
        given.clock,
        chat=given.chat,
        remembered=given.remembered,
        noted=given.noted,
    )


def join_reminders(given: ReminderWiring) -> ReminderServices:
    """The verbs, the ring, what devices report, and the talk, over one database."""
    newcomer, clock, patience, helpers = given.newcomer, given.clock, given.patience, given.helpers
    store = SqlReminders(
        given.database, newcomer=newcomer.user(UserId("")), backlog_max=given.backlog_max
    )
    people_store = SqlPeople(given.database)
    effects = Effects(store, people_store, given.channel, clock, patience, helpers.phrases)
    answers = AnswerHelpers(judge=helpers.judge, asks=helpers.asks)
    reports = RingReports(store, people_store, clock, effects, patience=patience, helpers=answers)
    ring_tasks = RingTasks(
        store,
        clock,
        effects,
        given.notifier,
        links=given.links,
        people=people_store,
        patience=patience,
    )
    means = Means(
        store=store,
        people=people_store,
        clock=clock,
        channel=given.channel,
        limits=given.limits,
        newcomer=newcomer,
        patience=patience,
        reader=helpers.times,
        unserved=given.unserved,
    )
    reminders = Reminders(means, given.links)
    people = people_of(means, given.addresses, reminders)
    talk = talk_of(given, reminders, people, reports)
    return ReminderServices(
        reminders=reminders,
        people=people,
        rotations=Rotations(SqlRotations(given.database), people, clock),
        facts=SpokenFacts(reports, talk, reminders.calls, people_store),
        talk=talk,
        links=given.links,
        store=store,
        people_store=people_store,
        ring_reports=reports,
        ring_tasks=ring_tasks,
        reach=ReachWatch(store, people_store, clock, patience, given.unserved),
    )


def unserved(settings: Settings) -> frozenset[str]:
    access = {"telegram": settings.telegram_token, "matrix": settings.matrix_url}
    return frozenset(name for name, given in access.items() if not given)


async def add_reminders(
    parts: Parts, outside: Outside, chats: ChatChannel, helpers: Helpers, noted: Noted
) -> ReminderServices:
    settings = parts.settings
    ways: dict[DeviceKind, Channel] = dict.fromkeys(CHAT_PLATFORMS.values(), chats)
    channels = Channels(ways)
    key = await parts.database.write(secret, "links")
    patience = patience_of(settings)
    say = told_where_they_answer(parts, channels, chats)
    services = join_reminders(
        ReminderWiring(
            database=parts.database,
            clock=parts.clock,
            channel=channels,
            notifier=Contacts(outside.apprise, outside.sender, say),
            links=Links(key, pages_at(settings)),
            newcomer=Newcomer(zone=settings.home_zone.key, language=settings.language),
            patience=patience,
            limits=limits_of(settings),
            backlog_max=settings.source_backlog_max,
            helpers=helpers,
            chat=ModelChat(helpers.talk) if helpers.talk else None,
            remembered=settings.talk_remembered,
            addresses=AddressBook(outside.apprise, outside.sender),
            noted=noted,
            unserved=unserved(settings),
        )
    )
    for kind in services.ring_tasks.kinds():
        parts.kinds.add(kind)
    last_noted = await services.store.last_noted()
    parts.add_pass(Keeper(services.store, parts.clock, patience, last_noted))
    parts.add_pass(
        Periodic("movers", timedelta(minutes=5), parts.clock, services.people.follow_movers)
    )
    dialogues = SqlDialogues(parts.database)

    async def forget(now: datetime) -> None:
        await dialogues.forget(now - settings.talk_remembered)

    parts.add_duty(Periodic("talk-cleaner", timedelta(hours=1), parts.clock, forget))
    return replace(services, ways=ways)


def add_reach(parts: Parts, services: ReminderServices, feed: EventFeed) -> None:
    """One server looks whether what comes can still be heard."""
    loop = parts.add_duty(services.reach)

    def happened(event: StoredEvent) -> None:
        if services.reach.happened(event):
            loop.wake()

    parts.closing.callback(feed.listen(happened))


async def add_invitations(
    parts: Parts, services: ReminderServices, outside: Outside
) -> Invitations:
    """Contacts are asked before they are told anything."""
    settings = parts.settings
    invitations = Invitations(
        services.people_store,
        services.people,
        parts.clock,
        await parts.database.write(secret, "invitations"),
        pages_at(settings),
        outside.apprise,
        AddressBook(outside.apprise, outside.sender),
    )
    parts.kinds.add(invite_kind(invitations))
    parts.routers.append(invitation_routes(invitations))
    return invitations


def invite_kind(invitations: Invitations) -> Kind:
    return Kind(INVITE, invitations.invite, retries=TELL_RETRIES, backoff=SLOWLY)


def pages_at(settings: Settings) -> str:
    return settings.public_url or f"http://{settings.host}:{settings.port}"


def told_where_they_answer(
    parts: Parts, channels: Channels, chats: ChatChannel
) -> Mapping[str, Say]:
    people = SqlPeople(parts.database)
    told = ContactIsTold(people, channels, chats.tell, chats.ask, parts.clock)
    return {"device": told.on_device, "chat": told.in_chat}


def add_notifications(parts: Parts, services: ReminderServices, outside: Outside) -> None:
    """Devices that are told one way: an Apprise address, a webhook."""

    def link(ring: Ring) -> str:
        grant = Grant(ring.reminder_id, ContactId(ring.device.id))
        return services.links.url(grant, ring.answer_by + LINK_LIFE)

    way = NotifyChannel(outside.apprise, outside.sender, services.facts, link)
    services.ways.update({DeviceKind.NOTIFY: way, DeviceKind.WEBHOOK: way})


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
        contacts_max=settings.contacts_max,
    )
