"""The officer hears of it when a team will not come, a plan fails, or a scheme waits for them."""

import logging
from collections.abc import Mapping

from clarion.base.clock import Clock
from clarion.base.errors import NotFound
from clarion.base.ids import KeyUsedOtherwise, UserId
from clarion.dispatch.model import DispatchEvent, EventId, TeamId
from clarion.dispatch.ports import Records
from clarion.people.model import CLARION
from clarion.reminders.service import Reminders
from clarion.tasks.model import Level
from clarion.tasks.ports import Again, Claim

log = logging.getLogger(__name__)

SENTENCES: Mapping[str, str] = {
    "declined": "{event}：队伍 {about} 拒绝出动，正在重新派遣",
    "unanswered": "{event}：队伍 {about} 无应答，正在重新派遣",
    "broke_down": "{event}：队伍 {about} 途中故障，正在重新派遣",
    "reassigned": "{event}：队伍 {about} 被调往更严重的事件，正在重新派遣",
    "uncalled": "{event}：队伍 {about} 无法呼叫，请另行通知",
    "failed": "{event}：派遣方案生成失败（{about}）",
    "short": "{event}：可派队伍不足，请查看缺口",
    "proposed": "{event}：派遣方案等待审批",
}


class OfficerIsTold:
    """`officer`: who is told about events that name nobody; None: those are only in the log."""

    def __init__(
        self, records: Records, reminders: Reminders, clock: Clock, officer: UserId | None = None
    ) -> None:
        self._records = records
        self._reminders = reminders
        self._clock = clock
        self._officer = officer

    async def tell(self, claim: Claim) -> Again | None:
        """Handler of `dispatch.tell`; its task's id makes it once."""
        payload = claim.task.payload
        event = await self._records.event(EventId(payload["event_id"]))
        if event is None:
            return None
        officer = event.officer or self._officer
        text = await self._sentence(event, payload["what"], payload["about"])
        if officer is None:
            log.warning("nobody to tell: %s", text, extra={"event": event.id})
            return None
        try:
            await self._say(officer, event, text, claim)
        except NotFound:
            log.warning("there is no such officer", extra={"officer": officer, "event": event.id})
        return None

    async def _say(self, officer: UserId, event: DispatchEvent, text: str, claim: Claim) -> None:
        """At once. A second try with another instant finds the key used: they know already."""
        try:
            await self._reminders.create(
                CLARION,
                user_id=officer,
                content=text,
                trigger_at=self._clock.now(),
                base=Level.CRITICAL,
                context={"event_id": event.id, "what": claim.task.payload["what"]},
                key=f"dispatch:{claim.task.id}",
            )
        except KeyUsedOtherwise:
            log.debug("told before", extra={"event": event.id})

    async def _sentence(self, event: DispatchEvent, what: str, about: str) -> str:
        team = await self._records.team(TeamId(about))
        return SENTENCES[what].format(event=event.name, about=team.name if team else about)
