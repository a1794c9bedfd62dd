"""BullMQ from both sides: Node adds a job, Clarion runs it, Node sees what Clarion keeps.

Run it with `python -m benchmarks.cluster_node`, with node and the peers of `_queue.peers`
installed. It is a script and not a test, because the npm package is none of our dependencies.
"""

import asyncio
import json
import sys
from datetime import timedelta
from typing import Any

from benchmarks._queue import CLOCK, peers, queue
from benchmarks.cluster import QuickRedis, beside
from clarion.base.ids import TaskId
from clarion.tasks.model import Task
from clarion.tasks.ports import Claim, Result
from tests.support.services import PostgresServer

SECONDS_MAX = 30


async def main() -> int:
    postgres, redis = PostgresServer(), QuickRedis()
    done: asyncio.Queue[Claim] = asyncio.Queue()

    async def handle(claim: Claim) -> Result:
        done.put_nowait(claim)
        return Result({"heard": claim.task.payload["text"]})

    try:
        postgres.start()
        redis.start()
        async with queue(postgres.url()) as made, asyncio.timeout(SECONDS_MAX):
            later = Task(TaskId("tsk_later"), "job", CLOCK.now() + timedelta(hours=1))
            await made.add([later])
            async with beside(made, redis.url), made.working(handle):
                seen = await neighbour(redis.port)
                ran = await done.get()
    finally:
        postgres.remove()
        redis.remove()
    print(f"Node added a job; Clarion answered {seen['answer']!r}")
    print(f"and ran {ran.task.id} with {dict(ran.task.payload)} at priority {ran.task.base}")
    print(f"Node sees waiting: {seen['waiting']}")
    kept = [job["task"] for job in seen["waiting"]]
    return 0 if seen["answer"] == {"heard": "from Node"} and kept == [later.id] else 1


async def neighbour(port: int) -> dict[str, Any]:
    script = "benchmarks/queue_peers/bullmq_neighbour.mjs"
    process = await asyncio.create_subprocess_exec(
        *("node", script, str(port), "job", str(peers())), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    found: dict[str, Any] = json.loads(said)
    return found


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
