"""Tells the officer when a team will not come, a plan fails, or a scheme waits for approval."""

import logging
from collections.abc import Mapping

from clarion.base.clock import Clock
from clarion.base.errors import NotFound
from clarion.base.ids import KeyUsedOtherwise, UserId
from clarion.dispatch.model import DispatchEvent, EventId, TeamId
from clarion.dispatch.ports import Records
from clarion.people.model import CLARION
from clarion.people.service import People
from clarion.reminders.service import Reminders
from clarion.tasks.model import Level
from clarion.tasks.ports import Again, Claim

log = logging.getLogger(__name__)

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "zh": {
        "declined": "{event}：队伍 {about} 拒绝出动，正在重新派遣",
        "unanswered": "{event}：队伍 {about} 无应答，正在重新派遣",
        "answered_late": "{event}：队伍 {about} 迟到应答，已恢复待命",
        "stand_by": "{event}：应答已超时，请留在原地待命",
        "broke_down": "{event}：队伍 {about} 途中故障，正在重新派遣",
        "reassigned": "{event}：队伍 {about} 被调往更严重的事件，正在重新派遣",
        "uncalled": "{event}：队伍 {about} 无法呼叫，请另行通知",
        "failed": "{event}：派遣方案生成失败（{about}）",
        "short": "{event}：可派队伍不足，请查看缺口",
        "proposed": "{event}：派遣方案等待审批",
    },
    "en": {
        "declined": "{event}: team {about} does not go, somebody else is being sent",
        "unanswered": "{event}: team {about} does not answer, somebody else is being sent",
        "answered_late": "{event}: team {about} answered too late and is on standby again",
        "stand_by": "{event}: your answer came too late, stay where you are and stand by",
        "broke_down": "{event}: team {about} broke down on the way, somebody else is being sent",
        "reassigned": "{event}: team {about} goes to a graver event, somebody else is being sent",
        "uncalled": "{event}: team {about} cannot be called, tell it by other means",
        "failed": "{event}: no plan could be made ({about})",
        "short": "{event}: not enough teams, see what is missing",
        "proposed": "{event}: a scheme waits for a yes",
    },
}
TO_THE_TEAM = frozenset({"stand_by"})


class OfficerIsTold:
    """`officer`: told about events that name no officer; None: those are only in the log."""

    def __init__(
        self,
        records: Records,
        reminders: Reminders,
        people: People,
        clock: Clock,
        officer: UserId | None = None,
    ) -> None:
        self._records = records
        self._reminders = reminders
        self._people = people
        self._clock = clock
        self._officer = officer

    async def tell(self, claim: Claim) -> Again | None:
        """Handler of `dispatch.tell`; its task's id makes it once."""
        payload = claim.task.payload
        event = await self._records.event(EventId(payload["event_id"]))
        if event is None:
            return None
        officer = await self._listener(event, payload["what"], payload["about"])
        if officer is None:
            log.warning("nobody to tell: %s", payload["what"], extra={"event": event.id})
            return None
        try:
            listener = await self._people.user(CLARION, officer)
            said = SENTENCES[listener.language][payload["what"]]
            await self._say(
                officer, event, await self._filled(said, event, payload["about"]), claim
            )
        except NotFound:
            log.warning("there is no such officer", extra={"officer": officer, "event": event.id})
        return None

    async def _listener(self, event: DispatchEvent, what: str, about: str) -> UserId | None:
        """The officer; the team itself where it is about what the team should do."""
        if what in TO_THE_TEAM:
            team = await self._records.team(TeamId(about))
            return team.user_id if team else None
        return event.officer or self._officer

    async def _say(self, officer: UserId, event: DispatchEvent, text: str, claim: Claim) -> None:
        """Say it at once. A second try with another instant finds the key used and does nothing."""
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

    async def _filled(self, said: str, event: DispatchEvent, about: str) -> str:
        team = await self._records.team(TeamId(about))
        return said.format(event=event.name, about=team.name if team else about)
