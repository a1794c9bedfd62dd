"""The verbs about rules behind every door. A change takes effect at once, also for what waits."""

import re
from collections.abc import Sequence
from typing import Protocol

from clarion.base.clock import Clock
from clarion.base.errors import NotFound, Unprocessable
from clarion.chats.levels import CHOICES, LEAST, MOST
from clarion.chats.model import ChatId, ChatRule, Filters, PersonId, RuleId, Waiting
from clarion.chats.ports import RuleDraft, RuleStore

NESTED = re.compile(r"[*+}]\)[*+{]")
TARGETS_MAX = 20  # one message becomes at most so many
WEIGHT_MIN, WEIGHT_MAX = 0.1, 100.0


class ForwardsInCircle(Unprocessable):
    code = "chat_loop"


class BadTarget(Unprocessable):
    code = "chat_bad_target"


class Targets(Protocol):
    async def problem_with(self, chat_id: ChatId) -> str:
        """Why nothing can be sent there; empty when it can, or when nobody can know."""
        ...


class RuleService:
    def __init__(self, rules: RuleStore, clock: Clock, targets: Targets | None = None) -> None:
        self._rules = rules
        self._clock = clock
        self._targets = targets

    async def update_rule(self, chat_id: ChatId, *, priority: int, by: str = "") -> ChatRule:
        """Set a chat's priority; a chat that has no rule gets one."""
        return await self.save(chat_id, RuleDraft(priority=priority), by=by)

    async def save(
        self, chat_id: ChatId, draft: RuleDraft, *, by: str = "", version: int | None = None
    ) -> ChatRule:
        """Change the chat's rule or make one; what is None stays as it is."""
        _check(draft)
        if draft.targets:
            await self._refuse_loops(chat_id, draft.targets)
            for target in draft.targets:
                await self._check_target(target)
        return await self._rules.save(chat_id, draft, by, self._clock.now(), version)

    async def _refuse_loops(self, chat_id: ChatId, targets: Sequence[ChatId]) -> None:
        """What goes out of the chat must not come back into it, by however many ways."""
        onward = {rule.chat_id: rule.targets for rule in await self._rules.rules()}
        seen, coming = set[ChatId](), list(targets)
        while coming:
            chat = coming.pop()
            if chat == chat_id:
                raise ForwardsInCircle("What is forwarded would come back into the same chat.")
            if chat not in seen:
                seen.add(chat)
                coming += onward.get(chat, ())

    async def _check_target(self, target: ChatId) -> None:
        if self._targets is None:
            return
        if problem := await self._targets.problem_with(target):
            raise BadTarget(
                f"Nothing can be sent to {target}: {problem}",
                hint="Add the bot there, and let it write.",
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
    for pattern in (draft.filters or {}).get("patterns", ()):
        _check_pattern(pattern)
    if draft.targets is not None and len(draft.targets) > TARGETS_MAX:
        raise Unprocessable(f"A rule has at most {TARGETS_MAX} targets.")


def _check_pattern(pattern: str) -> None:
    """A repetition inside a repetition may take for ever, and everybody would wait for it."""
    try:
        re.compile(pattern)
    except re.error as error:
        raise Unprocessable(f"{pattern!r} is no regular expression: {error}.") from None
    if NESTED.search(pattern):
        raise Unprocessable(f"{pattern!r} repeats what is repeated already.")
