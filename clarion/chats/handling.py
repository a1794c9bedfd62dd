"""One message at a time and in order: a command, an answer, a request, or to be forwarded."""

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import assert_never

from clarion.base.clock import Clock
from clarion.chats import replies
from clarion.chats.commands import (
    PRIORITY,
    Action,
    CancelReminder,
    Command,
    CommandFacts,
    ListReminders,
    Remind,
    Reply,
    SetPriority,
    TellOnCall,
    address,
    decide,
    read_command,
    target_rule,
)
from clarion.chats.forwarding import FORWARDING, ChangeRule, targets_in
from clarion.chats.marks import MarkedWords, moved, units
from clarion.chats.model import ChatId, ChatKind, ChatRule, ChatSender, Message, PersonId, group_of
from clarion.chats.ports import (
    Inbox,
    InboxMessage,
    Outgoing,
    Paused,
    Platform,
    PlatformAway,
    Promotion,
    Requests,
    RuleDraft,
    RuleStore,
    turn_of,
)
from clarion.chats.sending import wait_of
from clarion.chats.service import RuleRefused, RuleService
from clarion.tasks.model import Level
from clarion.tasks.ports import Claim

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=1)  # longer than a handler may take


@dataclass(frozen=True, slots=True)
class BotOptions:
    prefix: str = ""
    operators: frozenset[PersonId] = frozenset()
    """May manage every rule. By number, never by name: names can be taken over."""
    anonymous_admins: bool = False
    """Whether an administrator who hides their name may manage their own group."""


@dataclass(frozen=True, slots=True)
class Handled:
    """What a message led to."""

    how: str
    outgoing: tuple[Outgoing, ...] = ()
    promotion: Promotion | None = None


