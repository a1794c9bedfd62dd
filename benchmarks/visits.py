"""How many of our files one request, one ring and one answer enter: each is one to open.

    python -m benchmarks.visits [--names]

Each is done twice: what is loaded or cached at first shows as the difference. The thread of
the event loop is counted apart, because database work runs in others.
"""

import asyncio
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import clarion
from tests.support.build import CONFIRM
from tests.support.clarion_by_hand import assemble, at, introduce_ana
from tests.support.clock import START, ManualClock
from tests.support.databases import opened, sqlite_file
from tests.support.doors import open_doors
from tests.support.fakes.channel import Outside

OURS = f"{Path(clarion.__file__).parent}/"
entered: dict[str, set[int]] = {}
"""File to threads."""


def note(frame: FrameType, event: str, _: Any) -> None:
    name = frame.f_code.co_filename
    if event == "call" and name.startswith(OURS):
        entered.setdefault(name.removeprefix(OURS), set()).add(threading.get_ident())


@contextmanager
def counted(what: str) -> Iterator[None]:
    entered.clear()
    yield
    files = dict(entered)
    here = [name for name, threads in files.items() if threading.get_ident() in threads]
    print(f"{what}: {len(files)} files, {len(here)} in the event loop's thread")
    if "--names" in sys.argv:
        print(*sorted(files), sep="\n")


async def natural(folder: Path) -> None:
    clock = ManualClock(START)
    async with open_doors(folder, clock, by_hand=True) as doors, doors.client("ana") as ana:
        for hour in (8, 9):
            with counted("first natural" if hour == 8 else "POST /reminders/natural"):
                said = {"text": f"明天早上{hour}点提醒我吃药，要确认"}
                (await ana.post("/api/v1/reminders/natural", json=said)).raise_for_status()


async def ring(folder: Path) -> None:
    async with opened(await sqlite_file(folder)) as database:
        clock = ManualClock(START)
        clarion = assemble(database, clock, Outside(clock))
        await introduce_ana(clarion)
        for hour in (8, 9):
            await clarion.remind(at=at(hour, 30), confirmation=CONFIRM)
            await clarion.until(hour, 29)
            with counted("first ring" if hour == 8 else "ring"):
                await clarion.until(hour, 31)
            with counted("first answer" if hour == 8 else "answer"):
                await clarion.answer("我吃过了")


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        await natural(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        await ring(Path(folder))


if __name__ == "__main__":
    threading.setprofile(note)
    sys.setprofile(note)
    asyncio.run(main())
