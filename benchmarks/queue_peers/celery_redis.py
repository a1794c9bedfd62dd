"""Celery on Redis: tasks sent one by one over one producer, run by one worker in the same process.

Its setting: the solo pool, which hands a task to no other process; as many fetched ahead as there
are; no results, no gossip, mingle or heartbeat. Its time to run begins when the worker is ready.
"""

import threading
import time
from datetime import UTC, datetime
from typing import Any

from celery import Celery
from celery.signals import worker_ready

from benchmarks.queue_peers._peer import Tally, answer, asked

given = asked()
tally = Tally()
app = Celery("bench", broker=given.url)
app.conf.update(
    task_ignore_result=True,
    worker_prefetch_multiplier=0,
    worker_enable_remote_control=False,
    worker_redirect_stdouts=False,
    broker_connection_retry_on_startup=True,
)
ready = threading.Event()
WORKER = ["worker", "-P", "solo", "-c", "1", "-l", "ERROR"]
ALONE = ["--without-gossip", "--without-mingle", "--without-heartbeat"]


@app.task(name="job")  # type: ignore[untyped-decorator]  # a peer, installed apart
def job(due: float) -> None:
    tally(due)


@worker_ready.connect(weak=False)  # type: ignore[untyped-decorator]  # a peer, installed apart
def on_ready(**_about: Any) -> None:
    ready.set()


def measure(added_in: float, over: threading.Event) -> None:
    """Beside the worker, which wants the main thread."""
    ready.wait()
    began = time.perf_counter()
    over.wait()
    ran_in = time.perf_counter() - began

    if given.delayed:
        over.clear()
        tally.expect(given.delayed, over.set)
        with app.producer_or_acquire() as producer:
            for due in given.dues(added_in):
                eta = datetime.fromtimestamp(due, UTC)
                job.apply_async((due,), eta=eta, producer=producer)
        over.wait()
    answer("celery", given, added_in, ran_in, tally.late)


def main() -> None:
    with app.producer_or_acquire() as producer:
        job.apply_async((0.0,), producer=producer)
        began = time.perf_counter()
        for _ in range(given.number):
            job.apply_async((0.0,), producer=producer)
        added_in = time.perf_counter() - began

    over = threading.Event()
    tally.expect(given.number + 1, over.set)
    threading.Thread(target=measure, args=(added_in, over), daemon=True).start()
    app.worker_main([*WORKER, *ALONE])


main()
