"""The cluster profile beside other queues: the same work on one Redis, one process each.

Run it with `python -m benchmarks.cluster_peers [tasks] [delayed] [burst]`. Each adds as many no-op
jobs and runs them, until the last one's handler ran; then it is given jobs that fall due within a
few seconds, and some that are due at one instant, and how late each began is measured. Clarion's
figure to add is the write to PostgreSQL and the telling of Redis together; procrastinate has
PostgreSQL alone, the others Redis in memory alone. procrastinate, which takes longest, is given a
third of the jobs. One whose delayed jobs need another setting is asked for them apart.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace

from benchmarks._peers import CLUSTER, ON_REDIS, PROCRASTINATE, Bench, Peer
from benchmarks._tables import Figures, show_burst, show_lateness, show_rates

TASKS, DELAYED, BURST = 3_000, 500, 2_000
WITHIN = 3.0  # seconds in which the delayed ones fall due
ALTOGETHER = 170.0


def measured(number: int, delayed: int, burst: int) -> Iterator[Figures | str]:
    with Bench(ALTOGETHER) as bench:
        for peer in (CLUSTER, *ON_REDIS, PROCRASTINATE):
            yield asked(bench, peer, number // peer.fewer, delayed, burst)


def asked(bench: Bench, peer: Peer, number: int, delayed: int, burst: int) -> Figures | str:
    later = {"delayed": delayed, "seconds": WITHIN, "burst": burst}
    if not peer.apart:
        return bench.ask(peer, number=number, **later)
    rate = bench.ask(peer, number=number)
    late = bench.ask(peer, number=number // 10, **later)
    if isinstance(rate, str) or isinstance(late, str):
        return rate
    return replace(rate, late=late.late, burst=late.burst)


def main() -> None:
    given = [int(word) for word in sys.argv[1:]]
    number, delayed, burst = [*given, *(TASKS, DELAYED, BURST)[len(given) :]]
    title = f"{number} jobs, one process"
    found = show_rates(title, measured(number, delayed, burst), "rates-cluster")
    if delayed:
        show_lateness(found, f"{delayed} due within {WITHIN:g} s", "late-cluster")
    if burst:
        show_burst(found, f"{burst} due at one instant", "burst-cluster")


if __name__ == "__main__":
    main()
