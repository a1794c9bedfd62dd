"""Jobs that take a millisecond and carry 256 bytes, on one PostgreSQL: ours beside the peers.

Run it with `python -m benchmarks.queue_work [jobs]`. Added in bulks and run by one process, so many
at a time; the figure is jobs added and run a second, until the last handler ran. The workload is
that of the public harness for queues on PostgreSQL (hardbyte/postgresql-job-queue-benchmarking):
a job waits for its millisecond. More jobs are asked for where more run at a time, or the beginning
would be measured alone. Ours is asked with and without Redis in turns, because what slows the
machine for a second would otherwise look like a difference of the two: the middle one of three
counts. `ours ×` is the worst of the columns: below one, Clarion lost somewhere.
"""

import sys

from benchmarks._peers import CLUSTER, ON_POSTGRES, POSTGRES, Bench, Peer
from benchmarks._tables import Figures

JOBS = 2_000
WORK, BYTES = 0.001, 256
AT_A_TIME = {4: 1, 32: 2, 256: 4}
"""And by how much their jobs are multiplied."""
ROUNDS = 3
ALTOGETHER = 290.0


def asked(bench: Bench, peer: Peer, number: int) -> list[Figures | str]:
    found: list[Figures | str] = []
    for slots, times in AT_A_TIME.items():
        jobs = number * times // peer.fewer
        found.append(bench.ask(peer, slots=slots, number=jobs, work=WORK, bytes=BYTES))
        if isinstance(found[0], str):
            break  # it is not installed, or the time is over: no need to ask again
    return found


def middle(rounds: list[list[Figures | str]]) -> list[Figures | str]:
    """Of each column the round in the middle; what was cut counts as the slowest."""
    whole = [each for each in rounds if len(each) == len(AT_A_TIME)] or rounds[:1]
    columns = zip(*whole, strict=True)
    return [sorted(each, key=_rate)[len(each) // 2] for each in columns]


def _rate(found: Figures | str) -> float:
    return found.whole if isinstance(found, Figures) else 0.0


def line(found: list[Figures | str], ours: list[Figures]) -> str:
    pairs = _pairs(found, ours)
    if not pairs:
        return str(found[0])
    worst = min(mine.whole / each.whole for mine, each in pairs)
    return f"{_cells(found)} {worst:10.2f}"


def with_redis_line(found: list[Figures | str], ours: list[Figures]) -> str:
    """It is ours too: said is how much of the row above is left, at least."""
    pairs = _pairs(found, ours)
    if not pairs:
        return str(found[0])
    worst = min(each.whole / mine.whole for mine, each in pairs)
    return f"{_cells(found)}   {worst:.2f} of that, at least"


def _pairs(found: list[Figures | str], ours: list[Figures]) -> list[tuple[Figures, Figures]]:
    both = zip(ours, found, strict=False)
    return [(mine, each) for mine, each in both if isinstance(each, Figures)]


def _cells(found: list[Figures | str]) -> str:
    name = next(each.name for each in found if isinstance(each, Figures))
    cells = (
        f"{each.whole:10,.0f}" if isinstance(each, Figures) else f"{'cut':>10}" for each in found
    )
    return f"{name:<44} {' '.join(cells)}"


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else JOBS
    title = f"{number} jobs of 1 ms and 256 bytes, at a time"
    columns = "".join(f" {slots:>10}" for slots in AT_A_TIME)
    print(f"{title:<44}{columns} {'ours ×':>10}", flush=True)
    with Bench(ALTOGETHER) as bench:
        turns = [
            [asked(bench, peer, number) for peer in (POSTGRES, CLUSTER)] for _ in range(ROUNDS)
        ]
        alone, with_redis = (middle(list(rounds)) for rounds in zip(*turns, strict=True))
        ours = [each for each in alone if isinstance(each, Figures)]
        if len(ours) < len(AT_A_TIME):
            raise SystemExit(str(alone[-1]))
        print(line(alone, ours), with_redis_line(with_redis, ours), sep="\n", flush=True)
        for peer in ON_POSTGRES:
            print(line(asked(bench, peer, number), ours), flush=True)


if __name__ == "__main__":
    main()
