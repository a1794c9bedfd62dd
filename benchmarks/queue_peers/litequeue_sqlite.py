"""litequeue on SQLite: messages put one by one, popped and marked done by a thread.

Its setting: `synchronous=FULL` instead of its NORMAL, under which a power cut may take back what
was put; one connection with a lock, for with two of them SQLite starves the one that puts. It has
neither delays nor priorities.
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
lock = threading.Lock()
stopped = threading.Event()
queue = LiteQueue(given.url)
queue.conn.execute("PRAGMA synchronous = FULL")


def work() -> None:
    while not stopped.is_set():
        with lock:
            message = queue.pop()
        if message is None:
            stopped.wait(IDLE)
            continue
        tally(*json.loads(message.data))
        with lock:
            queue.done(message.message_id)


class OnSqlite:
    async def add(self, jobs: Sequence[Job]) -> None:
        for one in jobs:
            with lock:
                queue.put(json.dumps([one.due, one.urgent]))

    async def begin(self) -> None:
        threading.Thread(target=work, daemon=True).start()


asyncio.run(measure("litequeue", given, tally, OnSqlite()))
