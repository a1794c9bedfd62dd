"""The verbs about rules behind every door. A change takes effect at once, also for what waits."""

import re
from collections.abc import Sequence
from typing import Protocol

from clarion.base.clock import Clock
from clarion.base.errors import NotFound, Unprocessable
from clarion.chats.levels import CHOICES, LEAST, MOST
from clarion.chats.model import (
    MESSAGE_KINDS,
    WEIGHT_MAX,
    WEIGHT_MIN,
    ChatId,
    ChatRule,
    Filters,
    PersonId,
    RuleId,
    Waiting,
    group_of,
)
from clarion.chats.ports import NOT_SET_UP, RuleDraft, RuleStore

NESTED = re.compile(r"[*+}]\)[*+{]")
TARGETS_MAX = 20  # one message becomes at most this many


class RuleRefused(Unprocessable):
    """In both languages: a chat has one, and so has a screen."""

    def __init__(self, message: str, in_chinese: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.in_chinese = in_chinese


class ForwardsInCircle(RuleRefused):
    code = "chat_loop"


class BadTarget(RuleRefused):
    code = "chat_bad_target"


class Targets(Protocol):
    async def problem_with(self, chat_id: ChatId) -> str:
        """Why nothing can be sent there; empty when it can."""
        ...

    def may_be_a_sender(self, person: PersonId) -> bool:
        """Whether somebody who writes there can have this id."""
        ...


class RuleService:
    def __init__(self, rules: RuleStore, clock: Clock, targets: Targets | None = None) -> None:
        self._rules = rules
        self._clock = clock
        self._targets = targets

    async def save(
        self, chat_id: ChatId, draft: RuleDraft, *, by: str = "", version: int | None = None
    ) -> ChatRule:
        """Change the chat's rule or make one; None leaves a field unchanged."""
        _check(draft)
        for sender in (draft.filters or {}).get("senders", ()):
            self._check_sender(sender)
        if draft.targets:
            await self._refuse_loops(chat_id, draft.targets)
            for target in draft.targets:
                await self._check_target(target)
        return await self._rules.save(chat_id, draft, by, self._clock.now(), version)

    async def _refuse_loops(self, chat_id: ChatId, targets: Sequence[ChatId]) -> None:
        """Forwarded messages must not come back to the chat, also not through other chats."""
        onward = {rule.chat_id: rule.targets for rule in await self._rules.rules()}
        seen, coming = set[ChatId](), list(targets)
        while coming:
            chat = group_of(coming.pop())
            if chat == group_of(chat_id):
                raise ForwardsInCircle(
                    "What is forwarded would come back into the same chat.",
                    "转发的消息会回到同一个聊天。",
                )
            if chat not in seen:
                seen.add(chat)
                coming += onward.get(chat, ())

    async def _check_target(self, target: ChatId) -> None:
        if self._targets is None:
            return
        problem = await self._targets.problem_with(target)
        if problem == NOT_SET_UP:
            platform = target.partition(":")[0]
            raise BadTarget(
                f"Nothing can be sent to {target}: {platform!r} is {problem}.",
                f"不能转发到 {target}：这里没有接入 {platform}，请先设置好，或换一个目标。",
                hint="Set it up first (docs/telegram.md, docs/matrix.md), or choose another chat.",
            )
        if problem:
            raise BadTarget(
                f"Nothing can be sent to {target}: {problem}",
                f"不能转发到 {target}：请先把机器人加进去，并允许它发言。",
                hint="Add the bot there, and let it write.",
            )

    def _check_sender(self, sender: PersonId) -> None:
        """A name that nobody writes under would silently keep everything back."""
        if self._targets is None or self._targets.may_be_a_sender(sender):
            return
        raise RuleRefused(
            f"Nobody writes as {sender}: senders are named by their number.",
            f"没有人以 {sender} 发言：请用发送者的数字编号，例如 123456，不要用 @名字。",
            hint="In Telegram that is telegram:123456; a name with @ can go to somebody else.",
        )

    async def get(self, rule_id: RuleId) -> ChatRule:
        rule = await self._rules.rule(rule_id)
        if rule is None:
            raise NotFound(f"There is no rule #{rule_id}.", hint="List the rules to see them.")
        return rule

    async def delete(self, rule_id: RuleId, *, by: str = "") -> None:
        """Deleting twice is not an error."""
        await self._rules.delete(rule_id, by, self._clock.now())

    async def waiting(self) -> dict[ChatId, int]:
        return await self._rules.waiting()

    async def depths(self) -> list[Waiting]:
        return await self._rules.depths(self._clock.now())

    async def list(self) -> list[ChatRule]:
        return await self._rules.rules()

    def try_out(self, draft: RuleDraft, text: str, sender: PersonId, kind: str) -> str:
        """A dry run: which list of these filters would keep the message back; empty for none."""
        _check(draft)
        lists = {name: tuple(values) for name, values in (draft.filters or {}).items()}
        return Filters(**lists).stopped_by(text, sender, kind)


def _check(draft: RuleDraft) -> None:
    if draft.priority is not None and not LEAST <= draft.priority <= MOST:
        raise Unprocessable(f"{draft.priority} is no priority.", hint=f"One of: {CHOICES}")
    if draft.weight and not WEIGHT_MIN <= draft.weight <= WEIGHT_MAX:
        raise Unprocessable(f"A weight is a number from {WEIGHT_MIN:g} to {WEIGHT_MAX:g}.")
    filters = draft.filters or {}
    for pattern in filters.get("patterns", ()):
        _check_pattern(pattern)
    for kind in filters.get("kinds", ()):
        if kind not in MESSAGE_KINDS:
            known = ", ".join(MESSAGE_KINDS)
            raise RuleRefused(
                f"No message is of the kind {kind!r}.",
                f"没有“{kind}”这种消息。可用: {known}",
                hint=f"One of: {known}",
            )
    if draft.targets is not None and len(draft.targets) > TARGETS_MAX:
        raise RuleRefused(
            f"A rule has at most {TARGETS_MAX} targets.", f"最多转发到 {TARGETS_MAX} 个聊天。"
        )


def _check_pattern(pattern: str) -> None:
    """Refuse nested repetitions: they may run for ever and block all others."""
    zh = f"这个正则表达式不能用：{pattern}"
    try:
        re.compile(pattern)
    except re.error as error:
        raise RuleRefused(f"{pattern!r} is no regular expression: {error}.", zh) from None
    if NESTED.search(pattern):
        raise RuleRefused(f"{pattern!r} repeats what is repeated already.", zh)
