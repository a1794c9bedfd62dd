"""huey on SQLite with fsync: enqueue, then run no-op tasks in its own consumer."""

import json
import sys
import threading
import time

from huey import SqliteHuey

path, count = sys.argv[1], int(sys.argv[2])
huey = SqliteHuey(filename=path, fsync=True, results=False)
left = count
over = threading.Event()
lock = threading.Lock()


@huey.task()  # type: ignore[untyped-decorator]  # a peer, installed by hand
def job(number: int) -> None:
    global left
    with lock:
        left -= 1
        if left == 0:
            over.set()


began = time.perf_counter()
for number in range(count):
    job(number)
add = time.perf_counter() - began

consumer = huey.create_consumer(workers=4, worker_type="thread", periodic=False)
began = time.perf_counter()
consumer.start()
over.wait(120)
run = time.perf_counter() - began
consumer.stop(graceful=True)
print(json.dumps({"number": count - left, "add": add, "run": run}))
