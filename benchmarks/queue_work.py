"""Jobs that take a millisecond and carry 256 bytes, on one PostgreSQL: ours beside the peers.

Run it with `python -m benchmarks.queue_work [jobs]`. Added in bulks and run by one process, so many
at a time; the figure is jobs added and run a second, until the last handler ran. The workload is
that of the public harness for queues on PostgreSQL (hardbyte/postgresql-job-queue-benchmarking).
`ours ×` is the worst of the columns: below one, Clarion lost somewhere.
"""

import sys

from benchmarks._peers import CLUSTER, ON_POSTGRES, POSTGRES, Bench, Peer
from benchmarks._tables import Figures

JOBS = 2_000
WORK, BYTES = 0.001, 256
AT_A_TIME = (4, 32, 256)
ALTOGETHER = 170.0


def asked(bench: Bench, peer: Peer, number: int) -> list[Figures | str]:
    options = {"number": number // peer.fewer, "work": WORK, "bytes": BYTES}
    found: list[Figures | str] = []
    for slots in AT_A_TIME:
        each = bench.ask(peer, slots=slots, **options)
        found.append(each)
        if isinstance(each, str):
            break  # it is not installed, or the time is over: no need to ask again
    return found


def line(found: list[Figures | str], ours: list[Figures]) -> str:
    good = [each for each in found if isinstance(each, Figures)]
    if len(good) < len(AT_A_TIME):
        return str(next(each for each in found if isinstance(each, str)))
    cells = "".join(f" {each.whole:10,.0f}" for each in good)
    worst = min(mine.whole / each.whole for mine, each in zip(ours, good, strict=True))
    return f"{good[0].name:<44}{cells} {worst:10.2f}"


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else JOBS
    title = f"{number} jobs of 1 ms and 256 bytes, at a time"
    columns = "".join(f" {slots:>10}" for slots in AT_A_TIME)
    print(f"{title:<44}{columns} {'ours ×':>10}", flush=True)
    with Bench(ALTOGETHER) as bench:
        first = asked(bench, POSTGRES, number)
        ours = [each for each in first if isinstance(each, Figures)]
        if len(ours) < len(AT_A_TIME):
            raise SystemExit(str(first[-1]))
        print(line(list(ours), ours), flush=True)
        for peer in (CLUSTER, *ON_POSTGRES):
            print(line(asked(bench, peer, number), ours), flush=True)


if __name__ == "__main__":
    main()
