"""Everything that can be killed is killed at random while reminders are set: does each ring once?

Run it with `python -m benchmarks.cluster_faults [seconds] [seed]`, three minutes by default: two
servers, two workers, PostgreSQL and Redis, all real processes. Exits with 1 when a reminder that
was answered stayed silent or rang twice. A failure is repeated by its seed, as far as processes
let themselves be repeated.
"""

import asyncio
import sys

from benchmarks._times import percentile
from tests.support.cluster_run import ACCIDENTS, CLOCK, Cluster, Verdict, cluster_of, pause

PER_SECOND = 5.0
SETTLED_WITHIN = 90.0
EXPLAINED_MAX = 5
STOPPED = 30.0  # how long Redis is stopped once, besides the short ones


async def stop_redis_for_long(cluster: Cluster) -> None:
    cluster.redis.pause()
    await pause(STOPPED)
    cluster.redis.resume()


async def accidents(cluster: Cluster, seconds: float) -> None:
    ends_at = CLOCK.monotonic() + seconds
    await cluster.hurt([stop_redis_for_long])
    while CLOCK.monotonic() < ends_at:
        await cluster.hurt([cluster.random.choice(ACCIDENTS)])
        await pause(cluster.random.uniform(0, 4))


async def run(cluster: Cluster, seconds: float) -> Verdict:
    number = int(seconds * PER_SECOND)
    await cluster.move_in(number)
    async with asyncio.TaskGroup() as group:
        group.create_task(cluster.set_reminders(number, PER_SECOND))
        group.create_task(accidents(cluster, seconds))
    await cluster.heal()
    return await cluster.settled(SETTLED_WITHIN)


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 180.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    with cluster_of(seed) as cluster:
        verdict = asyncio.run(run(cluster, seconds))
        odd = [*verdict.silent, *verdict.twice][:EXPLAINED_MAX]
        lives = {content: cluster.life_of(content) for content in odd}
    print(f"seed {seed}, {seconds:g} s, accidents: {', '.join(cluster.accidents)}")
    print(f"answered {len(cluster.load.answered)}, refused or cut {dict(cluster.load.refused)}")
    print(f"slowest answer {cluster.load.slowest:.2f} s")
    print(f"late s: p50 {percentile(verdict.late, 50):.2f}, worst {verdict.late[-1]:.2f}")
    print(f"silent {len(verdict.silent)} {verdict.silent[:5]}")
    print(f"rang twice {len(verdict.twice)} {verdict.twice[:5]}")
    for content, life in lives.items():
        print(content, *life, sep="\n    ")
    return 1 if verdict.silent or verdict.twice else 0


if __name__ == "__main__":
    sys.exit(main())