class MessageHandler:
    """Handles the task `message.handle`: whichever message of its chat comes next."""

    def __init__(
        self,
        inbox: Inbox,
        rules: RuleStore,
        platform: Platform,
        requests: Requests,
        clock: Clock,
        options: BotOptions,
    ) -> None:
        self._inbox = inbox
        self._rules = rules
        self._platform = platform
        self._requests = requests
        self._clock = clock
        self._options = options
        self._rule_service = RuleService(rules, clock, platform)

    async def __call__(self, claim: Claim) -> None:
        """A message that is handled twice after a crash has one result: see `Inbox.finish`."""
        now = self._clock.now()
        if "message" in claim.task.payload:
            # A dead task that was replayed: its message waits again, in its chat's order.
            chat_id = ChatId(claim.task.payload["chat"])
            await self._inbox.reopen(chat_id, claim.task.payload["message"], now)
            return
        kept = await self._inbox.begin(turn_of(claim, LEASE), now)
        if kept is not None:
            await self._attend(kept)

    async def _attend(self, kept: InboxMessage) -> None:
        try:
            handled = await self._handle(kept)
        except (PlatformAway, Paused) as away:
            now = self._clock.now()
            await self._inbox.put_back(kept, now, now + wait_of(away))
            return
        except Exception as error:
            log.exception("handling failed", extra={"chat": kept.message.chat.id})
            await self._inbox.failed(kept, repr(error), self._clock.now())
            return
        await self._inbox.finish(
            kept,
            self._clock.now(),
            outgoing=handled.outgoing,
            promotion=handled.promotion,
            handled_as=handled.how,
        )

    async def _handle(self, kept: InboxMessage) -> Handled:
        message = kept.message
        if message.button:
            return await self._press(message)
        forwarded = forward(kept)
        if message.is_history or message.is_edit or message.is_deletion:
            return forwarded
        command = self._command_in(message)
        if command is not None:
            return _both(await self._obey(command, message), forwarded)
        name = self._platform.bot_name(message.chat.id)
        message = address(message, name)
        if _forwards(kept.rule) and not message.addressed:
            # People talk to each other there: their words are forwarded and are not commands.
            return forwarded
        return _both(await self._request(message), forwarded)

    async def _request(self, message: Message) -> Handled:
        if not message.text:
            return Handled("nothing")
        if (said := await self._requests.answer(message)) is not None:
            return _reply("answer", message, said)
        if (said := await self._requests.remind(message, message.text, asked=False)) is not None:
            return _reply("request", message, said)
        return Handled("nothing")

    def _command_in(self, message: Message) -> Command | None:
        if message.is_forwarded:
            return None
        name = self._platform.bot_name(message.chat.id)
        if not name and "@" in message.text:
            raise PlatformAway("Not known yet how we are called there.")
        return read_command(message.text, name, self._options.prefix)

    async def _press(self, message: Message) -> Handled:
        said = await self._requests.press(message) or ""
        await self._platform.acknowledge(message.chat.id, message.button_id, said[:200])
        return Handled("button")

    async def _obey(self, command: Command, message: Message) -> Handled:
        action = decide(command, message, await self._gather(command, message))
        return await self._carry_out(action, message)

    async def _carry_out(self, action: Action, message: Message) -> Handled:
        match action:
            case Reply(text):
                return _reply("command", message, text)
            case SetPriority(chat_id, priority):
                return self._promote(chat_id, priority, message)
            case ChangeRule(draft):
                return _reply("command", message, await self._change(draft, message))
            case Remind(text):
                said = await self._requests.remind(message, text, asked=True)
                return _reply("command", message, said or "")
            case ListReminders():
                return _reply("command", message, await self._requests.upcoming(message))
            case TellOnCall():
                return _reply("command", message, await self._requests.on_call(message))
            case CancelReminder(which):
                return _reply("command", message, await self._requests.cancel(message, which))
            case _:
                assert_never(action)

    async def _change(self, draft: RuleDraft, message: Message) -> str:
        """Repeating it after a crash makes the same change."""
        try:
            here = group_of(message.chat.id)
            rule = await self._rule_service.save(here, draft, by=self._by(message))
        except RuleRefused as refused:
            zh = message.sender.language == "zh"
            return (
                f"❌ {refused.in_chinese if zh else f'{refused.message} {refused.hint}'}".rstrip()
            )
        said = replies.forwarding if draft.weight is None else replies.share
        return said(rule, message.sender.language)

    def _promote(self, chat_id: ChatId, priority: int, message: Message) -> Handled:
        language = message.sender.language

        def say(title: str, before: int, after: int) -> MarkedWords:
            return replies.updated(title, before, after, language)

        promotion = Promotion(chat_id=chat_id, priority=priority, by=self._by(message), say=say)
        return Handled("command", promotion=promotion)

    def _by(self, message: Message) -> str:
        hidden = message.sender.anonymous or message.chat.kind is ChatKind.CHANNEL
        return "anonymous admin of the chat" if hidden else str(message.sender.id)

    async def _gather(self, command: Command, message: Message) -> CommandFacts:
        """Only what this command needs: most of it costs a call to the platform."""
        if command.name in PRIORITY:
            target = await self._target(command, message)
            chat = target.chat_id if target is not None else group_of(message.chat.id)
            return CommandFacts(may_manage=await self._may_manage(chat, message), target=target)
        if command.name in FORWARDING:
            return await self._forwarding(command, message)
        if command.name == "list_rules":
            return await self._visible_rules(message)
        if command.name == "queue":
            return CommandFacts(depths=tuple(await self._rules.depths(self._clock.now())))
        if command.name == "why":
            return CommandFacts(place=await self._rules.place(message.chat.id, self._clock.now()))
        return CommandFacts()

    async def _forwarding(self, command: Command, message: Message) -> CommandFacts:
        """A person who forwards messages to another chat must be able to manage that one too."""
        here = group_of(message.chat.id)
        if not await self._may_manage(here, message):
            return CommandFacts()
        named = targets_in(command.arguments, here) if command.name == "forward" else ()
        managed = [one for one in named if await self._may_manage(one, message)]
        rule = await self._rules.rule_of(here)
        return CommandFacts(may_manage=True, target=rule, managed=frozenset(managed))

    async def _target(self, command: Command, message: Message) -> ChatRule | None:
        if message.chat.kind is not ChatKind.PRIVATE:
            return await self._rules.rule_of(message.chat.id)
        number = target_rule(command, message)
        return None if number is None else await self._rules.rule(number)

    async def _visible_rules(self, message: Message) -> CommandFacts:
        """Operators see all rules, administrators those of their chats."""
        rules = await self._rules.rules()
        if message.sender.id not in self._options.operators:
            rules = [rule for rule in rules if await self._may_manage(rule.chat_id, message)]
        return CommandFacts(
            may_manage=bool(rules) or message.sender.id in self._options.operators,
            rules=tuple(rules),
            waiting=await self._rules.waiting(),
        )

    async def _may_manage(self, chat_id: ChatId, message: Message) -> bool:
        sender: ChatSender = message.sender
        if message.chat.kind is ChatKind.CHANNEL:
            # Only its administrators can post there.
            return chat_id == group_of(message.chat.id)
        if sender.is_channel:
            return False
        if sender.anonymous:
            # Telegram confirms only that it is an administrator of this group, not which one.
            return self._options.anonymous_admins and chat_id == group_of(message.chat.id)
        if sender.id in self._options.operators:
            return True
        if message.chat.kind is ChatKind.PRIVATE and chat_id == message.chat.id:
            return False
        return await self._platform.is_admin(chat_id, sender.id)


