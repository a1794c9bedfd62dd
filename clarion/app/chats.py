"""Joins the chats: the message path, Telegram where a token is set, the console's own chat."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from clarion.app.parts import Parts
from clarion.app.services import ReminderServices
from clarion.base.config import BadSettings
from clarion.base.loop import Periodic
from clarion.chats.commands import overtakes
from clarion.chats.handling import BotOptions, MessageHandler
from clarion.chats.model import PersonId
from clarion.chats.platforms import ConsoleChat, PlatformReach, Platforms
from clarion.chats.ports import HANDLE, SEND, Platform
from clarion.chats.sending import MessageSender, flood_limit
from clarion.chats.service import RuleService
from clarion.doors.http.api.chat import chat_routes
from clarion.doors.http.api.rules import rule_routes
from clarion.doors.http.health import Check
from clarion.doors.matrix.bot import MatrixBot, MatrixPoller
from clarion.doors.telegram.bot import TelegramBot, TelegramOptions
from clarion.doors.telegram.poller import Receiver, TelegramPoller, TelegramSetUp
from clarion.doors.telegram.webhook import ask_for_calls, webhook_routes
from clarion.flows.chat_channel import ChatChannel
from clarion.settings import Settings
from clarion.store.sql.access.secrets import secret
from clarion.store.sql.chats.inbox import SqlInbox
from clarion.store.sql.chats.lines import SqlTranscript
from clarion.store.sql.chats.outbox import SqlOutbox
from clarion.store.sql.chats.rules import SqlRules
from clarion.talk.chat_requests import ChatRequests
from clarion.tasks.kinds import Kind


def chat_channel(parts: Parts) -> ChatChannel:
    """The channel to chats, which reminders need before the chats can know reminders."""
    return ChatChannel(SqlOutbox(parts.database), parts.clock)


def add_transcript(parts: Parts) -> SqlTranscript:
    transcript = SqlTranscript(parts.database)

    async def forget(now: datetime) -> None:
        await transcript.forget(now - parts.settings.chat_kept_for)

    parts.add_duty(Periodic("chat-cleaner", timedelta(hours=1), parts.clock, forget))
    # Messages that wait without a task: it died six times with its worker, or an upgrade came.
    parts.add_duty(Periodic("chat-waker", timedelta(minutes=1), parts.clock, transcript.wake))
    return transcript


async def add_chats(parts: Parts, channel: ChatChannel, services: ReminderServices) -> RuleService:
    settings, database, clock = parts.settings, parts.database, parts.clock
    channel.facts = services.facts
    is_control = partial(overtakes, prefix=settings.chat_command_prefix)
    inbox = SqlInbox(database, is_control=is_control)
    outbox, rules = SqlOutbox(database), SqlRules(database)
    bot, matrix = open_telegram(parts), open_matrix(parts)
    platforms = Platforms(platforms_of(telegram=bot, matrix=matrix), clock)
    requests = ChatRequests(
        services.reminders,
        services.people,
        services.talk,
        services.facts,
        outbox,
        clock,
        services.rotations,
        is_admin=platforms.is_admin,
        anyone_answers=settings.chat_group_answers == "anyone",
    )
    handler = MessageHandler(inbox, rules, platforms, requests, clock, bot_options(settings))
    sender = MessageSender(
        outbox,
        platforms,
        clock,
        rest=flood_limit(settings.chat_rest, settings.chat_rest_in_groups),
        follower=channel,
    )
    parts.kinds.add(Kind(HANDLE, handler))
    parts.kinds.add(Kind(SEND, sender))
    transcript = add_transcript(parts)
    service = RuleService(rules, clock, platforms)
    # Telegram's updates are always stored, however many wait: it repeats them only for a time.
    bounded = SqlInbox(database, backlog_max=settings.source_backlog_max, is_control=is_control)
    parts.routers += [rule_routes(service), chat_routes(bounded, transcript, clock)]
    parts.reaches.update(platforms.reaches)
    if bot is not None:
        reach = platforms.reaches["telegram"]
        parts.checks.append(platform_check(reach, transcript))
        await receive(parts, bot, Receiver(bot, inbox, outbox, clock), reach)
    if matrix is not None:
        reach = platforms.reaches["matrix"]
        parts.checks.append(platform_check(reach, transcript))
        parts.add_duty(MatrixPoller(matrix, inbox, outbox, clock, reach))
    return service


def platform_check(reach: PlatformReach, transcript: SqlTranscript) -> Check:
    async def about() -> dict[str, Any]:
        return {**reach.about(), "waiting": await transcript.backlog(reach.name)}

    return Check(reach.name, reach.check, required=False, about=about)


def platforms_of(**given: Platform | None) -> dict[str, Platform]:
    """Those that are set, by name, and the console's own chat."""
    known = {name: platform for name, platform in given.items() if platform is not None}
    return {"console": ConsoleChat(), **known}


def bot_options(settings: Settings) -> BotOptions:
    return BotOptions(
        prefix=settings.chat_command_prefix,
        operators=frozenset(PersonId(f"telegram:{each}") for each in settings.telegram_operators),
        anonymous_admins=settings.telegram_anonymous_admins,
    )


def open_telegram(parts: Parts) -> TelegramBot | None:
    settings = parts.settings
    if not settings.telegram_token:
        return None
    options = TelegramOptions(settings.telegram_token, settings.telegram_api_url)
    bot = TelegramBot(options, parts.clock)
    parts.closing.push_async_callback(bot.close)
    return bot


def open_matrix(parts: Parts) -> MatrixBot | None:
    if not parts.settings.matrix_url:
        return None
    bot = MatrixBot(parts.settings.matrix_url, parts.settings.matrix_token)
    parts.closing.push_async_callback(bot.close)
    return bot


async def receive(parts: Parts, bot: TelegramBot, receiver: Receiver, reach: PlatformReach) -> None:
    """By polling, which needs no way in from outside, or by webhook."""
    settings = parts.settings
    steps: list[Callable[[], Awaitable[object]]]
    steps = [bot.open, partial(bot.announce, settings.chat_command_prefix)]
    if settings.telegram_updates == "poll":
        parts.add_duty(TelegramPoller(bot, receiver, parts.clock, reach))
    elif not settings.public_url:
        raise BadSettings("Telegram cannot call us without CLARION_PUBLIC_URL.")
    else:
        key = (await parts.database.write(secret, "telegram")).hex()
        parts.routers.append(webhook_routes(receiver, key))
        steps.insert(1, partial(ask_for_calls, bot, settings.public_url, key))
    parts.add_pass(TelegramSetUp(steps, parts.clock, reach))
