"""Joins the chats: the message path, Telegram where a token is set, the console's own chat."""

from collections.abc import Callable
from datetime import timedelta

from clarion.app.parts import Parts
from clarion.base.config import BadSettings
from clarion.chats.cleaner import ChatCleaner
from clarion.chats.handling import BotOptions, MessageHandler
from clarion.chats.model import Chat, ChatKind, PersonId
from clarion.chats.platforms import ConsoleChat, Platforms
from clarion.chats.ports import HANDLE, SEND, Platform
from clarion.chats.sending import MessageSender
from clarion.chats.service import RuleService
from clarion.doors.http.chat import chat_routes
from clarion.doors.http.rules import rule_routes
from clarion.doors.telegram.bot import TelegramBot, TelegramOptions
from clarion.doors.telegram.poller import Receiver, TelegramPoller
from clarion.doors.telegram.webhook import ask_for_calls, webhook_routes
from clarion.flows.chat_channel import ChatChannel
from clarion.flows.chat_requests import ChatRequests
from clarion.reminders.people import People
from clarion.reminders.ports import Facts
from clarion.reminders.service import Reminders
from clarion.settings import Settings
from clarion.store.sql.chat_inbox import SqlInbox
from clarion.store.sql.chat_lines import SqlTranscript
from clarion.store.sql.chat_outbox import SqlOutbox
from clarion.store.sql.chat_rules import SqlRules
from clarion.store.sql.secrets import secret
from clarion.tasks.kinds import Kind


def chat_channel(parts: Parts) -> ChatChannel:
    """The way to chats, which reminders need before the chats can know reminders."""
    return ChatChannel(SqlOutbox(parts.database), parts.clock)


async def add_chats(
    parts: Parts, channel: ChatChannel, reminders: Reminders, people: People, facts: Facts
) -> RuleService:
    settings, database, clock = parts.settings, parts.database, parts.clock
    channel.facts = facts
    inbox, outbox, rules = SqlInbox(database), SqlOutbox(database), SqlRules(database)
    bot = await open_telegram(parts)
    platforms = Platforms(platforms_of(bot))
    requests = ChatRequests(reminders, people, facts, outbox, clock)
    options = bot_options(settings, bot.name if bot else "clarion")
    handler = MessageHandler(inbox, rules, platforms, requests, clock, options)
    sender = MessageSender(
        outbox,
        platforms,
        clock,
        rest=flood_limit(settings),
        follower=channel,
    )
    parts.kinds.add(Kind(HANDLE, handler))
    parts.kinds.add(Kind(SEND, sender))
    transcript = SqlTranscript(database)
    parts.add_duty(ChatCleaner(transcript, clock, settings.chat_kept_for))
    service = RuleService(rules, clock)
    # Telegram's updates are taken in whatever waits: it would not send them again for ever.
    bounded = SqlInbox(database, backlog_max=settings.source_backlog_max)
    parts.routers += [rule_routes(service), chat_routes(bounded, transcript, clock)]
    if bot is not None:
        await receive(parts, bot, Receiver(bot, inbox, outbox, clock))
    return service


def flood_limit(settings: Settings) -> Callable[[Chat], timedelta]:
    """Telegram wants at most one message a second to a person, and fewer to a group."""

    def rest(chat: Chat) -> timedelta:
        if chat.id.startswith("console:"):
            return timedelta(0)
        private = chat.kind is ChatKind.PRIVATE
        return settings.chat_rest if private else settings.chat_rest_in_groups

    return rest


def platforms_of(bot: TelegramBot | None) -> dict[str, Platform]:
    platforms: dict[str, Platform] = {"console": ConsoleChat()}
    if bot is not None:
        platforms["telegram"] = bot
    return platforms


def bot_options(settings: Settings, name: str) -> BotOptions:
    return BotOptions(
        name=name,
        prefix=settings.chat_command_prefix,
        operators=frozenset(PersonId(f"telegram:{each}") for each in settings.telegram_operators),
        anonymous_admins=settings.telegram_anonymous_admins,
    )


async def open_telegram(parts: Parts) -> TelegramBot | None:
    settings = parts.settings
    if not settings.telegram_token:
        return None
    options = TelegramOptions(settings.telegram_token, settings.telegram_api_url)
    bot = TelegramBot(options, parts.clock)
    await bot.open()
    parts.closing.push_async_callback(bot.close)
    await bot.announce(settings.chat_command_prefix)
    return bot


async def receive(parts: Parts, bot: TelegramBot, receiver: Receiver) -> None:
    """By polling, which needs no way in from outside, or by webhook."""
    settings = parts.settings
    if settings.telegram_updates == "poll":
        await bot.call("deleteWebhook")
        parts.add_duty(TelegramPoller(bot, receiver, parts.clock))
        return
    if not settings.public_url:
        raise BadSettings("Telegram cannot call us without CLARION_PUBLIC_URL.")
    key = (await parts.database.write(secret, "telegram")).hex()
    parts.routers.append(webhook_routes(receiver, key))
    await ask_for_calls(bot, settings.public_url, key)
