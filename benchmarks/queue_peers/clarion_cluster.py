"""Clarion's cluster profile, asked the same as its peers.

The URL is that of PostgreSQL, a space, and that of Redis. Workers claim in PostgreSQL; the signals
and the bridge to BullMQ run beside them, as in any server of a cluster.
"""

import uvloop

from benchmarks._queue import queue
from benchmarks.cluster import beside
from benchmarks.queue_peers._peer import asked, measure
from benchmarks.queue_peers.clarion_embedded import Clarion


async def main() -> None:
    given = asked()
    database, redis = given.url.split()
    async with queue(database) as made, beside(made, redis):
        clarion = Clarion(made, given)
        await measure("", given, clarion.tally, clarion)


if __name__ == "__main__":
    uvloop.run(main())
