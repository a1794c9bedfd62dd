"""`trigger_lock:{reminder_id}`: a cheap first gate before a ring.

It turns away one caller only: a worker whose task was given to another one meanwhile, which it
knows by the higher fence. The database would find out as well; the gate spares the way. It can
never silence a reminder: no fence in Redis is higher than the newest one in the database, and
whoever cannot ask rings.
"""

import logging
from collections.abc import Callable

from redis.asyncio import Redis

from clarion.store.redis.client import REDIS_ERRORS
from clarion.tasks.ports import Again, Claim, Handler

log = logging.getLogger(__name__)

LOCK_SECONDS = 300
CLAIM_SCRIPT = """
local held = redis.call('GET', KEYS[1])
if held then
  local task, fence = string.match(held, '^(.*):(%d+)$')
  if task == ARGV[1] and tonumber(fence) > tonumber(ARGV[2]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[1] .. ':' .. ARGV[2], 'EX', ARGV[3])
return 1
"""


class TriggerGate:
    def __init__(self, client: Redis, is_away: Callable[[], bool]) -> None:
        self._pass = client.register_script(CLAIM_SCRIPT)
        self._is_away = is_away

    def before(self, handler: Handler) -> Handler:
        """The handler, behind the gate."""

        async def gated(claim: Claim) -> Again | None:
            if not await self.lets_pass(claim):
                log.info("somebody else rings it", extra={"task": claim.task.id})
                return None
            return await handler(claim)

        return gated

    async def lets_pass(self, claim: Claim) -> bool:
        if self._is_away():
            return True
        key = f"trigger_lock:{claim.task.payload.get('reminder', claim.task.id)}"
        try:
            return bool(await self._pass([key], [claim.task.id, claim.fence, LOCK_SECONDS]))
        except REDIS_ERRORS as error:
            log.debug("the gate stands open: %s", error)
            return True
