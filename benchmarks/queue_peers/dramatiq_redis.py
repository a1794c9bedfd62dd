"""dramatiq on Redis: messages sent one by one, run by its worker in threads of the same process.

Its setting: the eight threads and the middleware it comes with; an idle worker looks again after
at most 20 ms instead of a second, for that look is what delayed messages wait for.
"""

import threading
import time

import dramatiq
from dramatiq.brokers.redis import RedisBroker

from benchmarks.queue_peers._peer import Tally, answer, asked, now

given = asked()
tally = Tally()
broker = RedisBroker(url=given.url)
dramatiq.set_broker(broker)


@dramatiq.actor(actor_name="job")  # type: ignore[untyped-decorator]  # a peer, installed apart
def job(due: float) -> None:
    tally(due)


def main() -> None:
    job.send(0.0)
    began = time.perf_counter()
    for _ in range(given.number):
        job.send(0.0)
    added_in = time.perf_counter() - began

    over = threading.Event()
    tally.expect(given.number + 1, over.set)
    worker = dramatiq.Worker(broker, worker_timeout=20)
    began = time.perf_counter()
    worker.start()
    over.wait()
    ran_in = time.perf_counter() - began

    if given.delayed:
        over.clear()
        tally.expect(given.delayed, over.set)
        for due in given.dues(added_in):
            job.send_with_options(args=(due,), delay=round((due - now()) * 1000))
        over.wait()
    answer("dramatiq", given, added_in, ran_in, tally.late)


main()
