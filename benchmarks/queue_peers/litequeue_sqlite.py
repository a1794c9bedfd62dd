"""litequeue on SQLite: messages put one by one, popped and marked done by a thread.

Its setting: `synchronous=FULL` instead of its NORMAL, under which a power cut may take back what
was put; one thread, for its users share one connection. It has neither delays nor priorities.
"""

import asyncio
import json
import threading
from collections.abc import Sequence

from litequeue import LiteQueue

from benchmarks.queue_peers._peer import Job, Tally, asked, measure

IDLE = 0.001  # seconds until it looks again
given = asked()
tally = Tally()
stopped = threading.Event()


def opened() -> LiteQueue:
    queue = LiteQueue(given.url)
    queue.conn.execute("PRAGMA synchronous = FULL")
    return queue


def work() -> None:
    queue = opened()
    while not stopped.is_set():
        message = queue.pop()
        if message is None:
            stopped.wait(IDLE)
            continue
        tally(*json.loads(message.data))
        queue.done(message.message_id)


class OnSqlite:
    def __init__(self) -> None:
        self._queue = opened()

    async def add(self, jobs: Sequence[Job]) -> None:
        for one in jobs:
            self._queue.put(json.dumps([one.due, one.urgent]))

    async def begin(self) -> None:
        threading.Thread(target=work, daemon=True).start()


asyncio.run(measure("litequeue", given, tally, OnSqlite()))
