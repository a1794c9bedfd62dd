"""What a message asks the bot to do. Pure: message and facts in, replies and actions out."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from clarion.chats import replies
from clarion.chats.forwarding import (
    FORWARDING,
    ChangeRule,
    decide_filter,
    decide_forward,
    decide_share,
)
from clarion.chats.levels import read_level
from clarion.chats.model import (
    ChatId,
    ChatKind,
    ChatPlace,
    ChatRule,
    Message,
    RuleId,
    Waiting,
    group_of,
)

PRIORITY = frozenset({"set_priority", "vip", "p"})
CONTROL = PRIORITY | FORWARDING | {"list_rules", "queue", "why", "help", "start"}
KNOWN = CONTROL | {"remind", "reminders", "cancel", "oncall"}


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandFacts:
    """The facts for a decision, gathered before it, so that deciding stays pure."""

    may_manage: bool = False
    """The sender is an administrator of the chat in question, or an operator."""
    target: ChatRule | None = None
    """The rule in question: this chat's own, or the one named in private."""
    rules: tuple[ChatRule, ...] = ()
    """Those the sender may see."""
    managed: frozenset[ChatId] = frozenset()
    """Of the chats that the command names, those that the sender may manage too."""
    waiting: dict[ChatId, int] | None = None
    depths: tuple[Waiting, ...] = ()
    place: ChatPlace | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    text: str


@dataclass(frozen=True, slots=True)
class SetPriority:
    """Change a chat's rule, and make one when it has none. The reply waits for it."""

    chat_id: ChatId
    priority: int


@dataclass(frozen=True, slots=True)
class Remind:
    text: str


@dataclass(frozen=True, slots=True)
class ListReminders:
    pass


@dataclass(frozen=True, slots=True)
class TellOnCall:
    pass


@dataclass(frozen=True, slots=True)
class CancelReminder:
    which: str
    """An id, a number from the list, or words of its content; empty means the next one."""


Action: TypeAlias = (
    Reply | SetPriority | ChangeRule | Remind | ListReminders | CancelReminder | TellOnCall
)


def overtakes(message: Message, prefix: str = "") -> bool:
    """Whether it overtakes all others of its chat: a button, or a command about the queue."""
    if message.button:
        return True
    if message.is_forwarded or message.is_history:
        return False
    command = read_command(message.text, None, prefix)
    return command is not None and command.name in CONTROL


def read_command(text: str, bot_name: str | None, prefix: str = "") -> Command | None:
    """The command in a message, or None: plain words, or a command for another bot.

    /vip 50             ours
    /vip@ClarionBot 50  ours, however its name is written
    /vip@other_bot 50   not ours
    /c_vip 50           ours when the prefix is `c_`: some groups have several bots

    Where `bot_name` is None, a command for any bot counts.
    """
    if not text.startswith("/") or text[1:2].isspace():
        return None
    word, *rest = text[1:].split(maxsplit=1)[:2] or [""]
    arguments = rest[0] if rest else ""
    name, at, bot = word.partition("@")
    if at and bot_name is not None and bot.casefold() != bot_name.casefold():
        return None
    name = name.casefold()
    if prefix and not name.startswith(prefix):
        return None
    name = name.removeprefix(prefix)
    return Command(name, " ".join(arguments.split())) if name in KNOWN else None


def address(message: Message, bot_name: str) -> Message:
    """The message with `addressed` set, and without our name before the words."""
    name = bot_name.casefold()
    named = bool(name) and name in message.mentions
    text = message.text
    if named and text.casefold().startswith(f"@{name}"):
        text = text[len(name) + 1 :].lstrip(" ,:，：、")
    private = message.chat.kind is ChatKind.PRIVATE
    addressed = private or named or (bool(name) and message.answers == name)
    return replace(message, text=text, addressed=addressed)


def target_rule(command: Command, message: Message) -> RuleId | None:
    """The rule that a priority command names in a private chat; None in a group or without one."""
    if command.name not in PRIORITY or message.chat.kind is not ChatKind.PRIVATE:
        return None
    first, *_ = command.arguments.split() or [""]
    number = first.removeprefix("#")
    return RuleId(int(number)) if number.isdecimal() and len(number) < 10 else None


def decide(command: Command, message: Message, facts: CommandFacts) -> Action:
    language = message.sender.language
    match command.name:
        case "list_rules":
            return _list_rules(message, facts)
        case "queue" | "why":
            return _tell_queue(facts, language)
        case "remind" | "reminders" | "cancel" | "oncall":
            return _ask_reminders(command, language)
        case "help" | "start":
            return Reply(replies.help_text(language))
        case "forward" | "filter" | "share":
            return _set_forwarding(command, message, facts)
        case _ if message.chat.kind is ChatKind.PRIVATE:
            return _set_in_private(command, message, facts)
        case _:
            return _set_here(command, message, facts)


def _ask_reminders(command: Command, language: str) -> Action:
    match command.name:
        case "remind" if command.arguments:
            return Remind(command.arguments)
        case "remind":
            return Reply(replies.remind_usage(language))
        case "reminders":
            return ListReminders()
        case "oncall":
            return TellOnCall()
        case _:
            return CancelReminder(command.arguments)


def _tell_queue(facts: CommandFacts, language: str) -> Reply:
    """How much waits at all, or where this chat stands when that was asked for."""
    if facts.place is None:
        return Reply(replies.queue(facts.depths, language))
    return Reply(replies.why(facts.place, language))


def _set_forwarding(command: Command, message: Message, facts: CommandFacts) -> Action:
    if not facts.may_manage:
        return Reply(replies.refused(message.sender.language))
    if command.name == "forward":
        decided = decide_forward(command.arguments, message, facts.target, facts.managed)
    elif command.name == "share":
        decided = decide_share(command.arguments, message, facts.target)
    else:
        decided = decide_filter(command.arguments, message, facts.target)
    return Reply(decided) if isinstance(decided, str) else decided


def _set_here(command: Command, message: Message, facts: CommandFacts) -> Action:
    language = message.sender.language
    if not facts.may_manage:
        return Reply(replies.refused(language))
    if not command.arguments:
        return Reply(replies.group_usage(facts.target, language))
    priority = read_level(command.arguments)
    if priority is None:
        return Reply(replies.bad_level(command.arguments, language))
    return SetPriority(group_of(message.chat.id), priority)


def _set_in_private(command: Command, message: Message, facts: CommandFacts) -> Action:
    language = message.sender.language
    words = command.arguments.split()
    number = target_rule(command, message)
    if number is None or len(words) != 2:
        return Reply(replies.private_usage(language))
    if facts.target is None:
        return Reply(replies.no_such_rule(number, language))
    if not facts.may_manage:
        return Reply(replies.refused(language))
    priority = read_level(words[1])
    if priority is None:
        return Reply(replies.bad_level(words[1], language))
    return SetPriority(facts.target.chat_id, priority)


def _list_rules(message: Message, facts: CommandFacts) -> Reply:
    if not facts.may_manage and not facts.rules:
        return Reply(replies.refused(message.sender.language))
    return Reply(replies.rules(facts.rules, facts.waiting or {}, message.sender.language))
