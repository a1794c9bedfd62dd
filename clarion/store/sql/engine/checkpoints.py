"""Carries SQLite's log over into its file beside the writer, and not inside somebody's commit.

Left to itself, SQLite does so in the commit that makes the log a thousand pages long, and whoever
waits for that one waits for writes all over the file. Here a thread of its own does it. Under a
load without a pause the log would never start anew: then the writer carries over the little that
came meanwhile, so that the log stays short. On a machine so busy that the thread gets no turn,
the writer waits for it before the log is much longer than that.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

log = logging.getLogger(__name__)

COMMITS_BETWEEN = 100  # about a thousand pages, when each changes a row or two
CHANGES_BETWEEN = 10_000  # rows: the same for large ones
PAGES_MAX = 4_096  # 16 MB; a longer log makes a start after a crash slow
BYTES_MAX = 24 << 20  # and at this length nobody writes until some of it is carried over


class Checkpoints:
    """`committed` belongs to the writer's thread. The thread here begins with the first need."""

    def __init__(self, connect: Callable[[], sqlite3.Connection], path: Path) -> None:
        self._connect = connect
        self._log = path.with_name(f"{path.name}-wal")
        self._commits = 0
        self._changes = 0
        self._overlong = False
        self._closed = False
        self._due = threading.Event()
        self._rests = threading.Event()
        self._rests.set()
        self._thread: threading.Thread | None = None

    def committed(self, writer: sqlite3.Connection) -> None:
        """After a commit was answered; `writer` is the connection it was made on."""
        if self._overlong:
            self._overlong = False
            carry_over(writer)
        self._commits += 1
        changes = writer.total_changes
        if self._commits >= COMMITS_BETWEEN or changes - self._changes >= CHANGES_BETWEEN:
            self._commits, self._changes = 0, changes
            if self._is_far_behind():
                self._rests.wait()
                carry_over(writer)  # alone: with both at it, the log would not start anew
            else:
                self._wake()

    def close(self) -> None:
        """Waits for what is under way."""
        self._closed = True
        self._due.set()
        if self._thread is not None:
            self._thread.join()

    def _is_far_behind(self) -> bool:
        if self._rests.is_set():
            return False
        try:
            return self._log.stat().st_size > BYTES_MAX
        except OSError:
            return False  # somebody took the file away: what is written goes on all the same

    def _wake(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._serve, name="clarion-checkpoints", daemon=True
            )
            self._thread.start()
        self._rests.clear()
        self._due.set()

    def _serve(self) -> None:
        try:
            with closing(self._connect()) as connection:
                while not self._closed:
                    self._due.wait()
                    self._round(connection)
        finally:
            self._rests.set()  # nobody must wait for a thread that is gone

    def _round(self, connection: sqlite3.Connection) -> None:
        self._due.clear()
        if not self._closed:
            self._overlong = carry_over(connection) > PAGES_MAX
        if not self._due.is_set():
            self._rests.set()


def prepare(writer: sqlite3.Connection) -> None:
    """Leave the log to us, and let its file shrink again after a flood."""
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute(f"PRAGMA journal_size_limit = {BYTES_MAX}")


def carry_over(connection: sqlite3.Connection) -> int:
    """What can be without making anybody wait. Answers how long the log is, in pages."""
    try:
        _busy, length, _carried = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    except sqlite3.Error as error:
        # The log keeps everything; the next round tries again.
        log.warning("the log was not carried over: %s", error)
        return 0
    return int(length)
