"""The verbs about rules behind every door. A change takes effect at once, also for what waits."""

from clarion.base.clock import Clock
from clarion.base.errors import NotFound, Unprocessable
from clarion.chats.levels import CHOICES, LEAST, MOST
from clarion.chats.model import ChatId, Rule, RuleId, Waiting
from clarion.chats.ports import RuleDraft, RuleStore

TARGETS_MAX = 20  # one message becomes at most so many


class RuleService:
    def __init__(self, rules: RuleStore, clock: Clock) -> None:
        self._rules = rules
        self._clock = clock

    async def update_rule(self, chat_id: ChatId, *, priority: int, by: str = "") -> Rule:
        """Set a chat's priority; a chat that has no rule gets one."""
        return await self.save(chat_id, RuleDraft(priority=priority), by=by)

    async def save(
        self, chat_id: ChatId, draft: RuleDraft, *, by: str = "", version: int | None = None
    ) -> Rule:
        """Change the chat's rule or make one; what is None stays as it is."""
        _check(draft)
        return await self._rules.save(chat_id, draft, by, self._clock.now(), version)

    async def get(self, rule_id: RuleId) -> Rule:
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

    async def list(self) -> list[Rule]:
        return await self._rules.rules()


def _check(draft: RuleDraft) -> None:
    if draft.priority is not None and not LEAST <= draft.priority <= MOST:
        raise Unprocessable(f"{draft.priority} is no priority.", hint=f"One of: {CHOICES}")
    if draft.targets is not None and len(draft.targets) > TARGETS_MAX:
        raise Unprocessable(f"A rule has at most {TARGETS_MAX} targets.")
