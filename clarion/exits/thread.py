"""Threads for packages that open sockets themselves: each socket is checked as it connects.

Apprise has 170 services, each with its own way to call. So the check does not stand before
them but beneath them, in an audit hook of the interpreter: it sees the numeric address of every
connection, redirects and second look-ups included. In such a thread nothing else that reaches
out is possible either: no files but the packages' own, no processes, no further threads.
"""

import asyncio
import contextlib
import os
import socket
import sys
import sysconfig
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from clarion.base.errors import TimedOut
from clarion.exits.reach import PrivateAddress, Reach

THREADS_MAX = 8
READABLE = tuple(
    str(Path(path).resolve())
    for path in {*sysconfig.get_paths().values(), sys.base_prefix + "/lib", "/usr/share/zoneinfo"}
)
CONNECTS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
NEVER = frozenset(
    {
        "_thread.start_joinable_thread",
        "_thread.start_new_thread",  # it would not be watched
        "os.exec",
        "os.fork",
        "os.forkpty",
        "os.posix_spawn",
        "os.spawn",
        "os.system",
        "socket.bind",
        "subprocess.Popen",
    }
)
WATCHED = CONNECTS | NEVER | {"open"}

T = TypeVar("T")
_here = threading.local()
_hooked = threading.Lock()


class NotAllowed(PermissionError):
    """What a guarded thread tried. Packages take it for an error of the network or a file."""


@dataclass(slots=True)
class Watch:
    """One run: what it may reach, which sockets it holds, and what it was refused."""

    reach: Reach
    sockets: list[socket.socket] = field(default_factory=list)
    private: str = ""
    """The first address that was refused."""
    over: bool = False

    def connecting(self, made: socket.socket, address: Any) -> None:
        if self.over:
            raise NotAllowed("The time for this is over.")
        if address is None:
            return  # on a socket that is connected, and was checked then
        host = address[0] if isinstance(address, tuple) else ""
        if not isinstance(host, str) or not self.reach.allows(host):
            self.private = self.private or str(host or "A socket of this machine")
            raise NotAllowed("This address may not be called.")
        # A second handle on the same connection: TLS takes the first one over.
        self.sockets.append(socket.socket(fileno=os.dup(made.fileno())))

    def opening(self, path: Any) -> None:
        if isinstance(path, int):
            return
        name = path.decode(errors="replace") if isinstance(path, bytes) else str(path)
        if not str(Path(name).resolve()).startswith(READABLE):
            raise NotAllowed("No file may be opened for a message.")

    def close(self) -> None:
        for one in self.sockets:
            one.close()

    def stop(self) -> None:
        """Wake the thread out of whatever it waits for."""
        self.over = True
        for one in self.sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if event not in WATCHED:
        return
    watch: Watch | None = getattr(_here, "watch", None)
    if watch is None:
        return
    if event in CONNECTS:
        watch.connecting(args[0], args[1])
    elif event == "open":
        watch.opening(args[0])
    else:
        raise NotAllowed("A message starts nothing on this machine.")


class GuardedThreads:
    """Runs functions in threads of their own, within `reach` and in bounded time."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._pool = ThreadPoolExecutor(THREADS_MAX, thread_name_prefix="clarion-exit")

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def run(self, work: Callable[[], T], seconds_max: float) -> T:
        """What `work` answers. Raises PrivateAddress if it tried one, TimedOut, or its error."""
        _hook_once()
        watch = Watch(self._reach)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(seconds_max):
                return await loop.run_in_executor(self._pool, _watched, watch, work)
        except TimeoutError:
            raise TimedOut("It did not answer in time.", retry_after=60) from None
        finally:
            watch.stop()


def _watched(watch: Watch, work: Callable[[], T]) -> T:
    _here.watch = watch
    try:
        answer = work()
    except Exception as error:
        # Most packages take the refusal for a failed call, some let it through.
        if watch.private:
            raise PrivateAddress(watch.private) from error
        raise
    finally:
        _here.watch = None
        watch.close()
    if watch.private:  # the person who set the address should know why
        raise PrivateAddress(watch.private)
    return answer


def _hook_once() -> None:
    """Hooks cannot be taken away again, so there is one, and only where a thread needs it."""
    with _hooked:
        if not getattr(_audit, "installed", False):
            sys.addaudithook(_audit)
            _audit.installed = True  # type: ignore[attr-defined]