def _forwards(rule: ChatRule | None) -> bool:
    return rule is not None and rule.enabled and bool(rule.targets)


def forward(kept: InboxMessage) -> Handled:
    """What the chat's rule makes of a message: copies for its targets."""
    message, rule = kept.message, kept.rule
    if rule is None or not _forwards(rule):
        return Handled("nothing")
    # A filtered message was never forwarded, so there is nothing to delete.
    passes = rule.filters.let_through(message.text, message.sender.id, message.kind)
    if not passes and not message.is_deletion:
        return Handled("filtered")
    return Handled("forwarded", tuple(_copy(kept, rule, target) for target in rule.targets))


def _copy(kept: InboxMessage, rule: ChatRule, target: ChatId) -> Outgoing:
    """The message for one target: a text with its marks, or a copy of what is more than text."""
    message = kept.message
    head = f"{message.chat.title or message.chat.id} · {message.sender.name}\n"
    album = (message.message_id, *message.others) if message.others else ()
    worded = message.words_under or message.message_id
    key = _relayed(message, worded, target) if worded else ""
    changes = message.is_edit or message.is_deletion
    return Outgoing(
        chat_id=target,
        text=(head + message.text).rstrip("\n"),
        marks=moved(message.marks, units(head)),
        base=int(Level.BULK) if message.is_history else rule.priority,
        key=f"{kept.sequence}>{target}" if changes or not key else key,
        kind=message.kind,
        media=message.media if message.is_edit else "",
        copies="" if message.kind == "text" else ",".join(album or (message.message_id,)),
        parts=tuple(_relayed(message, part, target) for part in album),
        head=len(head),
        copies_from=message.said_in,
        edits_of=key if message.is_edit else "",
        deletes_of=key if message.is_deletion else "",
        reply_of=_relayed(message, message.reply_to, target) if message.reply_to else "",
        source=message.chat.id,
    )


def _relayed(message: Message, message_id: str, target: ChatId) -> str:
    return f"{message.said_in or message.chat.id}/{message_id}>{target}"


def _both(first: Handled, forwarded: Handled) -> Handled:
    how = forwarded.how if first.how == "nothing" else first.how
    return Handled(how, (*first.outgoing, *forwarded.outgoing), first.promotion)


def _reply(how: str, message: Message, text: str) -> Handled:
    if not text:
        return Handled(how)
    reply = Outgoing(chat_id=message.chat.id, text=text, reply_to=message.message_id)
    return Handled(how, (reply,))
