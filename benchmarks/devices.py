"""A thousand devices connected, two hundred ringing at once: does the sound keep its pace?

`python -m benchmarks.devices [devices] [ringing]`. The server and the devices are processes of
their own. Five packets go ahead, then one for each 60 ms. Two measures of each packet after them:

beat   how far from its place in the ring: first arrival + 60 ms for each packet not sent ahead
gap    how far the time since the packet before was from 60 ms

A ring that hangs behind by 40 ms throughout has no gaps and is off its beat. The floor is the same
number of timers in an empty event loop, measured against their beat.
"""

import asyncio
import gc
import os
import resource
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import uvloop

from clarion.doors.devices.simulator import Firmware, SimulatedDevice, SimulatedIdentity
from clarion.doors.devices.wire.pacing import AHEAD
from clarion.voice.espeak import Espeak
from clarion.voice.speech import Speech
from tests.support.devices import a_device, a_ring, devices_door

DEVICES, RINGING = 1_000, 200
FRAME = 0.06
FILES = 20_000
TEXT = "该吃药啦，吃完告诉我一声，我好放心。"


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def off_beat(firmware: Firmware) -> list[float]:
    """Milliseconds between each arrival and its place after the ring's first arrival."""
    first = firmware.arrivals[0]
    due = [first + max(0, n - AHEAD + 1) * FRAME for n in range(len(firmware.arrivals))]
    return [
        abs(at - place) * 1000 for at, place in zip(firmware.arrivals[1:], due[1:], strict=True)
    ]


def off_gap(firmware: Firmware) -> list[float]:
    """Milliseconds by which the time between two paced packets was not 60."""
    paced = firmware.arrivals[AHEAD:]
    return [abs(second - first - FRAME) * 1000 for first, second in pairwise(paced)]


def gaps_heard(firmware: Firmware) -> int:
    """Packets that came after the loudspeaker had to play them."""
    begun = firmware.arrivals[0]
    due = [begun + number * FRAME for number in range(len(firmware.arrivals))]
    return sum(at > latest for at, latest in zip(firmware.arrivals[1:], due[1:], strict=True))


async def floor() -> list[float]:
    """The same timers with nothing behind them: milliseconds off their beat."""
    loop = asyncio.get_running_loop()
    fired: dict[int, list[float]] = {device: [] for device in range(RINGING)}
    done = asyncio.Event()
    begun = loop.time() + 0.2
    left = RINGING * 50

    def fire(device: int) -> None:
        nonlocal left
        fired[device].append(loop.time())
        left -= 1
        if left == 0:
            done.set()

    for device in range(RINGING):
        for number in range(50):
            loop.call_at(begun + number * FRAME, fire, device)
    await done.wait()
    return [
        abs(at - moments[0] - number * FRAME) * 1000
        for moments in fired.values()
        for number, at in enumerate(moments[1:], 1)
    ]


class Stalls:
    """How long the event loop, and the garbage collector in it, held everything up at most."""

    EVERY = 0.005

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = 0.0
        self.loop_ms = 0.0
        self.gc_ms = 0.0
        gc.callbacks.append(self._collecting)
        self._beat(self._loop.time())

    def forget(self) -> None:
        self.loop_ms = self.gc_ms = 0.0

    def _beat(self, due: float) -> None:
        now = self._loop.time()
        self.loop_ms = max(self.loop_ms, (now - due) * 1000)
        self._loop.call_at(now + self.EVERY, self._beat, now + self.EVERY)

    def _collecting(self, phase: str, _about: object) -> None:
        now = time.perf_counter()
        if phase == "start":
            self._began = now
        else:
            self.gc_ms = max(self.gc_ms, (now - self._began) * 1000)


