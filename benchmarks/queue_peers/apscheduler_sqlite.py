"""APScheduler on a SQLite job store: add jobs that are due now, then run them."""

import json
import sys
import threading
import time

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler

path, count = sys.argv[1], int(sys.argv[2])
left = count
over = threading.Event()
lock = threading.Lock()


def job(number: int) -> None:
    global left
    with lock:
        left -= 1
        if left == 0:
            over.set()


scheduler = BackgroundScheduler(
    jobstores={"default": SQLAlchemyJobStore(url=f"sqlite:///{path}")},
    executors={"default": ThreadPoolExecutor(20)},
    job_defaults={"misfire_grace_time": 3600},
)
scheduler.start(paused=True)
began = time.perf_counter()
for number in range(count):
    scheduler.add_job(job, args=[number])
add = time.perf_counter() - began
began = time.perf_counter()
scheduler.resume()
over.wait(120)
run = time.perf_counter() - began
print(json.dumps({"number": count - left, "add": add, "run": run}))
scheduler.shutdown(wait=False)
