"""`/forward`, `/filter` and `/share`: where a chat's messages go, which, how many. Pure."""

from dataclasses import asdict, dataclass
from typing import Any

from clarion.chats import replies
from clarion.chats.model import (
    WEIGHT_MAX,
    WEIGHT_MIN,
    ChatId,
    ChatRule,
    Filters,
    Message,
    PersonId,
)
from clarion.chats.ports import RuleDraft

FORWARDING = frozenset({"forward", "filter", "share"})
SWITCHES = {"on": True, "off": False}
LISTS = {
    "words": "words",
    "without": "without",
    "pattern": "patterns",
    "senders": "senders",
    "kinds": "kinds",
}


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """Change the chat's own rule, and make one when it has none."""

    draft: RuleDraft


def targets_in(arguments: str, here: ChatId) -> tuple[ChatId, ...]:
    """The chats that `/forward` names: `-100123` is one of this platform."""
    if arguments in {"", "none", *SWITCHES}:
        return ()
    platform = here.partition(":")[0]
    named = dict.fromkeys(words_of(arguments))
    return tuple(
        ChatId(one if ":" in one.partition("!")[0] else f"{platform}:{one}") for one in named
    )


def words_of(arguments: str) -> list[str]:
    return arguments.replace("，", " ").replace(",", " ").split()


def decide_forward(
    arguments: str, message: Message, rule: ChatRule | None, managed: frozenset[ChatId]
) -> ChangeRule | str:
    """What to change, or what to reply. `managed`: the named targets that they may manage."""
    language = message.sender.language
    if not arguments:
        own_id = replies.own_id(message.chat.id, language)
        return f"{replies.forwarding(rule, language)}\n{own_id}"
    if arguments in SWITCHES:
        return ChangeRule(RuleDraft(enabled=SWITCHES[arguments]))
    targets = targets_in(arguments, message.chat.id)
    for target in targets:
        if target not in managed:
            return replies.not_yours(target, language)
    return ChangeRule(RuleDraft(targets=targets))


def decide_filter(arguments: str, message: Message, rule: ChatRule | None) -> ChangeRule | str:
    language = message.sender.language
    filters = rule.filters if rule is not None else Filters()
    what, _, rest = arguments.partition(" ")
    if not what:
        return replies.filtering(filters, language)
    if what == "try":
        return tried(rest, message, rule, language)
    if what == "clear":
        return ChangeRule(RuleDraft(filters={}))
    if what not in LISTS or not rest:
        return replies.filter_usage(language)
    values = [rest] if what == "pattern" else words_of(rest)
    if what == "senders":
        platform = message.chat.id.partition(":")[0]
        values = [one if ":" in one else f"{platform}:{one}" for one in values]
    return ChangeRule(RuleDraft(filters={**kept(filters), LISTS[what]: values}))


def decide_share(arguments: str, message: Message, rule: ChatRule | None) -> ChangeRule | str:
    """How large a share of the queue the chat has; `auto`: as its priority says."""
    language = message.sender.language
    if not arguments:
        return replies.share(rule, language)
    if arguments == "auto":
        return ChangeRule(RuleDraft(weight=0))
    try:
        weight = float(arguments)
    except ValueError:
        return replies.share_usage(language)
    if not WEIGHT_MIN <= weight <= WEIGHT_MAX:
        return replies.share_usage(language)
    return ChangeRule(RuleDraft(weight=weight))


def tried(text: str, message: Message, rule: ChatRule | None, language: str) -> str:
    """A dry run: what would happen to these words, from this person, in this chat."""
    if rule is None or not rule.targets or not rule.enabled:
        return replies.forwarding(rule, language)
    passes = rule.filters.let_through(text, PersonId(message.sender.id), "text")
    return replies.tried(rule.targets if passes else (), language)


def kept(filters: Filters) -> dict[str, Any]:
    return {name: list(value) for name, value in asdict(filters).items() if value}
