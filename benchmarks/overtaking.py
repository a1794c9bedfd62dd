"""An urgent job into a backlog, beside the peers: how long it waits, and behind how many.

Run it with `python -m benchmarks.overtaking [backlog] [urgent] [rounds]`. As many ordinary no-op
jobs wait; the workers begin, and urgent ones are added, one every 10 ms. Counted is from the call
that adds it to the first line of its handler, and how many ordinary ones began in between; of
twenty, p99 is the worst: the last tables ask ours and procrastinate in turns, some hundred times.
A queue without priorities is given the best that it has instead, which its row names. APScheduler
is left out: it has none, and takes half a minute for ten thousand.
"""

import sys
from dataclasses import replace

from benchmarks._peers import (
    CLUSTER,
    EMBEDDED,
    HUEY,
    LITEQUEUE,
    ON_REDIS,
    PROCRASTINATE,
    Bench,
    Peer,
)
from benchmarks._tables import Figures, show_overtaking

BACKLOG, URGENT, ROUNDS = 10_000, 20, 15
ALTOGETHER = 240.0
TOGETHER = {
    "embedded": (EMBEDDED, HUEY, LITEQUEUE),
    "cluster": (CLUSTER, *ON_REDIS, PROCRASTINATE),
}


def measured(bench: Bench, peers: tuple[Peer, ...], backlog: int, urgent: int) -> list[Figures]:
    found: list[Figures] = []
    for peer in peers:
        each = bench.ask(peer, backlog=backlog, urgent=urgent)
        if isinstance(each, Figures):
            found.append(replace(each, name=f"{each.name}, {peer.overtakes}"))
        elif found:
            print(each, flush=True)
        else:  # ours is the first: there is nothing to compare without it
            raise SystemExit(each)
    return found


def in_turns(bench: Bench, backlog: int, urgent: int, rounds: int) -> list[Figures]:
    """What slows the machine for some seconds meets both; a round without an answer is left out."""
    found: dict[str, Figures] = {}
    for _ in range(rounds):
        for each in measured(bench, (CLUSTER, PROCRASTINATE), backlog, urgent):
            one = found.get(each.name, replace(each, waits=(), before=()))
            waits, before = (*one.waits, *each.waits), (*one.before, *each.before)
            found[each.name] = replace(one, waits=waits, before=before)
    return list(found.values())


def main() -> None:
    given = [int(word) for word in sys.argv[1:]]
    backlog, urgent, rounds = [*given, *(BACKLOG, URGENT, ROUNDS)[len(given) :]]
    with Bench(ALTOGETHER) as bench:
        for profile, peers in TOGETHER.items():
            found = measured(bench, peers, backlog, urgent)
            title = f"{profile}: {backlog:,} wait, {urgent} urgent"
            show_overtaking(found, title, f"overtaking-{profile}")
            sys.stdout.flush()
        found = in_turns(bench, backlog, urgent, rounds)
        title = f"in turns: {backlog:,} wait, {len(found[0].waits)} urgent"
        show_overtaking(found, title, "overtaking-turns")


if __name__ == "__main__":
    main()