async def serve(count: int, ringing: int) -> None:
    """The server's process: says where it is, rings when told, says what it cost."""
    with ThreadPoolExecutor(2) as threads:
        speech = Speech([Espeak(threads)], threads)
        await speech.packets(TEXT, "zh")
        async with devices_door(voice=speech, lines_max=count + 10) as door:
            print(door.url, flush=True)
            stalls = Stalls()
            await asyncio.to_thread(sys.stdin.readline)
            stalls.forget()
            cpu, wall = time.process_time(), time.perf_counter()
            for number in range(ringing):
                device = a_device(f"dev_{number}")
                await door.ring(a_ring(number, device=device, text=TEXT))
            await asyncio.to_thread(sys.stdin.readline)
            used = (time.process_time() - cpu) / (time.perf_counter() - wall)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            held = f"{stalls.loop_ms:.0f} {stalls.gc_ms:.0f}"
            print(f"{used * 100:.0f} {memory:.0f} {held}", flush=True)


async def connect(url: str, count: int) -> list[SimulatedDevice]:
    devices = []
    for first in range(0, count, 50):
        batch = [
            SimulatedDevice(
                url, SimulatedIdentity(token=f"tok_speaker.{number}", device_id=f"m{number}")
            )
            for number in range(first, min(first + 50, count))
        ]
        await asyncio.gather(*(device.open() for device in batch))
        devices += batch
    return devices


def print_pace(told: list[Firmware], bare: list[float]) -> None:
    beat = [value for one in told for value in off_beat(one)]
    gap = [value for one in told for value in off_gap(one)]
    print(f"{f'{len(beat)} packets':28}{'p50':>8}{'p99':>8}{'max':>8}  ms")
    rows = (("off the beat, at the device", beat), ("off the gap, at the device", gap))
    for name, values in (*rows, ("floor: bare timers' beat", bare)):
        shares = (quantile(values, 0.5), quantile(values, 0.99), max(values))
        print(f"{name:28}" + "".join(f"{value:8.1f}" for value in shares))
    lost = sum(one.dropped + one.overflowed for one in told)
    complaints = sorted({text for one in told for text in one.complaints})
    print(f"gaps that could be heard: {sum(gaps_heard(one) for one in told)}")
    print(f"packets lost {lost}; complaints of the firmware: {complaints or 'none'}")


async def measure(count: int, ringing: int) -> None:
    bare = await floor()
    server = subprocess.Popen(  # noqa: ASYNC220  once, before anything is measured
        [sys.executable, "-m", "benchmarks.devices", "serve", str(count), str(ringing)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    begun = time.perf_counter()
    devices = await connect(url, count)
    connecting = time.perf_counter() - begun
    gc.collect()
    gc.disable()  # this process is the instrument: its own pauses are not the server's
    stalls = Stalls()
    server.stdin.write("ring\n")
    server.stdin.flush()
    told = devices[:ringing]
    await asyncio.gather(
        *(one.until(lambda it: it.state == "idle" and it.said != [], within=60) for one in told)
    )
    server.stdin.write("done\n")
    server.stdin.flush()
    used, memory, held, collecting = server.stdout.readline().split()
    instrument = stalls.loop_ms
    await asyncio.gather(*(device.close() for device in devices))
    server.wait(20)
    print(f"{count} devices connected in {connecting:.1f} s, {ringing} ringing")
    print_pace([one.firmware for one in told], bare)
    print(
        f"server: {used} % of one core while ringing, {memory} MB at most ({os.cpu_count()} cores)"
    )
    print(
        f"held up at most: server {held} ms (collecting garbage {collecting} ms), "
        f"the measuring process {instrument:.0f} ms"
    )


def main() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    arguments = sys.argv[1:]
    is_server = bool(arguments) and arguments[0] == "serve"
    numbers = [int(one) for one in arguments[is_server:]]
    count, ringing = (*numbers, *(DEVICES, RINGING)[len(numbers) :])[:2]
    uvloop.run(serve(count, ringing) if is_server else measure(count, ringing))


if __name__ == "__main__":
    main()
