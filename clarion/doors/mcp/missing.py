"""Asks the person for a time that was not said, in the middle of a tool call.

Nothing here changes anything: the SDK runs a resolver again in every round.
"""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit
from pydantic import BaseModel, Field

from clarion.base.errors import ClarionError
from clarion.doors.mcp.identity import is_outside
from clarion.doors.mcp.kit import Kit
from clarion.language.readback import spoken_instant
from clarion.language.request import read
from clarion.language.when import parse
from clarion.language.when.model import Grain, NeedsClarification, Nothing, Once, Recurring
from clarion.people.model import User

CANDIDATES_MAX = 4
QUESTION = {
    "zh": "什么时候提醒“{content}”？{choices}",
    "en": 'When should "{content}" ring? {choices}',
}
CHOICES = {"zh": "比如：{choices}。", "en": "For example: {choices}."}


class MissingTimeIn(BaseModel):
    when: str = Field(
        title="When",
        description="In words or as a time: 明天早上8点, tomorrow at 8am, every day at 20:00",
        min_length=1,
        max_length=200,
    )


class AddedWords(BaseModel):
    """What the person added; empty when nothing had to be asked."""

    when: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """Resolvers for the tools that need a time."""

    kit: Kit

    async def about(
        self, text: str, user_id: str, ctx: Context
    ) -> AddedWords | Elicit[MissingTimeIn]:
        """For a sentence: ask when it names no time, or one that could be two."""
        if not can_ask(ctx):
            return AddedWords()
        try:
            user = await self.kit.user(self.kit.whose(user_id))
            asked = read(text, self.kit.clock.now(), ZoneInfo(user.zone))
        except ClarionError:
            return AddedWords()  # the verb itself says what is wrong, in its own words
        if isinstance(asked.when, Nothing):
            return question(asked.content or text, (), user, self.kit.clock.now())
        if isinstance(asked.when, NeedsClarification):
            found = asked.when.candidates
            return question(asked.content or text, found, user, self.kit.clock.now())
        return AddedWords()

    async def instant(
        self, content: str, trigger_at: str, user_id: str, ctx: Context
    ) -> AddedWords | Elicit[MissingTimeIn]:
        """For a content with its time apart: ask when the time was left out."""
        if trigger_at or not can_ask(ctx):
            return AddedWords()
        try:
            user = await self.kit.user(self.kit.whose(user_id))
        except ClarionError:
            return AddedWords()
        return question(content, (), user, self.kit.clock.now())

    def meant(self, words: str, user: User) -> Once | Recurring | None:
        """What the person's answer means; None when that is no time either."""
        zone = ZoneInfo(user.zone)
        try:
            at = datetime.fromisoformat(words)
        except ValueError:
            found = parse(words, self.kit.clock.now(), zone)
            return found if isinstance(found, Once | Recurring) else None
        aware = at if at.tzinfo else at.replace(tzinfo=zone)
        return Once(aware.astimezone(zone), Grain.MINUTE, (0, len(words)))


def can_ask(ctx: Context) -> bool:
    if is_outside():
        return False
    capabilities = ctx.client_capabilities
    return capabilities is not None and capabilities.elicitation is not None


def question(
    content: str, candidates: tuple[datetime, ...], user: User, now: datetime
) -> Elicit[MissingTimeIn]:
    local = now.astimezone(ZoneInfo(user.zone))
    offered = [spoken_instant(at, local, user.language) for at in candidates[:CANDIDATES_MAX]]
    joined = CHOICES[user.language].format(choices=" / ".join(offered)) if offered else ""
    message = QUESTION[user.language].format(content=content.strip(), choices=joined).strip()
    return Elicit(message, MissingTimeIn)
